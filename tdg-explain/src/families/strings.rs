//! Contents of texts: characters and their classes, words, repetition, shape.

use tdg_definition::sort;

use super::super::attribute::Family;
use super::super::table::{ColumnKind, ExplanationColumn};
use super::characters::{CONTAINING, characters, distinct_characters};
use super::comparable::{are_short, contents};
use super::properties::{Properties, TextProperties};

/// Longer texts have too many pairs of characters.
const PAIRED: usize = 64;
/// With more features, there would be too many pairs.
const MANY: usize = 24;

struct LetterClass {
    name: &'static str,
    contains: (&'static str, &'static str),
    count: &'static str,
    position: &'static str,
    last_position: &'static str,
    has: fn(char) -> bool,
}

/// Defines a class: one character is `$one`, with its article `$name`; several are `$several`.
macro_rules! class {
    ($name:literal, $one:literal, $several:literal, $has:expr) => {
        LetterClass {
            name: $name,
            contains: (concat!("{0} with ", $name), concat!("{0} without ", $name)),
            count: concat!($several, " in {0}"),
            position: concat!("position of the first ", $one, " of {0}"),
            last_position: concat!("position of the last ", $one, " of {0}"),
            has: $has,
        }
    };
}

const CLASSES: [LetterClass; 6] = [
    class!(
        "white space",
        "white space",
        "white space",
        char::is_whitespace
    ),
    class!("a capital", "capital", "capitals", char::is_uppercase),
    class!(
        "a small letter",
        "small letter",
        "small letters",
        char::is_lowercase
    ),
    class!("a digit", "digit", "digits", |it| it.is_ascii_digit()),
    class!("punctuation", "punctuation", "punctuation", |it| it
        .is_ascii_punctuation()),
    LetterClass {
        contains: ("{0} with a non-ASCII character", "{0} all ASCII"),
        ..class!(
            "a non-ASCII character",
            "non-ASCII character",
            "non-ASCII characters",
            |it| !it.is_ascii()
        )
    },
];

fn class_of(character: char) -> &'static str {
    let class = CLASSES.iter().find(|class| (class.has)(character));
    class.map_or("another character", |class| class.name)
}

fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next()
}

/// Returns all pairs of neighbouring characters.
fn pairs(text: &str) -> impl Iterator<Item = &str> {
    let ends = text
        .char_indices()
        .skip(1)
        .map(|(at, character)| at + character.len_utf8());
    text.char_indices()
        .zip(ends)
        .map(|((start, _), end)| &text[start..end])
}

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let texts = family.table.positions(false, &[ColumnKind::Text]);
    for (index, &first) in texts.iter().enumerate() {
        of_column(family, first);
        for &second in texts[index + 1..].iter().take(MANY) {
            of_two(family, first, second);
        }
    }
}

/// Adds common characters of two columns of texts.
fn of_two(family: &mut Family<'_, '_>, first: usize, second: usize) {
    let table = family.table;
    if contents(table, first).is_none() || contents(table, second).is_none() {
        return;
    }
    let (left, right) = (&table.columns[first], &table.columns[second]);
    let texts = |row: usize| Some((left.text(row)?, right.text(row)?));
    let words = (
        "{0} and {1} with a common character",
        "{0} and {1} without a common character",
    );
    family.flag(words, &[first, second], move |row| {
        let (left, right) = texts(row)?;
        Some(left.contains(|character| right.contains(character)))
    });
    let common = move |row: usize| {
        let (left, right) = texts(row)?;
        let pairs = left.chars().zip(right.chars());
        Some(pairs.take_while(|(left, right)| left == right).count() as i128)
    };
    let subject = "length of the common beginning of {0} and {1}";
    family.count(subject, &[first, second], common).rarer(1.0);
}

/// Adds the properties of a column of texts.
fn of_column(family: &mut Family<'_, '_>, position: usize) {
    let Some(values) = contents(family.table, position) else {
        return;
    };
    let mut texts = Properties::new(family, position, ExplanationColumn::text);
    texts.texts(("{0} starting with", "{0} not starting with"), |text| {
        characters(text).next().into_iter().collect()
    });
    texts.texts(("{0} ending with", "{0} not ending with"), |text| {
        characters(text).next_back().into_iter().collect()
    });
    for class in &CLASSES {
        let characters = values.iter().flat_map(|text| text.matches(class.has));
        match sort::distinct(characters.collect()).len() {
            0 => {}
            characters => of_class(&mut texts, class, characters > 1),
        }
    }
    texts.text("kind of the first character of {0}", |text| {
        text.chars().next().map(class_of)
    });
    texts.text("kind of the last character of {0}", |text| {
        text.chars().next_back().map(class_of)
    });
    if are_short(&values, PAIRED) {
        let mut rare = texts.rare();
        rare.texts((CONTAINING, "{0} not containing"), |text| {
            sort::distinct(pairs(text).collect())
        });
    }
    if values.iter().any(|text| text.contains(' ')) {
        of_words(&mut texts);
    }
    of_repetition(&mut texts);
}

fn of_class(texts: &mut TextProperties<'_, '_, '_>, class: &LetterClass, has_several: bool) {
    let has = class.has;
    // A class with a single character is better described by the character.
    if has_several {
        texts.flag(class.contains, move |text| text.contains(has));
    }
    texts.count(class.count, move |text| {
        text.chars().filter(|it| has(*it)).count()
    });
    let mut rare = texts.rare();
    rare.number(class.position, move |text| {
        Some(text.chars().position(has)? as i64 + 1)
    });
    rare.number(class.last_position, move |text| {
        let characters: Vec<char> = text.chars().collect();
        Some(characters.into_iter().rposition(has)? as i64 + 1)
    });
}

fn of_words(texts: &mut TextProperties<'_, '_, '_>) {
    texts.count("words in {0}", |text| text.split_whitespace().count());
    texts.text("first word of {0}", first_word);
    let mut rare = texts.rare();
    rare.number("length of the first word of {0}", |text| {
        Some(first_word(text)?.chars().count() as i64)
    });
    rare.texts(
        (
            "first word of {0} containing",
            "first word of {0} not containing",
        ),
        |text| distinct_characters(first_word(text).unwrap_or_default()),
    );
    rare.texts(
        (
            "{0} after its first space containing",
            "{0} after its first space not containing",
        ),
        |text| distinct_characters(text.split_once(' ').map_or("", |(_, rest)| rest)),
    );
}

fn of_repetition(texts: &mut TextProperties<'_, '_, '_>) {
    texts.flag(
        (
            "{0} with a character twice in a row",
            "{0} without a character twice in a row",
        ),
        |text| {
            let mut neighbours = text.chars().zip(text.chars().skip(1));
            neighbours.any(|(left, right)| left == right)
        },
    );
    let mut rare = texts.rare();
    rare.flag(
        (
            "{0} with a character twice",
            "{0} without a character twice",
        ),
        |text| distinct_characters(text).len() < text.chars().count(),
    );
    rare.flag(
        ("{0} the same backwards", "{0} not the same backwards"),
        |text| text.chars().eq(text.chars().rev()),
    );
    rare.flag(("length of {0} even", "length of {0} odd"), |text| {
        text.chars().count() % 2 == 0
    });
}
