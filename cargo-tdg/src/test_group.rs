//! Tests that changed by the same cause.

use tdg_engine::text::{FINDING_WIDTH, escape, more, shorten, width};

use crate::terminal::style::{FAINT, STRONG};

/// The width past which names are only counted.
pub(crate) const NAMES_WIDTH: usize = 80;

/// Tests that changed by the same cause, or a single test.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestGroup<T> {
    /// The cause, if it is known.
    cause: Option<String>,
    pub(crate) first: T,
    /// The others with this cause.
    pub(crate) others: Vec<T>,
}

impl<T> TestGroup<T> {
    /// Groups tests by their causes, in the order of each group's first test. A test without a
    /// known cause is alone.
    pub(crate) fn all_of(tests: impl IntoIterator<Item = (Option<String>, T)>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for (cause, test) in tests {
            let is_same = |group: &&mut Self| cause.is_some() && group.cause == cause;
            match groups.iter_mut().find(is_same) {
                Some(group) => group.others.push(test),
                None => groups.push(Self {
                    cause,
                    first: test,
                    others: Vec::new(),
                }),
            }
        }
        groups
    }

    /// Splits the group into single tests.
    pub(crate) fn one_by_one(self) -> Vec<Self> {
        let tests = std::iter::once(self.first).chain(self.others);
        Self::all_of(tests.map(|test| (None, test)))
    }

    pub(crate) fn tests(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Returns `3 tests: all changed cases have b > 40, actual = expected + 1`, if it has several.
    pub(crate) fn headline(&self) -> Option<String> {
        let cause = self.cause.as_ref().filter(|_| !self.others.is_empty())?;
        let headline = format!("{} tests: {cause}", self.others.len() + 1);
        Some(shorten(&escape(&headline), FINDING_WIDTH))
    }

    /// Returns the headline and the names as lines below a table, if it has several tests.
    pub(crate) fn lines(&self, name: impl Fn(&T) -> String) -> String {
        let headline = self.headline();
        let lines = headline.map(|headline| {
            let names = self.names(name, NAMES_WIDTH);
            format!("\n{STRONG}{headline}{STRONG:#}\n  {FAINT}{names}{FAINT:#}\n")
        });
        lines.unwrap_or_default()
    }

    /// Returns `tax, total and 3 more tests`, about `columns` wide.
    pub(crate) fn names(&self, name: impl Fn(&T) -> String, columns: usize) -> String {
        let mut names = String::new();
        for (index, test) in self.tests().enumerate() {
            if width(&names) > columns {
                let rest = more(self.others.len() + 1 - index, "test");
                return format!("{names} and {rest}");
            }
            if index > 0 {
                names.push_str(", ");
            }
            names.push_str(&escape(&name(test)));
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tests_with_an_equal_cause_share_a_group() {
        let tests = [
            (Some("b > 40"), "tax"),
            (None, "ship"),
            (Some("b > 41"), "fee"),
            (None, "load"),
            (Some("b > 40"), "total"),
        ];
        let tests = tests.map(|(cause, test)| (cause.map(str::to_owned), test));
        let groups = TestGroup::all_of(tests);
        let said = groups.iter().map(|group| {
            let names = group.names(|test| (*test).to_owned(), NAMES_WIDTH);
            format!("{names} ({:?})", group.headline())
        });
        let said: Vec<String> = said.collect();
        insta::assert_snapshot!(said.join("\n"), @r#"
        tax, total (Some("2 tests: b > 40"))
        ship (None)
        fee (None)
        load (None)
        "#);
    }

    #[test]
    fn names_are_cut_and_the_rest_is_counted() {
        let tests = (0..500).map(|number| (Some("b > 40".to_owned()), number));
        let group = TestGroup::all_of(tests).remove(0);
        let names = group.names(|number| format!("t{number}"), 20);
        insta::assert_snapshot!(names, @"t0, t1, t2, t3, t4, t5 and 494 more tests");
    }
}
