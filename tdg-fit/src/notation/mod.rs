//! Numbers and dates as people write them, where definitions write them otherwise.

mod date;
mod number;

use tdg_definition::{Column, FeatureType};

use crate::infer::{decimals, typed};
use date::DateNotation;
use number::NumberNotation;

/// A column of texts read as numbers or dates.
pub(crate) struct ReadTexts {
    pub(crate) feature_type: FeatureType,
    pub(crate) decimals: Option<u32>,
    pub(crate) column: Column,
}

/// The kinds of texts that may be numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextSource {
    /// Fields of CSV with that delimiter.
    Fields(u8),
    /// Strings of JSON, of which none is a number or null.
    JsonStrings,
}

/// A way to write numbers or dates.
#[derive(Clone, Copy)]
enum Notation {
    Number(NumberNotation),
    Date(DateNotation),
}

impl Notation {
    fn plain(self, text: &str) -> Option<String> {
        match self {
            Self::Number(notation) => notation.plain(text),
            Self::Date(notation) => notation.plain(text),
        }
    }
}

/// A column in one notation, but for a few texts.
struct Attempt<'t> {
    notation: Notation,
    plain: Vec<Option<String>>,
    read: ReadTexts,
    /// The first texts that are not in the notation, different ones, and the number of all.
    others: Vec<&'t str>,
    number_of_others: usize,
}

/// More different texts than that are no marks of what is missing.
const MARKS: usize = 3;

impl<'t> Attempt<'t> {
    /// `None` if too many texts are not in the notation.
    fn of(notation: Notation, texts: &[Option<&'t str>], most_others: usize) -> Option<Self> {
        let present = texts.iter().flatten().count();
        let (mut others, mut number_of_others) = (Vec::new(), 0);
        let mut plain = Vec::new();
        for text in texts {
            let read = text.and_then(|text| notation.plain(text));
            if let (Some(text), None) = (text, &read) {
                number_of_others += 1;
                if others.len() <= MARKS && !others.contains(text) {
                    others.push(*text);
                }
                let most = match others.len() > MARKS {
                    true => present / 20,
                    false => present / 2,
                };
                if number_of_others > most.min(most_others) {
                    return None;
                }
            }
            plain.push(read);
        }
        let borrowed: Vec<_> = plain.iter().map(Option::as_deref).collect();
        let (feature_type, column) = typed(&borrowed);
        let read = ReadTexts {
            feature_type,
            decimals: decimals(feature_type, &borrowed),
            column,
        };
        let is_read = feature_type != FeatureType::String;
        is_read.then_some(Self {
            notation,
            plain,
            read,
            others,
            number_of_others,
        })
    }

    fn is_same(&self, other: &Self) -> bool {
        self.plain == other.plain
    }

    /// The kind of the values: "numbers", "dates in the order day, month, year".
    fn kind(&self) -> String {
        let noun = match self.read.feature_type {
            FeatureType::Date => "dates",
            FeatureType::DateTime => "times",
            _ => return "numbers".to_owned(),
        };
        match self.notation {
            Notation::Number(_) => noun.to_owned(),
            Notation::Date(notation) => format!("{noun} {}", notation.name()),
        }
    }
}

/// The values of a column that are no values of a definition as they are written, and a note about
/// the column, if there is something to know.
pub(crate) fn read(
    column: &str,
    texts: &[Option<&str>],
    source: TextSource,
) -> (Option<ReadTexts>, Option<String>) {
    let most_others = match source {
        TextSource::Fields(_) => usize::MAX,
        TextSource::JsonStrings => 0,
    };
    let attempts = notations(texts, source).filter_map(|it| Attempt::of(it, texts, most_others));
    let mut attempts: Vec<_> = attempts.collect();
    attempts.sort_by_key(|attempt| attempt.number_of_others);
    let Some(best) = attempts.first() else {
        return (None, None);
    };
    if best.number_of_others > 0 {
        return (None, Some(note_on_others(column, texts, best)));
    }
    attempts.retain(|attempt| attempt.number_of_others == 0);
    attempts.dedup_by(|one, other| one.is_same(other));
    if attempts.len() > 1 && !is_evident(&attempts, texts, source) {
        return (None, Some(note_on_doubt(column, texts, &attempts)));
    }
    let best = attempts.swap_remove(0);
    let note = note_on_notation(column, texts, &best);
    (Some(best.read), Some(note))
}

fn notations(
    texts: &[Option<&str>],
    source: TextSource,
) -> impl Iterator<Item = Notation> + use<> {
    let numbers = match source {
        TextSource::Fields(_) => NumberNotation::all(texts),
        TextSource::JsonStrings => Vec::new(),
    };
    let numbers = numbers.into_iter().map(Notation::Number);
    numbers.chain(DateNotation::all().map(Notation::Date))
}

/// Whether the first notation is the right one. Where commas separate fields, a decimal comma is
/// rare.
fn is_evident(attempts: &[Attempt<'_>], texts: &[Option<&str>], source: TextSource) -> bool {
    match attempts[0].notation {
        Notation::Number(notation) => {
            source == TextSource::Fields(b',') && notation.is_evident(texts)
        }
        Notation::Date(_) => false,
    }
}

fn note_on_notation(column: &str, texts: &[Option<&str>], attempt: &Attempt<'_>) -> String {
    let pairs = texts.iter().flatten().zip(attempt.plain.iter().flatten());
    let mut written = pairs.filter(|(text, plain)| *text != plain);
    let Some((example, plain)) = written.next() else {
        return String::new();
    };
    let (all, kind) = (texts.iter().flatten().count(), attempt.kind());
    let number = 1 + written.count();
    let share = match number == all {
        true => format!("all {all} values"),
        false => format!("{number} of {all} values"),
    };
    format!("column {column:?}: {share} are {kind} such as {example:?}, read as {plain}")
}

fn note_on_doubt(column: &str, texts: &[Option<&str>], attempts: &[Attempt<'_>]) -> String {
    let readings = |row: usize| {
        let mut readings: Vec<&str> = Vec::new();
        for attempt in attempts {
            let plain = attempt.plain[row].as_deref();
            readings.extend(plain.filter(|it| !readings.contains(it)));
        }
        readings
    };
    let doubtful = (0..texts.len()).find(|row| readings(*row).len() > 1);
    let row = doubtful.unwrap_or_default();
    let (text, readings) = (texts[row].unwrap_or_default(), readings(row).join(" or "));
    format!(
        "column {column:?}: {text:?} is {readings}, and no value tells which, so its feature is a \
         STRING; write the values in one of these ways"
    )
}

fn note_on_others(column: &str, texts: &[Option<&str>], attempt: &Attempt<'_>) -> String {
    let (all, number) = (texts.iter().flatten().count(), attempt.number_of_others);
    let mut quoted = attempt.others.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>();
    let kind = attempt.kind();
    if quoted.len() > MARKS {
        quoted.pop();
        let others = quoted.join(", ");
        return format!(
            "column {column:?}: {number} of {all} values are no {kind}, as the others are, so its \
             feature is a STRING; correct them: {others} …"
        );
    }
    let options: Vec<_> = attempt.others.iter().map(|text| option(text)).collect();
    format!(
        "column {column:?}: {number} of {all} values {} {}, and the others are {kind}; if that \
         means null, add {}",
        if number == 1 { "is" } else { "are" },
        quoted.join(" or "),
        options.join(" ")
    )
}

/// The option for a mark, quoted for a shell if need be.
fn option(mark: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '-' | '.' | '_');
    match !mark.is_empty() && mark.chars().all(is_plain) {
        true => format!("--null={mark}"),
        false => format!("--null='{}'", mark.replace('\'', r"'\''")),
    }
}
