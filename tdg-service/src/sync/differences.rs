//! The records that only one of two places has.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::{Replica, Wanted};
use crate::Result;
use crate::record::{RecordKind, SetDigest, SetDigests};

/// The records of a kind that only one of two places has.
#[derive(Debug, Default)]
pub(super) struct Differences {
    pub(super) only_here: Vec<Wanted>,
    pub(super) only_there: Vec<Wanted>,
    /// The number of those that both have.
    pub(super) both: u64,
}

/// Of a kind other than assertions.
pub(super) fn of_kind(
    kind: RecordKind,
    here: (&dyn Replica, &SetDigests),
    there: (&dyn Replica, &SetDigests),
) -> Result<Differences> {
    let parts = here.1.differing(there.1);
    let equal = here.1.parts().filter(|(part, _)| !parts.contains(part));
    let mut both = equal.map(|(_, digest): (_, &SetDigest)| digest.count).sum();
    if parts.is_empty() {
        return Ok(Differences {
            both,
            ..Differences::default()
        });
    }
    let identities = |of: &dyn Replica| -> Result<BTreeSet<Uuid>> {
        Ok(of.identities(kind, &parts)?.into_iter().collect())
    };
    let (ours, theirs) = (identities(here.0)?, identities(there.0)?);
    both += ours.intersection(&theirs).count() as u64;
    let missing = |uuids: &BTreeSet<Uuid>, others: &BTreeSet<Uuid>| {
        let missing = uuids.difference(others);
        missing.map(|&uuid| Wanted::Other(kind, uuid)).collect()
    };
    Ok(Differences {
        only_here: missing(&ours, &theirs),
        only_there: missing(&theirs, &ours),
        both,
    })
}
