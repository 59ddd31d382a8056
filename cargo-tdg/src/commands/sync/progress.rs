//! Progress of sending and receiving.

use std::io::{self, Write as _};

use tdg_definition::json::Value;
use tdg_service::Uuid;
use tdg_service::record::RecordKind;
use tdg_service::sync::{Direction, Progress, RecordOutcome};

use super::kinds::plural;
use crate::error::Result;
use crate::terminal::{clear_progress, is_progress_shown, show_progress, thousands};

/// The form of progress output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// A line on standard error that is updated in place.
    Line,
    /// A line of JSON for each record that wasn't there yet.
    Json,
    /// No output.
    Nothing,
}

impl Telling {
    /// Chooses JSON if requested, or else a line if a terminal shows it.
    pub(super) fn new(json: bool) -> Self {
        match json {
            true => Self::Json,
            false if is_progress_shown() => Self::Line,
            false => Self::Nothing,
        }
    }

    /// Runs a function that takes a while and may report progress.
    pub(super) fn during<T, E>(
        self,
        what: &str,
        run: impl FnOnce(&mut dyn FnMut(Progress<'_>)) -> std::result::Result<T, E>,
    ) -> Result<T>
    where
        crate::error::Error: From<E>,
    {
        self.show(what);
        let mut told = Ok(());
        let result = run(&mut |progress| {
            if told.is_ok() {
                told = self.tell(&progress);
            }
        });
        if self == Self::Line {
            clear_progress();
        }
        told?;
        Ok(result?)
    }

    fn show(self, what: &str) {
        if self == Self::Line {
            show_progress(&format!("{what} …"));
        }
    }

    fn tell(self, progress: &Progress<'_>) -> io::Result<()> {
        let word = word(progress.direction);
        match self {
            Self::Line => {
                let kind = plural(progress.kind);
                let [done, of] = [progress.done, progress.of].map(|it| thousands(it as u64));
                self.show(&format!("{kind}: {done} of {of} {word}"));
                Ok(())
            }
            Self::Json => {
                let lines = progress.records.iter().zip(progress.answers);
                let made = lines.filter(|(_, answer)| **answer == RecordOutcome::Made);
                let lines: String = made
                    .map(|(record, answer)| json_line(word, record.kind(), record.uuid(), answer))
                    .collect();
                let mut output = io::stdout().lock();
                output.write_all(lines.as_bytes())?;
                output.flush()
            }
            Self::Nothing => Ok(()),
        }
    }
}

/// Returns the verb for records transferred in a direction.
pub(super) fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::Pull => "received",
        _ => "sent",
    }
}

/// Returns a line of JSON about the result of a record.
pub(super) fn json_line(
    word: &str,
    kind: RecordKind,
    uuid: Uuid,
    answer: &RecordOutcome,
) -> String {
    let (answer, more) = match answer {
        RecordOutcome::Made => (word, None),
        RecordOutcome::Had => ("had", None),
        RecordOutcome::Gone(object) => ("gone", Some(("object", object.to_string()))),
        RecordOutcome::Differs => ("differs", None),
        RecordOutcome::Refused(reason) => ("refused", Some(("reason", reason.clone()))),
    };
    let members = [
        ("answer", answer.to_owned()),
        ("kind", kind.as_str().to_owned()),
        ("uuid", uuid.to_string()),
    ];
    let members = members.into_iter().chain(more);
    let members = members.map(|(name, text)| (name, Value::from(text)));
    format!("{}\n", Value::object(members))
}
