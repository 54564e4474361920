//! Whether a number format is one of a date or of a length of time.
//!
//! Always holds: the answer is the one of the published reader, which looks at the first section of the format only,
//! past quoted text and past what stands in square brackets.

/// What a number format makes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberKind {
    Plain,
    Date,
    Duration,
}

impl NumberKind {
    /// What a format's code makes of a number.
    pub(super) fn of(code: &str) -> Self {
        let section = code.split(';').next().unwrap_or_default();
        match (is_date(section), is_duration(section)) {
            (true, true) => Self::Duration,
            (true, false) => Self::Date,
            (false, _) => Self::Plain,
        }
    }
}

/// Whether a letter of dates is left, not escaped.
fn is_date(section: &str) -> bool {
    let mut before = None;
    for character in without_literals(section).chars() {
        let escaped = matches!(before, Some('_' | '\\'));
        if !escaped && matches!(character.to_ascii_lowercase(), 'd' | 'm' | 'h' | 'y' | 's') {
            return true;
        }
        before = Some(character);
    }
    false
}

/// Leaves out quoted text, and brackets unless they hold hours, minutes or seconds.
fn without_literals(section: &str) -> String {
    let mut kept = String::with_capacity(section.len());
    let mut rest = section;
    while let Some(first) = rest.chars().next() {
        let inside = rest.get(first.len_utf8()..).unwrap_or_default();
        let end = match first {
            '"' => inside.find('"'),
            '[' if !["h]", "hh]", "m]", "mm]", "s]", "ss]"].iter().any(|unit| inside.starts_with(unit)) => {
                inside.find(']')
            }
            _ => None,
        };
        match end {
            Some(end) => rest = inside.get(end + 1..).unwrap_or_default(),
            None => {
                kept.push(first);
                rest = inside;
            }
        }
    }
    kept
}

fn is_duration(section: &str) -> bool {
    let section = section.to_ascii_lowercase();
    ["[h]", "[hh]", "[m]", "[mm]", "[s]", "[ss]"].iter().any(|unit| section.contains(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        for (code, expected) in [
            ("General", NumberKind::Plain),
            ("0.00%", NumberKind::Plain),
            ("\"d\"0", NumberKind::Plain),
            ("[Red]0", NumberKind::Plain),
            ("0;[Red]d", NumberKind::Plain),
            ("_d0", NumberKind::Plain),
            ("[$-409]d/m/yy", NumberKind::Date),
            ("h:mm AM/PM", NumberKind::Date),
            ("Standard", NumberKind::Date),
            ("[h]:mm:ss", NumberKind::Duration),
            ("[mm]:ss", NumberKind::Duration),
        ] {
            assert_eq!(NumberKind::of(code), expected, "{code}");
        }
    }
}
