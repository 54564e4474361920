//! How fast documents are searched: 200 MB of generated accounts, as many as a collection of bulletins has.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use textualrl_bench::officeqa::documents::{Documents, Reachable};
use textualrl_bench::officeqa::search;

/// Documents, and bytes of each.
const DOCUMENTS: usize = 100;
const BYTES: usize = 2_000_000;

/// Bytes of each where the benches are only tried, once each.
const TRIED: usize = 20_000;

/// A document of tables, every number of which follows from its place. The rarest line stands in the last one alone.
fn document(number: usize, bytes: usize) -> String {
    let rows = ["Harbour dues", "Market tolls", "Net debt", "Interest paid", "Wages of porters"];
    let mut text = String::with_capacity(bytes + 200);
    let mut line = 0;
    while text.len() < bytes {
        let row = rows.get(line % rows.len()).copied().unwrap_or_default();
        let (one, two) = ((number * 7919 + line * 104_729) % 90_000, (number * 611 + line * 1301) % 90_000);
        // Writing into a text cannot fail.
        let _ = writeln!(text, "| {row}, district {} | {one} | {two} |", line / rows.len());
        if line % 40 == 0 {
            let _ = writeln!(text, "\nFigures of earlier years were not restated, and sums may differ.\n");
        }
        line += 1;
    }
    if number + 1 == DOCUMENTS {
        text.push_str("| Gifts and legacies | 31 | 29 |\n");
    }
    text
}

fn generate(folder: &Path, bytes: usize) -> std::io::Result<()> {
    (0..DOCUMENTS).try_for_each(|number| {
        std::fs::write(folder.join(format!("accounts_{number:03}.txt")), document(number, bytes))
    })
}

fn measure(criterion: &mut Criterion) {
    let tried = std::env::args().any(|argument| argument == "--test");
    let bytes = if tried { TRIED } else { BYTES };
    let Ok(folder) = tempfile::tempdir() else { return };
    let Ok(documents) = generate(folder.path(), bytes).map(|()| Documents::list(folder.path())) else {
        return;
    };
    let Ok(all) = documents.map(|documents| Reachable::all(Arc::new(documents))) else { return };
    let mut group = criterion.benchmark_group("grep");
    group.sample_size(10).throughput(Throughput::Bytes((DOCUMENTS * bytes) as u64));
    for (name, text) in
        [("nothing is found", "coal royalties"), ("in the last document", "GIFTS AND legacies")]
    {
        group.bench_function(name, |bencher| {
            bencher.iter(|| search::grep(black_box(text), all.iter(), true).map(|found| found.len()));
        });
    }
    group.finish();
    let Ok(last) = all.find("accounts_099.txt") else { return };
    criterion.bench_function("read 80 lines from the middle of a document", |bencher| {
        bencher.iter(|| search::read(last, black_box(bytes / 90), 80).map(|text| text.len()));
    });
}

criterion_group!(benches, measure);
criterion_main!(benches);
