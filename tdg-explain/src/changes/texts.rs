//! Edited texts.

use tdg_definition::sort;

use super::ChangePattern;
use super::pairs::{Pairs, PatternCandidate, most_frequent};
use crate::quoted_text::quoted;
use tdg_engine::common_prefix;

/// The minimum share of a replacement to be reported next to others.
const FREQUENT: f64 = 0.1;
/// The number of missing characters that are tried.
const MISSING: usize = 8;

/// The uncertainty that a relation leaves about a text, in nats.
pub(super) const OPEN: f64 = 1.0;

/// An edit, with its words.
type Edit = (&'static str, fn(&str) -> String);

const EDITS: [Edit; 7] = [
    ("in lower case", |text| text.to_lowercase()),
    ("in upper case", |text| text.to_uppercase()),
    ("with its characters reversed", |text| {
        text.chars().rev().collect()
    }),
    ("without white space at its ends", |text| {
        text.trim().to_owned()
    }),
    ("without white space", |text| {
        text.chars().filter(|it| !it.is_whitespace()).collect()
    }),
    ("without its first word", |text| {
        text.split_once(' ').map_or("", |(_, rest)| rest).to_owned()
    }),
    ("without its last word", |text| {
        text.rsplit_once(' ')
            .map_or("", |(rest, _)| rest)
            .to_owned()
    }),
];

/// Removes certain characters, to find texts that differ only in them.
type Rest = (&'static str, fn(&str) -> String);

const RESTS: [Rest; 4] = [
    ("only upper and lower case differ", |text| {
        text.to_lowercase()
    }),
    ("only white space differs", |text| {
        without(text, char::is_whitespace)
    }),
    ("only punctuation differs", |text| {
        without(text, |it| !it.is_alphanumeric() && !it.is_whitespace())
    }),
    ("only digits differ", |text| without(text, char::is_numeric)),
];

fn without(text: &str, is_left_out: impl Fn(char) -> bool) -> String {
    text.chars().filter(|it| !is_left_out(*it)).collect()
}

/// Finds edits that turn expected texts into the actual ones.
pub(super) fn edits<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let own: Vec<(&str, &str)> = pairs.own_texts().collect();
    let mut candidates = Vec::new();
    if own.is_empty() {
        return candidates;
    }
    for (words, function) in EDITS {
        let function = move |text: &str| Some(function(text));
        candidates.push(edit(pairs, words.to_owned(), 0, function));
    }
    for EditWithConstant { find, words, apply } in EDITS_WITH_CONSTANTS {
        let constants = own.iter().filter_map(|(left, right)| find(left, right));
        let constants = constants.filter(|constant| !constant.is_empty());
        if let Some(constant) = most_frequent(constants.collect()) {
            let words = words(&constant);
            let removed = constant.split_once('\0').map(|(from, _)| from.to_owned());
            let apply = move |text: &str| apply(text, &constant);
            candidates.push(PatternCandidate {
                removed,
                ..edit(pairs, words, 1, apply)
            });
        }
    }
    candidates
}

/// Creates a candidate for one case's expected text and another's actual text.
fn of_texts<'a>(
    pairs: &'a Pairs<'a>,
    pattern: ChangePattern,
    holds: impl Fn(&str, &str) -> bool + 'a,
) -> PatternCandidate<'a> {
    PatternCandidate::from_values(pattern, |left, right| pairs.texts(left, right), holds)
}

/// Creates the candidate for an edit.
fn edit<'a>(
    pairs: &'a Pairs<'a>,
    words: String,
    fitted: usize,
    edit: impl Fn(&str) -> Option<String> + 'a,
) -> PatternCandidate<'a> {
    PatternCandidate {
        fitted,
        choices: EDITS.len(),
        ..of_texts(
            pairs,
            ChangePattern::Edited(words),
            move |expected, actual| edit(expected).as_deref() == Some(actual),
        )
    }
}

/// An edit with a constant, the most frequent one of the constants found in pairs of texts.
struct EditWithConstant {
    find: fn(&str, &str) -> Option<String>,
    words: fn(&str) -> String,
    apply: fn(&str, &str) -> Option<String>,
}

const EDITS_WITH_CONSTANTS: [EditWithConstant; 10] = [
    EditWithConstant {
        find: |expected, actual| actual.strip_suffix(expected).map(str::to_owned),
        words: |start| format!("with {} prepended", quoted(start)),
        apply: |text, start| Some(format!("{start}{text}")),
    },
    EditWithConstant {
        find: |expected, actual| actual.strip_prefix(expected).map(str::to_owned),
        words: |end| format!("with {} appended", quoted(end)),
        apply: |text, end| Some(format!("{text}{end}")),
    },
    EditWithConstant {
        find: |expected, actual| expected.strip_suffix(actual).map(str::to_owned),
        words: |start| format!("without the prefix {}", quoted(start)),
        apply: |text, start| text.strip_prefix(start).map(str::to_owned),
    },
    EditWithConstant {
        find: |expected, actual| expected.strip_prefix(actual).map(str::to_owned),
        words: |end| format!("without the suffix {}", quoted(end)),
        apply: |text, end| text.strip_suffix(end).map(str::to_owned),
    },
    EditWithConstant {
        find: |expected, actual| {
            let rest = expected.strip_prefix(actual)?;
            (!rest.is_empty()).then(|| length(actual).to_string())
        },
        words: |kept| match kept {
            "1" => "truncated to 1 character".to_owned(),
            _ => format!("truncated to {}", characters(kept)),
        },
        apply: |text, kept| Some(text.chars().take(kept.parse().ok()?).collect()),
    },
    EditWithConstant {
        find: |expected, actual| length_of_rest(expected.strip_prefix(actual)?),
        words: |dropped| format!("without its last {}", characters(dropped)),
        apply: |text, dropped| {
            let kept = length(text).checked_sub(dropped.parse().ok()?)?;
            Some(text.chars().take(kept).collect())
        },
    },
    EditWithConstant {
        find: |expected, actual| length_of_rest(expected.strip_suffix(actual)?),
        words: |skipped| format!("without its first {}", characters(skipped)),
        apply: |text, skipped| Some(text.chars().skip(skipped.parse().ok()?).collect()),
    },
    EditWithConstant {
        find: only_missing,
        words: |character| format!("without {}", quoted(character)),
        apply: |text, character| Some(text.replace(character, "")),
    },
    EditWithConstant {
        find: replaced_words,
        words: replacement,
        apply: with_replaced,
    },
    EditWithConstant {
        find: replaced,
        words: replacement,
        apply: with_replaced,
    },
];

/// Returns `with "or" instead of "only"`.
fn replacement(both: &str) -> String {
    let (from, to) = both.split_once('\0').unwrap_or_default();
    match to.is_empty() {
        true => format!("without {}", quoted(from)),
        false => format!("with {} instead of {}", quoted(to), quoted(from)),
    }
}

fn with_replaced(text: &str, both: &str) -> Option<String> {
    let (from, to) = both.split_once('\0')?;
    Some(text.replace(from, to))
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn length_of_rest(rest: &str) -> Option<String> {
    (!rest.is_empty()).then(|| length(rest).to_string())
}

/// Returns `character` or `20 characters`.
fn characters(count: &str) -> String {
    match count {
        "1" => "character".to_owned(),
        _ => format!("{count} characters"),
    }
}

/// Returns the only character that the actual text lacks.
fn only_missing(expected: &str, actual: &str) -> Option<String> {
    // Sorted, because texts may be long.
    let [mut missing, actual_characters] =
        [expected, actual].map(|it| sort::distinct(it.chars().collect()));
    missing.retain(|it| actual_characters.binary_search(it).is_err());
    missing.truncate(MISSING);
    let is_it = |it: &char| without(expected, |other| other == *it) == actual;
    missing.into_iter().find(is_it).map(String::from)
}

/// Returns the expected and the actual part at the position where the texts differ.
fn replaced(expected: &str, actual: &str) -> Option<String> {
    let prefix = common_prefix(expected, actual);
    let (left, right) = (&expected[prefix..], &actual[prefix..]);
    // If several positions differ, only the first differing character is compared.
    let first = |text: &str| text.chars().next().map(String::from);
    let same_length = expected.chars().count() == actual.chars().count();
    if same_length {
        return Some(format!("{}\0{}", first(left)?, first(right)?));
    }
    let alike = left.chars().rev().zip(right.chars().rev());
    let end: usize = alike
        .take_while(|(left, right)| left == right)
        .map(|(it, _)| it.len_utf8())
        .sum();
    let (from, to) = (&left[..left.len() - end], &right[..right.len() - end]);
    let is_known = !from.is_empty() && !expected[..prefix].is_empty() || end > 0;
    (is_known && !from.is_empty() && !from.contains('\0')).then(|| format!("{from}\0{to}"))
}

/// Returns the only part where the texts differ, extended to whole words: the expected one and the
/// actual one.
fn replaced_words(expected: &str, actual: &str) -> Option<String> {
    let start = common_prefix(expected, actual);
    let (left, right) = (&expected[start..], &actual[start..]);
    let alike = left.chars().rev().zip(right.chars().rev());
    let alike = alike.take_while(|(left, right)| left == right);
    let rest: usize = alike.map(|(it, _)| it.len_utf8()).sum();
    let sides = [(left, expected), (right, actual)];
    let is_cut = |index: usize| {
        sides.iter().any(|(_, text)| {
            let mut before = text[..index].chars().rev();
            let after = text[index..].chars().next();
            before
                .next()
                .zip(after)
                .is_some_and(|(left, right)| is_in_word(left, right))
        })
    };
    let before = expected[..start]
        .char_indices()
        .rev()
        .map(|(index, _)| index);
    let begin = std::iter::once(start)
        .chain(before)
        .find(|it| !is_cut(*it))?;
    let is_cut_after = |rest: usize| {
        sides.iter().any(|(_, text)| {
            let (before, after) = text.split_at(text.len() - rest);
            let both = before.chars().next_back().zip(after.chars().next());
            both.is_some_and(|(left, right)| is_in_word(left, right))
        })
    };
    let ends = left[left.len() - rest..]
        .char_indices()
        .map(|(it, _)| rest - it);
    let end = ends.chain([0]).find(|it| !is_cut_after(*it))?;
    let is_part = begin > 0 || end > 0;
    let part = |text: &'_ str| text.get(begin..text.len() - end).map(str::to_owned);
    let (from, to) = (part(expected)?, part(actual)?);
    (is_part && !from.is_empty() && !from.contains('\0')).then(|| format!("{from}\0{to}"))
}

fn is_in_word(left: char, right: char) -> bool {
    left.is_alphanumeric() && right.is_alphanumeric()
}

/// Finds the most frequent of several replacements: `"MB" became "MiB"`.
pub(super) fn most_replaced<'a>(pairs: &'a Pairs<'a>) -> Option<PatternCandidate<'a>> {
    let own = pairs.own_texts();
    let all = own.filter_map(|(left, right)| replaced_words(left, right));
    let both = most_frequent(all.collect())?;
    let (from, to) = both.split_once('\0')?;
    let pattern = ChangePattern::Replaced {
        from: from.to_owned(),
        to: to.to_owned(),
    };
    Some(PatternCandidate {
        fitted: 1,
        least: FREQUENT,
        ..of_texts(pairs, pattern, move |expected, actual| {
            expected != actual && with_replaced(expected, &both).as_deref() == Some(actual)
        })
    })
}

/// A relation of texts, with its words.
type TextRelation = (&'static str, fn(&str, &str) -> bool);

const RELATIONS: [TextRelation; 6] = [
    ("actual is the beginning of expected", |expected, actual| {
        expected.starts_with(actual)
    }),
    ("actual is the end of expected", |expected, actual| {
        expected.ends_with(actual)
    }),
    ("actual is a part of expected", |expected, actual| {
        expected.contains(actual)
    }),
    ("actual contains expected", |expected, actual| {
        actual.contains(expected)
    }),
    ("actual lacks characters of expected", |expected, actual| {
        lacks(&mut expected.chars(), actual.chars())
    }),
    (
        "only the order of characters differs",
        |expected, actual| sorted(expected) == sorted(actual),
    ),
];

fn sorted(text: &str) -> Vec<char> {
    let mut characters: Vec<char> = text.chars().collect();
    sort::by(&mut characters, Ord::cmp);
    characters
}

/// Returns true if the second sequence is a subsequence of the first.
pub(super) fn lacks<T: PartialEq>(
    all: &mut impl Iterator<Item = T>,
    mut some: impl Iterator<Item = T>,
) -> bool {
    some.all(|one| all.any(|other| other == one))
}

/// Finds texts that partly equal the expected ones.
pub(super) fn relations<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let rests = RESTS
        .map(|(words, rest)| relation(pairs, words, move |left, right| rest(left) == rest(right)));
    let relations = RELATIONS.map(|(words, holds)| relation(pairs, words, holds));
    rests.into_iter().chain(relations).collect()
}

fn relation<'a>(
    pairs: &'a Pairs<'a>,
    words: &str,
    holds: impl Fn(&str, &str) -> bool + 'a,
) -> PatternCandidate<'a> {
    PatternCandidate {
        choices: RESTS.len() + RELATIONS.len(),
        open: OPEN,
        ..of_texts(pairs, ChangePattern::Only(words.to_owned()), holds)
    }
}
