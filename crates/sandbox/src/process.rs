//! A program while it runs: its process group and its streams.
//!
//! Always holds: the process leads a group of its own, its environment holds only what is set here, and the group is
//! killed before its value goes away.

use std::io::PipeReader;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};

use crate::account::Account;
use crate::folder::TEMPORARY;
use crate::interpreter::Interpreter;
use crate::printed::{Allowance, Collected};
use crate::processes;
use crate::restricted::Keeper;

/// Python without the user's own packages, writing no byte code, printing at once.
pub(crate) const FLAGS: [&str; 3] = ["-s", "-B", "-u"];

/// A process group that runs.
#[derive(Debug)]
pub(crate) struct Running {
    child: Box<dyn ChildWrapper>,
    output: Option<Collected>,
    errors: Option<Collected>,
    /// What bubblewrap hands out of the work folder.
    pub(crate) handed_out: Option<Collected>,
    keeper: Option<Keeper>,
    killed: bool,
    /// The user that has nothing but this run.
    user: Option<u32>,
}

/// A command that knows nothing of this process's environment.
pub(crate) fn command(program: &Path, interpreter: &Interpreter, folder: &Path) -> Command {
    let own = interpreter.executable.parent().unwrap_or(Path::new("/usr/bin"));
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", own.display()))
        .env("HOME", folder)
        .env("TMPDIR", folder.join(TEMPORARY))
        .env("LANG", "C.UTF-8")
        .env("TZ", "UTC")
        .env("PYTHONHASHSEED", "0");
    command
}

/// Starts a command whose output counts against `allowance`.
pub(crate) fn start(mut command: Command, allowance: &Allowance) -> std::io::Result<Running> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = CommandWrap::from(command).wrap(ProcessGroup::leader()).spawn()?;
    let output = child.stdout().take().ok_or(std::io::ErrorKind::BrokenPipe)?;
    let errors = child.stderr().take().ok_or(std::io::ErrorKind::BrokenPipe)?;
    let output = Collected::from(output, allowance.clone());
    let errors = Collected::from(errors, allowance.clone());
    Ok(Running {
        child,
        output: Some(output),
        errors: Some(errors),
        handed_out: None,
        keeper: None,
        killed: false,
        user: None,
    })
}

impl Running {
    /// Reads `pipe` in the background, up to `most` bytes.
    pub(crate) fn handing_out(mut self, pipe: PipeReader, most: usize) -> Self {
        self.handed_out = Some(Collected::from(pipe, Allowance::new(most)));
        self
    }

    /// With the thread that it was started by, which kills what leaves the group.
    pub(crate) fn kept_by(mut self, keeper: Keeper) -> Self {
        self.keeper = Some(keeper);
        self
    }

    /// As a user that has nothing but this run.
    pub(crate) fn of(mut self, account: Account) -> Self {
        self.user = match account {
            Account::Own(number) => Some(number),
            Account::Same => None,
        };
        self
    }

    /// The numbers of its processes.
    pub(crate) fn processes(&self) -> Vec<u32> {
        processes::of_run(&processes::all(), self.child.id(), self.user)
    }

    /// How the first process ended, if it did.
    pub(crate) fn ended(&mut self) -> std::io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// What it printed, what it printed as errors, and what was handed out.
    pub(crate) fn finish(mut self) -> (Vec<u8>, Vec<u8>, Option<Vec<u8>>) {
        let bytes = |stream: Option<Collected>| stream.map(Collected::finish);
        let handed_out = bytes(self.handed_out.take());
        (
            bytes(self.output.take()).unwrap_or_default(),
            bytes(self.errors.take()).unwrap_or_default(),
            handed_out,
        )
    }

    /// Kills whatever is left of it and waits for its first process.
    pub(crate) fn kill(&mut self) -> std::io::Result<()> {
        // Later the number of the group may be somebody else's.
        if std::mem::replace(&mut self.killed, true) {
            return Ok(());
        }
        // An error means that nothing of the group is left.
        let _gone = self.child.start_kill();
        let killed = self.keeper.as_mut().map_or(Ok(()), Keeper::kill_all);
        let _gone = self.child.wait();
        killed
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Only after an error, which is told already, there is still something to kill.
        let _told = self.kill();
    }
}
