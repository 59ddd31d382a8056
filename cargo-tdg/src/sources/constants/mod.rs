//! The constants in code: numbers, characters and strings.

mod call_arguments;
mod compared_constants;
mod compared_pair;
mod function_constants;

use std::collections::BTreeSet;
use std::mem;

use proc_macro2::{TokenStream, TokenTree};
use syn::Lit;

pub(crate) use self::compared_pair::ComparedPair;
pub(crate) use self::function_constants::FunctionConstants;
use super::plain;
use super::tokens::{each, is_punct};

/// The maximum number of constants of a kind.
const MOST: usize = 200;
/// With more constants of a kind, code is likely data rather than comparisons.
const TABLE: usize = 60;
/// The maximum length in bytes; longer strings are likely data.
const LONGEST: usize = 4000;
/// The bit patterns that are read as floats (`f32`, or upper half of `f64`), without the smallest.
const LEAST_BITS: i128 = 0x3000_0000;
const MOST_BITS: i128 = 0x7f00_0000;
/// Macros with texts for people.
const MESSAGES: [&str; 16] = [
    "panic",
    "unreachable",
    "todo",
    "unimplemented",
    "print",
    "println",
    "eprint",
    "eprintln",
    "format",
    "write",
    "writeln",
    "bail",
    "ensure",
    "anyhow",
    "debug",
    "trace",
];

/// Distinct constants, in the order in which they appear in code.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CodeConstants {
    integers: Vec<i128>,
    floats: Vec<f64>,
    texts: Vec<Vec<u8>>,
}

impl CodeConstants {
    pub(crate) fn of_code(code: &TokenStream) -> Self {
        let mut constants = Self::default();
        constants.read(code);
        constants
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.integers.is_empty() && self.floats.is_empty() && self.texts.is_empty()
    }

    /// Returns true if the constants are likely a table of data.
    pub(super) fn is_data(&self) -> bool {
        let lengths = [self.integers.len(), self.floats.len(), self.texts.len()];
        lengths.into_iter().any(|it| it > TABLE)
    }

    /// Returns the integers and their neighbours that are within a type's range.
    pub(crate) fn integers(&self, least: i128, most: i128) -> Vec<i128> {
        let whole = self.floats.iter();
        let whole = whole.filter(|it| it.fract() == 0.0 && it.abs() < 1e15);
        let own = self.integers.iter().copied();
        let own = own.chain(whole.map(|it| *it as i128));
        let near = own.flat_map(|it| [it, it.saturating_sub(1), it.saturating_add(1)]);
        distinct(near.filter(|it| (least..=most).contains(it)))
    }

    /// Returns the integers from 4 that may be lengths of strings.
    pub(crate) fn lengths(&self, most: i128) -> impl Iterator<Item = i128> {
        let lengths = self.integers.iter().copied();
        lengths.filter(move |it| (4..=most).contains(it))
    }

    /// Returns the floats and the next ones of the type, and the integers and their neighbours,
    /// also interpreted as bits of an `f32` or as the upper bits of an `f64`.
    pub(crate) fn floats(&self, kind: &str) -> Vec<f64> {
        let own = self.floats.iter().copied();
        let own = own.flat_map(|it| match kind {
            "f32" => {
                let it = it as f32;
                [it, it.next_down(), it.next_up()].map(f64::from)
            }
            _ => [it, it.next_down(), it.next_up()],
        });
        let exact = 1 << 53;
        let integers = self.integers(-exact, exact).into_iter();
        let bits = self.integers(LEAST_BITS, MOST_BITS).into_iter();
        let of_bits = bits.filter_map(|it| u32::try_from(it).ok());
        let of_bits = of_bits.flat_map(|it| {
            let upper = u64::from(it) << 32;
            [f32::from_bits(it).into(), f64::from_bits(upper)]
        });
        let own = own.filter(|it| it.is_finite());
        distinct(own.chain(of_bits).chain(integers.map(|it| it as f64)))
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        let own = self.texts.iter();
        let own = own.filter_map(|it| String::from_utf8(it.clone()).ok());
        own.collect()
    }

    /// Returns the strings, the numbers as strings, and the strings with their last number replaced
    /// by an extreme.
    pub(crate) fn written(&self) -> Vec<String> {
        let numbers = self.integers.iter().filter(|it| it.abs() > 9);
        let numbers = numbers.map(ToString::to_string);
        let texts = self.texts();
        let mut forms = BTreeSet::new();
        let first = texts.iter().filter(|it| forms.insert(form(it)));
        let extreme: Vec<String> = first.flat_map(|it| with_extremes(it)).collect();
        distinct(texts.into_iter().chain(numbers).chain(extreme))
    }

    pub(crate) fn bytes(&self) -> &[Vec<u8>] {
        &self.texts
    }

    /// Returns the constants that the others don't have.
    pub(crate) fn without(&self, others: &Self) -> Self {
        let mut rest = self.clone();
        rest.integers.retain(|it| !others.integers.contains(it));
        rest.floats.retain(|it| !others.floats.contains(it));
        rest.texts.retain(|it| !others.texts.contains(it));
        rest
    }

    /// Merges the constants of two versions, first those that only one version has.
    pub(crate) fn of_both(&self, other: &Self) -> Self {
        Self {
            integers: of_both(&self.integers, &other.integers),
            floats: of_both(&self.floats, &other.floats),
            texts: of_both(&self.texts, &other.texts),
        }
    }

    /// Adds the constants of code, except the texts of messages.
    pub(super) fn read(&mut self, code: &TokenStream) {
        each(code.clone(), &mut |tokens, at| {
            if let TokenTree::Literal(literal) = &tokens[at]
                && !is_position(tokens, at)
            {
                let literal = Lit::new(literal.clone());
                self.add(&literal, is_negative(tokens, at));
            }
            !is_message(tokens, at)
        });
    }

    fn add(&mut self, literal: &Lit, is_negative: bool) {
        let sign = if is_negative { -1 } else { 1 };
        match literal {
            Lit::Int(it) if matches!(it.suffix(), "f32" | "f64") => {
                if let Ok(number) = it.base10_parse::<f64>() {
                    keep(&mut self.floats, number * f64::from(sign));
                }
            }
            Lit::Int(it) => {
                if let Ok(number) = it.base10_parse::<i128>() {
                    keep(&mut self.integers, number * i128::from(sign));
                }
            }
            Lit::Float(it) => match it.base10_parse::<f64>() {
                Ok(number) if number.is_finite() => {
                    keep(&mut self.floats, number * f64::from(sign));
                }
                _ => {}
            },
            Lit::Byte(it) => {
                keep(&mut self.integers, it.value().into());
                self.add_text(&[it.value()]);
            }
            Lit::Char(it) => self.add_text(it.value().to_string().as_bytes()),
            Lit::Str(it) => self.add_text(it.value().as_bytes()),
            Lit::ByteStr(it) => self.add_text(&it.value()),
            _ => {}
        }
    }

    fn add_text(&mut self, text: &[u8]) {
        if !text.is_empty() && text.len() <= LONGEST {
            keep(&mut self.texts, text.to_vec());
        }
    }

    /// Adds constants, taking turns, so that neither list displaces the other one.
    pub(crate) fn mix(&mut self, other: Self) {
        mix(&mut self.integers, other.integers);
        mix(&mut self.floats, other.floats);
        mix(&mut self.texts, other.texts);
    }

    pub(crate) fn extend(&mut self, other: Self) {
        keep_all(&mut self.integers, other.integers);
        keep_all(&mut self.floats, other.floats);
        keep_all(&mut self.texts, other.texts);
    }
}

fn keep_all<T: PartialEq>(list: &mut Vec<T>, values: impl IntoIterator<Item = T>) {
    values.into_iter().for_each(|it| keep(list, it));
}

/// Takes turns between both lists.
fn mix<T: PartialEq>(list: &mut Vec<T>, other: Vec<T>) {
    let mut others = other.into_iter();
    let own = mem::take(list).into_iter();
    let both = own.flat_map(|it| [Some(it), others.next()]).flatten();
    let mut both: Vec<T> = both.collect();
    both.extend(others);
    keep_all(list, both);
}

fn keep<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if list.len() < MOST && !list.contains(&value) {
        list.push(value);
    }
}

fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    keep_all(&mut list, values);
    list
}

fn of_both<T: Clone + PartialEq>(then: &[T], now: &[T]) -> Vec<T> {
    let new = now.iter().filter(|it| !then.contains(it));
    let gone = then.iter().filter(|it| !now.contains(it));
    distinct(new.chain(gone).chain(now).cloned())
}

/// Returns true for the `0` of `pair.0`.
fn is_position(tokens: &[TokenTree], at: usize) -> bool {
    let is_dot = |back: usize| is_punct(tokens, at.checked_sub(back), '.');
    is_dot(1) && !is_dot(2)
}

/// Returns true if a minus sign precedes the token and isn't a subtraction.
fn is_negative(tokens: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(2).and_then(|at| tokens.get(at));
    let is_difference = match before {
        Some(TokenTree::Ident(it)) => !["return", "in", "if", "match"]
            .iter()
            .any(|word| it == word),
        Some(TokenTree::Literal(_) | TokenTree::Group(_)) => true,
        Some(TokenTree::Punct(_)) | None => false,
    };
    is_punct(tokens, at.checked_sub(1), '-') && !is_difference
}

/// Returns true for the arguments of a message macro and for attributes.
fn is_message(tokens: &[TokenTree], at: usize) -> bool {
    if !matches!(tokens[at], TokenTree::Group(_)) {
        return false;
    }
    let name = at.checked_sub(2).and_then(|at| tokens.get(at));
    let is_macro = is_punct(tokens, at.checked_sub(1), '!')
        && matches!(name, Some(TokenTree::Ident(it)) if MESSAGES.contains(&plain(it).as_str()));
    let method = at.checked_sub(1).and_then(|at| tokens.get(at));
    is_macro
        || matches!(method, Some(TokenTree::Ident(it)) if it == "expect")
        || is_punct(tokens, at.checked_sub(1), '#')
}

/// Replaces each number by zero: `0:-0` for both `40:-10` and `5:-4`, which are parsed alike.
fn form(text: &str) -> String {
    let mut form = text.replace(|it: char| it.is_ascii_digit(), "0");
    while form.contains("00") {
        form = form.replace("00", "0");
    }
    form
}

/// Replaces the last number of a text with extremes, unless the text is only that number.
fn with_extremes(text: &str) -> Vec<String> {
    let is_digit = |it: char| it.is_ascii_digit();
    let Some(last) = text.rfind(is_digit) else {
        return Vec::new();
    };
    let (before, after) = (&text[..=last], &text[last + 1..]);
    let before = before.trim_end_matches(is_digit);
    let with = |number: u64| format!("{before}{number}{after}");
    match before.is_empty() && after.is_empty() {
        true => Vec::new(),
        false => [0, u64::MAX].map(with).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constants(code: &str) -> CodeConstants {
        CodeConstants::of_code(&code.parse().unwrap())
    }

    #[test]
    fn what_is_compared_and_computed_with_is_read_with_its_sign() {
        let read = constants(
            r#"match x { -3 => y - 5, 10..=20 if z > 0x1F_u8 => return -7, _ => 2.5 * -1e3 };
               text.contains('%') || bytes == b"GIF" || byte == b'/' || name == "a\tb""#,
        );
        assert_eq!(read.integers, [-3, 5, 10, 20, 31, -7, 47]);
        assert_eq!(read.floats, [2.5, -1000.0]);
        assert_eq!(
            read.written(),
            ["%", "GIF", "/", "a\tb", "10", "20", "31", "47"]
        );
    }

    #[test]
    fn a_table_is_data() {
        let table: String = (0..100).map(|it| format!("{it}, ")).collect();
        assert!(constants(&table).is_data() && !constants("x > 100").is_data());
    }

    #[test]
    fn texts_of_one_form_have_extremes_once() {
        let read = constants(r#"["4:50", "15:6", "4:", "+5"]"#);
        let largest = u64::MAX;
        let extremes = [
            "4:0",
            &format!("4:{largest}"),
            "0:",
            &format!("{largest}:"),
            "+0",
        ];
        let written = read.written();
        assert_eq!(written[..4], ["4:50", "15:6", "4:", "+5"]);
        assert_eq!(written[4..9], extremes);
        assert_eq!(written.len(), 10);
    }

    #[test]
    fn neither_of_two_lists_displaces_the_other_one() {
        let table: String = (0..500).map(|it| format!("{it}, ")).collect();
        let mut passed = constants(r#"parse("1/3"), parse("2/3")"#);
        passed.mix(constants(&format!(r#""a", "b", "c"; {table}"#)));
        assert_eq!(passed.texts(), ["1/3", "a", "2/3", "b", "c"]);
        let mut table = constants(&table);
        table.mix(constants("-7"));
        assert_eq!(table.integers[..3], [0, -7, 1]);
    }

    #[test]
    fn messages_positions_and_attributes_are_no_constants() {
        let read = constants(
            r#"#[allow(clippy::x = 6)] if pair.0.1 > 4 { panic!("{} of 9", 8) }
               x.expect("seven"); format!("12{x}"); &list[1..3]; assert!(x < 11)"#,
        );
        assert_eq!(read.integers, [4, 1, 3, 11]);
        assert!(read.texts.is_empty() && read.floats.is_empty());
    }

    #[test]
    fn neighbours_stay_within_the_type_and_what_one_version_has_comes_first() {
        let (then, now) = (
            constants("x > 255 || x == 7"),
            constants("x >= 200 || x == 7"),
        );
        assert_eq!(then.integers(0, 255), [255, 254, 7, 6, 8]);
        assert_eq!(then.of_both(&now).integers, [200, 255, 7]);
        assert_eq!(
            constants("x < 0.5").floats("f64"),
            [0.5, 0.5_f64.next_down(), 0.5_f64.next_up()]
        );
        assert_eq!(
            constants("x < 0.1").floats("f32"),
            [0.1_f32, 0.1_f32.next_down(), 0.1_f32.next_up()].map(f64::from)
        );
        let of_bits = constants("x.to_bits() > 0x42b1_7217").floats("f64");
        assert_eq!(of_bits[0], f64::from(f32::from_bits(0x42b1_7217)));
    }
}
