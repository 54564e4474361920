//! SpreadsheetBench: programs that edit workbooks, judged by the cells of the answer.
//!
//! Always holds: a workbook that cannot be read never passes; a task passes if all its test cases do.

pub mod cell;
pub mod compare;
mod container;
mod format;
pub mod moment;
pub mod position;
pub mod program;
pub mod workbook;
