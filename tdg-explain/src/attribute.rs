//! Attributes: the properties of rows that conditions test.

use std::borrow::Cow;
use std::rc::Rc;

use tdg_definition::json::{Number, Value};
use tdg_definition::sort;

use super::Vocabulary;
use super::score::FEW;
use super::table::{ColumnKind, ExplanationTable};

/// A property that every row has or lacks: a value, its length, its last digit, or a comparison
/// with another value.
pub(super) struct Attribute<'t> {
    /// The position of its family.
    pub(super) family: usize,
    pub(super) words: AttributeWords,
    /// The likelihood that it is the cause, relative to others of its family.
    pub(super) weight: f64,
    pub(super) measure: Measure<'t>,
    /// True if it is of the everyday vocabulary.
    pub(super) is_everyday: bool,
    /// True if it tests the contents of a list.
    pub(super) is_of_list: bool,
    /// For the contents of lists, the length of each row's list: longer lists contain more.
    pub(super) lengths: Option<Rc<[u32]>>,
}

impl Attribute<'_> {
    /// Returns true if a row has the property.
    pub(super) fn has(&self, row: usize) -> bool {
        match &self.measure {
            Measure::Flag(of) => of(row).is_some(),
            Measure::Number(_, of) => of(row).is_some(),
            Measure::Text(_, of) => of(row).is_some(),
            Measure::Texts(_) => true,
        }
    }

    /// Returns a value for each of the first rows: one column, or one for each text that occurs.
    pub(super) fn values(&self, size: usize) -> Vec<Vec<Value>> {
        fn column<T: Into<Value>>(size: usize, of: impl Fn(usize) -> Option<T>) -> Vec<Vec<Value>> {
            vec![
                (0..size)
                    .map(|row| of(row).map_or(Value::Null, T::into))
                    .collect(),
            ]
        }
        match &self.measure {
            Measure::Flag(of) => column(size, of),
            Measure::Number(_, of) => column(size, of),
            Measure::Text(_, of) => column(size, of),
            Measure::Texts(of) => {
                let texts = sort::distinct((0..size).flat_map(of).collect());
                let contains = |text: &str| {
                    let contains = |row| Value::from(of(row).contains(&text));
                    (0..size).map(contains).collect()
                };
                texts.into_iter().map(contains).collect()
            }
        }
    }
}

/// The words for an attribute. Owned words are used verbatim.
pub(super) struct AttributeWords {
    /// For a flag, the words for rows that have it, else the subject. `{0}` is the first column,
    /// `{all}` are all columns.
    pub(super) is: Cow<'static, str>,
    /// The words for rows without the flag.
    pub(super) is_not: Cow<'static, str>,
    /// The positions of the columns.
    pub(super) columns: Vec<usize>,
    /// The number for `{k}`.
    pub(super) factor: i128,
}

/// Measures a row; `None` if the row lacks the property.
pub(super) type Of<'t, T> = Box<dyn Fn(usize) -> Option<T> + 't>;

pub(super) enum Measure<'t> {
    /// A flag.
    Flag(Of<'t, bool>),
    /// A number, tested with thresholds and values.
    Number(Notation, Of<'t, Number>),
    /// A text, tested with values, and with prefixes and suffixes if the flag is set.
    Text(bool, Of<'t, &'t str>),
    /// Several texts, such as the characters of a text.
    Texts(Box<dyn Fn(usize) -> Vec<&'t str> + 't>),
}

/// The notation of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Number,
    /// A number with few possible values, so that sets of them are tested.
    Code,
    Date,
    DateTime,
    Weekday,
}

impl Notation {
    /// Returns the notation of numbers and times.
    pub(super) fn of(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Date => Self::Date,
            ColumnKind::DateTime => Self::DateTime,
            _ => Self::Number,
        }
    }
}

/// Collects the attributes of one family.
pub(super) struct Family<'t, 'c> {
    pub(super) table: &'t ExplanationTable<'t>,
    pub(super) position: usize,
    /// True for each failing row; `None` if unknown.
    pub(super) failing: &'c [Option<bool>],
    pub(super) vocabulary: Vocabulary,
    pub(super) attributes: &'c mut Vec<Attribute<'t>>,
}

impl<'t> Family<'t, '_> {
    /// Returns true if few rows fail, which many comparisons would fit.
    pub(super) fn has_few(&self) -> bool {
        self.failing.iter().filter(|it| **it == Some(true)).count() < FEW
    }

    /// Adds an attribute.
    pub(super) fn push(
        &mut self,
        is: impl Into<Cow<'static, str>>,
        is_not: impl Into<Cow<'static, str>>,
        columns: &[usize],
        measure: Measure<'t>,
    ) -> &mut Attribute<'t> {
        let words = AttributeWords {
            is: is.into(),
            is_not: is_not.into(),
            columns: columns.to_vec(),
            factor: 1,
        };
        self.attributes.push(Attribute {
            family: self.position,
            words,
            weight: 1.0,
            measure,
            is_everyday: false,
            is_of_list: false,
            lengths: None,
        });
        let last = self.attributes.len() - 1;
        &mut self.attributes[last]
    }

    /// Adds a flag.
    pub(super) fn flag(
        &mut self,
        words: (&'static str, &'static str),
        columns: &[usize],
        holds: impl Fn(usize) -> Option<bool> + 't,
    ) -> &mut Attribute<'t> {
        self.said(words, columns, Measure::Flag(Box::new(holds)))
    }

    /// Adds an attribute with static words. Compiled once, unlike the callers with a closure.
    fn said(
        &mut self,
        words: (&'static str, &'static str),
        columns: &[usize],
        measure: Measure<'t>,
    ) -> &mut Attribute<'t> {
        self.push(words.0, words.1, columns, measure)
    }

    /// Adds a numeric property.
    pub(super) fn number(
        &mut self,
        subject: &'static str,
        notation: Notation,
        columns: &[usize],
        number: impl Fn(usize) -> Option<Number> + 't,
    ) -> &mut Attribute<'t> {
        let number = Measure::Number(notation, Box::new(number));
        self.said((subject, ""), columns, number)
    }

    /// Adds an integer property.
    pub(super) fn count(
        &mut self,
        subject: &'static str,
        columns: &[usize],
        count: impl Fn(usize) -> Option<i128> + 't,
    ) -> &mut Attribute<'t> {
        self.number(subject, Notation::Number, columns, move |row| {
            count(row).map(Number::from)
        })
    }

    /// Adds a text, which conditions test as a whole.
    pub(super) fn text(
        &mut self,
        subject: &'static str,
        columns: &[usize],
        text: impl Fn(usize) -> Option<&'t str> + 't,
    ) -> &mut Attribute<'t> {
        self.said((subject, ""), columns, Measure::Text(false, Box::new(text)))
    }

    /// Adds a text whose prefixes and suffixes are tested, too.
    pub(super) fn prefixed_text(
        &mut self,
        subject: &'static str,
        columns: &[usize],
        text: impl Fn(usize) -> Option<&'t str> + 't,
    ) -> &mut Attribute<'t> {
        self.said((subject, ""), columns, Measure::Text(true, Box::new(text)))
    }

    /// Adds several texts of each row; conditions test if a row has one of them.
    pub(super) fn texts(
        &mut self,
        words: (&'static str, &'static str),
        columns: &[usize],
        texts: impl Fn(usize) -> Vec<&'t str> + 't,
    ) -> &mut Attribute<'t> {
        self.said(words, columns, Measure::Texts(Box::new(texts)))
    }
}

impl Attribute<'_> {
    /// Makes it less likely to be the cause, by e to the power of `power`.
    pub(super) fn rarer(&mut self, power: f64) {
        self.weight *= tdg_definition::math::exp(-power);
    }
}
