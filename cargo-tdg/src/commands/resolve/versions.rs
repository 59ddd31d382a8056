//! The versions of a file in conflict, with their cases.

use tdg_engine::snapshot::{Snapshot, not_replacing};

use crate::commands::sync::with_cases;
use crate::error::{Context as _, Error, Result};
use crate::git::{Sides, Versions};
use crate::record::RecordedTest;

/// The versions of a file, with the cases of pinned benchmarks.
pub(super) struct ParsedVersions {
    pub(super) base: Option<Snapshot>,
    pub(super) ours: Snapshot,
    pub(super) theirs: Snapshot,
    /// The pinned benchmark that the cases will replace.
    pub(super) replaced: Option<String>,
}

impl ParsedVersions {
    /// Reads the versions. Both sides must have cases.
    pub(super) fn parse(record: &RecordedTest, versions: &Versions, sides: &Sides) -> Result<Self> {
        let location = record.location();
        let parse = |text: &String| Ok::<_, Error>(Snapshot::parse(text.clone())?);
        let side = |text: &Option<String>, name: &str, other: &str| match text {
            Some(text) => parse(text).context(format_args!("{location} in {name}")),
            None => Err(Error::new(format!(
                "{name} removed {location}, and {other} changed it; `git rm` it or `git add` it"
            ))),
        };
        let ours = side(&versions.ours, &sides.ours, &sides.theirs)?;
        let theirs = side(&versions.theirs, &sides.theirs, &sides.ours)?;
        let whole = |side: Snapshot, name: &str| {
            unpinned(record, side).map_err(|error| {
                Error::new(format!(
                    "{location} in {name}: {error}; or take one side whole (git checkout --ours or \
                     --theirs), then run the test"
                ))
            })
        };
        let base = versions.base.as_ref().and_then(|text| parse(text).ok());
        let replaced = ours.pin().map(|pin| pin.benchmark.as_str());
        Ok(Self {
            // An unreadable base counts as missing.
            base: base.and_then(|base| unpinned(record, base).ok()),
            replaced: replaced.or(ours.replaces()).map(str::to_owned),
            ours: whole(ours, &sides.ours)?,
            theirs: whole(theirs, &sides.theirs)?,
        })
    }
}

/// Returns a version with its cases, without the mark that read-only runs refuse.
fn unpinned(record: &RecordedTest, version: Snapshot) -> Result<Snapshot> {
    match version.replaces() {
        Some(replaced) => Ok(Snapshot::parse(not_replacing(version.text(), replaced))?),
        None => with_cases(record, version),
    }
}
