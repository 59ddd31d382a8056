//! The result of a synchronization, for people.

use std::collections::BTreeMap;

use tdg_definition::control::escape;
use tdg_definition::json::Value;
use tdg_service::Uuid;
use tdg_service::record::RecordKind;
use tdg_service::sync::{Direction, RecordOutcome, SyncPlan, SyncSummary, Transferred};

use super::kinds::plural;
use super::progress::json_line;
use crate::exit::Exit;
use crate::terminal::style::{BAD, FAINT, STRONG};
use crate::terminal::{TerminalTable, thousands};

/// The maximum number of listed refused records.
const NAMED: usize = 10;

/// The result of a synchronization, or of a dry run.
pub(super) struct SyncReport<'s> {
    pub(super) summary: &'s SyncSummary,
    pub(super) plan: &'s SyncPlan,
    /// The tests of refused benchmarks.
    pub(super) tests: BTreeMap<Uuid, String>,
}

impl SyncReport<'_> {
    /// Returns the counts of a kind, pushed and pulled.
    fn transferred(&self, kind: RecordKind) -> (Transferred, Transferred) {
        let of = |transfers: &BTreeMap<RecordKind, Transferred>| {
            transfers.get(&kind).cloned().unwrap_or_default()
        };
        (of(&self.summary.pushed), of(&self.summary.pulled))
    }

    /// Returns a line for each kind with records, followed by the refused records.
    pub(super) fn text(&self) -> String {
        let mut table = TerminalTable::new(["", ""]);
        let mut refusals = String::new();
        for kind in RecordKind::ALL {
            let (pushed, pulled) = self.transferred(kind);
            if let Some(line) = self.line(&pushed, &pulled) {
                table.row([plural(kind).into(), line.into()]);
            }
            let refused = pushed.refused.iter().chain(&pulled.refused);
            for (uuid, answer) in refused.clone().take(NAMED) {
                refusals.push_str(&self.refusal(kind, *uuid, answer));
            }
            if let Some(more @ 1..) = refused.count().checked_sub(NAMED) {
                let (more, kinds) = (thousands(more as u64), plural(kind));
                refusals.push_str(&format!(
                    "  {FAINT}… and {more} more {kinds}; --json lists all{FAINT:#}\n"
                ));
            }
        }
        if self.summary.pruned > 0 {
            let removed = match self.plan.dry_run {
                true => "to remove here",
                false => "removed here",
            };
            let pruned = thousands(self.summary.pruned);
            let line = format!("{pruned} {removed}, with what belongs to them");
            table.row(["deleted".into(), line.into()]);
        }
        if !refusals.is_empty() {
            refusals = format!("{BAD}refused{BAD:#}\n{refusals}");
        }
        if table.is_empty() && refusals.is_empty() {
            return "There are no records yet.\n".to_owned();
        }
        table.text("") + &refusals
    }

    /// Returns `412 sent, 0 refused, 9,588 there already`.
    fn line(&self, pushed: &Transferred, pulled: &Transferred) -> Option<String> {
        let refused = (pushed.refused.len() + pulled.refused.len()) as u64;
        let (sent, received) = match self.plan.dry_run {
            true => self.to_do(pushed, pulled),
            false => (pushed.made, pulled.made),
        };
        let had = pushed.had.max(pulled.had);
        if [sent, received, refused, had] == [0; 4] {
            return None;
        }
        let (to_send, to_receive) = match self.plan.dry_run {
            true => ("to send", "to receive"),
            false => ("sent", "received"),
        };
        let (sends, receives, place) = match self.plan.direction {
            Direction::Push => (true, false, "there"),
            Direction::Pull => (false, true, "here"),
            Direction::Sync => (true, true, "in both"),
        };
        // Deletions always arrive here, even if other records are only sent.
        let parts = [
            (sends || sent > 0, sent, to_send),
            (receives || received > 0, received, to_receive),
            (true, refused, "refused"),
        ];
        let parts = parts.iter().filter(|(is_shown, ..)| *is_shown);
        let parts: String = parts
            .map(|(_, count, word)| format!("{} {word}, ", thousands(*count)))
            .collect();
        Some(format!("{parts}{} {place} already", thousands(had)))
    }

    /// Returns a line of JSON for each refused record and, in a dry run, for each kind.
    pub(super) fn json_lines(&self) -> String {
        let mut text = String::new();
        for kind in RecordKind::ALL {
            let (pushed, pulled) = self.transferred(kind);
            for (uuid, answer) in pushed.refused.iter().chain(&pulled.refused) {
                text.push_str(&json_line("", kind, *uuid, answer));
            }
            let (to_send, to_receive) = self.to_do(&pushed, &pulled);
            let numbers = [
                ("to_send", to_send),
                ("to_receive", to_receive),
                ("both", pushed.had.max(pulled.had)),
            ];
            if self.plan.dry_run && numbers.iter().any(|(_, number)| *number > 0) {
                let numbers = numbers.map(|(name, number)| (name, Value::from(number)));
                let kind = ("kind", Value::from(kind.as_str()));
                let line = Value::object([kind].into_iter().chain(numbers));
                text.push_str(&format!("{line}\n"));
            }
        }
        text
    }

    /// Returns the number of records left to send and to receive, in the chosen direction.
    fn to_do(&self, pushed: &Transferred, pulled: &Transferred) -> (u64, u64) {
        let direction = self.plan.direction;
        let to_send = if direction.pushes() { pushed.left } else { 0 };
        let to_receive = if direction.pulls() { pulled.left } else { 0 };
        (to_send, to_receive)
    }

    /// Returns the exit code, which shows if something is left to do.
    pub(super) fn exit(&self) -> Exit {
        let is_done = |kind| {
            let (pushed, pulled) = self.transferred(kind);
            let is_refused = !pushed.refused.is_empty() || !pulled.refused.is_empty();
            !is_refused && self.to_do(&pushed, &pulled) == (0, 0)
        };
        let is_pruned = self.summary.pruned == 0 || !self.plan.dry_run;
        if is_pruned && RecordKind::ALL.into_iter().all(is_done) {
            Exit::Fine
        } else {
            Exit::Found
        }
    }

    /// Returns a line about a record that was not added.
    fn refusal(&self, kind: RecordKind, uuid: Uuid, answer: &RecordOutcome) -> String {
        let revive = match self.plan.direction.pushes() {
            true => "; --revive sends it again",
            false => "",
        };
        let why = match answer {
            RecordOutcome::Made | RecordOutcome::Had => return String::new(),
            RecordOutcome::Gone(object) if *object == uuid => format!("it was deleted{revive}"),
            RecordOutcome::Gone(object) => {
                format!("it belongs to {object}, which was deleted{revive}")
            }
            RecordOutcome::Differs => {
                "another record has its identity; `cargo tdg sync verify` looks for damage"
                    .to_owned()
            }
            RecordOutcome::Refused(reason) => escape(reason).into_owned(),
        };
        let tests = self.tests.get(&uuid).map(|tests| format!(" of {tests}"));
        let tests = tests.unwrap_or_default();
        format!("  {STRONG}{kind} {uuid}{STRONG:#}{tests}: {why}\n")
    }
}
