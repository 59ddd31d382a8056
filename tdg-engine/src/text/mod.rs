//! Text for reports: counts, amounts and values, escaped, measured, shortened and wrapped.

mod amount;
mod digits;
mod excerpt;
mod input;

use tdg_definition::control::{self, push_escaped};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub use amount::{amount, percent, signed};
pub use digits::{rounded, rounded_apart};
pub use excerpt::{fitting, shorten, shorten_apart, shorten_value};
pub use input::input_cell;

/// The width of a report's lines, without the indentation of its sections.
pub const WIDTH: usize = 116;

/// The maximum number of lines for findings.
pub const FINDING_LINES: usize = 8;

/// The width of a finding that fills these lines.
pub const FINDING_WIDTH: usize = WIDTH * FINDING_LINES;

/// Returns `1 case` or `2 cases`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns `1 more case` or `2 more cases`.
#[must_use]
pub fn more(count: usize, noun: &str) -> String {
    counted(count, &format!("more {noun}"))
}

/// Returns `in the one case` or `in all 12`.
#[must_use]
pub fn in_all(cases: usize) -> String {
    match cases {
        1 => "in the one case".to_owned(),
        _ => format!("in all {cases}"),
    }
}

/// Escapes control characters.
pub fn escape(text: &str) -> String {
    control::escape(text).into_owned()
}

/// Appends a character of a JSON string, escaped for JSON and for terminals.
pub fn push_json_escaped(text: &mut String, character: char) {
    match character {
        '"' => text.push_str("\\\""),
        '\\' => text.push_str("\\\\"),
        _ => push_escaped(text, character),
    }
}

/// Returns the width of the text in terminal columns.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Returns the width of a character in terminal columns.
pub fn char_width(character: char) -> usize {
    character.width().unwrap_or_default()
}

/// Wraps the text in at most `lines` lines of at most `max` columns, between words where possible.
pub fn wrap(text: &str, max: usize, lines: usize) -> Vec<String> {
    let mut wrapped: Vec<String> = Vec::new();
    'all: for paragraph in text.lines() {
        let mut rest = escape(paragraph.trim_end());
        loop {
            if wrapped.len() == lines {
                if let Some(last) = wrapped.last_mut() {
                    *last = fitting(last.chars(), max - 1) + "…";
                }
                break 'all;
            }
            let mut line = fitting(rest.chars(), max);
            let is_within_a_word = !rest[line.len()..].starts_with(' ') && line.len() < rest.len();
            if is_within_a_word && let Some(space) = line.rfind(' ').filter(|space| *space > 0) {
                line.truncate(space);
            }
            rest = rest[line.len()..].trim_start().to_owned();
            wrapped.push(line);
            if rest.is_empty() {
                break;
            }
        }
    }
    wrapped
}

/// Wraps the text in lines of at most `max` columns, between words; a wider word isn't broken.
pub fn lines_of_words(text: &str, max: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= max => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) if word.is_empty() => {}
            _ => lines.push(word.to_owned()),
        }
    }
    let lines = lines.iter().map(|line| line.trim_end().to_owned());
    lines.collect()
}

/// Returns true if one of the sentences contains the name as a word.
pub fn is_named(sentences: &[String], name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let name = escape(name);
    !name.is_empty()
        && sentences.iter().any(|sentence| {
            sentence.match_indices(&name).any(|(start, _)| {
                let (before, after) = (&sentence[..start], &sentence[start + name.len()..]);
                !before.ends_with(is_part) && !after.starts_with(is_part)
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_word() {
        let sentences = ["all 3 have zone > 1".to_owned()];
        assert!(is_named(&sentences, "zone"));
        assert!(!is_named(&sentences, "one") && !is_named(&sentences, "zon"));
    }

    #[test]
    fn one_case_is_not_all_1() {
        assert_eq!([1, 2].map(in_all), ["in the one case", "in all 2"]);
    }

    #[test]
    fn lines_break_between_words_and_inside_long_ones() {
        assert_eq!(wrap("one two three", 7, 9), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij", 4, 9), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("one\n\n  two", 9, 9), ["one", "", "  two"]);
        assert_eq!(wrap("one two three four", 5, 2), ["one", "two…"]);
    }

    #[test]
    fn a_word_that_is_wider_than_a_line_stays_whole() {
        let text = "at tests/snapshots/a.snap   (one of two)";
        let lines = ["at", "tests/snapshots/a.snap", "(one of", "two)"];
        assert_eq!(lines_of_words(text, 10), lines);
    }
}
