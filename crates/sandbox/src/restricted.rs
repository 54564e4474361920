//! Programs restricted by Landlock, resource limits and a filter of system calls, where bubblewrap is missing.
//!
//! Both restrictions bind the thread that asks for them and whatever it starts. So each run has a thread of its own that
//! restricts itself, starts the program, and stays until the end: what it starts last is a command that kills
//! everything it may send a signal to, which is what the program left behind.
//!
//! Always holds: where the kernel does not know a restriction that is asked for here, nothing is run.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use seccompiler::BpfProgram;

use crate::account::Account;
use crate::folder::{RunFolder, SCRIPT};
use crate::interpreter::Interpreter;
use crate::printed::Allowance;
use crate::process::{self, FLAGS, Running};
use crate::program::Limits;
use crate::resources::{self, Beside};
use crate::system;

/// The first version that keeps a program from sending signals to others, which is also how leftovers are found.
const NEEDED: ABI = ABI::V6;
/// Devices that a program may read, and those that it may also write.
const READ_DEVICES: [&str; 3] = ["/dev/zero", "/dev/random", "/dev/urandom"];
const WRITE_DEVICES: [&str; 1] = ["/dev/null"];
const KILL_ALL: &str = "kill -s KILL -- -1";

/// The programs that start a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Restricted {
    prlimit: PathBuf,
    setpriv: PathBuf,
}

/// The thread that restricted itself and started a program.
#[derive(Debug)]
pub(crate) struct Keeper {
    kill: mpsc::Sender<()>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Restricted {
    /// Finds the programs; the error names the one that is missing.
    pub(crate) fn find() -> Result<Self, String> {
        let find = |name: &str| {
            system::find_program(name)
                .ok_or_else(|| format!("`{name}` is not installed (package util-linux)"))
        };
        Ok(Self { prlimit: find("prlimit")?, setpriv: find("setpriv")? })
    }

    /// Starts a program whose files are in `folder`.
    pub(crate) fn start(
        &self,
        interpreter: &Interpreter,
        folder: &RunFolder,
        limits: &Limits,
        allowance: &Allowance,
    ) -> std::io::Result<Running> {
        folder.make_temporary()?;
        let account = Account::next();
        let processes = match account {
            Account::Own(number) => {
                folder.give_to(number)?;
                0
            }
            // The limit is one of the user, whose other processes count too.
            Account::Same => system::threads_of_this_user(),
        };
        let beside = Beside { processes, bytes: folder.bytes() };
        let mut command = process::command(&self.setpriv, interpreter, folder.path());
        command
            .args(["--pdeathsig", "KILL"])
            .args(resources::arguments(&self.prlimit, limits, beside))
            .arg(&interpreter.executable)
            .args(FLAGS)
            .arg(SCRIPT)
            .current_dir(folder.path())
            .stdin(Stdio::null());
        let rules = rules(interpreter, folder.path()).map_err(std::io::Error::other)?;
        let filter = crate::filter::program().map_err(std::io::Error::other)?;
        start_restricted(as_account(command, account), account, rules, filter, allowance.clone())
    }
}

fn as_account(mut command: Command, account: Account) -> Command {
    if let Account::Own(number) = account {
        command.uid(number).gid(number);
    }
    command
}

/// What a program may do with files; everything else is refused.
fn rules(interpreter: &Interpreter, work: &Path) -> Result<RulesetCreated, landlock::RulesetError> {
    let read = AccessFs::from_read(NEEDED);
    // No devices and no sockets are made.
    let write = AccessFs::from_all(NEEDED) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock);
    let readable =
        system::READABLE.iter().map(Path::new).chain(interpreter.parts.iter().map(PathBuf::as_path));
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))?
        .handle_access(AccessNet::from_all(NEEDED))?
        .scope(Scope::from_all(NEEDED))?
        .create()?
        .add_rules(path_beneath_rules(readable.filter(|path| path.exists()), read))?
        .add_rules(path_beneath_rules(READ_DEVICES, AccessFs::ReadFile))?
        .add_rules(path_beneath_rules(WRITE_DEVICES, AccessFs::ReadFile | AccessFs::WriteFile))?
        .add_rules(path_beneath_rules([work], write))
}

/// Starts the command in a thread that is restricted first.
fn start_restricted(
    command: Command,
    account: Account,
    rules: RulesetCreated,
    filter: BpfProgram,
    allowance: Allowance,
) -> std::io::Result<Running> {
    let (send, started) = mpsc::channel();
    let (kill, until_killed) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        let running = restrict(rules, &filter).and_then(|()| process::start(command, &allowance));
        let runs = running.is_ok();
        // Nobody listens any more if the caller is gone; then the program ends with its value.
        let _unheard = send.send(running);
        let _ended = until_killed.recv();
        if runs { kill_all(account) } else { Ok(()) }
    });
    let running = started.recv().map_err(std::io::Error::other)??;
    Ok(running.of(account).kept_by(Keeper { kill, thread: Some(thread) }))
}

/// Restricts the calling thread for good.
fn restrict(rules: RulesetCreated, filter: &BpfProgram) -> std::io::Result<()> {
    let status = rules.restrict_self().map_err(std::io::Error::other)?;
    if status.ruleset != RulesetStatus::FullyEnforced {
        return Err(std::io::Error::other("the kernel does not enforce all that is asked of Landlock"));
    }
    seccompiler::apply_filter(filter).map_err(std::io::Error::other)
}

/// Kills everything that this restricted thread has started, also what left the process group.
fn kill_all(account: Account) -> std::io::Result<()> {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", KILL_ALL])
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    as_account(command, account).status().map(|_| ())
}

impl Keeper {
    /// Kills everything that the program left. Does nothing the second time.
    pub(crate) fn kill_all(&mut self) -> std::io::Result<()> {
        let _over = self.kill.send(());
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(killed)) => killed,
            Some(Err(_)) => Err(std::io::Error::other("the thread that started a program was lost")),
            None => Ok(()),
        }
    }
}
