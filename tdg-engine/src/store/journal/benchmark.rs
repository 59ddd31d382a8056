//! The second line of a journal: the benchmark, if the store may not have it because it is missing,
//! or the process couldn't open it.

use tdg_definition::json::Value;

#[cfg(feature = "sqlite-system")]
use super::entry::optional;
use crate::ensemble::Ensemble;
use crate::store::Expected;

/// A benchmark that the store may not have.
#[cfg(feature = "sqlite-system")]
#[derive(Clone, Debug, PartialEq)]
pub(in crate::store) struct JournalBenchmark {
    pub(in crate::store) ensemble: Ensemble,
    pub(in crate::store) outputs: String,
}

#[cfg(feature = "sqlite-system")]
impl JournalBenchmark {
    pub(super) fn from_value(value: &Value) -> Option<Self> {
        Some(Self {
            ensemble: ensemble(value.get("ensemble")?)?,
            outputs: optional(value, "outputs")?,
        })
    }
}

pub(super) fn to_value(expected: &Expected<'_>) -> Value {
    Value::object([
        ("ensemble", ensemble_value(expected.ensemble)),
        ("outputs", expected.outputs.into()),
    ])
}

fn ensemble_value(ensemble: &Ensemble) -> Value {
    let Ensemble {
        name,
        size,
        seed,
        sampler_version,
        digest,
        definition,
        rows,
    } = ensemble;
    let mut members = vec![
        ("name", Value::from(name.as_str())),
        ("size", (*size as u64).into()),
        ("seed", (*seed).into()),
        ("sampler", u64::from(*sampler_version).into()),
        ("digest", digest.as_str().into()),
        ("definition", definition.as_str().into()),
    ];
    members.extend(rows.as_deref().map(|rows| ("rows", rows.into())));
    Value::object(members)
}

#[cfg(feature = "sqlite-system")]
fn ensemble(value: &Value) -> Option<Ensemble> {
    let number = |name| value.get(name)?.as_u64();
    Some(Ensemble {
        name: optional(value, "name")?,
        size: usize::try_from(number("size")?).ok()?,
        seed: number("seed")?,
        sampler_version: u32::try_from(number("sampler")?).ok()?,
        digest: optional(value, "digest")?,
        definition: optional(value, "definition")?,
        rows: optional(value, "rows"),
    })
}
