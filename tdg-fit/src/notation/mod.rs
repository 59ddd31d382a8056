//! Reads numbers and dates in notations that definitions don't use.

mod date;
mod number;

use std::collections::HashSet;

use tdg_definition::FeatureType;

use crate::infer::TypedColumn;
use date::DateNotation;
use number::NumberNotation;

/// The source of texts, which decides whether they may be numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextSource {
    /// Fields of CSV with this delimiter.
    Fields(u8),
    /// Strings of JSON, which are never numbers or null.
    JsonStrings,
}

/// A way to write numbers or dates.
#[derive(Clone, Copy)]
enum ValueNotation {
    Number(NumberNotation),
    Date(DateNotation),
}

impl ValueNotation {
    fn plain(self, text: &str) -> Option<String> {
        match self {
            Self::Number(notation) => notation.plain(text),
            Self::Date(notation) => notation.plain(text),
        }
    }
}

/// A column in one notation, except for a few texts.
struct ColumnReading<'t> {
    notation: ValueNotation,
    plain: Vec<Option<String>>,
    typed: TypedColumn,
    /// The first distinct texts that aren't in the notation. `number_of_others` counts all.
    others: Vec<&'t str>,
    number_of_others: usize,
}

/// The maximum number of distinct texts that can be marks for null.
const MARKS: usize = 3;
/// The minimum number of distinct values for such marks. With fewer, the texts are categories.
const VALUES: usize = 10;

impl<'t> ColumnReading<'t> {
    /// Reads a column, or returns `None` if too many texts aren't in the notation.
    fn read(
        notation: ValueNotation,
        texts: &[Option<&'t str>],
        most_others: usize,
    ) -> Option<Self> {
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
                    false if others.iter().any(has_letters) => present / 2,
                    false => present * 9 / 10,
                };
                if number_of_others > most.min(most_others) {
                    return None;
                }
            }
            plain.push(read);
        }
        let borrowed: Vec<_> = plain.iter().map(Option::as_deref).collect();
        let typed = TypedColumn::of_plain(&borrowed);
        let different: HashSet<_> = borrowed.iter().flatten().take(1_000).collect();
        let are_categories = others.iter().any(has_letters) && different.len() < VALUES;
        let is_read = typed.feature_type != FeatureType::String && !are_categories;
        is_read.then_some(Self {
            notation,
            plain,
            typed,
            others,
            number_of_others,
        })
    }

    /// Returns true if the other texts are marks for null rather than mistakes: they have no
    /// letters, or they repeat.
    fn has_marks(&self) -> bool {
        let are_repeated = self.number_of_others > self.others.len();
        let is_few = self.others.len() <= MARKS;
        is_few && (are_repeated || !self.others.iter().any(has_letters))
    }

    fn is_same(&self, other: &Self) -> bool {
        self.plain == other.plain
    }

    /// Returns the kind of the values: "numbers", "dates in the order day, month, year".
    fn kind(&self) -> String {
        let noun = match self.typed.feature_type {
            FeatureType::Date => "dates",
            FeatureType::DateTime => "times",
            _ => return "numbers".to_owned(),
        };
        match self.notation {
            ValueNotation::Number(_) => noun.to_owned(),
            ValueNotation::Date(notation) => format!("{noun} {}", notation.name()),
        }
    }
}

fn has_letters(text: &&str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Reads a column of strings as numbers or dates, if they are any. Also returns a note about the
/// column, if needed.
pub(crate) fn read(
    column: &str,
    texts: &[Option<&str>],
    source: TextSource,
) -> (Option<TypedColumn>, Option<String>) {
    let most_others = match source {
        TextSource::Fields(_) => usize::MAX,
        TextSource::JsonStrings => 0,
    };
    let attempts =
        notations(texts, source).filter_map(|it| ColumnReading::read(it, texts, most_others));
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
    if let ValueNotation::Date(notation) = attempts[0].notation
        && notation.has_short_years()
    {
        let example = texts.iter().flatten().next().unwrap_or(&"");
        let note = format!(
            "column {column:?} has dates whose years have two digits, such as {example:?}, so its \
             feature is a STRING; write years with four"
        );
        return (None, Some(note));
    }
    if attempts.len() > 1 && !is_evident(&attempts, texts, source) {
        return (None, Some(note_on_doubt(column, texts, &attempts)));
    }
    let best = attempts.swap_remove(0);
    let note = note_on_notation(column, texts, &best);
    (Some(best.typed), Some(note))
}

fn notations(
    texts: &[Option<&str>],
    source: TextSource,
) -> impl Iterator<Item = ValueNotation> + use<> {
    let numbers = match source {
        TextSource::Fields(_) => NumberNotation::all(texts),
        TextSource::JsonStrings => Vec::new(),
    };
    let numbers = numbers.into_iter().map(ValueNotation::Number);
    numbers.chain(DateNotation::all().map(ValueNotation::Date))
}

/// Returns true if the first notation is clearly right. Decimal commas are rare in files whose
/// fields are separated by commas.
fn is_evident(attempts: &[ColumnReading<'_>], texts: &[Option<&str>], source: TextSource) -> bool {
    match attempts[0].notation {
        ValueNotation::Number(notation) => {
            source == TextSource::Fields(b',') && notation.is_evident(texts)
        }
        ValueNotation::Date(_) => false,
    }
}

fn note_on_notation(column: &str, texts: &[Option<&str>], attempt: &ColumnReading<'_>) -> String {
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

fn note_on_doubt(column: &str, texts: &[Option<&str>], attempts: &[ColumnReading<'_>]) -> String {
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
        "column {column:?}: {text:?} is {readings}, and no value shows which, so its feature is a \
         STRING; write the values in one of these ways"
    )
}

fn note_on_others(column: &str, texts: &[Option<&str>], attempt: &ColumnReading<'_>) -> String {
    let (all, number) = (texts.iter().flatten().count(), attempt.number_of_others);
    let are = if number == 1 { "is" } else { "are" };
    let quoted = attempt
        .others
        .iter()
        .take(MARKS)
        .map(|text| format!("{text:?}"));
    let quoted: Vec<_> = quoted.collect();
    let kind = attempt.kind();
    if !attempt.has_marks() {
        let keep = if number == 1 { "keeps" } else { "keep" };
        let more = if attempt.others.len() > MARKS {
            ", …"
        } else {
            ""
        };
        return format!(
            "column {column:?}: {number} of {all} values {keep} its feature a STRING, since the others \
             are {kind}; correct {}{more}",
            quoted.join(", ")
        );
    }
    let options: Vec<_> = attempt.others.iter().map(|text| option(text)).collect();
    format!(
        "column {column:?}: {number} of {all} values {are} {}, and the others are {kind}; if that \
         means null, add {}",
        quoted.join(" or "),
        options.join(" ")
    )
}

/// Returns the option for a mark, quoted for a shell if needed.
fn option(mark: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '-' | '.' | '_');
    match !mark.is_empty() && mark.chars().all(is_plain) {
        true => format!("--null={mark}"),
        false => format!("--null='{}'", mark.replace('\'', r"'\''")),
    }
}
