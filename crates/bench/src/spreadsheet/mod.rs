//! SpreadsheetBench: programs that edit workbooks, judged by the cells of the answer.
//!
//! Always holds: a workbook that cannot be read never passes; a task passes if all its test cases do.

pub mod cases;
pub mod cell;
pub mod compare;
pub mod conformance;
mod container;
pub mod difference;
mod format;
pub mod moment;
pub mod position;
pub mod preview;
pub mod program;
pub mod tasks;
pub mod verification;
pub mod workbook;
