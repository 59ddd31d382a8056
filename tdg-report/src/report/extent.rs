//! How much of a failure is told, and in how many columns.

use tdg_engine::text::{lines_of_words, width, wrap};
use super::{FINDING_LINES, WIDTH};

/// How much of a failure is told, and in how many columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The most columns of a table, without the indentation of its section.
    columns: usize,
    are_all_told: bool,
    are_values_whole: bool,
}

impl Extent {
    /// A screen of 120 columns, as the panic message of a failing test has it.
    pub const SCREEN: Self = Self {
        columns: WIDTH,
        are_all_told: false,
        are_values_whole: false,
    };

    /// The same for files, in which tables may be as wide as they are.
    pub const FILE: Self = Self {
        columns: usize::MAX,
        ..Self::SCREEN
    };

    /// The same in a terminal of that many columns.
    #[must_use]
    pub fn of_terminal(columns: usize) -> Self {
        Self {
            columns: columns.saturating_sub(2),
            ..Self::SCREEN
        }
    }

    /// The same with every changed case, the worst first.
    #[must_use]
    pub fn with_all_cases(self) -> Self {
        Self {
            are_all_told: true,
            ..self
        }
    }

    /// Every changed case, with every field and nothing shortened.
    #[must_use]
    pub fn whole() -> Self {
        Self {
            are_values_whole: true,
            ..Self::FILE.with_all_cases()
        }
    }

    /// The same for lines that are indented by another step.
    pub(super) fn indented(self) -> Self {
        Self {
            columns: self.columns.saturating_sub(2),
            ..self
        }
    }

    /// The text, of which lines that are too wide are broken between words, below their beginning.
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

    /// As many of something as are shown on a screen, or all.
    pub(super) fn most(self, on_a_screen: usize) -> usize {
        match self.are_all_told {
            true => usize::MAX,
            false => on_a_screen,
        }
    }

    /// Sentences, in lines that can be read at a glance on the widest of terminals as well.
    #[must_use]
    pub fn sentences(self, sentences: &[String]) -> Vec<String> {
        let lines = sentences
            .iter()
            .flat_map(|sentence| wrap(sentence, self.columns.min(WIDTH), FINDING_LINES));
        lines.take(self.most(FINDING_LINES)).collect()
    }
}
