//! Describes strings with a few shapes by a regular expression. A shape is a sequence of runs of
//! digits, upper-case or lower-case letters, and single other characters.

mod class;
mod shape;

use std::collections::HashMap;

use tdg_definition::math::ln;

use class::{CharKind, Characters};
use shape::{CharacterRun, shape};

/// The maximum number of shapes in a pattern.
const MOST_SHAPES: usize = 6;
/// The share of strings that the shapes must cover.
const COVERED: f64 = 0.98;
/// The maximum number of strings that are examined.
const LOOKED_AT: usize = 10_000;
/// The maximum length of a readable pattern.
const LONGEST: usize = 2_000;
/// The maximum number of repetitions of a segment.
const MOST_REPEATED: usize = 10_000;

/// A regular expression in the language of definitions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FittedPattern {
    pub(crate) regex: String,
    /// The mean cost of picking a string among all matching ones, in nats.
    pub(crate) cost: f64,
}

/// A segment of a pattern: a class of characters with a number of repetitions.
#[derive(Clone, Debug)]
struct PatternSegment {
    characters: Characters,
    least: usize,
    most: usize,
    /// The text, if it is the same in all strings.
    literal: Option<String>,
}

/// Returns the pattern of strings, of at least one.
pub(crate) fn pattern<'a>(strings: impl ExactSizeIterator<Item = &'a str>) -> FittedPattern {
    let every = strings.len().div_ceil(LOOKED_AT).max(1);
    let strings: Vec<&str> = strings.step_by(every).collect();
    let found = of_shapes(&strings)
        .or_else(|| of_positions(&strings))
        .filter(|pattern| pattern.regex.len() <= LONGEST);
    found.unwrap_or_else(|| of_lengths(&strings))
}

/// Returns the shapes as alternatives, if there are few.
fn of_shapes(strings: &[&str]) -> Option<FittedPattern> {
    let mut shapes: HashMap<Vec<CharKind>, Vec<Vec<CharacterRun<'_>>>> = HashMap::new();
    for string in strings {
        let runs = shape(string);
        let kinds = runs.iter().map(|run| run.kind).collect();
        shapes.entry(kinds).or_default().push(runs);
    }
    let mut shapes: Vec<_> = shapes.into_iter().collect();
    shapes.sort_by(|(one, often), (other, seldom)| (seldom.len(), one).cmp(&(often.len(), other)));
    let covered: usize = shapes
        .iter()
        .take(MOST_SHAPES)
        .map(|(_, rows)| rows.len())
        .sum();
    if (covered as f64) < COVERED * strings.len() as f64
        || strings.len() < 2 * shapes.len().min(MOST_SHAPES)
    {
        return None;
    }
    let mut alternatives = Vec::new();
    let mut cost = 0.0;
    for (kinds, rows) in shapes.iter().take(MOST_SHAPES) {
        let segments =
            (0..kinds.len()).map(|index| segment(rows.iter().map(|runs| runs[index].text)));
        let segments: Vec<PatternSegment> = segments.collect();
        let share = rows.len() as f64 / covered as f64;
        cost += share * segments.iter().map(PatternSegment::cost).sum::<f64>();
        alternatives.push(
            segments
                .iter()
                .map(PatternSegment::regex)
                .collect::<String>(),
        );
    }
    cost += ln(alternatives.len() as f64);
    let regex = alternatives.join("|");
    Some(FittedPattern { regex, cost })
}

/// Returns the characters of each position, with equal neighbours merged, if lengths are equal.
fn of_positions(strings: &[&str]) -> Option<FittedPattern> {
    let length = strings.first()?.chars().count();
    if strings
        .iter()
        .any(|string| string.chars().count() != length)
    {
        return None;
    }
    let mut positions = vec![Characters::default(); length];
    for string in strings {
        for (characters, character) in positions.iter_mut().zip(string.chars()) {
            characters.add(character);
        }
    }
    let mut segments: Vec<PatternSegment> = Vec::new();
    for characters in positions {
        let characters = characters.widened();
        match segments.last_mut() {
            Some(segment) if segment.characters == characters => {
                segment.least += 1;
                segment.most += 1;
            }
            _ => segments.push(PatternSegment {
                characters,
                least: 1,
                most: 1,
                literal: None,
            }),
        }
    }
    Some(FittedPattern {
        regex: segments.iter().map(PatternSegment::regex).collect(),
        cost: segments.iter().map(PatternSegment::cost).sum(),
    })
}

/// Returns a pattern of all characters, with the range of lengths.
fn of_lengths(strings: &[&str]) -> FittedPattern {
    let segment = segment(strings.iter().copied());
    FittedPattern {
        regex: segment.regex(),
        cost: segment.cost(),
    }
}

fn segment<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> PatternSegment {
    let mut characters = Characters::default();
    let (mut least, mut most) = (usize::MAX, 0);
    let first = texts.clone().next().unwrap_or_default();
    let mut is_literal = true;
    for text in texts {
        let length = text.chars().count();
        (least, most) = (least.min(length), most.max(length));
        is_literal = is_literal && text == first;
        for character in text.chars() {
            characters.add(character);
        }
    }
    PatternSegment {
        characters: characters.widened(),
        least: least.min(most).min(MOST_REPEATED),
        most: most.min(MOST_REPEATED),
        literal: is_literal.then(|| first.to_owned()),
    }
}

impl PatternSegment {
    fn regex(&self) -> String {
        if let Some(literal) = &self.literal {
            return literal.chars().map(class::escaped).collect();
        }
        let class = self.characters.regex();
        match (self.least, self.most) {
            (_, 0) => String::new(),
            (1, 1) => class,
            (least, most) if least == most => format!("{class}{{{most}}}"),
            (0, 1) => format!("{class}?"),
            (least, most) => format!("{class}{{{least},{most}}}"),
        }
    }

    fn cost(&self) -> f64 {
        if self.literal.is_some() {
            return 0.0;
        }
        let length = (self.least + self.most) as f64 / 2.0;
        ln((self.most - self.least + 1) as f64) + length * ln(self.characters.count().max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tdg_definition::Cells;
    use tdg_definition::Definition;
    use tdg_engine::Vectors;

    use super::*;

    fn regex(strings: &[&str]) -> String {
        pattern(strings.iter().copied()).regex
    }

    /// Returns strings that tdg draws from a pattern.
    fn drawn(regex: &str) -> Vec<String> {
        let mut text = String::new();
        tdg_definition::json::write_str(&mut text, regex);
        let definition = Definition::parse(&format!(
            r#"{{"features": [{{"type": "STRING", "distribution": {{"type": "pattern", "regex": {text}}}}}]}}"#
        ));
        let definition = definition.unwrap_or_else(|faults| panic!("{regex:?}: {faults}"));
        let vectors = Vectors::generate(&definition, 0, 500);
        let Cells::Text(text) = vectors.column(0).cells() else {
            unreachable!()
        };
        text.iter().map(str::to_owned).collect()
    }

    /// Returns the pattern fitted to strings drawn from a pattern.
    fn recovered(regex: &str) -> String {
        let strings = drawn(regex);
        pattern(strings.iter().map(String::as_str)).regex
    }

    #[test]
    fn the_pattern_of_drawn_strings_is_the_one_they_were_drawn_from() {
        for regex in [
            "[A-Z]{2}-[0-9]{4}",
            "ORD-[0-9]{6}",
            "[A-Z][a-z]{3,8} [A-Z][a-z]{4,9}",
            "\\+49 [0-9]{3,4}/[0-9]{6}",
            "[0-9a-f]{12}",
            "[a-z]{3,6}@example\\.com",
            "é[0-9]{3}",
        ] {
            assert_eq!(recovered(regex), regex);
        }
    }

    #[test]
    fn shapes_are_alternatives() {
        assert_eq!(
            recovered("[A-Z]{3}-[0-9]{2}|[0-9]{5}"),
            "[A-Z]{3}-[0-9]{2}|[0-9]{5}"
        );
    }

    #[test]
    fn strings_without_a_shape_have_their_characters_and_lengths() {
        assert_eq!(
            regex(&["a-1b", "-", "x9", "", "..a"]),
            "[\\-\\.0-9a-z]{0,4}"
        );
    }

    #[test]
    fn many_characters_that_are_not_ascii_are_ranges() {
        let names = ('一'..='龠').step_by(20).map(|name| format!("{name}さん"));
        let names: Vec<String> = names.collect();
        assert!(names.len() > 1_000);
        let found = pattern(names.iter().map(String::as_str)).regex;
        assert_eq!(found, "[一-龐]さん");
        drawn(&found);
        let numbered = names.iter().zip(0..);
        let numbered: Vec<String> = numbered.map(|(name, n)| format!("{name}{n}")).collect();
        let found = pattern(numbered.iter().map(String::as_str)).regex;
        assert_eq!(found, "[0-9さ-ん一-龐]{4,7}");
        drawn(&found);
    }

    proptest! {
        #[test]
        fn rows_can_be_drawn_from_the_pattern_of_any_strings(strings in prop::collection::vec("\\PC{0,12}|[ -~]{0,9}", 1..40)) {
            let found = pattern(strings.iter().map(String::as_str));
            prop_assert!(!drawn(&found.regex).is_empty());
            prop_assert!(found.cost >= 0.0);
        }
    }
}
