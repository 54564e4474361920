//! Protected places: front matter and regions between markers.
//!
//! Always holds: regions are sorted and apart; an unclosed region reaches to the end of the text, and a stray end
//! marker protects itself, so that in doubt more is protected rather than less.

use std::ops::Range;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::text::{Line, is_blank, line_at, line_numbers, piece};

/// A flaw in the markers of a text. The text stays protected; somebody should mend it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "flaw")]
pub enum MarkerFlaw {
    /// A region within a region; the outer end marker ends it.
    Nested {
        /// The line of the inner start marker, from 1.
        line: usize,
    },
    /// A region without an end marker: everything from here on is protected.
    Unclosed {
        /// The line of the start marker, from 1.
        line: usize,
    },
    /// An end marker without a region.
    StrayEnd {
        /// Its line, from 1.
        line: usize,
    },
}

impl std::fmt::Display for MarkerFlaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nested { line } => {
                write!(
                    f,
                    "line {line}: a protected region starts within another; the outer end marker counts"
                )
            }
            Self::Unclosed { line } => write!(
                f,
                "line {line}: the protected region is never closed, so everything from here on is protected; \
                 add the end marker"
            ),
            Self::StrayEnd { line } => {
                write!(f, "line {line}: an end marker without a start marker; remove it or add the start")
            }
        }
    }
}

/// Makes a flaw of the number of its line.
type FlawAt = fn(usize) -> MarkerFlaw;

/// A marker found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hit {
    at: usize,
    length: usize,
    pair: usize,
    opens: bool,
}

/// The marker pairs to look for.
#[derive(Debug)]
pub(crate) struct Markers<'a> {
    pairs: Vec<[&'a str; 2]>,
    prefix: &'a str,
    longest: usize,
}

impl<'a> Markers<'a> {
    pub(crate) fn new(pairs: &'a [[String; 2]]) -> Self {
        let pairs: Vec<[&str; 2]> = pairs
            .iter()
            .map(|[start, end]| [start.as_str(), end.as_str()])
            .filter(|pair| pair.iter().all(|marker| !marker.trim().is_empty()))
            .collect();
        let all = || pairs.iter().flatten().copied();
        let prefix = all().reduce(common_prefix).unwrap_or("");
        let longest = all().map(str::len).max().unwrap_or(0);
        Self { pairs, prefix, longest }
    }

    /// The longest marker in bytes; 0 if there are none.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }

    /// The ranges of all markers in `text`, ascending.
    pub(crate) fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        self.hits(text).into_iter().map(|hit| hit.at..hit.at + hit.length).collect()
    }

    fn hits(&self, text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        if self.prefix.is_empty() {
            for pair in 0..self.pairs.len() {
                self.add_hits(text, pair, &mut hits);
            }
            hits.sort_by_key(|hit| (hit.at, hit.length));
            return hits;
        }
        // Short pieces are not worth the making of a finder.
        let first = self.prefix.as_bytes().first().copied().unwrap_or_default();
        if text.len() < 512 && memchr::memchr(first, text.as_bytes()).is_none() {
            return hits;
        }
        for at in memmem::find_iter(text.as_bytes(), self.prefix) {
            let rest = piece(text, at..text.len());
            for (pair, [start, end]) in self.pairs.iter().enumerate() {
                let found = [(start, true), (end, false)]
                    .into_iter()
                    .filter(|(marker, _)| rest.starts_with(**marker));
                if let Some((marker, opens)) = found.max_by_key(|(marker, opens)| (marker.len(), *opens)) {
                    hits.push(Hit { at, length: marker.len(), pair, opens });
                }
            }
        }
        hits
    }

    fn add_hits(&self, text: &str, pair: usize, hits: &mut Vec<Hit>) {
        let Some([start, end]) = self.pairs.get(pair) else { return };
        for (marker, opens) in [(start, true), (end, false)] {
            if opens || start != end {
                hits.extend(text.match_indices(marker).map(|(at, found)| Hit {
                    at,
                    length: found.len(),
                    pair,
                    opens,
                }));
            }
        }
    }
}

fn common_prefix<'a>(first: &'a str, second: &str) -> &'a str {
    let same = first.char_indices().zip(second.chars()).find(|((_, a), b)| a != b);
    let end = same.map_or(first.len().min(second.len()), |((at, _), _)| at);
    first.get(..end).unwrap_or("")
}

/// What is protected in a text.
#[derive(Debug, Default)]
pub(crate) struct Protection {
    pub(crate) front_matter: Option<Range<usize>>,
    pub(crate) regions: Vec<Range<usize>>,
    pub(crate) flaws: Vec<MarkerFlaw>,
}

/// Which protected place an edit touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Touched {
    FrontMatter,
    Region(Range<usize>),
}

impl Protection {
    pub(crate) fn of(text: &str, body: usize, markers: &Markers<'_>) -> Self {
        let mut found = Self { front_matter: front_matter(text, body), ..Self::default() };
        let hits = markers.hits(text);
        if !hits.is_empty() {
            found.add_regions(text, &hits, markers.pairs.len());
        }
        found
    }

    fn add_regions(&mut self, text: &str, hits: &[Hit], pairs: usize) {
        let mut flaws: Vec<(usize, FlawAt)> = Vec::new();
        let mut ranges = Vec::new();
        for pair in 0..pairs {
            let mut open: Vec<usize> = Vec::new();
            for hit in hits.iter().filter(|hit| hit.pair == pair) {
                if hit.opens {
                    if !open.is_empty() {
                        flaws.push((hit.at, |line| MarkerFlaw::Nested { line }));
                    }
                    open.push(hit.at);
                } else if let Some(start) = open.pop() {
                    if open.is_empty() {
                        ranges.push(start..hit.at + hit.length);
                    }
                } else {
                    flaws.push((hit.at, |line| MarkerFlaw::StrayEnd { line }));
                    ranges.push(hit.at..hit.at + hit.length);
                }
            }
            if let Some(&start) = open.first() {
                flaws.push((start, |line| MarkerFlaw::Unclosed { line }));
                ranges.push(start..text.len());
            }
        }
        flaws.sort_by_key(|&(at, _)| at);
        let lines = line_numbers(text, flaws.iter().map(|&(at, _)| at));
        self.flaws = flaws.into_iter().zip(lines).map(|((_, flaw), line)| flaw(line)).collect();
        self.regions = united(ranges);
    }

    /// The protected place that a change of `range` touches; an empty range is an insertion, which touches what
    /// holds it strictly inside.
    pub(crate) fn touched(&self, range: &Range<usize>) -> Option<Touched> {
        let hits = |place: &Range<usize>| place.start < range.end.max(range.start) && range.start < place.end;
        if self.front_matter.as_ref().is_some_and(hits) {
            return Some(Touched::FrontMatter);
        }
        let first = self.regions.partition_point(|region| region.end <= range.start);
        self.regions.get(first).filter(|region| hits(region)).cloned().map(Touched::Region)
    }

    /// The region that reaches to the end of the text because nothing closes it.
    pub(crate) fn open_at_end(&self) -> bool {
        self.flaws.iter().any(|flaw| matches!(flaw, MarkerFlaw::Unclosed { .. }))
    }
}

fn united(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut united: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match united.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => united.push(range),
        }
    }
    united
}

/// The front matter: from a first line `---` to the next line `---` or `...`, both included.
pub(crate) fn front_matter(text: &str, body: usize) -> Option<Range<usize>> {
    let is_rule = |line: Line, rule: &str| piece(text, line.start.max(body)..line.end).trim_end() == rule;
    if !piece(text, body..text.len()).starts_with("---") || !is_rule(line_at(text, body), "---") {
        return None;
    }
    let mut offset = line_at(text, body).next;
    while offset < text.len() {
        let line = line_at(text, offset);
        if is_rule(line, "---") || is_rule(line, "...") {
            return Some(body..line.next);
        }
        offset = line.next;
    }
    None
}

/// The length of a byte order mark at the start.
pub(crate) fn byte_order_mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// A fenced code block: its lines, and whether it is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fence {
    pub(crate) range: Range<usize>,
    pub(crate) closed: bool,
}

/// Whether a text could hold a fence. Cheaper than to look for one.
pub(crate) fn may_have_fence(text: &[u8]) -> bool {
    memchr::memchr2(b'`', b'~', text).is_some()
}

/// The fenced code blocks from `from` on, in order. Only lines that start with a fence are looked at.
pub(crate) fn fences(text: &str, from: usize) -> Vec<Fence> {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    if !may_have_fence(rest) {
        return Vec::new();
    }
    let mut hits: Vec<usize> = memmem::find_iter(rest, "```").map(|at| at + from).collect();
    hits.extend(memmem::find_iter(rest, "~~~").map(|at| at + from));
    hits.sort_unstable();
    let mut fences: Vec<Fence> = Vec::new();
    let mut open: Option<(usize, char, usize)> = None;
    let mut passed = from;
    for hit in hits {
        if hit < passed {
            continue;
        }
        let line = line_at(text, hit);
        passed = line.next;
        if !is_blank(piece(text, line.start..hit)) {
            continue;
        }
        let after = piece(text, hit..line.end);
        let mark = if after.starts_with('`') { '`' } else { '~' };
        let length = after.len() - after.trim_start_matches(mark).len();
        let info = piece(after, length..after.len());
        match open {
            None if mark == '~' || !info.contains('`') => open = Some((line.start, mark, length)),
            Some((start, opener, least)) if opener == mark && length >= least && is_blank(info) => {
                fences.push(Fence { range: start..line.next, closed: true });
                open = None;
            }
            _ => {}
        }
    }
    if let Some((start, _, _)) = open {
        fences.push(Fence { range: start..text.len(), closed: false });
    }
    fences
}
