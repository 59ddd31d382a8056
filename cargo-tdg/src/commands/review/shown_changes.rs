//! The changes that a question is about.

use tdg_explain::OfferedPart;

use super::change_group::ChangeGroup;
use super::{Answer, question_of};
use crate::error::Result;
use crate::record::{ComparedChange, PendingChange, RecordedTest};
use crate::terminal::style::{BAD, GOOD};
use crate::terminal::{note, print, print_error};

/// Changes to decide together.
pub(super) struct ShownChanges<'a> {
    /// The tests with their changes. The report of the first is shown.
    changes: Vec<(&'a RecordedTest, &'a PendingChange)>,
    /// The parts of a single change.
    pub(super) parts: Vec<OfferedPart>,
}

impl<'a> ShownChanges<'a> {
    /// Returns the changes of a group as they were when it was formed, or else the single change.
    pub(super) fn new(
        group: &'a ChangeGroup<'_>,
        single: &'a PendingChange,
        compared: &ComparedChange,
    ) -> Self {
        let changes = match group.others.is_empty() {
            true => vec![(group.first.0, single)],
            false => {
                let changes = group.tests();
                let changes =
                    changes.filter_map(|(record, change)| change.as_ref().map(|it| (*record, it)));
                changes.collect()
            }
        };
        Self {
            parts: match changes.len() {
                1 => compared.parts(),
                _ => Vec::new(),
            },
            changes,
        }
    }

    /// Returns true if there are several.
    pub(super) fn are_many(&self) -> bool {
        self.changes.len() > 1
    }

    /// Marks the changes as shown.
    pub(super) fn mark(&self) {
        for (record, change) in &self.changes {
            record.mark_shown(change);
        }
    }

    /// Accepts all changes.
    pub(super) fn accept(&self, reason: Option<&str>) -> Result<Answer> {
        let accepted = format!("{GOOD}accepted{GOOD:#}");
        self.decide(&accepted, |test, change| {
            test.accept(&change.pending, reason)
        })
    }

    /// Rejects all changes.
    pub(super) fn reject(&self, reason: Option<&str>) -> Result<Answer> {
        let rejected = format!("{BAD}rejected{BAD:#}");
        self.decide(&rejected, |test, change| {
            test.reject(&change.pending, reason)
        })
    }

    /// Decides about each change. One that fails doesn't hold up the others.
    fn decide(
        &self,
        verb: &str,
        decide: impl Fn(&RecordedTest, &PendingChange) -> Result<Option<String>>,
    ) -> Result<Answer> {
        let mut answer = Answer::Decided;
        for (record, change) in &self.changes {
            match decide(record, change) {
                Ok(notice) => {
                    print(&format!("{verb} {}\n", record.test))?;
                    notice.iter().for_each(|notice| note(notice));
                }
                Err(error) => {
                    print_error(error)?;
                    answer = Answer::Skipped;
                }
            }
        }
        Ok(answer)
    }

    /// Returns the question with the keys that apply.
    pub(super) fn question(&self, compared: &ComparedChange) -> String {
        let all = match self.changes.len() {
            1 => String::new(),
            count => format!(" all {count}"),
        };
        let (accept, reject) = (format!("accept{all}"), format!("reject{all}"));
        let mut keys = vec![
            ("a", accept.as_str()),
            ("w", "with a reason"),
            ("r", &reject),
            ("s", "skip"),
        ];
        if self.are_many() {
            keys.push(("o", "one by one"));
        }
        if !compared.rows.differing.is_empty() {
            keys.push(("c", "cases"));
        }
        keys.extend([("?", "keys"), ("q", "quit")]);
        question_of(&keys)
    }
}
