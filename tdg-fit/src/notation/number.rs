//! Numbers with separators, units and signs.

use crate::infer::float;

/// A way to write numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberNotation {
    /// A currency sign or `%`, before or after each number.
    unit: Option<char>,
    /// The character between groups of three digits.
    thousands: Option<char>,
    decimal: char,
}

const UNITS: [char; 11] = ['%', '$', '€', '£', '¥', '₹', '₽', '₩', '₺', '₪', '฿'];

impl NumberNotation {
    /// Returns the notations that a column may have, likeliest first.
    pub(super) fn all(texts: &[Option<&str>]) -> Vec<Self> {
        let present = || texts.iter().flatten();
        // `(5)` means -5, but only if other numbers have no parentheses.
        if present().all(|text| text.starts_with('(')) {
            return Vec::new();
        }
        let unit = present()
            .next()
            .and_then(|text| text.chars().find(|it| UNITS.contains(it)));
        // Percentages rarely reach thousands, so `1.234%` has a decimal point.
        let point = (unit != Some('%')).then_some('.');
        let separators = [
            (None, '.'),
            (Some(','), '.'),
            (point, ','),
            (Some('\''), '.'),
            (Some('’'), '.'),
        ];
        let notation = |(thousands, decimal)| Self {
            unit,
            thousands,
            decimal,
        };
        separators.map(notation).to_vec()
    }

    /// Converts the number to the definition's notation.
    pub(super) fn plain(self, text: &str) -> Option<String> {
        if (self.unit, self.thousands, self.decimal) == (None, None, '.') && float(text).is_some() {
            return Some(text.to_owned());
        }
        let (text, is_in_parentheses) = match text.strip_prefix('(') {
            Some(rest) => (rest.strip_suffix(')')?, true),
            None => (text, false),
        };
        let (mut rest, mut is_negative) = signed(text);
        if let Some(unit) = self.unit {
            rest = match rest.strip_prefix(unit) {
                Some(behind) => {
                    let (behind, is_negative_behind) = signed(behind.trim_start());
                    is_negative |= is_negative_behind;
                    behind
                }
                None => rest.strip_suffix(unit)?.trim_end(),
            };
        }
        let (whole, fraction) = rest.split_once(self.decimal).unwrap_or((rest, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let digits = self.digits(whole)?;
        if digits.len() + fraction.len() == 0 || !is_number(&digits) || !is_number(fraction) {
            return None;
        }
        let sign = if is_negative || is_in_parentheses {
            "-"
        } else {
            ""
        };
        let whole = if digits.is_empty() { "0" } else { &digits };
        let point = if fraction.is_empty() { "" } else { "." };
        Some(format!("{sign}{whole}{point}{fraction}"))
    }

    /// Returns the digits without separators between groups.
    fn digits(self, whole: &str) -> Option<String> {
        let Some(thousands) = self.thousands.filter(|it| whole.contains(*it)) else {
            return Some(whole.to_owned());
        };
        let mut groups = whole.split(thousands);
        let first = groups.next()?;
        let is_first = (1..=3).contains(&first.len()) && !first.starts_with('0');
        (is_first && groups.all(|group| group.len() == 3)).then(|| whole.replace(thousands, ""))
    }

    /// Returns true if a text proves the separators. `1,234` doesn't: it may be 1.234.
    pub(super) fn is_evident(self, texts: &[Option<&str>]) -> bool {
        // Amounts in these currencies have two decimals.
        if self.unit.is_some_and(|unit| !['%', '€'].contains(&unit)) {
            return true;
        }
        let is_proof = |text: &&str| {
            let separators = text.matches([',', '.', '\'', '’']).count();
            separators != 1 || !text.contains(',')
        };
        texts.iter().flatten().any(is_proof)
    }
}

/// Returns the text without its sign, and true if the sign was a minus.
fn signed(text: &str) -> (&str, bool) {
    match text.strip_prefix(['-', '−']) {
        Some(rest) => (rest, true),
        None => (text.strip_prefix('+').unwrap_or(text), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the distinct readings of a column with this text.
    fn read(text: &str) -> Vec<String> {
        let mut all: Vec<_> = Vec::new();
        for notation in NumberNotation::all(&[Some(text), Some("1")]) {
            all.extend(notation.plain(text).filter(|it| !all.contains(it)));
        }
        all
    }

    #[test]
    fn a_number_is_read_with_separators_units_and_signs() {
        assert_eq!(read("3,270,568"), ["3270568"]);
        assert_eq!(read("1,234.50"), ["1234.50"]);
        assert_eq!(read("1.234,50"), ["1234.50"]);
        assert_eq!(read("0,123"), ["0.123"]);
        assert_eq!(read("12,5"), ["12.5"]);
        assert_eq!(read("1'234'567.8"), ["1234567.8"]);
        assert_eq!(read("1,234"), ["1234", "1.234"]);
        assert_eq!(read("$1,234.50"), ["1234.50"]);
        assert_eq!(read("-$5"), ["-5"]);
        assert_eq!(read("$-5"), ["-5"]);
        assert_eq!(read("12,50 €"), ["12.50"]);
        assert_eq!(read("48.25%"), ["48.25"]);
        assert_eq!(read("1.234 %"), ["1.234"]);
        assert_eq!(read("+5"), ["5"]);
        assert_eq!(read("−.5"), ["-0.5"]);
        assert_eq!(read("(1,234.50)"), ["-1234.50"]);
        for text in [
            "1,23,456", "1,234,56", "5 km", "$", "%", "", "1.2.3", "$5 €",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
    }
}
