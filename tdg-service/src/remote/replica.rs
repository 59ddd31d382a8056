//! A project's records on a server.

use std::cell::Cell;
use std::collections::BTreeMap;

use uuid::Uuid;

use super::transport::Method;
use super::{RemoteService, Result, problem};
use crate::object::JsonForm;
use crate::record::{Record, RecordKind, SetDigests};
use crate::sync::request::{
    ELEMENTS, IdentitiesRequest, MissingRequest, NewRecords, Questions, RECORDS, WantedRecords,
};
use crate::sync::wire::{
    Answers, DigestsResponse, FoundRecords, Histories, Identities, MissingResponse,
};
use crate::sync::{BenchmarkHistory, HistoryQuestion, RecordOutcome, Replica, ServerFacts, Wanted};
use crate::{Malformed, ServiceError};

/// The maximum size of the records in one request, in bytes.
const BYTES: usize = 4 << 20;

/// The number of listed records that may be missing, because others may delete some meanwhile.
const ABSENT: usize = 1000;

impl RemoteService {
    /// Returns the facts about the server and the key.
    ///
    /// # Errors
    ///
    /// If the server can't be reached, doesn't know the key, or is too old to synchronise with.
    pub fn server(&self) -> Result<ServerFacts> {
        let response = self.transport.send(Method::Get, "/v1/server", None)?;
        let facts: ServerFacts = self.read(&response.body)?;
        match facts.capabilities.iter().any(|it| it == ServerFacts::SYNC) {
            true => Ok(facts),
            false => Err(problem::too_old(self.url())),
        }
    }

    /// Returns the records of a project.
    pub fn replica(&self, project: Uuid) -> RemoteReplica<'_> {
        RemoteReplica {
            service: self,
            project,
            absent: Cell::new(0),
        }
    }
}

/// A project's records on a server. Requests are safe to repeat, so temporary failures are retried.
#[derive(Debug)]
pub struct RemoteReplica<'s> {
    service: &'s RemoteService,
    project: Uuid,
    /// The number of listed records that the server did not return.
    absent: Cell<usize>,
}

impl RemoteReplica<'_> {
    fn ask<T: JsonForm>(&self, what: &str, body: &str) -> Result<T> {
        let path = format!("/v1/sync/{}/{what}", self.project);
        let transport = &self.service.transport;
        let response = transport.send(Method::Repeatable(body), &path, None)?;
        self.service.read(&response.body)
    }

    /// Checks that an answer covers at least one of the `asked` elements and no more than all.
    fn of_first<T>(&self, asked: usize, answers: Vec<T>) -> Result<Vec<T>> {
        match answers.len() {
            1.. if answers.len() <= asked => Ok(answers),
            0 if asked == 0 => Ok(answers),
            found => {
                let expected = format!("1 to {asked} answers, not {found}");
                Err(self.service.malformed(Malformed::new(expected)))
            }
        }
    }

    /// Refuses a server that keeps listing records that it doesn't have.
    fn check_absent(&self, asked: usize, records: &[Option<Record>]) -> Result<()> {
        let absent = records.iter().filter(|it| it.is_none()).count();
        // Only long answers are cut off, and this one isn't long.
        if absent == records.len() && absent < asked.min(100) {
            let expected = format!("records, or that all of {asked} are absent, not {absent}");
            return Err(self.service.malformed(Malformed::new(expected)));
        }
        self.absent.set(self.absent.get() + absent);
        if self.absent.get() <= ABSENT {
            return Ok(());
        }
        Err(ServiceError::unexpected(format!(
            "the server at {} lists more than {ABSENT} records that it doesn't return, or that \
             don't match their identities; if records are being deleted at the moment, run this \
             again, otherwise check the server",
            self.service.url()
        )))
    }

    /// Adds records in one request, or in several if the server finds it too large.
    fn add_batch(&self, records: &[Record]) -> Result<Vec<RecordOutcome>> {
        match self.ask::<Answers>("add", &NewRecords::json_of(records)) {
            Ok(Answers(answers)) if answers.len() == records.len() => Ok(answers),
            Ok(Answers(answers)) => {
                let (asked, found) = (records.len(), answers.len());
                let expected = format!("{asked} answers, not {found}");
                Err(self.service.malformed(Malformed::new(expected)))
            }
            // Each half may fit.
            Err(ServiceError::TooLarge(_)) if records.len() > 1 => {
                let (one, other) = records.split_at(records.len() / 2);
                let mut answers = self.add_batch(one)?;
                answers.extend(self.add_batch(other)?);
                Ok(answers)
            }
            Err(ServiceError::TooLarge(message)) => {
                Ok(vec![RecordOutcome::Refused(message.to_string())])
            }
            Err(error) => Err(error),
        }
    }
}

impl Replica for RemoteReplica<'_> {
    fn digests(&self) -> Result<BTreeMap<RecordKind, SetDigests>> {
        let path = format!("/v1/sync/{}/digests", self.project);
        let response = self.service.transport.send(Method::Get, &path, None)?;
        let DigestsResponse(digests) = self.service.read(&response.body)?;
        Ok(digests)
    }

    fn identities(&self, kind: RecordKind, parts: &[u8]) -> Result<Vec<Uuid>> {
        let parts = parts.to_vec();
        let Identities(found) =
            self.ask("identities", &IdentitiesRequest { kind, parts }.to_json())?;
        Ok(found)
    }

    fn missing(&self, kind: RecordKind, identities: &[Uuid]) -> Result<MissingResponse> {
        let mut all = MissingResponse::default();
        for identities in identities.chunks(ELEMENTS) {
            let (asked, identities) = (identities.len(), identities.to_vec());
            let found: MissingResponse =
                self.ask("missing", &MissingRequest { kind, identities }.to_json())?;
            let (missing, gone) = (found.missing.len(), found.gone.len());
            if missing + gone > asked {
                let expected = format!("at most {asked} identities, not {}", missing + gone);
                return Err(self.service.malformed(Malformed::new(expected)));
            }
            all.missing.extend(found.missing);
            all.gone.extend(found.gone);
        }
        Ok(all)
    }

    fn histories(&self, questions: &[HistoryQuestion]) -> Result<Vec<BenchmarkHistory>> {
        let questions = &questions[..questions.len().min(ELEMENTS)];
        let body = Questions(questions.to_vec()).to_json();
        let Histories(histories) = self.ask("histories", &body)?;
        self.of_first(questions.len(), histories)
    }

    fn records(&self, wanted: &[Wanted]) -> Result<Vec<Option<Record>>> {
        let wanted = &wanted[..wanted.len().min(ELEMENTS)];
        let FoundRecords(records) =
            self.ask("records", &WantedRecords(wanted.to_vec()).to_json())?;
        let records = self.of_first(wanted.len(), records)?;
        self.check_absent(wanted.len(), &records)?;
        Ok(records)
    }

    fn add(&self, records: &[Record]) -> Result<Vec<RecordOutcome>> {
        let mut answers = Vec::with_capacity(records.len());
        let mut batch = 0..0;
        let mut bytes = 0;
        for (index, record) in records.iter().enumerate() {
            let length = record.to_json().len();
            if batch.len() == RECORDS || (!batch.is_empty() && bytes + length > BYTES) {
                answers.extend(self.add_batch(&records[batch.clone()])?);
                batch = index..index;
                bytes = 0;
            }
            batch.end = index + 1;
            bytes += length;
        }
        if !batch.is_empty() {
            answers.extend(self.add_batch(&records[batch])?);
        }
        Ok(answers)
    }
}
