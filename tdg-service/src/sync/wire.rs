//! The answers between two places, in JSON.

use std::collections::BTreeMap;

use tdg_definition::json::{self, Value};
use uuid::Uuid;

pub use super::replica::MissingResponse;
use super::{BenchmarkHistory, RecordOutcome};
use crate::Timestamp;
use crate::object::{self, JsonForm, Malformed, members, value, write_object};
use crate::record::{Record, RecordKind, SetDigests};

/// The answer of `digests`, with the digests of all records except assertions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DigestsResponse(pub BTreeMap<RecordKind, SetDigests>);

members! { DigestsResponse: 0 named "digests" }

/// The answer of `identities`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identities(pub Vec<Uuid>);

members! { Identities: 0 named "identities" }

members! { MissingResponse: missing, gone }

/// The answer of `histories`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histories(pub Vec<BenchmarkHistory>);

members! { Histories: 0 named "histories" }

members! { BenchmarkHistory: kept_since, digest, listed }

/// An assertion in a list, such as `["2021-03-08 22:14:28.473646", "…"]`.
type ListedAssertion = (Timestamp, Uuid);

value!(
    ListedAssertion,
    "a time with its UUID",
    |text, (time, uuid)| {
        text.push('[');
        time.write_json(text);
        text.push(',');
        uuid.write_json(text);
        text.push(']');
    },
    |value| match value.as_array()? {
        [time, uuid] => JsonForm::from_json(time)
            .ok()
            .zip(JsonForm::from_json(uuid).ok()),
        _ => None,
    }
);

/// The answer of `records`. `None` marks a record that no longer exists or can't be read, so a
/// record whose content doesn't match its identity doesn't affect the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundRecords(pub Vec<Option<Record>>);

impl JsonForm for FoundRecords {
    fn write_json(&self, text: &mut String) {
        write_object(text, |members| members.add("records", &self.0));
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let records = object::member(value, "records")?.as_array();
        let records = records.ok_or_else(|| Malformed::new("a list as `records`"))?;
        let read = |record| Record::from_json(record).ok();
        Ok(FoundRecords(records.iter().map(read).collect()))
    }
}

/// The answer of `add`, with one outcome per record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers(pub Vec<RecordOutcome>);

members! { Answers: 0 named "answers" }

impl JsonForm for RecordOutcome {
    fn write_json(&self, text: &mut String) {
        let word = match self {
            RecordOutcome::Made => "made",
            RecordOutcome::Had => "had",
            RecordOutcome::Gone(_) => "gone",
            RecordOutcome::Differs => "differs",
            RecordOutcome::Refused(_) => "refused",
        };
        write_object(text, |members| {
            json::write_str(members.value("answer"), word);
            match self {
                RecordOutcome::Gone(uuid) => members.add("uuid", uuid),
                RecordOutcome::Refused(reason) => members.add("reason", reason),
                _ => {}
            }
        });
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        Ok(match object::read::<String>(value, "answer")?.as_str() {
            "made" => RecordOutcome::Made,
            "had" => RecordOutcome::Had,
            "gone" => RecordOutcome::Gone(object::read(value, "uuid")?),
            "differs" => RecordOutcome::Differs,
            "refused" => RecordOutcome::Refused(object::read(value, "reason")?),
            _ => {
                let words = "made, had, gone, differs or refused as `answer`";
                return Err(Malformed::new(words));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ServiceError;
    use crate::record::{AssertionRecord, ProjectRecord, SetDigest};
    use crate::sync::request::{
        IdentitiesRequest, MissingRequest, NewRecords, Questions, Request, WantedRecords,
    };
    use crate::sync::{HistoryQuestion, Wanted};

    fn uuid(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn time() -> Timestamp {
        Timestamp::from_micros(1_615_241_668_473_646)
    }

    fn records() -> [Record; 2] {
        let (uuid, benchmark) = (uuid(2), uuid(3));
        let name = "shop".to_owned();
        [
            Record::Project(ProjectRecord { uuid, name }),
            Record::Assertion(AssertionRecord {
                uuid,
                benchmark,
                time: time(),
                asserted: true,
                run: None,
            }),
        ]
    }

    /// Returns the JSON of each request and answer.
    fn texts() -> Vec<(&'static str, String)> {
        let (one, two) = (uuid(1), uuid(2));
        let kind = RecordKind::Test;
        let digest: SetDigest = [one, two].into_iter().collect();
        let digests = BTreeMap::from([(kind, [one, two].into_iter().collect())]);
        let question = HistoryQuestion {
            benchmark: one,
            since: Timestamp::MIN,
            listed_from: time(),
        };
        let history = BenchmarkHistory {
            kept_since: time(),
            digest,
            listed: vec![(time(), two)],
        };
        let wanted = vec![
            Wanted::Other(kind, one),
            Wanted::Assertion(one, time(), two),
        ];
        let answers = vec![
            RecordOutcome::Made,
            RecordOutcome::Had,
            RecordOutcome::Gone(one),
            RecordOutcome::Differs,
            RecordOutcome::Refused("no".to_owned()),
        ];
        let found = records().map(Some).into_iter().chain([None]).collect();
        let identities = vec![one, two];
        let parts = vec![0, 255];
        let (missing, gone) = (vec![one], vec![two]);
        vec![
            ("digests", DigestsResponse(digests).to_json()),
            ("parts", IdentitiesRequest { kind, parts }.to_json()),
            ("identities", Identities(identities.clone()).to_json()),
            ("asked", MissingRequest { kind, identities }.to_json()),
            ("missing", MissingResponse { missing, gone }.to_json()),
            ("questions", Questions(vec![question]).to_json()),
            ("histories", Histories(vec![history]).to_json()),
            ("wanted", WantedRecords(wanted).to_json()),
            ("found", FoundRecords(found).to_json()),
            ("new", NewRecords::json_of(&records())),
            ("answers", Answers(answers).to_json()),
        ]
    }

    /// Reads an answer and writes it again.
    fn again<T: JsonForm>(text: &str) -> Result<String, ServiceError> {
        let odd = |error: &dyn std::fmt::Display| ServiceError::malformed(error.to_string());
        let value = json::parse(text).map_err(|error| odd(&error))?;
        Ok(T::from_json(&value).map_err(|error| odd(&error))?.to_json())
    }

    /// Reads a request or answer in one of the forms and writes it again.
    fn read_again(form: &str, text: &str) -> Result<String, ServiceError> {
        match form {
            "digests" => again::<DigestsResponse>(text),
            "parts" => IdentitiesRequest::from_text(text).map(|it| it.to_json()),
            "identities" => again::<Identities>(text),
            "asked" => MissingRequest::from_text(text).map(|it| it.to_json()),
            "missing" => again::<MissingResponse>(text),
            "questions" => Questions::from_text(text).map(|it| it.to_json()),
            "histories" => again::<Histories>(text),
            "wanted" => WantedRecords::from_text(text).map(|it| it.to_json()),
            "found" => again::<FoundRecords>(text),
            "new" => {
                let NewRecords(records) = NewRecords::from_text(text)?;
                let records: Result<Vec<_>, _> = records.into_iter().collect();
                let records =
                    records.map_err(|error| ServiceError::malformed(error.to_string()))?;
                Ok(NewRecords::json_of(&records))
            }
            _ => again::<Answers>(text),
        }
    }

    #[test]
    fn each_request_and_answer_has_one_form_and_is_read_back() {
        let texts = texts();
        for (form, text) in &texts {
            assert_eq!(&read_again(form, text).unwrap(), text);
        }
        let forms: Vec<_> = texts
            .iter()
            .map(|(form, text)| format!("{form}: {text}"))
            .collect();
        insta::assert_snapshot!(forms.join("\n"));
    }

    #[test]
    fn a_record_that_cannot_be_read_is_refused_alone() {
        let text = NewRecords::json_of(&records()).replacen("project", "planet", 1);
        let NewRecords(read) = NewRecords::from_text(&text).unwrap();
        let [Err(error), Ok(_)] = &read[..] else {
            panic!("{read:?}")
        };
        assert_eq!(error.to_string(), "expected a kind of record as `kind`");
    }

    #[test]
    fn a_record_that_is_not_what_its_identity_says_is_left_out_alone() {
        let forged = r#"{"kind":"revival","uuid":"00000000-0000-8000-8000-000000000000",
            "tombstone":"0194e0b5-5a3a-7cc1-9a2b-1f2c3d4e5f60"}"#;
        let [project, _] = records();
        let text = format!(r#"{{"records":[{forged},{}]}}"#, project.to_json());
        let found = FoundRecords::from_json(&json::parse(&text).unwrap()).unwrap();
        assert_eq!(found.0, [None, Some(project)]);
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        for (form, text) in texts() {
            for length in 0..text.len() {
                assert!(
                    read_again(form, &text[..length]).is_err(),
                    "{}",
                    &text[..length]
                );
            }
        }
    }

    proptest! {
        /// Replaces a part of the text with other characters.
        #[test]
        fn nothing_panics(form in 0..11_usize, at: prop::sample::Index, other in "[0-9a-z\"\\[\\]{},:-]{0,6}") {
            let (form, mut text) = texts().swap_remove(form);
            let at = at.index(text.len());
            text.replace_range(at..=at, &other);
            let _ = read_again(form, &text);
        }
    }
}
