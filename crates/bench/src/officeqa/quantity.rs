//! Quantities as accounts write them: sign, currency, digits, percent sign, scale word.
//!
//! Always holds: values are exact decimals, so that no rounding makes two numbers equal or unequal; what is part of a
//! longer word, such as a date or a ratio, is no quantity.

/// Currency signs.
const CURRENCIES: &str = "$€£¥₹¢₩₽₺₪฿₫₴₦";

/// Characters between the digits of thousands.
const SEPARATORS: [char; 4] = [',', '\u{a0}', '\u{2009}', '\u{202f}'];

/// Words behind a number that multiply it, and by which power of ten.
const SCALES: [(&str, i64); 9] = [
    ("thousand", 3),
    ("million", 6),
    ("mn", 6),
    ("mln", 6),
    ("billion", 9),
    ("bn", 9),
    ("bln", 9),
    ("trillion", 12),
    ("tn", 12),
];

/// Letters that scale a number with a currency sign, as in £3.5m.
const LETTERS: [(&str, i64); 4] = [("k", 3), ("m", 6), ("b", 9), ("t", 12)];

/// A decimal number without needless zeros, so that equal numbers are equal values.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn new(negative: bool, whole: &str, fraction: &str, exponent: i64) -> Self {
        let all = format!("{whole}{fraction}");
        let leading = all.trim_start_matches('0');
        let digits = leading.trim_end_matches('0').to_owned();
        if digits.is_empty() {
            return Self { negative: false, digits, exponent: 0 };
        }
        let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
        let dropped = length(leading) - length(&digits);
        Self { negative, exponent: exponent.saturating_sub(length(fraction)).saturating_add(dropped), digits }
    }

    /// The number times a power of ten.
    fn scaled(&self, power: i64) -> Self {
        let exponent = if self.digits.is_empty() { 0 } else { self.exponent.saturating_add(power) };
        Self { exponent, ..self.clone() }
    }
}

/// A number with what stands about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quantity {
    value: Decimal,
    /// The power of ten of a scale word.
    scale: Option<i64>,
    percent: bool,
    currency: Option<char>,
}

impl Quantity {
    /// The quantity with which a text in lower case begins, and what follows it.
    pub(super) fn read(text: &str) -> Option<(Self, &str)> {
        let (before, rest) = Before::read(text);
        let (whole, rest) = whole_digits(rest);
        let (fraction, rest) = match rest.strip_prefix('.') {
            Some(after) => leading(after, |character| character.is_ascii_digit()),
            None => ("", rest),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let (exponent, rest) = exponent(rest)?;
        let (after, rest) = After::read(rest, before.open, before.currency.is_some());
        if !ends_here(rest) {
            return None;
        }
        let negative = before.minus || (before.open && after.closed);
        let value = Decimal::new(negative, &whole, fraction, exponent);
        let Before { currency, .. } = before;
        Some((Self { value, scale: after.scale, percent: after.percent, currency }, rest))
    }

    /// Whether this answers a gold: the value in full, or, where the gold names no scale, the number before the
    /// answer's scale word. A percent sign is needed where the gold has one.
    pub(super) fn answers(&self, gold: &Self) -> bool {
        let currencies = self.currency.is_none() || gold.currency.is_none() || self.currency == gold.currency;
        let percent = self.percent || !gold.percent;
        let bare = gold.scale.is_none() && self.value == gold.value;
        currencies && percent && (bare || self.in_full() == gold.in_full())
    }

    fn in_full(&self) -> Decimal {
        self.value.scaled(self.scale.unwrap_or(0))
    }

    /// The power of ten of its scale word, if it has one.
    pub(super) fn scale(&self) -> Option<i64> {
        self.scale
    }

    /// With the scale word of the list that it stands in.
    pub(super) fn with_scale(self, scale: i64) -> Self {
        Self { scale: Some(scale), ..self }
    }
}

/// What stands before the digits.
#[derive(Default)]
struct Before {
    minus: bool,
    open: bool,
    currency: Option<char>,
}

impl Before {
    fn read(text: &str) -> (Self, &str) {
        let mut before = Self::default();
        let mut rest = without_country(text);
        loop {
            let mut characters = rest.chars();
            match characters.next() {
                Some('-') => before.minus = true,
                Some('+') => {}
                Some('(') if !before.open => before.open = true,
                Some(sign) if CURRENCIES.contains(sign) => before.currency = Some(sign),
                // A blank may follow a currency sign or a bracket; after a minus it would be a dash.
                Some(' ' | '\u{a0}') if before.currency.is_some() || before.open => {}
                _ => return (before, rest),
            }
            rest = characters.as_str();
        }
    }
}

/// The text without the letters of a country before a currency sign, as in US$ and S$.
fn without_country(text: &str) -> &str {
    let (letters, rest) = leading(text, |character| character.is_ascii_alphabetic());
    let sign = rest.starts_with(|character| CURRENCIES.contains(character));
    if letters.len() <= 2 && sign { rest } else { text }
}

/// The digits before the point, without the separators of thousands.
fn whole_digits(text: &str) -> (String, &str) {
    let digit = |character: char| character.is_ascii_digit();
    let (first, mut rest) = leading(text, digit);
    let mut whole = first.to_owned();
    if !(1..=3).contains(&first.len()) {
        return (whole, rest);
    }
    while let Some(after) = rest.strip_prefix(SEPARATORS) {
        let (group, behind) = leading(after, digit);
        if group.len() != 3 {
            break;
        }
        whole.push_str(group);
        rest = behind;
    }
    (whole, rest)
}

/// The power of ten behind an `e`, 0 without one; none if it is beyond all measure.
fn exponent(text: &str) -> Option<(i64, &str)> {
    let Some(after) = text.strip_prefix('e') else { return Some((0, text)) };
    let (sign, digits) = leading(after, |character| matches!(character, '-' | '+'));
    let (digits, rest) = leading(digits, |character| character.is_ascii_digit());
    if digits.is_empty() || sign.len() > 1 {
        return Some((0, text));
    }
    let power: i64 = digits.parse().ok().filter(|power| *power < 1000)?;
    Some((if sign == "-" { -power } else { power }, rest))
}

/// What stands behind the digits.
#[derive(Default)]
struct After {
    percent: bool,
    closed: bool,
    scale: Option<i64>,
}

impl After {
    fn read(text: &str, open: bool, currency: bool) -> (Self, &str) {
        let mut after = Self::default();
        let mut rest = text;
        loop {
            let next = rest.trim_start_matches([' ', '\u{a0}']);
            let (word, behind) = word(next);
            if let Some(behind) = next.strip_prefix('%').filter(|_| !after.percent) {
                (after.percent, rest) = (true, behind);
            } else if let Some(behind) = next.strip_prefix(')').filter(|_| open && !after.closed) {
                (after.closed, rest) = (true, behind);
            } else if matches!(word, "percent" | "pct") && !after.percent {
                (after.percent, rest) = (true, behind);
            } else if let Some(power) = power(word, currency).filter(|_| after.scale.is_none()) {
                (after.scale, rest) = (Some(power), behind);
            } else {
                return (after, rest);
            }
        }
    }
}

/// The word with which a text begins, if it ends there; a hyphen may join it to what stands before.
fn word(text: &str) -> (&str, &str) {
    let (word, behind) = leading(text.strip_prefix('-').unwrap_or(text), char::is_alphanumeric);
    if ends_here(behind) { (word, behind) } else { ("", text) }
}

fn power(word: &str, currency: bool) -> Option<i64> {
    let singular = word.strip_suffix('s').unwrap_or(word);
    let of = |list: &[(&str, i64)], word: &str| {
        list.iter().find(|(name, _)| *name == word).map(|(_, power)| *power)
    };
    of(&SCALES, singular).or_else(|| of(&LETTERS, word).filter(|_| currency))
}

/// Whether a number or word can end before this rest: at its end, a blank or a mark that joins nothing.
fn ends_here(rest: &str) -> bool {
    if let Some(after) = rest.strip_prefix('.') {
        return !after.starts_with(|character: char| character.is_ascii_digit());
    }
    rest.chars().next().is_none_or(|next| next.is_whitespace() || ",;()[]{}\"'!?|*_`~".contains(next))
}

fn leading(text: &str, is: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|character| !is(character)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<Quantity> {
        Quantity::read(text).filter(|(_, rest)| rest.trim_matches(['.', ' ']).is_empty()).map(|(one, _)| one)
    }

    #[test]
    fn one_quantity_is_written_in_many_ways() {
        for (plain, others) in [
            ("-5", ["(5)", "$(5)", "-$5", "$-5", "-5.0", "(5.00)"]),
            ("1234.5", ["1,234.50", "$1,234.5", "1\u{a0}234.5", "1.2345e3", "us$ 1,234.5", "+1234.5"]),
            ("0", ["-0", "0.0", ".0", "0e9", "(0)", "00"]),
            (".5", ["0.5", "0.50", "5e-1", "00.5", "+.5", "$.5"]),
            ("12.5%", ["12.50%", "12.5 %", "12.5 percent", "12.5 pct", "+12.5%", "12.5-percent"]),
            (
                "$3.5m",
                ["$3.5 million", "$3.5mn", "$ 3.50 millions", "$3.5-million", "$3,500 thousand", "$3,500k"],
            ),
        ] {
            for other in others {
                let (one, two) = (read(plain).unwrap(), read(other).unwrap());
                assert!(one.answers(&two) && two.answers(&one), "{plain} {other}");
            }
        }
    }

    #[test]
    fn a_gold_decides_what_an_answer_must_have() {
        for (answer, gold, right) in [
            ("5 billion", "5 billion", true),
            ("5,000,000,000", "5 billion", true),
            ("$5bn", "5 billion", true),
            ("5 million", "5 billion", false),
            ("5", "5 billion", false),
            ("5 million", "5", true),
            ("5 million", "5,000,000", true),
            ("12.5%", "12.5", true),
            ("12.5", "12.5%", false),
            ("-5", "5", false),
            ("€5", "$5", false),
            ("€5", "5", true),
            ("1234.004", "1234.00", false),
            ("0.1", "0.10000000000000000001", false),
        ] {
            assert_eq!(read(answer).unwrap().answers(&read(gold).unwrap()), right, "{answer} {gold}");
        }
    }

    #[test]
    fn parts_of_longer_words_are_no_quantities() {
        for text in
            ["1944-03", "3/4", "10:30", "5th", "445.0p", "5m", "1.2.3", "- 5", "five", "", "$", "1e9999"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_rust_writes_is_itself(value in -1e9_f64..1e9) {
            let written = value.to_string();
            let quantity = read(&written).unwrap();
            prop_assert!(quantity.answers(&quantity));
            let zeros = if written.contains('.') { format!("{written}00") } else { format!("{written}.0") };
            prop_assert_eq!(read(&zeros), Some(quantity));
        }

        #[test]
        fn any_text_is_read_or_not(text in "([0-9]|[-+(),.$%€]| |e|million|\\PC){0,20}") {
            let lower = text.to_lowercase();
            if let Some((_, rest)) = Quantity::read(&lower) {
                prop_assert!(lower.ends_with(rest) && rest.len() < lower.len());
            }
        }
    }
}
