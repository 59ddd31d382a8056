//! What every place that can be synchronised does ([`Replica`]), as ordinary functions: run by the
//! local store, and by a client in front of a server on each of its databases.
//!
//! Every law gets a project of which nothing is there but itself. It panics where the place breaks
//! it.

mod bounds;
mod content;
mod deleted;
mod histories;
mod rules;
mod sample;

use tdg_service::record::ProjectRecord;
use tdg_service::sync::Replica;
use tdg_service::{Timestamp, Uuid};

/// An identity of version 7 of a time, the same for the same number.
pub fn timed(time: Timestamp, number: u128) -> Uuid {
    let millis = time.as_micros().div_euclid(1000).cast_unsigned();
    Uuid::from_u128(u128::from(millis) << 80 | 7 << 76 | 2 << 62 | number)
}

/// A project of which nothing is there but itself.
pub struct Place<'p> {
    /// The project.
    pub project: ProjectRecord,
    /// Where it is.
    pub replica: &'p dyn Replica,
}

/// Something that holds for every place.
#[derive(Clone, Copy)]
pub struct Law {
    /// The law as a sentence.
    pub name: &'static str,
    /// Panics where it doesn't hold.
    pub holds: fn(&Place<'_>),
}

/// All laws.
pub fn laws() -> impl Iterator<Item = Law> {
    [
        content::LAWS,
        histories::LAWS,
        deleted::LAWS,
        rules::LAWS,
        bounds::LAWS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The laws that these functions state; their names are the sentences.
macro_rules! stating {
    ($($holds:ident),* $(,)?) => {
        pub(crate) const LAWS: &[crate::replica::Law] = &[$(crate::replica::Law {
            name: stringify!($holds),
            holds: $holds,
        }),*];
    };
}
use stating;
