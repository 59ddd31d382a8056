//! The amount of detail in a report, and its width.

use std::ffi::OsString;

use super::{FINDING_LINES, WIDTH};
use tdg_engine::text::{lines_of_words, width, wrap};

/// A report has room for its tables.
const NARROWEST: usize = 40;

/// The amount of detail in a report, and its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The most columns of a table, without the indentation of its section.
    columns: usize,
    are_all_told: bool,
    are_values_whole: bool,
}

impl Extent {
    /// A screen of 120 columns, as in the panic message of a failing test.
    pub const SCREEN: Self = Self {
        columns: WIDTH,
        are_all_told: false,
        are_values_whole: false,
    };

    /// A file, in which tables may have any width.
    pub const FILE: Self = Self {
        columns: usize::MAX,
        ..Self::SCREEN
    };

    /// Adapts to a terminal with this many columns.
    #[must_use]
    pub fn of_terminal(columns: usize) -> Self {
        Self {
            columns: columns.saturating_sub(2),
            ..Self::SCREEN
        }
    }

    /// Adapts to the value of `COLUMNS`, which a shell may export.
    #[must_use]
    pub fn of_variable(columns: Option<OsString>) -> Self {
        let columns = columns.and_then(|it| it.to_str()?.parse().ok());
        columns.map_or(Self::SCREEN, |it: usize| {
            Self::of_terminal(it.max(NARROWEST))
        })
    }

    /// Includes every changed case, the worst first.
    #[must_use]
    pub fn with_all_cases(self) -> Self {
        Self {
            are_all_told: true,
            ..self
        }
    }

    /// Includes every changed case with every field, without shortening.
    #[must_use]
    pub fn whole() -> Self {
        Self {
            are_values_whole: true,
            ..Self::FILE.with_all_cases()
        }
    }

    /// Leaves room for another level of indentation.
    pub(super) fn indented(self) -> Self {
        Self {
            columns: self.columns.saturating_sub(2),
            ..self
        }
    }

    /// Breaks lines that are too wide between words, and keeps their indentation.
    #[must_use]
    pub fn fitted(self, text: &str) -> String {
        let fitted = |line: &str| {
            let start = line.trim_start();
            let indentation = &line[..line.len() - start.len()];
            let room = self.columns.saturating_add(2);
            let room = room.saturating_sub(indentation.len());
            let parts = match width(start) <= room {
                true => vec![start.to_owned()],
                false => lines_of_words(start, room),
            };
            let lines = parts.iter().map(|part| format!("{indentation}{part}\n"));
            lines.collect::<String>()
        };
        text.lines().map(fitted).collect()
    }

    pub(super) fn columns(self) -> usize {
        self.columns
    }

    pub(super) fn are_all_told(self) -> bool {
        self.are_all_told
    }

    pub(super) fn are_values_whole(self) -> bool {
        self.are_values_whole
    }

    /// Returns the number of items to show: this many on a screen, or all.
    pub(super) fn most(self, on_a_screen: usize) -> usize {
        match self.are_all_told {
            true => usize::MAX,
            false => on_a_screen,
        }
    }

    /// Wraps sentences in lines that remain readable on very wide terminals.
    #[must_use]
    pub fn sentences(self, sentences: &[String]) -> Vec<String> {
        self.first_sentences(sentences, FINDING_LINES)
    }

    /// Wraps the sentences that fit into these lines. Only the first one is cut.
    pub(super) fn first_sentences(self, sentences: &[String], on_a_screen: usize) -> Vec<String> {
        let most = self.most(on_a_screen);
        let mut lines = Vec::new();
        for sentence in sentences {
            let longest = if lines.is_empty() {
                most.min(FINDING_LINES)
            } else {
                FINDING_LINES
            };
            let wrapped = wrap(sentence, self.columns.min(WIDTH), longest);
            if lines.len() + wrapped.len() > most {
                break;
            }
            lines.extend(wrapped);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_from_the_variable_if_it_is_a_number() {
        let of = |value: &str| Extent::of_variable(Some(value.into())).columns();
        assert_eq!(["80", "200", "1"].map(of), [78, 198, NARROWEST - 2]);
        assert_eq!(["", "wide", "-3"].map(of), [WIDTH; 3]);
        assert_eq!(Extent::of_variable(None), Extent::SCREEN);
    }

    #[test]
    fn sentences_that_do_not_fit_are_left_out_whole() {
        let long = "changed ".repeat(20);
        let shown = |sentences: &[&str]| {
            let sentences: Vec<String> = sentences.iter().map(|it| (*it).to_owned()).collect();
            Extent::SCREEN.first_sentences(&sentences, 3)
        };
        assert_eq!(shown(&["one", &long, "two"]).len(), 3);
        assert_eq!(shown(&["one", "two", &long]), ["one", "two"]);
        assert!(shown(&[&long.repeat(3)]).last().unwrap().ends_with('…'));
    }
}
