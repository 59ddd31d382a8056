//! Properties of rows, which conditions are about.

use std::borrow::Cow;
use std::rc::Rc;

use tdg_definition::json::{Number, Value};
use tdg_definition::sort;

use super::table::ExplanationTable;

/// A property that every row has, or lacks: a value, its length, its last digit, whether it is
/// above another.
pub(super) struct Attribute<'t> {
    /// The position of its family.
    pub(super) family: usize,
    pub(super) words: AttributeWords,
    /// How likely it is the cause, compared with others of its family.
    pub(super) weight: f64,
    pub(super) measure: Measure<'t>,
    /// Of what lists contain, the length of each row's list: longer lists contain more.
    pub(super) lengths: Option<Rc<[u32]>>,
}

impl Attribute<'_> {
    /// A value for each of the first rows, once for each text that any of them contains.
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
                let mut texts: Vec<&str> = (0..size).flat_map(of).collect();
                sort::by(&mut texts, Ord::cmp);
                texts.dedup();
                let contains = |text: &str| {
                    let contains = |row| Value::from(of(row).contains(&text));
                    (0..size).map(contains).collect()
                };
                texts.into_iter().map(contains).collect()
            }
        }
    }
}

/// How an attribute is named. Words that are owned are said as they are.
pub(super) struct AttributeWords {
    /// For a flag what is said of rows that have it, else the subject; `{0}` is the first column,
    /// `{all}` are all columns.
    pub(super) is: Cow<'static, str>,
    /// What is said of rows without the flag.
    pub(super) is_not: Cow<'static, str>,
    /// The positions of the columns.
    pub(super) columns: Vec<usize>,
}

/// Takes a row, and gives what is measured; `None` if the row has no such thing.
pub(super) type Of<'t, T> = Box<dyn Fn(usize) -> Option<T> + 't>;

pub(super) enum Measure<'t> {
    /// True or false.
    Flag(Of<'t, bool>),
    /// A number, asked for thresholds and values.
    Number(Notation, Of<'t, Number>),
    /// A text, asked for values, and for prefixes if that is set.
    Text(bool, Of<'t, &'t str>),
    /// Several texts, such as the characters of a text.
    Texts(Box<dyn Fn(usize) -> Vec<&'t str> + 't>),
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Number,
    /// A number of which there are few, so that sets of them are asked for.
    Code,
    Date,
    DateTime,
    Weekday,
}

/// The attributes of one family, as they are collected.
pub(super) struct Family<'t, 'c> {
    pub(super) table: &'t ExplanationTable<'t>,
    pub(super) position: usize,
    /// Whether each row fails, if that is known.
    pub(super) failing: &'c [Option<bool>],
    pub(super) attributes: &'c mut Vec<Attribute<'t>>,
}

impl<'t> Family<'t, '_> {
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
        };
        self.attributes.push(Attribute {
            family: self.position,
            words,
            weight: 1.0,
            measure,
            lengths: None,
        });
        let last = self.attributes.len() - 1;
        &mut self.attributes[last]
    }

    /// Adds a property that a row has or lacks.
    pub(super) fn flag(
        &mut self,
        words: (&'static str, &'static str),
        columns: &[usize],
        holds: impl Fn(usize) -> Option<bool> + 't,
    ) -> &mut Attribute<'t> {
        self.said(words, columns, Measure::Flag(Box::new(holds)))
    }

    /// Adds an attribute whose words are known; compiled once, unlike those that have a closure.
    fn said(
        &mut self,
        words: (&'static str, &'static str),
        columns: &[usize],
        measure: Measure<'t>,
    ) -> &mut Attribute<'t> {
        self.push(words.0, words.1, columns, measure)
    }

    /// Adds a number that a row has or lacks.
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

    /// Adds a text, of which conditions are about the whole.
    pub(super) fn text(
        &mut self,
        subject: &'static str,
        columns: &[usize],
        text: impl Fn(usize) -> Option<&'t str> + 't,
    ) -> &mut Attribute<'t> {
        self.said((subject, ""), columns, Measure::Text(false, Box::new(text)))
    }

    /// Adds a text, of which conditions may also be about how it begins.
    pub(super) fn prefixed_text(
        &mut self,
        subject: &'static str,
        columns: &[usize],
        text: impl Fn(usize) -> Option<&'t str> + 't,
    ) -> &mut Attribute<'t> {
        self.said((subject, ""), columns, Measure::Text(true, Box::new(text)))
    }

    /// Adds several texts of each row, of which conditions say that it has one.
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
    /// Makes it less likely to be the cause by a factor of e, to the given power.
    pub(super) fn rarer(&mut self, power: f64) {
        self.weight *= tdg_definition::math::exp(-power);
    }
}
