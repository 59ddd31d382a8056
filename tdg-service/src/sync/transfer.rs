//! Sends records from one place to the other.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::{
    Direction, HistoryQuestion, Progress, RecordOutcome, Replica, SyncPlan, Transferred, Wanted,
};
use crate::Result;
use crate::record::{EnsembleRecord, Record, RecordKind, RowSource};

/// The maximum number of records that are sent at once.
const RECORDS: usize = 500;

/// The reason given if a place fails to return a listed record, or returns a different one.
const UNREADABLE: &str = "it is damaged, doesn't match its identity, was just deleted, or its \
     outputs were removed by `cargo tdg prune`; `cargo tdg sync verify` looks for damage";

/// A transfer of records in one direction.
pub(super) struct Transfer<'r> {
    pub(super) direction: Direction,
    pub(super) from: &'r dyn Replica,
    pub(super) to: &'r dyn Replica,
    pub(super) plan: &'r SyncPlan,
    /// Refused records. Records that belong to them are not sent.
    pub(super) refused: BTreeSet<Uuid>,
    /// Objects that are deleted at the other place, although it hasn't been notified yet. They and
    /// everything that belongs to them are excluded from the counts.
    pub(super) dead: BTreeSet<Uuid>,
    pub(super) transferred: BTreeMap<RecordKind, Transferred>,
}

impl<'r> Transfer<'r> {
    pub(super) fn new(
        direction: Direction,
        from: &'r dyn Replica,
        to: &'r dyn Replica,
        plan: &'r SyncPlan,
    ) -> Self {
        Transfer {
            direction,
            from,
            to,
            plan,
            refused: BTreeSet::new(),
            dead: BTreeSet::new(),
            transferred: BTreeMap::new(),
        }
    }

    /// Returns the counts of a kind.
    pub(super) fn transferred(&mut self, kind: RecordKind) -> &mut Transferred {
        self.transferred.entry(kind).or_default()
    }

    /// Returns true if the other place may have this record after the transfer.
    pub(super) fn can_be_there(&self, uuid: &Uuid) -> bool {
        !self.refused.contains(uuid) && !self.dead.contains(uuid)
    }

    /// Sends the records of a kind that the plan includes.
    pub(super) fn send(
        &mut self,
        kind: RecordKind,
        wanted: &[Wanted],
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<()> {
        if self.plan.dry_run && !self.depends_on_content(kind) {
            self.transferred(kind).left += wanted.len() as u64;
            return Ok(());
        }
        let mut rest = wanted;
        let mut lost = Vec::new();
        while !rest.is_empty() {
            let found = self.from.records(&rest[..rest.len().min(RECORDS)])?;
            let (asked, later) = rest.split_at(found.len());
            rest = later;
            let records = self.choose(kind, asked, found, &mut lost);
            let answers = self.add(kind, &records)?;
            progress(Progress {
                direction: self.direction,
                kind,
                done: wanted.len() - rest.len(),
                of: wanted.len(),
                records: &records,
                answers: &answers,
            });
        }
        for uuid in still_listed(self.from, &lost)? {
            self.refuse(kind, uuid, RecordOutcome::Refused(UNREADABLE.to_owned()));
        }
        Ok(())
    }

    /// Returns the found records that should be sent. Assertions that were not found are added to
    /// `lost`.
    fn choose(
        &mut self,
        kind: RecordKind,
        asked: &[Wanted],
        found: Vec<Option<Record>>,
        lost: &mut Vec<Wanted>,
    ) -> Vec<Record> {
        let mut records = Vec::with_capacity(found.len());
        for (asked, record) in asked.iter().zip(found) {
            match record.filter(|record| record.uuid() == asked.uuid()) {
                Some(record) if self.is_to_be_sent(&record) => records.push(record),
                Some(_) => {}
                None if kind == RecordKind::Assertion => lost.push(*asked),
                None => self.refuse(
                    kind,
                    asked.uuid(),
                    RecordOutcome::Refused(UNREADABLE.to_owned()),
                ),
            }
        }
        records
    }

    /// Adds records at the other place and counts the outcomes. A dry run only counts the records.
    fn add(&mut self, kind: RecordKind, records: &[Record]) -> Result<Vec<RecordOutcome>> {
        if self.plan.dry_run {
            self.transferred(kind).left += records.len() as u64;
            return Ok(Vec::new());
        }
        if records.is_empty() {
            return Ok(Vec::new());
        }
        let answers = self.to.add(records)?;
        for (record, answer) in records.iter().zip(&answers) {
            match answer {
                RecordOutcome::Made => self.transferred(kind).made += 1,
                RecordOutcome::Had => self.transferred(kind).had += 1,
                answer => self.refuse(kind, record.uuid(), answer.clone()),
            }
        }
        Ok(answers)
    }

    /// Returns true if a dry run has to read the records to count them.
    fn depends_on_content(&self, kind: RecordKind) -> bool {
        match kind {
            RecordKind::Assertion => self.plan.tests.is_some(),
            _ => self.direction == Direction::Push || !self.dead.is_empty(),
        }
    }

    /// Returns true if a record belongs to the chosen tests and can be added at the other place.
    fn is_to_be_sent(&mut self, record: &Record) -> bool {
        if let (Some(tests), Record::Assertion(assertion)) = (&self.plan.tests, record)
            && let Some(run) = &assertion.run
            && !tests.contains(&run.test)
        {
            return false;
        }
        let parents = record.parents();
        let of_dead = |uuid: Uuid| self.dead.contains(&uuid);
        if of_dead(record.uuid()) || parents.iter().any(|(_, parent)| of_dead(*parent)) {
            self.dead.insert(record.uuid());
            return false;
        }
        let refused = parents.iter().find(|(_, it)| self.refused.contains(it));
        let reason = match (refused, record) {
            (Some((kind, parent)), _) => format!("its {kind} {parent} is missing"),
            (None, Record::Ensemble(ensemble)) if !self.may_send_rows_of(ensemble) => format!(
                "the rows of the ensemble {} come from a file, which is only sent with --with-rows",
                ensemble.name
            ),
            _ => return true,
        };
        self.refuse(record.kind(), record.uuid(), RecordOutcome::Refused(reason));
        false
    }

    fn may_send_rows_of(&self, ensemble: &EnsembleRecord) -> bool {
        let is_drawn = matches!(ensemble.rows, RowSource::Drawn { .. });
        is_drawn || self.plan.with_rows || self.direction == Direction::Pull
    }

    fn refuse(&mut self, kind: RecordKind, uuid: Uuid, answer: RecordOutcome) {
        self.refused.insert(uuid);
        self.transferred(kind).refused.push((uuid, answer));
    }
}

/// Returns the assertions that a place still lists. Running tests may have trimmed the others.
fn still_listed(place: &dyn Replica, assertions: &[Wanted]) -> Result<Vec<Uuid>> {
    let mut questions: BTreeMap<Uuid, HistoryQuestion> = BTreeMap::new();
    for wanted in assertions {
        if let Wanted::Assertion(benchmark, time, _) = *wanted {
            let question = questions.entry(benchmark).or_insert(HistoryQuestion {
                benchmark,
                since: time,
                listed_from: time,
            });
            question.since = question.since.min(time);
            question.listed_from = question.since;
        }
    }
    let questions: Vec<HistoryQuestion> = questions.into_values().collect();
    let mut listed = BTreeSet::new();
    let mut rest = questions.as_slice();
    while !rest.is_empty() {
        let histories = place.histories(rest)?;
        rest = &rest[histories.len()..];
        let all = histories.into_iter().flat_map(|it| it.listed);
        listed.extend(all.map(|(_, uuid)| uuid));
    }
    let asked = assertions.iter().map(|it| it.uuid());
    Ok(asked.filter(|uuid| listed.contains(uuid)).collect())
}
