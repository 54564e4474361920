//! Programs in namespaces of their own, made by bubblewrap.
//!
//! The program sees the system's libraries and its interpreter, read-only, and a work folder in memory of limited size.
//! It has no network, no other processes and no devices but the harmless ones. As root, the program gets a user number of
//! its own inside; as anybody else, bubblewrap makes a user namespace.
//!
//! What the program leaves is handed out through a pipe by the shell that started it, because the work folder goes away
//! with the namespaces. It stands in the place of the shell's standard input, as the only stream besides the two that
//! the program prints to.
//!
//! Always holds: nothing that the program may write to outlives it, and all its processes die with the first one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::account::Account;
use crate::filter;
use crate::folder::{RunFolder, SCRIPT, TEMPORARY};
use crate::interpreter::Interpreter;
use crate::printed::Allowance;
use crate::process::{self, FLAGS, Running};
use crate::program::{FOLDER, Limits, Program};
use crate::resources::{self, Beside};
use crate::system;

/// Where the copies are, inside.
const GIVEN: &str = "/given";
/// Devices that a program may open.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];
/// The shell, and bubblewrap's own process where there is a namespace of users, count as processes.
const PROCESSES: u64 = 2;
/// Bytes that an empty work folder takes beyond its files, and each file at most beyond its bytes.
const PAGE: u64 = 4096;

/// Says that the program was started, and before the file that it left.
pub(crate) const STARTED: &[u8] = b"started\n";
const LEFT: &[u8] = b"left\n";

/// Opens the filter for bubblewrap and becomes it.
const OUTSIDE: &str = r#"exec "$@" 3<"$0""#;

/// Run inside with the name of the output and the command of the program.
const INSIDE: &str = r#"
exec 3>&0 0</dev/null
output=$1
shift
cp -R "$0/." . && mkdir "$TMPDIR" && echo started >&3 || exit 1
"$@" 3>&-
code=$?
if [ -f "./$output" ] && [ ! -h "./$output" ]; then
    echo left >&3
    cat "./$output" >&3
fi
exit $code
"#;

/// The programs that start a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bubblewrap {
    bwrap: PathBuf,
    prlimit: PathBuf,
    setpriv: PathBuf,
}

impl Bubblewrap {
    /// Finds the programs; the error names the one that is missing.
    pub(crate) fn find() -> Result<Self, String> {
        let find = |name: &str, package: &str| {
            system::find_program(name).ok_or_else(|| format!("`{name}` is not installed (package {package})"))
        };
        Ok(Self {
            bwrap: find("bwrap", "bubblewrap")?,
            prlimit: find("prlimit", "util-linux")?,
            setpriv: find("setpriv", "util-linux")?,
        })
    }

    /// Starts a program whose files are in `folder`.
    pub(crate) fn start(
        &self,
        interpreter: &Interpreter,
        program: &Program<'_>,
        folder: &RunFolder,
        limits: &Limits,
        allowance: &Allowance,
    ) -> std::io::Result<Running> {
        let filter = folder.beside("filter");
        std::fs::write(&filter, filter::bytes(&filter::program().map_err(std::io::Error::other)?))?;
        let (reader, writer) = std::io::pipe()?;
        let account = Account::next();
        let beside = Beside { processes: PROCESSES, bytes: folder.bytes() };
        let size = work_size(program, folder, limits);
        let mut command: Command = process::command(Path::new("/bin/sh"), interpreter, Path::new(FOLDER));
        command
            .args(["-c", OUTSIDE])
            .args([&filter, &self.bwrap])
            .args(["--seccomp", "3"])
            .args(namespaces(account))
            .args(tree(interpreter, folder.path(), size))
            .arg("--")
            .args(self.account(account))
            .args(resources::arguments(&self.prlimit, limits, beside))
            .args(["/bin/sh", "-c", INSIDE, GIVEN, program.output])
            .arg(&interpreter.executable)
            .args(FLAGS)
            .arg(SCRIPT)
            .stdin(writer);
        let most = usize::try_from(limits.disk_bytes).unwrap_or(usize::MAX);
        let most = most.saturating_add(STARTED.len() + LEFT.len());
        Ok(process::start(command, allowance)?.of(account).handing_out(reader, most))
    }

    fn account(&self, account: Account) -> Vec<String> {
        let Account::Own(number) = account else { return Vec::new() };
        let setpriv = self.setpriv.to_string_lossy().into_owned();
        let number = number.to_string();
        let options = ["--reuid", &number, "--regid", &number, "--clear-groups", "--no-new-privs"];
        std::iter::once(setpriv).chain(options.map(str::to_owned)).collect()
    }
}

/// What was handed out: whether the program was started, and what it left.
pub(crate) fn handed_out(bytes: &[u8], most: u64) -> (bool, Option<Vec<u8>>) {
    let Some(rest) = bytes.strip_prefix(STARTED) else { return (false, None) };
    let left = rest.strip_prefix(LEFT).filter(|left| left.len() as u64 <= most);
    (true, left.map(<[u8]>::to_vec))
}

/// The size of the work folder: what the program may write beside what it is given.
fn work_size(program: &Program<'_>, folder: &RunFolder, limits: &Limits) -> u64 {
    let pages = RunFolder::count(program).saturating_add(2).saturating_mul(PAGE);
    limits.disk_bytes.saturating_add(folder.bytes()).saturating_add(pages)
}

/// What is made anew for the program.
fn namespaces(account: Account) -> Vec<String> {
    let always = [
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--die-with-parent",
    ];
    let as_account: &[&str] = match account {
        // Without a user namespace, limits bind by the number; the two capabilities are what it takes to become it.
        Account::Own(_) => &["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"],
        Account::Same => &["--unshare-user", "--uid", "65534", "--gid", "65534"],
    };
    always.iter().chain(as_account).map(|argument| (*argument).to_owned()).collect()
}

/// The tree of files that the program sees.
fn tree(interpreter: &Interpreter, given: &Path, work_size: u64) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut add = |parts: &[&str]| arguments.extend(parts.iter().map(|part| (*part).to_owned()));
    let readable = system::READABLE.iter().map(PathBuf::from).chain(interpreter.parts.iter().cloned());
    let readable: Vec<PathBuf> = readable.filter(|path| path.symlink_metadata().is_ok()).collect();
    let inside = readable.iter().map(PathBuf::as_path).chain(DEVICES.map(Path::new));
    // Comes first, so that an interpreter below a folder of this name is not hidden.
    add(&["--perms", "1777", "--size", &work_size.to_string(), "--tmpfs", FOLDER]);
    let parents = parents(inside);
    for folder in &parents {
        // Bubblewrap itself would let nobody but root into the folders that it makes on the way.
        add(&["--dir", &folder.to_string_lossy()]);
    }
    for path in &readable {
        let text = path.to_string_lossy();
        match std::fs::read_link(path) {
            Ok(target) => add(&["--symlink", &target.to_string_lossy(), &text]),
            Err(_) => add(&["--ro-bind", &text, &text]),
        }
    }
    for device in DEVICES {
        add(&["--dev-bind-try", device, device]);
    }
    add(&["--ro-bind", &given.to_string_lossy(), GIVEN]);
    let temporary = format!("{FOLDER}/{TEMPORARY}");
    for link in
        ["/tmp", "/dev/shm"].iter().filter(|link| !parents.iter().any(|folder| folder == Path::new(link)))
    {
        add(&["--symlink", &temporary, link]);
    }
    add(&["--remount-ro", "/", "--chdir", FOLDER]);
    arguments
}

/// The folders above the paths, from the top down, each once.
fn parents<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for path in paths {
        let mut above: Vec<&Path> =
            path.ancestors().skip(1).filter(|folder| *folder != Path::new("/")).collect();
        above.reverse();
        for folder in above {
            if !folders.iter().any(|known| known == folder) {
                folders.push(folder.to_owned());
            }
        }
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_from_the_top_down_and_once() {
        let paths = ["/opt/python/bin", "/opt/python/lib", "/usr"].map(Path::new);
        assert_eq!(parents(paths.into_iter()), [Path::new("/opt"), Path::new("/opt/python")]);
    }

    #[test]
    fn what_is_handed_out_is_told_apart() {
        for (bytes, expected) in [
            ("", (false, None)),
            ("oops", (false, None)),
            ("started\n", (true, None)),
            ("started\nleft\n", (true, Some(Vec::new()))),
            ("started\nleft\nab", (true, Some(b"ab".to_vec()))),
            ("started\nleft\nabcd", (true, None)),
        ] {
            assert_eq!(handed_out(bytes.as_bytes(), 3), expected, "{bytes:?}");
        }
    }
}
