//! What texts contain: characters and their classes, words, repetition, shape.

use tdg_definition::sort;

use super::super::attribute::Family;
use super::super::table::ColumnKind;
use super::comparable::contents;

/// Of longer texts the pairs of characters are too many.
const PAIRED: usize = 64;

struct LetterClass {
    name: &'static str,
    contains: (&'static str, &'static str),
    count: &'static str,
    position: &'static str,
    last_position: &'static str,
    has: fn(char) -> bool,
}

const CLASSES: [LetterClass; 6] = [
    LetterClass {
        name: "white space",
        contains: ("{0} with white space", "{0} without white space"),
        count: "white space in {0}",
        position: "position of the first white space of {0}",
        last_position: "position of the last white space of {0}",
        has: char::is_whitespace,
    },
    LetterClass {
        name: "a capital",
        contains: ("{0} with a capital", "{0} without a capital"),
        count: "capitals in {0}",
        position: "position of the first capital of {0}",
        last_position: "position of the last capital of {0}",
        has: char::is_uppercase,
    },
    LetterClass {
        name: "a small letter",
        contains: ("{0} with a small letter", "{0} without a small letter"),
        count: "small letters in {0}",
        position: "position of the first small letter of {0}",
        last_position: "position of the last small letter of {0}",
        has: char::is_lowercase,
    },
    LetterClass {
        name: "a digit",
        contains: ("{0} with a digit", "{0} without a digit"),
        count: "digits in {0}",
        position: "position of the first digit of {0}",
        last_position: "position of the last digit of {0}",
        has: |character| character.is_ascii_digit(),
    },
    LetterClass {
        name: "punctuation",
        contains: ("{0} with punctuation", "{0} without punctuation"),
        count: "punctuation in {0}",
        position: "position of the first punctuation of {0}",
        last_position: "position of the last punctuation of {0}",
        has: |character| character.is_ascii_punctuation(),
    },
    LetterClass {
        name: "not ASCII",
        contains: ("{0} with a character beyond ASCII", "{0} all ASCII"),
        count: "characters beyond ASCII in {0}",
        position: "position of the first character beyond ASCII of {0}",
        last_position: "position of the last character beyond ASCII of {0}",
        has: |character| !character.is_ascii(),
    },
];

fn class_of(character: char) -> &'static str {
    let class = CLASSES.iter().find(|class| (class.has)(character));
    class.map_or("another", |class| class.name)
}

/// The characters, each as a text.
fn characters(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.char_indices()
        .map(|(at, character)| &text[at..at + character.len_utf8()])
}

fn distinct<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut texts: Vec<&str> = texts.collect();
    sort::by(&mut texts, Ord::cmp);
    texts.dedup();
    texts
}

/// All pairs of neighbouring characters.
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
    for position in family.table.positions(false, &[ColumnKind::Text]) {
        of_column(family, position);
    }
}

/// The properties of a column of texts.
pub(super) fn of_column(family: &mut Family<'_, '_>, position: usize) {
    let table = family.table;
    let column = &table.columns[position];
    let here = [position];
    let text = |row: usize| column.text(row);
    let Some(values) = contents(table, position) else {
        return;
    };
    let all = |row: usize| column.text(row).unwrap_or_default();
    let without_first = move |row: usize| {
        all(row)
            .get(all(row).chars().next().map_or(0, char::len_utf8)..)
            .unwrap_or_default()
    };
    let without_last = move |row: usize| {
        let text = all(row);
        &text[..text.char_indices().next_back().map_or(0, |(at, _)| at)]
    };
    family.texts(
        ("{0} containing", "{0} not containing"),
        &here,
        move |row| distinct(characters(all(row))),
    );
    family.text("first character of {0}", &here, move |row| {
        characters(text(row)?).next()
    });
    family.text("last character of {0}", &here, move |row| {
        characters(text(row)?).next_back()
    });
    for class in &CLASSES {
        let has = class.has;
        if !values.iter().any(|text| text.contains(has)) {
            continue;
        }
        family.flag(class.contains, &here, move |row| {
            Some(text(row)?.contains(has))
        });
        family.count(class.count, &here, move |row| {
            Some(
                text(row)?
                    .chars()
                    .filter(|character| has(*character))
                    .count() as i128,
            )
        });
        family
            .count(class.position, &here, move |row| {
                Some(text(row)?.chars().position(has)? as i128 + 1)
            })
            .rarer(1.0);
        family
            .count(class.last_position, &here, move |row| {
                let characters: Vec<char> = text(row)?.chars().collect();
                Some(characters.into_iter().rposition(has)? as i128 + 1)
            })
            .rarer(1.0);
    }
    family.text("kind of the first character of {0}", &here, move |row| {
        text(row)?.chars().next().map(class_of)
    });
    family.text("kind of the last character of {0}", &here, move |row| {
        text(row)?.chars().next_back().map(class_of)
    });
    family
        .texts(
            (
                "{0} after its first character containing",
                "{0} after its first character not containing",
            ),
            &here,
            move |row| distinct(characters(without_first(row))),
        )
        .rarer(1.0);
    family
        .texts(
            (
                "{0} before its last character containing",
                "{0} before its last character not containing",
            ),
            &here,
            move |row| distinct(characters(without_last(row))),
        )
        .rarer(1.0);
    if values.iter().all(|text| text.len() <= PAIRED) {
        family
            .texts(
                ("{0} containing", "{0} not containing"),
                &here,
                move |row| distinct(pairs(all(row))),
            )
            .rarer(1.0);
    }
    if values.iter().any(|text| text.contains(' ')) {
        family.count("words in {0}", &here, move |row| {
            Some(text(row)?.split_whitespace().count() as i128)
        });
        family.text("first word of {0}", &here, move |row| {
            text(row)?.split_whitespace().next()
        });
        family
            .count("length of the first word of {0}", &here, move |row| {
                Some(text(row)?.split_whitespace().next()?.chars().count() as i128)
            })
            .rarer(1.0);
        family
            .texts(
                (
                    "first word of {0} containing",
                    "first word of {0} not containing",
                ),
                &here,
                move |row| {
                    distinct(characters(
                        all(row).split_whitespace().next().unwrap_or_default(),
                    ))
                },
            )
            .rarer(1.0);
        family
            .texts(
                (
                    "{0} after its first space containing",
                    "{0} after its first space not containing",
                ),
                &here,
                move |row| {
                    distinct(characters(
                        all(row).split_once(' ').map_or("", |(_, rest)| rest),
                    ))
                },
            )
            .rarer(1.0);
    }
    family
        .count("distinct characters of {0}", &here, move |row| {
            Some(distinct(characters(text(row)?)).len() as i128)
        })
        .rarer(1.0);
    family.flag(
        (
            "{0} with a character twice in a row",
            "{0} without a character twice in a row",
        ),
        &here,
        move |row| {
            let text = text(row)?;
            Some(
                text.chars()
                    .zip(text.chars().skip(1))
                    .any(|(left, right)| left == right),
            )
        },
    );
    family
        .flag(
            (
                "{0} with a character twice",
                "{0} without a character twice",
            ),
            &here,
            move |row| {
                let text = text(row)?;
                Some(distinct(characters(text)).len() < text.chars().count())
            },
        )
        .rarer(1.0);
    family
        .flag(
            ("{0} the same backwards", "{0} not the same backwards"),
            &here,
            move |row| {
                let text = text(row)?;
                Some(text.chars().eq(text.chars().rev()))
            },
        )
        .rarer(1.0);
    family
        .flag(
            ("length of {0} even", "length of {0} odd"),
            &here,
            move |row| Some(text(row)?.chars().count() % 2 == 0),
        )
        .rarer(1.0);
}
