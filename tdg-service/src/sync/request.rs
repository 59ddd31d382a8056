//! The requests from one place to another, as JSON.

use tdg_definition::json::{Pointer, Value};
use tdg_definition::{Fault, Faults, Fields};
use uuid::Uuid;

use super::{HistoryQuestion, Wanted};
use crate::body::{self, uuid};
use crate::object::{JsonForm as _, Malformed, members, object_text, write_list, write_object};
use crate::record::{Record, RecordKind};
use crate::{Result, Timestamp};

/// The maximum number of elements in a request.
pub const ELEMENTS: usize = 1000;
/// The maximum number of records in a request to add them.
pub const RECORDS: usize = 500;

/// A request.
pub trait Request: Sized {
    /// Reads the members. Returns `None` if there are faults.
    fn read(fields: &mut Fields<'_>) -> Option<Self>;

    /// Reads the request.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ServiceError::Malformed) if it isn't JSON, otherwise
    /// [`Invalid`](crate::ServiceError::Invalid) with all faults.
    fn from_text(text: &str) -> Result<Self> {
        body::read(text, Self::read)
    }
}

/// The request `identities`: asks for the identities of a kind in some parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentitiesRequest {
    /// The kind.
    pub kind: RecordKind,
    /// The parts.
    pub parts: Vec<u8>,
}

members! { IdentitiesRequest: kind, parts }

impl Request for IdentitiesRequest {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let kind = kind(fields, "kind");
        let parts = list(fields, "parts", ELEMENTS, |value, place, faults| {
            let part = value.as_u64().and_then(|part| part.try_into().ok());
            part.or_else(|| fault(faults, place, "must be an integer from 0 to 255"))
        });
        Some(IdentitiesRequest {
            kind: kind?,
            parts: parts?,
        })
    }
}

/// The request `missing`: asks which of these records are missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRequest {
    /// Their kind.
    pub kind: RecordKind,
    /// Their identities.
    pub identities: Vec<Uuid>,
}

members! { MissingRequest: kind, identities }

impl Request for MissingRequest {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let kind = kind(fields, "kind");
        let identities = list(fields, "identities", ELEMENTS, |value, place, faults| {
            let uuid = value.as_str().and_then(|text| Uuid::try_parse(text).ok());
            uuid.or_else(|| fault(faults, place, "must be a UUID"))
        });
        Some(MissingRequest {
            kind: kind?,
            identities: identities?,
        })
    }
}

/// The request `histories`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions(pub Vec<HistoryQuestion>);

members! { Questions: 0 named "questions" }
members! { HistoryQuestion: benchmark, since, listed_from }

impl Request for Questions {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let question = |fields: &mut Fields<'_>| {
            let benchmark = uuid(fields, "benchmark");
            let (since, listed_from) = (time(fields, "since"), time(fields, "listed_from"));
            Some(HistoryQuestion {
                benchmark: benchmark?,
                since: since?,
                listed_from: listed_from?,
            })
        };
        objects(fields, "questions", "a question", question).map(Questions)
    }
}

/// The request `records`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedRecords(pub Vec<Wanted>);

impl WantedRecords {
    /// Returns the request as JSON.
    pub fn to_json(&self) -> String {
        let wanted = |wanted: &Wanted, text: &mut String| {
            write_object(text, |members| match wanted {
                Wanted::Assertion(benchmark, time, uuid) => {
                    members.add("kind", &RecordKind::Assertion);
                    members.add("uuid", uuid);
                    members.add("benchmark", benchmark);
                    members.add("time", time);
                }
                Wanted::Other(kind, uuid) => {
                    members.add("kind", kind);
                    members.add("uuid", uuid);
                }
            });
        };
        object_text(|members| write_list(members.value("wanted"), &self.0, wanted))
    }
}

impl Request for WantedRecords {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let wanted = |fields: &mut Fields<'_>| {
            let (kind, identity) = (kind(fields, "kind"), uuid(fields, "uuid"));
            if kind? != RecordKind::Assertion {
                return Some(Wanted::Other(kind?, identity?));
            }
            let (benchmark, time) = (uuid(fields, "benchmark"), time(fields, "time"));
            Some(Wanted::Assertion(benchmark?, time?, identity?))
        };
        objects(fields, "wanted", "a record", wanted).map(WantedRecords)
    }
}

/// The request `add`. Each record is read separately, so that an unreadable one is refused alone.
#[derive(Clone, Debug, Default)]
pub struct NewRecords(pub Vec<std::result::Result<Record, Malformed>>);

impl NewRecords {
    /// Returns the request for these records as JSON.
    pub fn json_of(records: &[Record]) -> String {
        object_text(|members| write_list(members.value("records"), records, Record::write_json))
    }
}

impl Request for NewRecords {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let record = |value: &Value, _, _: &mut Faults| Some(Record::from_json(value));
        list(fields, "records", RECORDS, record).map(NewRecords)
    }
}

fn kind(fields: &mut Fields<'_>, name: &'static str) -> Option<RecordKind> {
    let kind = fields.text(name)?.parse().ok();
    if kind.is_none() {
        let kinds = RecordKind::ALL.map(RecordKind::as_str).join(", ");
        fields.fault(name, format!("must be a kind of record: {kinds}"));
    }
    kind
}

fn time(fields: &mut Fields<'_>, name: &'static str) -> Option<Timestamp> {
    let time = Timestamp::parse_precise(fields.text(name)?);
    if time.is_none() {
        fields.fault(
            name,
            "must be a time such as \"2021-03-08 22:14:28.473646\"",
        );
    }
    time
}

fn objects<T>(
    fields: &mut Fields<'_>,
    name: &'static str,
    what: &str,
    read: impl Fn(&mut Fields<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    list(fields, name, ELEMENTS, |value, place, faults| {
        let mut fields = Fields::of(value, place, what, faults)?;
        let found = read(&mut fields);
        fields.finish();
        found
    })
}

/// Reads a list, or returns `None` if an element is faulty.
fn list<T>(
    fields: &mut Fields<'_>,
    name: &'static str,
    most: usize,
    read: impl Fn(&Value, Pointer, &mut Faults) -> Option<T>,
) -> Option<Vec<T>> {
    let value = fields.required(name)?;
    let Some(values) = value.as_array() else {
        fields.fault(name, format!("must be a list, but is {}", value.kind()));
        return None;
    };
    if values.len() > most {
        let message = format!(
            "must have at most {most} elements, but has {}",
            values.len()
        );
        fields.fault(name, message);
        return None;
    }
    let list = fields.pointer().child(name);
    let mut found = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let place = list.child(index.to_string());
        found.extend(read(value, place, fields.faults()));
    }
    (found.len() == values.len()).then_some(found)
}

fn fault<T>(faults: &mut Faults, pointer: Pointer, message: &str) -> Option<T> {
    let message = message.to_owned();
    faults.push(Fault { pointer, message });
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_a_request_is_reported_with_its_place() {
        fn faults<T: Request + std::fmt::Debug>(text: &str) -> String {
            T::from_text(text).unwrap_err().to_string()
        }
        let faults = [
            faults::<IdentitiesRequest>(
                r#"{"kind": "planet", "parts": [0, 256, -1, "a"], "more": 1}"#,
            ),
            faults::<MissingRequest>(r#"{"identities": ["x", 7]}"#),
            faults::<Questions>(r#"{"questions": [{"since": ""}, 1]}"#),
            faults::<WantedRecords>(r#"{"wanted": [{"kind": "assertion", "uuid": "x"}, {}]}"#),
            faults::<NewRecords>("[]"),
            faults::<NewRecords>(r#"{"records": {}}"#),
            faults::<NewRecords>(&format!(r#"{{"records": [{}1]}}"#, "1,".repeat(RECORDS))),
            faults::<MissingRequest>(&format!(
                r#"{{"kind": "test", "identities": [{}1]}}"#,
                "1,".repeat(ELEMENTS)
            )),
            faults::<MissingRequest>("{"),
        ];
        insta::assert_snapshot!(faults.join("\n"));
    }
}
