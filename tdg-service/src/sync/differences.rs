//! The records that only one of two places has.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::{Replica, Wanted};
use crate::record::{RecordKind, SetDigest, SetDigests};
use crate::{Result, ServiceError};

/// The records of a kind that only one of two places has.
#[derive(Debug, Default)]
pub(super) struct Differences {
    pub(super) only_here: Vec<Wanted>,
    pub(super) only_there: Vec<Wanted>,
    /// The number of records at both places.
    pub(super) both: u64,
}

/// The number of records that others may add to a place between two requests.
const MEANWHILE: u64 = 10_000;

/// Finds the differences in a kind other than assertions.
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
    let identities = |(of, digests): (&dyn Replica, &SetDigests)| -> Result<BTreeSet<Uuid>> {
        let found = of.identities(kind, &parts)?;
        let promised = digests.parts().filter(|(part, _)| parts.contains(part));
        let promised: u64 = promised.map(|(_, digest)| digest.count).sum();
        if found.len() as u64 > promised.saturating_add(MEANWHILE) {
            return Err(ServiceError::unexpected(format!(
                "one side lists {} identities of kind {kind}, but announced {promised}: run this \
                 again, or check the server",
                found.len()
            )));
        }
        Ok(found.into_iter().collect())
    };
    let (ours, theirs) = (identities(here)?, identities(there)?);
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::record::Record;
    use crate::sync::wire::MissingResponse;
    use crate::sync::{BenchmarkHistory, HistoryQuestion, RecordOutcome};

    /// A place that lists this many identities and implements nothing else.
    struct Listing(u128);

    impl Replica for Listing {
        fn digests(&self) -> Result<BTreeMap<RecordKind, SetDigests>> {
            Ok(BTreeMap::new())
        }

        fn identities(&self, _: RecordKind, _: &[u8]) -> Result<Vec<Uuid>> {
            Ok((0..self.0).map(Uuid::from_u128).collect())
        }

        fn missing(&self, _: RecordKind, _: &[Uuid]) -> Result<MissingResponse> {
            Ok(MissingResponse::default())
        }

        fn histories(&self, _: &[HistoryQuestion]) -> Result<Vec<BenchmarkHistory>> {
            Ok(Vec::new())
        }

        fn records(&self, _: &[Wanted]) -> Result<Vec<Option<Record>>> {
            Ok(Vec::new())
        }

        fn add(&self, _: &[Record]) -> Result<Vec<RecordOutcome>> {
            Ok(Vec::new())
        }
    }

    #[test]
    fn a_place_that_lists_far_more_than_it_said_is_refused() {
        let (none, one) = (SetDigests::default(), [Uuid::nil()].into_iter().collect());
        let found = |count| {
            let (here, there) = (Listing(0), Listing(count));
            of_kind(RecordKind::Test, (&here, &none), (&there, &one))
        };
        // Others may have added some in the meantime.
        assert_eq!(found(10_001).unwrap().only_there.len(), 10_001);
        insta::assert_snapshot!(found(10_002).unwrap_err(), @"one side lists 10002 identities of kind test, but announced 1: run this again, or check the server");
    }
}
