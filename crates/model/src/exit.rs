//! The exit codes of every command, so that scripts can depend on them.
//!
//! Always holds: a code's meaning never changes; `docs/exit-codes.md` lists the same codes.

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// All went well.
    Success,
    /// A fault of the tool itself; please report it.
    Internal,
    /// The command line or the configuration is wrong.
    Usage,
    /// A task file, context or other input cannot be used.
    BadInput,
    /// An endpoint cannot be reached, refuses the key, or too many calls failed.
    Provider,
    /// The run folder is of another format, damaged, or its inputs do not fit.
    RunFolder,
    /// Another process works in the run folder.
    InUse,
    /// A file could not be written, for example because the disk is full.
    Storage,
    /// The run paused because tasks stayed unscored; resume it.
    Paused,
    /// A check said no: `check`, `lint`, `tidy`.
    CheckFailed,
    /// Stopped by an interrupt; what was done is kept.
    Interrupted,
}

impl ExitCode {
    /// All codes.
    pub const ALL: [Self; 11] = [
        Self::Success,
        Self::Internal,
        Self::Usage,
        Self::BadInput,
        Self::Provider,
        Self::RunFolder,
        Self::InUse,
        Self::Storage,
        Self::Paused,
        Self::CheckFailed,
        Self::Interrupted,
    ];

    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Internal => 1,
            Self::Usage => 2,
            Self::BadInput => 3,
            Self::Provider => 4,
            Self::RunFolder => 5,
            Self::InUse => 6,
            Self::Storage => 7,
            Self::Paused => 8,
            Self::CheckFailed => 9,
            Self::Interrupted => 130,
        }
    }

    /// The code that a process of this tool ended with.
    pub fn from_process(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|code| i32::from(code.code()) == number)
    }

    /// The meaning in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Success => "all went well",
            Self::Internal => "a fault of the tool itself; please report it",
            Self::Usage => "the command line or the configuration is wrong",
            Self::BadInput => "a task file, context or other input cannot be used",
            Self::Provider => "an endpoint cannot be reached, refuses the key, or too many calls failed",
            Self::RunFolder => "the run folder is of another format, damaged, or its inputs do not fit",
            Self::InUse => "another process works in the run folder",
            Self::Storage => "a file could not be written, for example because the disk is full",
            Self::Paused => "the run paused because tasks stayed unscored; resume it",
            Self::CheckFailed => "a check said no",
            Self::Interrupted => "stopped by an interrupt; what was done is kept",
        }
    }
}
