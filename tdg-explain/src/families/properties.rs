//! Properties of single values: of a text, a number or a date.

use tdg_definition::json::Number;

use super::super::attribute::{Family, Notation};
use super::super::table::ExplanationColumn;

/// Adds properties of the values of one column. A row without a value has none of them.
pub(super) struct Properties<'f, 't, 'c, T> {
    family: &'f mut Family<'t, 'c>,
    position: usize,
    value: fn(&ExplanationColumn<'t>, usize) -> Option<T>,
    rarity: f64,
}

/// Adds properties of texts.
pub(super) type TextProperties<'f, 't, 'c> = Properties<'f, 't, 'c, &'t str>;

/// Boxed, so that its users are compiled once for each type rather than for each closure.
type PropertyOfValue<'t, T, R> = Box<dyn Fn(T) -> Option<R> + 't>;

impl<'f, 't, 'c, T: 't> Properties<'f, 't, 'c, T> {
    pub(super) fn new(
        family: &'f mut Family<'t, 'c>,
        position: usize,
        value: fn(&ExplanationColumn<'t>, usize) -> Option<T>,
    ) -> Self {
        Self {
            family,
            position,
            value,
            rarity: 0.0,
        }
    }

    /// Adds properties that are less likely to be the cause.
    pub(super) fn rare(&mut self) -> Properties<'_, 't, 'c, T> {
        Properties {
            rarity: 1.0,
            ..Properties::new(self.family, self.position, self.value)
        }
    }

    #[cfg(feature = "full")]
    pub(super) fn flag(
        &mut self,
        words: (&'static str, &'static str),
        holds: impl Fn(T) -> bool + 't,
    ) {
        self.add_flag(words, Box::new(move |value| Some(holds(value))));
    }

    #[cfg(feature = "full")]
    fn add_flag(
        &mut self,
        words: (&'static str, &'static str),
        holds: PropertyOfValue<'t, T, bool>,
    ) {
        let holds = self.of_row(holds);
        let attribute = self.family.flag(words, &[self.position], holds);
        attribute.rarer(self.rarity);
    }

    /// Adds a number, tested with thresholds.
    pub(super) fn number<N: Into<Number>>(
        &mut self,
        subject: &'static str,
        number: impl Fn(T) -> Option<N> + 't,
    ) {
        self.written(subject, Notation::Number, number);
    }

    /// Adds a number that every value has.
    #[cfg(feature = "full")]
    pub(super) fn count(&mut self, subject: &'static str, count: impl Fn(T) -> usize + 't) {
        self.number(subject, move |value| Some(count(value) as u64));
    }

    /// Adds a number with few possible values, which is also tested with sets.
    #[cfg(feature = "full")]
    pub(super) fn code(&mut self, subject: &'static str, code: impl Fn(T) -> i64 + 't) {
        self.written(subject, Notation::Code, move |value| Some(code(value)));
    }

    pub(super) fn written<N: Into<Number>>(
        &mut self,
        subject: &'static str,
        notation: Notation,
        number: impl Fn(T) -> Option<N> + 't,
    ) {
        let number = Box::new(move |value| number(value).map(N::into));
        self.add_number(subject, notation, number);
    }

    fn add_number(
        &mut self,
        subject: &'static str,
        notation: Notation,
        number: PropertyOfValue<'t, T, Number>,
    ) {
        let number = self.of_row(number);
        let family = &mut self.family;
        let attribute = family.number(subject, notation, &[self.position], number);
        attribute.rarer(self.rarity);
    }

    pub(super) fn text(&mut self, subject: &'static str, text: impl Fn(T) -> Option<&'t str> + 't) {
        let text = self.of_row(Box::new(text));
        let attribute = self.family.text(subject, &[self.position], text);
        attribute.rarer(self.rarity);
    }

    pub(super) fn texts(
        &mut self,
        words: (&'static str, &'static str),
        texts: impl Fn(T) -> Vec<&'t str> + 't,
    ) {
        let texts = self.of_row(Box::new(move |value| Some(texts(value))));
        let texts = move |row| texts(row).unwrap_or_default();
        let attribute = self.family.texts(words, &[self.position], texts);
        attribute.rarer(self.rarity);
    }

    fn of_row<R: 't>(
        &self,
        of_value: PropertyOfValue<'t, T, R>,
    ) -> impl Fn(usize) -> Option<R> + use<'t, T, R> + 't {
        let column = &self.family.table.columns[self.position];
        let value = self.value;
        move |row| of_value(value(column, row)?)
    }
}
