//! The requests and answers between two places, as JSON.

use std::collections::BTreeMap;

use tdg_definition::json::{self, Value};
use uuid::Uuid;

use super::{Answer, History, HistoryQuestion, Wanted};
use crate::Timestamp;
use crate::object::{self, Malformed, Members, Object, write_uuid};
use crate::record::{Record, RecordKind, SetDigest, SetDigests};

/// The answer of `digests`: those of all records but assertions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digests(pub BTreeMap<RecordKind, SetDigests>);

impl object::sealed::Sealed for Digests {}

/// `{"digests": {"test": {"0": {"count": 1, …}, …}, …}}`
impl Object for Digests {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        let mut kinds = Members::begin(members.value("digests"));
        for (kind, digests) in &self.0 {
            let mut parts = Members::begin(kinds.value(kind.as_str()));
            for (part, digest) in digests.parts() {
                parts.object(&part.to_string(), digest);
            }
            parts.end();
        }
        kinds.end();
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let shape = || Malformed::new("digests by kind and part as `digests`");
        let kinds = object::read(value, "digests", "an object", Value::as_object)?;
        let kinds = kinds.iter().map(|(kind, parts)| {
            let kind = kind.parse().map_err(|()| shape())?;
            let parts = parts.as_object().ok_or_else(shape)?;
            let parts = parts.iter().map(|(part, digest)| {
                let part = part.parse().map_err(|error| shape().caused_by(error))?;
                Ok((part, SetDigest::from_json(digest)?))
            });
            Ok((kind, parts.collect::<Result<_, _>>()?))
        });
        Ok(Digests(kinds.collect::<Result<_, _>>()?))
    }
}

/// The request `identities`: those of a kind in some parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The kind.
    pub kind: RecordKind,
    /// The parts.
    pub parts: Vec<u8>,
}

impl object::sealed::Sealed for Parts {}

impl Object for Parts {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.string("kind", self.kind.as_str());
        members.list("parts", &self.parts, |text, part| {
            json::write_u64(text, (*part).into())
        });
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let part = |value: &Value| {
            let part = value.as_u64().and_then(|part| part.try_into().ok());
            part.ok_or_else(|| Malformed::new("integers from 0 to 255 in `parts`"))
        };
        Ok(Parts {
            kind: kind(value, "kind")?,
            parts: object::list(value, "parts", part)?,
        })
    }
}

/// The answer of `identities`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identities(pub Vec<Uuid>);

impl object::sealed::Sealed for Identities {}

impl Object for Identities {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.uuids("identities", &self.0);
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        object::uuids(value, "identities").map(Identities)
    }
}

/// The request `missing`: which of these records are not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Their kind.
    pub kind: RecordKind,
    /// Their identities.
    pub identities: Vec<Uuid>,
}

impl object::sealed::Sealed for Asked {}

impl Object for Asked {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.string("kind", self.kind.as_str());
        members.uuids("identities", &self.identities);
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        Ok(Asked {
            kind: kind(value, "kind")?,
            identities: object::uuids(value, "identities")?,
        })
    }
}

/// The answer of `missing`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// Those that are not there.
    pub missing: Vec<Uuid>,
    /// Those that were deleted, or that belong to something that was.
    pub gone: Vec<Uuid>,
}

impl object::sealed::Sealed for Missing {}

impl Object for Missing {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.uuids("missing", &self.missing);
        members.uuids("gone", &self.gone);
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        Ok(Missing {
            missing: object::uuids(value, "missing")?,
            gone: object::uuids(value, "gone")?,
        })
    }
}

/// The request `histories`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions(pub Vec<HistoryQuestion>);

impl object::sealed::Sealed for Questions {}

impl Object for Questions {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.list("questions", &self.0, |text, question| {
            let mut members = Members::begin(text);
            members.uuid("benchmark", question.benchmark);
            members.precise_time("since", question.since);
            members.precise_time("listed_from", question.listed_from);
            members.end();
        });
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let question = |value: &Value| {
            Ok(HistoryQuestion {
                benchmark: object::uuid(value, "benchmark")?,
                since: object::precise_time(value, "since")?,
                listed_from: object::precise_time(value, "listed_from")?,
            })
        };
        object::list(value, "questions", question).map(Questions)
    }
}

/// The answer of `histories`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histories(pub Vec<History>);

impl object::sealed::Sealed for Histories {}

/// An assertion in a list is `["2021-03-08 22:14:28.473646", "…"]`.
impl Object for Histories {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.list("histories", &self.0, |text, history| {
            let mut members = Members::begin(text);
            members.precise_time("kept_since", history.kept_since);
            members.object("digest", &history.digest);
            members.list("listed", &history.listed, |text, (time, uuid)| {
                text.push('[');
                json::write_str(text, &time.to_precise());
                text.push(',');
                write_uuid(text, *uuid);
                text.push(']');
            });
            members.end();
        });
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let entry = |value: &Value| -> Option<(Timestamp, Uuid)> {
            let [time, uuid] = value.as_array()? else {
                return None;
            };
            let time = Timestamp::parse_precise(time.as_str()?)?;
            Some((time, Uuid::try_parse(uuid.as_str()?).ok()?))
        };
        let history = |value: &Value| {
            Ok(History {
                kept_since: object::precise_time(value, "kept_since")?,
                digest: SetDigest::from_json(object::member(value, "digest")?)?,
                listed: object::list(value, "listed", |value| {
                    entry(value).ok_or_else(|| Malformed::new("times with UUIDs in `listed`"))
                })?,
            })
        };
        object::list(value, "histories", history).map(Histories)
    }
}

/// The request `records`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedRecords(pub Vec<Wanted>);

impl object::sealed::Sealed for WantedRecords {}

impl Object for WantedRecords {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.list("wanted", &self.0, |text, wanted| {
            let mut members = Members::begin(text);
            match *wanted {
                Wanted::Assertion(benchmark, time, uuid) => {
                    members.string("kind", RecordKind::Assertion.as_str());
                    members.uuid("uuid", uuid);
                    members.uuid("benchmark", benchmark);
                    members.precise_time("time", time);
                }
                Wanted::Other(kind, uuid) => {
                    members.string("kind", kind.as_str());
                    members.uuid("uuid", uuid);
                }
            }
            members.end();
        });
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let wanted = |value: &Value| {
            let uuid = object::uuid(value, "uuid")?;
            Ok(match kind(value, "kind")? {
                RecordKind::Assertion => Wanted::Assertion(
                    object::uuid(value, "benchmark")?,
                    object::precise_time(value, "time")?,
                    uuid,
                ),
                kind => Wanted::Other(kind, uuid),
            })
        };
        object::list(value, "wanted", wanted).map(WantedRecords)
    }
}

/// The answer of `records`: `None` for one that is not there any more. One that can't be read, or
/// is not what its identity says, is as good as none: the others are records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundRecords(pub Vec<Option<Record>>);

impl object::sealed::Sealed for FoundRecords {}

impl Object for FoundRecords {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.list("records", &self.0, |text, record| match record {
            Some(record) => record.write_json(text),
            None => text.push_str("null"),
        });
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let record = |value: &Value| match value {
            Value::Null => Ok(None),
            record => Ok(Record::from_json(record).ok()),
        };
        object::list(value, "records", record).map(FoundRecords)
    }
}

/// The request `add`. Each record is read by itself, so that one that can't be read is refused
/// alone.
#[derive(Clone, Debug, Default)]
pub struct NewRecords(pub Vec<Result<Record, Malformed>>);

impl NewRecords {
    /// The request for these records.
    pub fn json_of(records: &[Record]) -> String {
        let mut text = String::new();
        let mut members = Members::begin(&mut text);
        members.list("records", records, |text, record| record.write_json(text));
        members.end();
        text
    }

    /// Reads the request.
    ///
    /// # Errors
    ///
    /// If it isn't a list of records.
    pub fn from_json(value: &Value) -> Result<Self, Malformed> {
        object::list(value, "records", |record| Ok(Record::from_json(record))).map(NewRecords)
    }
}

/// The answer of `add`: one for each record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers(pub Vec<Answer>);

impl object::sealed::Sealed for Answers {}

impl Object for Answers {
    fn write_json(&self, text: &mut String) {
        let mut members = Members::begin(text);
        members.list("answers", &self.0, |text, answer| {
            let mut members = Members::begin(text);
            match answer {
                Answer::Made => members.string("answer", "made"),
                Answer::Had => members.string("answer", "had"),
                Answer::Gone(uuid) => {
                    members.string("answer", "gone");
                    members.uuid("uuid", *uuid);
                }
                Answer::Differs => members.string("answer", "differs"),
                Answer::Refused(reason) => {
                    members.string("answer", "refused");
                    members.string("reason", reason);
                }
            }
            members.end();
        });
        members.end();
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        let answer = |value: &Value| {
            let word = object::read(value, "answer", "a string", Value::as_str)?;
            Ok(match word {
                "made" => Answer::Made,
                "had" => Answer::Had,
                "gone" => Answer::Gone(object::uuid(value, "uuid")?),
                "differs" => Answer::Differs,
                "refused" => Answer::Refused(object::string(value, "reason")?),
                _ => {
                    let words = "made, had, gone, differs or refused as `answer`";
                    return Err(Malformed::new(words));
                }
            })
        };
        object::list(value, "answers", answer).map(Answers)
    }
}

fn kind(value: &Value, name: &str) -> Result<RecordKind, Malformed> {
    object::read(value, name, "a kind of record", |value| {
        value.as_str()?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::{AssertionRecord, ProjectRecord};

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

    /// The JSON of each request and answer.
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
        let history = History {
            kept_since: time(),
            digest,
            listed: vec![(time(), two)],
        };
        let wanted = vec![
            Wanted::Other(kind, one),
            Wanted::Assertion(one, time(), two),
        ];
        let answers = vec![
            Answer::Made,
            Answer::Had,
            Answer::Gone(one),
            Answer::Differs,
            Answer::Refused("no".to_owned()),
        ];
        let found = records().map(Some).into_iter().chain([None]).collect();
        let identities = vec![one, two];
        let parts = vec![0, 255];
        let (missing, gone) = (vec![one], vec![two]);
        vec![
            ("digests", Digests(digests).to_json()),
            ("parts", Parts { kind, parts }.to_json()),
            ("identities", Identities(identities.clone()).to_json()),
            ("asked", Asked { kind, identities }.to_json()),
            ("missing", Missing { missing, gone }.to_json()),
            ("questions", Questions(vec![question]).to_json()),
            ("histories", Histories(vec![history]).to_json()),
            ("wanted", WantedRecords(wanted).to_json()),
            ("found", FoundRecords(found).to_json()),
            ("new", NewRecords::json_of(&records())),
            ("answers", Answers(answers).to_json()),
        ]
    }

    /// Reads and writes again.
    fn again(form: &str, text: &str) -> Result<String, Malformed> {
        let value = json::parse(text).map_err(|error| Malformed::new("JSON").caused_by(error))?;
        let value = &value;
        Ok(match form {
            "digests" => Digests::from_json(value)?.to_json(),
            "parts" => Parts::from_json(value)?.to_json(),
            "identities" => Identities::from_json(value)?.to_json(),
            "asked" => Asked::from_json(value)?.to_json(),
            "missing" => Missing::from_json(value)?.to_json(),
            "questions" => Questions::from_json(value)?.to_json(),
            "histories" => Histories::from_json(value)?.to_json(),
            "wanted" => WantedRecords::from_json(value)?.to_json(),
            "found" => FoundRecords::from_json(value)?.to_json(),
            "new" => {
                let NewRecords(records) = NewRecords::from_json(value)?;
                let records: Result<Vec<_>, _> = records.into_iter().collect();
                NewRecords::json_of(&records?)
            }
            _ => Answers::from_json(value)?.to_json(),
        })
    }

    #[test]
    fn each_request_and_answer_has_one_form_and_is_read_back() {
        let texts = texts();
        for (form, text) in &texts {
            assert_eq!(&again(form, text).unwrap(), text);
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
        let NewRecords(read) = NewRecords::from_json(&json::parse(&text).unwrap()).unwrap();
        let [Err(error), Ok(_)] = &read[..] else {
            panic!("{read:?}")
        };
        assert_eq!(error.to_string(), "expected a kind of record as `kind`");
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        for (form, text) in texts() {
            for length in 0..text.len() {
                assert!(again(form, &text[..length]).is_err(), "{}", &text[..length]);
            }
        }
    }

    proptest! {
        /// Whatever comes instead of a value.
        #[test]
        fn nothing_panics(form in 0..11_usize, at: prop::sample::Index, other in "[0-9a-z\"\\[\\]{},:-]{0,6}") {
            let (form, mut text) = texts().swap_remove(form);
            let at = at.index(text.len());
            text.replace_range(at..=at, &other);
            let _ = again(form, &text);
        }
    }
}
