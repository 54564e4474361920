//! Where the tasks come from, and what each benchmark can be told.
//!
//! Always holds: the settings of a benchmark that is not in use decide nothing.

use serde::{Deserialize, Serialize};

/// Which of a benchmark's two metrics scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scoring {
    /// The published metric, quirks included, so that numbers compare.
    Reference,
    /// The metric with what is plainly wrong in it repaired.
    Corrected,
}

/// Where the tasks come from (`[data]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSettings {
    /// The benchmark's name in the registry, or `own` for own tasks.
    pub benchmark: String,
    /// The folder of the data. `embedded:quickstart` is the task set inside the binary.
    pub dir: String,
    /// The initial context's file; empty takes the benchmark's own.
    pub context: String,
    /// Which metric scores.
    pub scoring: Scoring,
    /// Tasks to keep of each split, in file order; 0 keeps all.
    pub limit: u32,
    /// Own tasks.
    pub own: OwnTaskSettings,
    /// SpreadsheetBench.
    pub spreadsheet: SpreadsheetSettings,
    /// OfficeQA.
    pub officeqa: OfficeQaSettings,
    /// DocVQA.
    pub docvqa: DocVqaSettings,
    /// LiveMathematicianBench.
    pub livemath: LiveMathSettings,
}

/// How an agent that writes programs is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpreadsheetMode {
    /// The program is run and its own output shown until it ends without an error.
    Multi,
    /// One program, not shown its output.
    Single,
}

/// What confines a program that a model wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confinement {
    /// Bubblewrap if it works here, else Landlock; without either nothing is run.
    Auto,
    /// Bubblewrap.
    Bwrap,
    /// Landlock with resource limits and a system call filter.
    Landlock,
    /// Nothing. Said beside every number.
    None,
}

/// Who computes the formulas of a workbook before its cells are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Recalculation {
    /// Nobody: a formula counts by the value that the program left with it.
    None,
    /// LibreOffice, for which `soffice` must be installed.
    Soffice,
}

/// SpreadsheetBench (`[data.spreadsheet]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpreadsheetSettings {
    /// How the agent is asked.
    pub mode: SpreadsheetMode,
    /// Replies of an episode; at least 1.
    pub turns: u32,
    /// Seconds that all programs of an episode may run together; above 0.
    pub budget_seconds: f64,
    /// Seconds that one program may run; above 0.
    pub run_seconds: f64,
    /// What confines the program.
    pub sandbox: Confinement,
    /// The interpreter, with openpyxl and pandas: a name on the path, or a path.
    pub python: String,
    /// Megabytes of memory of a program; at least 64.
    pub memory_mb: u64,
    /// Megabytes that a program may write; at least 1.
    pub disk_mb: u64,
    /// Processes and threads of a program; at least 1.
    pub processes: u32,
    /// Who computes formulas before the cells are compared.
    pub recalculate: Recalculation,
}

/// Which documents an agent may open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentReach {
    /// Those that the task names as its sources, as published; all where it names none that exists.
    Sources,
    /// All documents of the folder.
    All,
}

/// OfficeQA (`[data.officeqa]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfficeQaSettings {
    /// The folder of the documents, relative to `data.dir`.
    pub documents: String,
    /// Which of them the agent may open.
    pub reach: DocumentReach,
    /// Replies of an episode; at least 1.
    pub turns: u32,
    /// Whether the pages that hold the answer stand in the prompt, where they are parsed.
    pub oracle_pages: bool,
}

/// What a document question is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentMode {
    /// The page's image.
    Image,
    /// The text that was read from the page. Said beside every number.
    Text,
}

/// DocVQA (`[data.docvqa]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocVqaSettings {
    /// What the agent is given of the page.
    pub mode: DocumentMode,
    /// Bytes of an image in base64 above which it is scaled down; 0 sends every image as it is.
    pub image_bytes: u64,
}

/// LiveMathematicianBench (`[data.livemath]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiveMathSettings {
    /// Whether the theorem stands in the prompt.
    pub theorem: bool,
    /// Whether the sketch of the proof stands in the prompt.
    pub sketch: bool,
}

/// Own tasks (`[data.own]`): files are relative to `data.dir`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnTaskSettings {
    /// One file that is split by `ratio` and `seed`; empty if the splits have files of their own.
    pub tasks: String,
    /// The file of the train split, JSONL or CSV.
    pub train: String,
    /// The file of the validation split.
    pub validation: String,
    /// The file of the test split.
    pub test: String,
    /// Shares of train, validation and test when one file is split; above 0 each.
    pub ratio: [f64; 3],
    /// The seed of that split.
    pub seed: u64,
    /// What the agent is asked, as a template over the fields of a task (`{{ input }}` …).
    pub template: String,
    /// How an answer is scored.
    pub scorer: ScorerSettings,
}

/// How an own task's answer is scored (`[data.own.scorer]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScorerSettings {
    /// `exact`, `normalized`, `contains`, `choice`, `numeric`, `f1`, `anls`, `regex`, `json_equal` or `command`.
    pub name: String,
    /// For `numeric`, the largest absolute difference; for `f1` and `anls` unused.
    pub tolerance: f64,
    /// For `f1` and `anls`, the score from which an answer counts as right.
    pub threshold: f64,
    /// For `command`, the program and its arguments.
    pub command: Vec<String>,
    /// For `command`, seconds that it may take.
    pub timeout_seconds: f64,
    /// For `command`, whether its feedback is declared free of golds.
    pub safe_feedback: bool,
}
