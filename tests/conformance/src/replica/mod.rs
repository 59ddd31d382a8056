//! The behaviour of every place that can be synchronised ([`Replica`]), as ordinary functions. They
//! are run by the local store, and by a client in front of a server on each of its databases.
//!
//! Every law gets a project without any other records, and panics if the place breaks it.

mod bounds;
mod content;
mod deletions;
mod histories;
mod rules;
mod sample;

use tdg_service::record::ProjectRecord;
use tdg_service::sync::Replica;
use tdg_service::{Timestamp, Uuid};

/// Returns an identity of version 7 for a time, always the same for the same number.
pub fn timed(time: Timestamp, number: u128) -> Uuid {
    let millis = time.as_micros().div_euclid(1000).cast_unsigned();
    Uuid::from_u128(u128::from(millis) << 80 | 7 << 76 | 2 << 62 | number)
}

/// A project without any other records.
pub struct Place<'p> {
    /// The project.
    pub project: ProjectRecord,
    /// The place that has it.
    pub replica: &'p dyn Replica,
}

/// A property that holds for every place.
#[derive(Clone, Copy)]
pub struct Law {
    /// The law as a sentence.
    pub name: &'static str,
    /// A function that panics unless the law holds.
    pub holds: fn(&Place<'_>),
}

/// Returns all laws.
pub fn laws() -> impl Iterator<Item = Law> {
    [
        content::LAWS,
        histories::LAWS,
        deletions::LAWS,
        rules::LAWS,
        bounds::LAWS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Defines the laws of these functions, whose names are the sentences.
macro_rules! stating {
    ($($holds:ident),* $(,)?) => {
        pub(crate) const LAWS: &[crate::replica::Law] = &[$(crate::replica::Law {
            name: stringify!($holds),
            holds: $holds,
        }),*];
    };
}
use stating;
