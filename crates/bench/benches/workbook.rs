//! What it costs to read workbooks and compare them over the cells of an answer.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rust_xlsxwriter::{Format, Workbook as Writer, XlsxError};
use textualrl_bench::spreadsheet::compare;
use textualrl_bench::spreadsheet::position::Position;
use textualrl_bench::spreadsheet::preview;
use textualrl_bench::spreadsheet::workbook::{Contents, Limits, Workbook};
use textualrl_model::settings::Scoring;

/// A large workbook of the released data has some ten thousand rows; most have far fewer.
const ROWS: u32 = 10_000;
const COLUMNS: u16 = 10;

/// A table of names, numbers and dates.
fn table() -> Result<Vec<u8>, XlsxError> {
    let mut writer = Writer::new();
    let sheet = writer.add_worksheet();
    let date = Format::new().set_num_format("yyyy-mm-dd");
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let number = f64::from(row) * 1.25 + f64::from(column);
            match column {
                0 => sheet.write(row, column, format!("Order {row}"))?,
                1 => sheet.write(row, column, if row % 3 == 0 { "open" } else { "paid" })?,
                2 => sheet.write_with_format(row, column, 45_000.0 + f64::from(row % 700), &date)?,
                _ => sheet.write(row, column, number)?,
            };
        }
    }
    writer.save_to_buffer()
}

fn workbooks(criterion: &mut Criterion) {
    let Ok(file) = table() else { return };
    let read = |contents| Workbook::parse(black_box(&file), contents, Limits::DEFAULT);
    let Ok(golden) = read(Contents::Values) else { return };
    let position = Position::parse(&format!("A1:J{ROWS}"), Scoring::Reference);
    let mut group = criterion.benchmark_group("workbook of 100,000 cells");
    group.sample_size(20).throughput(Throughput::Elements(u64::from(ROWS) * u64::from(COLUMNS)));
    group.bench_function("read", |bencher| bencher.iter(|| read(Contents::Values).is_ok()));
    group.bench_function("read with formulas and preview", |bencher| {
        bencher.iter(|| read(Contents::Formulas).map(|workbook| preview::of_workbook(&workbook)).is_ok());
    });
    group.bench_function("compare all cells", |bencher| {
        bencher
            .iter(|| compare::workbooks(black_box(&golden), &golden, &position, Scoring::Reference).is_ok());
    });
    group.finish();
}

criterion_group!(benches, workbooks);
criterion_main!(benches);
