//! `cargo tdg accept`: accepts pending outputs as the benchmark.

use clap::Args;
use tdg_definition::json::Pointer;
use tdg_engine::compare::ChangePart;
use tdg_engine::config::parse_cases;
use tdg_report::quoted;

use super::selected_changes::ChangeArguments;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::record::{Newer, PendingChange, RecordedTest, Shown};
use crate::terminal::style::{GOOD, STRONG};
use crate::terminal::{confirm, counted, note, print};

/// Accept pending changes: their outputs become the benchmark
///
/// A name accepts its change. A pattern, or a package without names, accepts only changes that
/// `cargo tdg show NAME --changed`, `review` or `report` has shown since the run that left them;
/// lists the others, and exits with 1 if there are any.
#[derive(Args, Debug)]
pub(crate) struct Accept {
    #[command(flatten)]
    choice: ChangeArguments,
    /// The reason, shown by `cargo tdg history`
    #[arg(long)]
    reason: Option<String>,
    /// Only these cases of a single test, such as `3,40..60` (60 excluded); the others stay pending
    #[arg(long)]
    cases: Option<String>,
    /// Only these places in the outputs, as JSON Pointers such as `/tax` or `/lines/*/price`; the
    /// others stay pending
    #[arg(long, num_args = 1.., value_name = "POINTER")]
    fields: Vec<Pointer>,
    /// Only the part with this number in `cargo tdg show NAME --changed`
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["cases", "fields"])]
    rule: Option<usize>,
    /// Print what would be accepted, and accept nothing
    #[arg(long)]
    dry_run: bool,
}

impl Accept {
    pub(crate) fn run(self) -> Result<Exit> {
        let reason = self.reason.as_deref();
        let records = self.choice.records()?;
        let chosen = self.choice.among(&records)?;
        for (record, change) in &chosen.changes {
            record.check_origin(change)?;
        }
        for (record, change) in &chosen.changes {
            let size = change.pending.snapshot.len();
            let part = self.part(record, change, size)?;
            let outcome = part.map(|(part, note)| {
                let mut outcome = record.outcome(change, &part)?;
                outcome.rest.push_str(&note);
                Ok::<_, Error>(outcome)
            });
            let outcome = outcome.transpose()?;
            let (name, location) = (&record.test, record.location());
            if self.dry_run {
                let (what, rest) = match outcome {
                    Some(part) => (part.what, part.rest),
                    None => (change.compare()?.headline(), String::new()),
                };
                print(&format!(
                    "would accept {STRONG}{name}{STRONG:#}, {what}, {location}{rest}\n"
                ))?;
                continue;
            }
            let (what, rest, notice) = match outcome {
                Some(part) => {
                    let notice = record.accept_part(change, &part, reason)?;
                    (part.what, part.rest, notice)
                }
                None => {
                    let notice = record.accept(&change.pending, reason)?;
                    (counted(size, "case"), String::new(), notice)
                }
            };
            confirm(&format!(
                "{GOOD}accepted{GOOD:#} {STRONG}{name}{STRONG:#}, {what}, {location}{rest}\n"
            ))?;
            if let Some(notice) = notice {
                note(&notice);
            }
        }
        chosen.finish()
    }

    /// Returns the part to accept with a note on the rest; `None` for the whole change.
    fn part(
        &self,
        record: &RecordedTest,
        change: &PendingChange,
        size: usize,
    ) -> Result<Option<(ChangePart, String)>> {
        if self.rule.is_none() && self.cases.is_none() && self.fields.is_empty() {
            return Ok(None);
        }
        let cases = self.cases.as_ref();
        let cases = cases
            .map(|cases| parse_cases("--cases", cases, size))
            .transpose()?;
        if let Some(number) = self.rule {
            return match record.shown(change)? {
                Shown::ByCommand => numbered(change, number).map(Some),
                Shown::ByTest(newer) | Shown::No(newer) => {
                    let unseen = "the numbers of the parts were not listed yet";
                    Err(not_shown(record, unseen, newer))
                }
            };
        }
        // A run may have replaced the change since the user saw it.
        if let Ok(Shown::No(newer)) = record.shown(change) {
            let unseen = "this change was not shown yet, or the benchmark has changed since";
            return Err(not_shown(record, unseen, newer));
        }
        let fields = self.fields.clone();
        let part = ChangePart {
            cases,
            fields,
            ..ChangePart::default()
        };
        Ok(Some((part, String::new())))
    }
}

/// Returns the error for a change, or new results in it, that the user hasn't seen.
fn not_shown(record: &RecordedTest, unseen: &str, newer: Newer) -> Error {
    Error::new(format!(
        "{}; run `cargo tdg show {} --changed`, then accept a part of it",
        newer.as_deref().unwrap_or(unseen),
        quoted(&record.test.to_string())
    ))
}

/// Returns the part with a number, along with its note.
fn numbered(change: &PendingChange, number: usize) -> Result<(ChangePart, String)> {
    let mut parts = change.compare()?.parts();
    if number == 0 || number > parts.len() {
        return Err(Error::new(match parts.len() {
            0 => "this change has no parts; accept it as a whole".to_owned(),
            most => format!("there is no part {number}; choose one from 1 to {most}"),
        }));
    }
    let offered = parts.swap_remove(number - 1);
    Ok((offered.part.clone(), offered.note()))
}
