//! `cargo tdg accept`: pending outputs become the benchmark.

use clap::Args;
use tdg_definition::json::Pointer;
use tdg_engine::config::parse_cases;
use tdg_engine::report::quoted;

use super::chosen::Choice;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::record::{Part, PendingChange, Record};
use crate::terminal::style::{GOOD, STRONG};
use crate::terminal::{confirm, counted, note};
use crate::workspace::Workspace;

/// Accept pending changes: their outputs become the benchmark
///
/// A pattern or a package accepts only changes that `cargo tdg show NAME --changed`, `review` or
/// `report` has shown since the run that left them. Lists the others, and exits with 1 if there are
/// any.
#[derive(Args, Debug)]
pub(crate) struct Accept {
    #[command(flatten)]
    choice: Choice,
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
    /// Only the part of that number in `cargo tdg show NAME --changed`
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["cases", "fields"])]
    rule: Option<usize>,
}

impl Accept {
    pub(crate) fn run(self) -> Result<Exit> {
        let reason = self.reason.as_deref();
        let workspace = Workspace::find()?;
        let records = self.choice.records(&workspace)?;
        let chosen = self.choice.among(&records)?;
        for (record, change) in &chosen.changes {
            let size = change.pending.snapshot.len();
            let part = self.part(record, change, size)?;
            let notice = match &part {
                Some(part) => record.accept_part(change, part, reason)?,
                None => record.accept(&change.pending, reason)?,
            };
            let (name, location) = (&record.test, record.location());
            let cases = part.map_or_else(|| counted(size, "case"), |part| part.summary(size));
            confirm(&format!(
                "{GOOD}accepted{GOOD:#} {STRONG}{name}{STRONG:#}, {cases}, {location}\n"
            ))?;
            if let Some(notice) = notice {
                note(&notice);
            }
        }
        chosen.finish()
    }

    /// The part to accept; `None` for the whole change.
    fn part(&self, record: &Record, change: &PendingChange, size: usize) -> Result<Option<Part>> {
        if self.rule.is_none() && self.cases.is_none() && self.fields.is_empty() {
            return Ok(None);
        }
        let cases = self.cases.as_ref();
        let cases = cases
            .map(|cases| parse_cases("--cases", cases, size))
            .transpose()?;
        // A run may have left another change since the user saw the one that this is a part of.
        let is_shown = match (record.is_shown(change), self.rule) {
            (Ok(is_shown), _) => is_shown,
            // The numbers are those of the list that was shown.
            (Err(error), Some(_)) => return Err(error),
            (Err(_), None) => true,
        };
        if !is_shown {
            return Err(Error::new(format!(
                "this change was not shown yet, or has changed since; look at it by `cargo tdg show \
                 {} --changed`, then accept a part of it",
                quoted(&record.test.to_string())
            )));
        }
        if let Some(number) = self.rule {
            return numbered(change, number).map(Some);
        }
        let fields = self.fields.clone();
        Ok(Some(Part {
            cases,
            fields,
            ..Part::default()
        }))
    }
}

/// The part of that number.
fn numbered(change: &PendingChange, number: usize) -> Result<Part> {
    let mut parts = change.compare()?.parts();
    if number == 0 || number > parts.len() {
        return Err(Error::new(match parts.len() {
            0 => "this change has no parts; accept it as a whole".to_owned(),
            most => format!("--rule is {number}, and the parts have numbers from 1 to {most}"),
        }));
    }
    Ok(parts.swap_remove(number - 1).part)
}
