//! Synchronization: a store learns which records this database has, and sends the missing ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tdg_definition::Definition;
use tdg_engine::store::Channel;
use tdg_service::record::{
    DefinitionRecord, EnsembleRecord, Record, RecordKind, RowSource, SetDigests,
};
use tdg_service::sync::request::{
    IdentitiesRequest, MissingRequest, NewRecords, Questions, Request, WantedRecords,
};
use tdg_service::sync::wire::{
    Answers, DigestsResponse, FoundRecords, Histories, Identities, MissingResponse,
};
use tdg_service::sync::{BenchmarkHistory, HistoryQuestion, RecordOutcome, Wanted};
use tdg_service::{JsonForm, Malformed, Result, ServiceError, Timestamp, Uuid, rules};

use super::Operations;
use crate::account::{Account, Usage};
use crate::database::records::AssertionsSince;
use crate::database::{DecidedTest, Deleter, RecordSender};
use crate::keys::{KeyRecord, Scope};

/// The number of assertions, and the bytes of records, after which an answer ends.
const ASSERTIONS: usize = 20_000;
const BYTES: usize = 4 << 20;

impl Operations {
    /// Returns the digests of all records except assertions.
    pub(crate) async fn digests(&self, account: Account, project: Uuid) -> Result<DigestsResponse> {
        while self.database.identify(account, project).await? {}
        let mut digests = BTreeMap::new();
        for kind in RecordKind::ALL {
            let identities = self.database.identities(account, project, kind).await?;
            if !identities.is_empty() {
                digests.insert(kind, identities.into_iter().collect());
            }
        }
        Ok(DigestsResponse(digests))
    }

    pub(crate) async fn identities(
        &self,
        account: Account,
        project: Uuid,
        body: String,
    ) -> Result<Identities> {
        let IdentitiesRequest { kind, parts } = self.read(account, project, body).await?;
        let mut identities = self.database.identities(account, project, kind).await?;
        let mut is_asked = [false; 256];
        for part in parts {
            is_asked[usize::from(part)] = true;
        }
        identities.retain(|uuid| is_asked[usize::from(SetDigests::part(*uuid))]);
        Ok(Identities(identities))
    }

    pub(crate) async fn missing(
        &self,
        account: Account,
        project: Uuid,
        body: String,
    ) -> Result<MissingResponse> {
        let MissingRequest { kind, identities } = self.read(account, project, body).await?;
        let there = self.database.identities(account, project, kind).await?;
        let there: BTreeSet<Uuid> = there.into_iter().collect();
        let absent = identities.into_iter().filter(|uuid| !there.contains(uuid));
        let absent: Vec<Uuid> = absent.collect();
        let gone = self.database.gone(account, project, absent.clone()).await?;
        let missing = absent.into_iter().filter(|uuid| !gone.contains(uuid));
        Ok(MissingResponse {
            missing: missing.collect(),
            gone,
        })
    }

    pub(crate) async fn histories(
        &self,
        account: Account,
        project: Uuid,
        body: String,
    ) -> Result<Histories> {
        let Questions(questions) = self.read(account, project, body).await?;
        let found = self
            .database
            .assertions(account, project, questions.clone(), ASSERTIONS);
        let found = questions.iter().zip(found.await?);
        Ok(Histories(
            found.map(|(asked, found)| history(asked, found)).collect(),
        ))
    }

    pub(crate) async fn records(
        &self,
        account: Account,
        project: Uuid,
        body: String,
    ) -> Result<FoundRecords> {
        let WantedRecords(wanted) = self.read(account, project, body).await?;
        let found = self.database.records(account, project, wanted, BYTES);
        Ok(FoundRecords(found.await?))
    }

    /// Adds the records that the key and the rules of the interface allow. Also returns those that
    /// are new.
    pub(crate) async fn add(
        &self,
        key: &KeyRecord,
        deleter: Deleter,
        project: Uuid,
        body: String,
    ) -> Result<(Answers, Vec<SyncEffect>)> {
        let account = key.account;
        let sender = RecordSender {
            limit: key.projects.clone(),
            deleter,
        };
        let (length, most) = (body.len(), self.max_definition);
        let parse = move || parse_records(&body, most);
        // Validating even a short definition may need large tables.
        let mut checked = self.workers.run(account, length, parse).await?;
        check_allowed(key, checked.iter().flatten())?;
        for record in checked.iter_mut().flatten() {
            if let Record::Decision(it) = record {
                // The sender's value isn't trusted.
                it.decision.through = Some(Channel::Key(key.label()));
            }
        }
        self.check_given_rows(account, project, &mut checked)
            .await?;
        let records: Vec<Record> = checked.iter().flatten().cloned().collect();
        let add = |records: Vec<Record>| async {
            while self.database.identify(account, project).await? {}
            match records.is_empty() {
                true => Ok(Vec::new()),
                false => {
                    let database = &self.database;
                    let added = database.add_records(account, project, sender, records);
                    added.await
                }
            }
        };
        let added = self.within_room(account, records, add).await?;
        let (answers, made) = answers(checked, added)?;
        if made.iter().any(|made| made.is_deleted) {
            self.accounts.deleted(account);
        }
        Ok((answers, made))
    }

    /// Adds the records of a decision from a page. Returns `None` if another decision came first.
    pub(crate) async fn decide(
        &self,
        key: &KeyRecord,
        about: DecidedTest,
        records: Vec<Record>,
    ) -> Result<Option<Vec<SyncEffect>>> {
        check_allowed(key, records.iter())?;
        let (length, most) = (
            records.iter().map(Record::large_bytes).sum(),
            self.max_definition,
        );
        let check = move || {
            records
                .iter()
                .try_for_each(|record| check_record(record, most))?;
            Ok(records)
        };
        let records = self.workers.run_sized(key.account, length, check).await?;
        let effects: Vec<SyncEffect> = records.iter().map(SyncEffect::from_record).collect();
        let add = |records| self.database.decide(key.account, about, records);
        let outcomes = self.within_room(key.account, records, add).await?;
        Ok(outcomes.map(|outcomes| {
            let made = effects.into_iter().zip(outcomes);
            made.filter(|(_, outcome)| *outcome == RecordOutcome::Made)
                .map(|(effect, _)| effect)
                .collect()
        }))
    }

    /// Adds the records that the account has room for.
    async fn within_room<T, F: Future<Output = Result<T>>>(
        &self,
        account: Account,
        records: Vec<Record>,
        add: impl FnOnce(Vec<Record>) -> F,
    ) -> Result<T> {
        let objects = records.iter().filter(|record| is_object(record)).count();
        let room = self.accounts.room_for(account, objects).await?;
        let bytes = records.iter().map(stored_bytes).sum();
        room.create(bytes, add(records)).await
    }

    /// Refuses rows that don't match their stated digest.
    async fn check_given_rows(
        &self,
        account: Account,
        project: Uuid,
        checked: &mut [std::result::Result<Record, String>],
    ) -> Result<()> {
        let sent: HashMap<Uuid, String> = checked
            .iter()
            .filter_map(|record| match record {
                Ok(Record::Definition(it)) => {
                    Some((record.as_ref().ok()?.uuid(), it.definition.to_string()))
                }
                _ => None,
            })
            .collect();
        for record in checked {
            let Ok(Record::Ensemble(EnsembleRecord {
                definition,
                rows: RowSource::Given(rows),
                digest,
                ..
            })) = record
            else {
                continue;
            };
            let text = match sent.get(definition) {
                Some(text) => text.clone(),
                None => match self
                    .stored_definition(account, project, *definition)
                    .await?
                {
                    Some(text) => text,
                    // The missing definition is the reason for its refusal.
                    None => continue,
                },
            };
            let (rows, digest) = (rows.as_json().to_owned(), digest.clone());
            let length = rows.len();
            let fits = move || Ok(rules::stored_rows(&text, &rows)?.digest() == digest);
            let refused = match self.workers.run(account, length, fits).await {
                Ok(true) => continue,
                Ok(false) => "its rows have another digest".to_owned(),
                Err(ServiceError::Unavailable(message)) => {
                    return Err(ServiceError::Unavailable(message));
                }
                Err(error) => error.to_string(),
            };
            *record = Err(refused);
        }
        Ok(())
    }

    async fn stored_definition(
        &self,
        account: Account,
        project: Uuid,
        definition: Uuid,
    ) -> Result<Option<String>> {
        let wanted = vec![Wanted::Other(RecordKind::Definition, definition)];
        let found = self.database.records(account, project, wanted, 0).await?;
        Ok(match found.into_iter().next().flatten() {
            Some(Record::Definition(it)) => Some(it.definition.to_string()),
            _ => None,
        })
    }

    /// Gives all objects of the project identities, then parses a request.
    async fn read<T: Request + Send + 'static>(
        &self,
        account: Account,
        project: Uuid,
        body: String,
    ) -> Result<T> {
        while self.database.identify(account, project).await? {}
        let length = body.len();
        let read = move || T::from_text(&body);
        self.workers.run_sized(account, length, read).await
    }
}

/// Parses the records of a request, each with the reason if it is refused.
fn parse_records(
    body: &str,
    max_definition: usize,
) -> Result<Vec<std::result::Result<Record, String>>> {
    let NewRecords(records) = NewRecords::from_text(body)?;
    let check = |record: std::result::Result<Record, Malformed>| {
        let record = record.map_err(|error| error.to_string())?;
        check_record(&record, max_definition).map_err(|error| error.to_string())?;
        Ok(record)
    };
    Ok(records.into_iter().map(check).collect())
}

/// Merges the outcomes of added records into the answers for all, and collects the new ones.
fn answers(
    checked: Vec<std::result::Result<Record, String>>,
    added: Vec<RecordOutcome>,
) -> Result<(Answers, Vec<SyncEffect>)> {
    let (mut added, mut made) = (added.into_iter(), Vec::new());
    let answer = |checked| match checked {
        Ok(record) => {
            let lost = || ServiceError::unavailable("the database answered fewer records");
            let answer = added.next().ok_or_else(lost)?;
            if answer == RecordOutcome::Made {
                made.push(SyncEffect::from_record(&record));
            }
            Ok(answer)
        }
        Err(reason) => Ok(RecordOutcome::Refused(reason)),
    };
    let answers = checked.into_iter().map(answer).collect::<Result<_>>()?;
    Ok((Answers(answers), made))
}

/// Refuses records that the key doesn't allow.
fn check_allowed<'r>(key: &KeyRecord, records: impl Iterator<Item = &'r Record>) -> Result<()> {
    for record in records {
        let scope = match record.kind() {
            RecordKind::Assertion => Scope::Assert,
            RecordKind::Tombstone => Scope::Delete,
            _ => Scope::Write,
        };
        key.scopes.require(scope)?;
        // A push sends the project only if it doesn't exist.
        if record.kind() == RecordKind::Project {
            key.projects.require_none()?;
        }
    }
    Ok(())
}

/// A new record, or the object that a tombstone deleted.
pub(crate) struct SyncEffect {
    pub(crate) kind: RecordKind,
    pub(crate) uuid: Uuid,
    pub(crate) is_deleted: bool,
}

impl SyncEffect {
    fn from_record(record: &Record) -> Self {
        let (kind, uuid, is_deleted) = match record {
            Record::Tombstone(it) => (it.of, it.object, true),
            other => (other.kind(), other.uuid(), false),
        };
        SyncEffect {
            kind,
            uuid,
            is_deleted,
        }
    }
}

fn history(asked: &HistoryQuestion, found: AssertionsSince) -> BenchmarkHistory {
    let is_listed = |(time, _): &(_, Uuid)| *time >= asked.listed_from;
    let (listed, older): (Vec<_>, Vec<_>) = found.entries.into_iter().partition(is_listed);
    BenchmarkHistory {
        kept_since: found.kept_since,
        digest: older.into_iter().map(|(_, uuid)| uuid).collect(),
        listed,
    }
}

/// Returns true if quotas count it as an object and not only by its bytes.
fn is_object(record: &Record) -> bool {
    use RecordKind::{Assertion, Revival, Tombstone};
    !matches!(record.kind(), Assertion | Tombstone | Revival)
}

/// Returns the bytes that the quotas of accounts count.
fn stored_bytes(record: &Record) -> usize {
    match (record, record.large_bytes()) {
        (Record::Assertion(assertion), _) => {
            let run = assertion.run.as_ref().map(JsonForm::to_json);
            Usage::ASSERTION + run.map_or(0, |run| run.len())
        }
        (_, 0) => record.to_json().len(),
        (_, bytes) => bytes,
    }
}

/// Checks the rules that a record must meet on its own.
fn check_record(record: &Record, max_definition: usize) -> Result<()> {
    rules::check_record(record, Timestamp::now())?;
    let Record::Definition(DefinitionRecord { definition, .. }) = record else {
        return Ok(());
    };
    let text = definition.to_string();
    let read = Definition::parse(&text)?;
    super::check_length(&read, max_definition)?;
    if read.to_value() != *definition {
        let message = "the definition is not in its canonical form";
        return Err(ServiceError::unexpected(message));
    }
    Ok(())
}
