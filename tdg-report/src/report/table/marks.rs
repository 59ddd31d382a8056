//! Marks below the characters in which two texts differ.

use tdg_engine::common_prefix;
use tdg_engine::text::{char_width, width};

/// The width from which a difference is hard to find.
const HARD_TO_FIND: usize = 12;
/// One in this many columns may be marked; more differences are obvious.
const FEW: usize = 4;

/// Returns a line of `^` for each text, if they differ in few of many characters.
pub(super) fn marks(texts: [&str; 2]) -> Option<[String; 2]> {
    let is_number = |text: &str| text.starts_with(|it: char| it.is_ascii_digit() || it == '-');
    if texts
        .iter()
        .any(|it| width(it) < HARD_TO_FIND || is_number(it))
    {
        return None;
    }
    let [left, right] = texts;
    let start = common_prefix(left, right);
    let ends = texts.map(|text| text[start..].chars().rev().collect::<String>());
    let alike = common_prefix(&ends[0], &ends[1]);
    let lines = [0, 1].map(|side| {
        let end = texts[side].len() - alike;
        let other: Vec<char> = texts[1 - side].chars().collect();
        let is_replaced = texts[side].chars().count() == other.len();
        let mut line = String::new();
        for (place, (index, character)) in texts[side].char_indices().enumerate() {
            let differs = match is_replaced {
                true => other[place] != character,
                false => (start..end).contains(&index),
            };
            line += &if differs { "^" } else { " " }.repeat(char_width(character));
        }
        line.trim_end().to_owned()
    });
    let marked = |side: usize| lines[side].matches('^').count();
    let are_few = (0..2).all(|side| marked(side) * FEW <= width(texts[side]));
    (are_few && (0..2).any(|side| marked(side) > 0)).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(left: &str, right: &str) -> String {
        let lines = marks([left, right]).unwrap_or_default();
        let [below_left, below_right] = lines;
        let room = " ".repeat(width(left) - width(&below_left));
        format!("{left}  {right}\n{below_left}{room}  {below_right}")
    }

    #[test]
    fn few_characters_of_long_texts_are_marked() {
        insta::assert_snapshot!(shown("\"2021-03-10T08:00:00Z\"", "\"2021-04-11T08:00:00Z\""), @r#"
        "2021-03-10T08:00:00Z"  "2021-04-11T08:00:00Z"
               ^  ^                    ^  ^
        "#);
        insta::assert_snapshot!(shown("\"12 Baker Street\"", "\"12 Bakers Street\""), @r#"
        "12 Baker Street"  "12 Bakers Street"
                                    ^
        "#);
        insta::assert_snapshot!(shown("\"it's the 日本語 text\"", "\"it’s the 日本誤 text\""), @r#"
        "it's the 日本語 text"  "it’s the 日本誤 text"
           ^          ^^           ^          ^^
        "#);
    }

    #[test]
    fn obvious_differences_are_not_marked() {
        assert_eq!(marks(["\"EU-north\"", "\"EU-south\""]), None);
        assert_eq!(marks(["\"half the price\"", "\"a tenth of it\""]), None);
        assert_eq!(marks(["1234567890123", "1234567890124"]), None);
        assert_eq!(marks(["\"the same, again\"", "\"the same, again\""]), None);
    }
}
