//! Numbers as Python reads and writes them.
//!
//! Always holds: `repr` gives the shortest digits that read back as the same number, with an exponent below 1e-4 and
//! from 1e16 on; what `float` refuses is no number.

use super::text::strip;

/// The zeros of the decimal digits of all scripts; each is followed by the other nine.
const ZEROS: [u32; 66] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
    0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
    0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066,
    0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950,
    0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6,
    0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// `float(text)`: white space around it, digits of any script and single underscores between digits are accepted.
pub fn parse(text: &str) -> Option<f64> {
    let text = strip(text);
    // Words are the usual case, and no number begins with a letter but these.
    let mut letters = text.bytes();
    if letters.next().is_none_or(|first| first.is_ascii_alphabetic() && !b"iInN".contains(&first)) {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().map(ascii_digit).peekable();
    let mut before = None;
    while let Some(character) = characters.next() {
        if character == '_' {
            let after = characters.peek().is_some_and(char::is_ascii_digit);
            if !after || !before.is_some_and(|before: char| before.is_ascii_digit()) {
                return None;
            }
        } else {
            plain.push(character);
        }
        before = Some(character);
    }
    // Rust takes the same texts then: digits with point and exponent, inf, infinity and nan with any case and sign.
    plain.parse().ok()
}

fn ascii_digit(character: char) -> char {
    let code = u32::from(character);
    let place = ZEROS.partition_point(|zero| *zero <= code);
    let zero = place.checked_sub(1).and_then(|place| ZEROS.get(place)).copied();
    let digit = zero.map(|zero| code - zero).filter(|digit| *digit < 10);
    digit.and_then(|digit| char::from_digit(digit, 10)).unwrap_or(character)
}

/// `repr` of a float.
pub fn repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e16).contains(&size) {
        let written = format!("{value:e}");
        let (digits, exponent) = written.split_once('e').unwrap_or((&written, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(("+", exponent), |rest| ("-", rest));
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    let written = format!("{value}");
    if written.contains('.') { written } else { format!("{written}.0") }
}

/// `repr` of a float, but of a whole one without `.0`, as of the number that a person would write.
pub fn plain(value: f64) -> String {
    let written = repr(value);
    written.strip_suffix(".0").map(str::to_owned).unwrap_or(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_python_reads_them() {
        for (text, expected) in [
            (" 1\u{a0}", Some(1.0)),
            ("1_000", Some(1000.0)),
            ("1_000.5_0e1_0", Some(1000.5e10)),
            ("１２", Some(12.0)),
            ("١٢", Some(12.0)),
            ("5.", Some(5.0)),
            (".5", Some(0.5)),
            ("+5", Some(5.0)),
            ("1e3", Some(1000.0)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("", None),
            (".", None),
            ("_1", None),
            ("1_", None),
            ("1__0", None),
            ("1_.5", None),
            ("0x10", None),
            ("1,000", None),
            ("5%", None),
            ("(5)", None),
            ("\u{2212}5", None),
            ("1e", None),
            ("infinite", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        assert!(parse("NaN").is_some_and(f64::is_nan));
    }

    #[test]
    fn floats_are_written_as_python_writes_them() {
        for (value, expected) in [
            (0.1, "0.1"),
            (100_000.0, "100000.0"),
            (1e16, "1e+16"),
            (1.5e-5, "1.5e-05"),
            (0.0001, "0.0001"),
            (-2.0, "-2.0"),
            (1e100, "1e+100"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(repr(value), expected);
        }
    }
}
