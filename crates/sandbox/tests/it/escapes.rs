//! Programs that reach for what they were not given. Each succeeds without a confinement, so that it is the confinement
//! that refuses it.

use std::io::Read;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::time::Duration;

use textualrl_sandbox::{Ended, Sandbox};

use super::confinements::{LIMITS, confined, is_root, run, run_with, unconfined};

/// What a script printed, and whether it ended well.
fn outcome(sandbox: &Sandbox, script: &str) -> (bool, String) {
    let run = run(sandbox, script, &LIMITS);
    (run.ended.well(), run.printed)
}

/// Runs a script unconfined, where it is to print the line `expected`, and in each confinement, where it is not.
fn refused(script: &str, expected: &str) {
    let (well, printed) = outcome(unconfined(), script);
    assert!(well && printed.trim() == expected, "the control: {printed}");
    for sandbox in confined() {
        let (_, printed) = outcome(sandbox, script);
        assert!(!printed.lines().any(|line| line == expected), "{:?}: {printed}", sandbox.confinement());
    }
}

#[test]
fn a_gold_outside_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let gold = folder.path().join("gold.txt");
    std::fs::write(&gold, "the gold").unwrap();
    let open =
        |path: &str| std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755));
    open(folder.path().to_str().unwrap()).unwrap();
    let gold = gold.to_str().unwrap();
    refused(&format!("print(open({gold:?}).read())"), "the gold");
    refused(
        &format!("import subprocess; print(subprocess.check_output(['cat', {gold:?}], text=True))"),
        "the gold",
    );
    refused(&format!("import os; os.symlink({gold:?}, 'link'); print(open('link').read())"), "the gold");
    refused(&format!("import os; os.link({gold:?}, 'link'); print(open('link').read())"), "the gold");
    refused(&format!("import os; print(os.listdir(os.path.dirname({gold:?}))[0])"), "gold.txt");
    refused("print(open('/etc/passwd').read().splitlines()[0].split(':')[0])", "root");
}

#[test]
fn nothing_is_written_outside() {
    let folder = tempfile::tempdir().unwrap();
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(folder.path(), open).unwrap();
    let path = folder.path().join("made");
    let script = format!("open({:?}, 'w').write('x')", path.to_str().unwrap());
    assert!(outcome(unconfined(), &script).0 && path.exists(), "the control");
    std::fs::remove_file(&path).unwrap();
    for sandbox in confined() {
        assert!(!outcome(sandbox, &script).0, "{:?}", sandbox.confinement());
        assert!(!path.exists(), "{:?}", sandbox.confinement());
        for place in ["/", "/usr", "/dev", "/etc", ".."] {
            let script = format!("open({place:?} + '/textualrl-made', 'w')");
            assert!(!outcome(sandbox, &script).0, "{:?} {place}", sandbox.confinement());
        }
    }
}

#[test]
fn a_link_is_no_output() {
    let folder = tempfile::tempdir().unwrap();
    let gold = folder.path().join("gold.txt");
    std::fs::write(&gold, "the gold").unwrap();
    let link = format!("import os; os.symlink({:?}, 'output.txt')", gold.to_str().unwrap());
    let scripts = [&*link, "import os; os.mkfifo('output.txt')", "import os; os.mkdir('output.txt')"];
    for sandbox in confined().chain([unconfined()]) {
        for script in scripts {
            let run = run(sandbox, script, &LIMITS);
            assert_eq!(
                (run.ended, run.output),
                (Ended::Exited(0), None),
                "{:?} {script}",
                sandbox.confinement()
            );
        }
        let run = run(sandbox, "open('output.txt', 'w').write('own')", &LIMITS);
        assert_eq!(run.output.as_deref(), Some(&b"own"[..]), "the control");
    }
}

#[test]
fn no_socket_is_opened() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connect =
        format!("import socket; socket.create_connection(('127.0.0.1', {port}), 5); print('connected')");
    refused(&connect, "connected");

    let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
    receiver.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let port = receiver.local_addr().unwrap().port();
    let send = format!(
        "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); \
         s.sendto(b'x', ('127.0.0.1', {port})); print('sent')"
    );
    let mut buffer = [0; 4];
    assert!(outcome(unconfined(), &send).0 && receiver.recv(&mut buffer).is_ok(), "the control");
    for sandbox in confined() {
        assert!(
            !outcome(sandbox, &send).0 && receiver.recv(&mut buffer).is_err(),
            "{:?}",
            sandbox.confinement()
        );
    }

    let folder = tempfile::tempdir().unwrap();
    let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(folder.path(), everybody).unwrap();
    let path = folder.path().join("socket");
    let _listener = UnixListener::bind(&path).unwrap();
    let path = path.to_str().unwrap();
    let connect =
        format!("import socket; socket.socket(socket.AF_UNIX).connect({path:?}); print('connected')");
    refused(&connect, "connected");
    refused("import socket; socket.socket().bind(('127.0.0.1', 0)); print('bound')", "bound");
}

#[test]
fn no_system_call_leads_around() {
    refused("import os; os.close(os.memfd_create('x')); print('made')", "made");
    let call = |number: &str| {
        format!("import ctypes; print('made' if ctypes.CDLL(None).{number} >= 0 else 'refused')")
    };
    refused(&call("shmget(0, 4096, 0o1600)"), "made");
    refused(&call("unshare(0x10000000)"), "made");
}

#[test]
fn other_processes_are_neither_seen_nor_signalled() {
    let own = std::process::id();
    let environment = format!("print(len(open('/proc/{own}/environ', 'rb').read()) > 0)");
    refused(&environment, "True");
    refused(&format!("import os; os.kill({own}, 0); print('may be killed')"), "may be killed");
}

#[test]
fn no_program_is_root() {
    if !is_root() {
        eprintln!("SKIPPED: the tests do not run as root");
        return;
    }
    refused("import os; print(os.getuid())", "0");
    refused("import os; os.setuid(0); print('root')", "root");
    refused("import os; os.setgroups([0]); print('in a group')", "in a group");
    refused("import os; os.nice(-5); print('preferred')", "preferred");
    for sandbox in confined() {
        let who = || outcome(sandbox, "import os; print(os.getuid(), os.getgid(), os.getgroups())").1;
        let (one, other) = (who(), who());
        assert!(one.ends_with(" []\n"), "{:?}: {one}", sandbox.confinement());
        assert_ne!(one, other, "{:?}: every run has a number of its own", sandbox.confinement());
    }
}

#[test]
fn what_one_run_leaves_the_next_does_not_see() {
    let write = "import tempfile, os\nopen(os.path.join(os.environ['TMPDIR'], 'left'), 'w').write('x')\n\
                 try: open('/tmp/textualrl-left', 'w').write('x')\nexcept OSError: pass";
    let read = "import os\nprint(os.path.exists('/tmp/textualrl-left'), os.listdir(os.environ['TMPDIR']))";
    for sandbox in confined() {
        assert!(outcome(sandbox, write).0);
        assert_eq!(outcome(sandbox, read), (true, "False []\n".to_owned()), "{:?}", sandbox.confinement());
    }
    assert!(!std::path::Path::new("/tmp/textualrl-left").exists());
}

#[test]
fn an_input_that_only_its_owner_may_read_is_given_all_the_same() {
    let mut input = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut input, b"mine").unwrap();
    let mut text = String::new();
    input.reopen().unwrap().read_to_string(&mut text).unwrap();
    for sandbox in confined().chain([unconfined()]) {
        let run = run_with(sandbox, "print(open('a').read())", &[("a", input.path())], &LIMITS);
        assert_eq!(run.printed, format!("{text}\n"), "{:?}", sandbox.confinement());
    }
}
