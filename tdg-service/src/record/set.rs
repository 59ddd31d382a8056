//! Digests of sets of records, which let two stores find their differences.

use std::collections::BTreeMap;

use tdg_definition::json::Value;
use uuid::Uuid;

use super::super::object::{JsonForm, Malformed, members};

/// The digest of a set of identities: their number, and sums of their last bits, which are random
/// or a hash. Any database can compute it, in any order and in parts.
///
/// ```
/// use tdg_service::record::SetDigest;
/// use uuid::Uuid;
///
/// let [one, other] = [Uuid::new_v4(), Uuid::new_v4()];
/// let digest = |uuids: &[Uuid]| uuids.iter().copied().collect::<SetDigest>();
/// assert_eq!(digest(&[one, other]), digest(&[other, one]));
/// assert_ne!(digest(&[one]), digest(&[other]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetDigest {
    /// The number of identities.
    pub count: u64,
    /// The sum of the last 31 bits of each [mark](Self::mark).
    pub low: u64,
    /// The sum of the 31 bits before those.
    pub high: u64,
}

impl SetDigest {
    const HALF: u32 = 31;

    /// Returns the last 62 bits of an identity, which are random in versions 4 and 7, and a hash in
    /// version 8. A database with a column of marks sums `mark % 2147483648` and
    /// `mark / 2147483648`.
    pub fn mark(uuid: Uuid) -> i64 {
        (uuid.as_u128() & ((1 << (2 * Self::HALF)) - 1)) as i64
    }

    /// Adds an identity, which must not be in the set yet.
    pub fn add(&mut self, uuid: Uuid) {
        let mark = Self::mark(uuid) as u64;
        self.count += 1;
        self.low += mark & ((1 << Self::HALF) - 1);
        self.high += mark >> Self::HALF;
    }
}

impl FromIterator<Uuid> for SetDigest {
    fn from_iter<T: IntoIterator<Item = Uuid>>(uuids: T) -> Self {
        let mut digest = SetDigest::default();
        uuids.into_iter().for_each(|uuid| digest.add(uuid));
        digest
    }
}

members! { SetDigest: count, low, high }

/// The digests of the parts of a set, which is split by the last byte of the identities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetDigests(BTreeMap<u8, SetDigest>);

impl SetDigests {
    /// Returns the part that an identity belongs to.
    pub fn part(uuid: Uuid) -> u8 {
        uuid.as_bytes()[15]
    }

    /// Returns the digests by part, in order.
    pub fn parts(&self) -> impl Iterator<Item = (u8, &SetDigest)> {
        self.0.iter().map(|(part, digest)| (*part, digest))
    }

    /// Returns the parts in which two sets differ.
    pub fn differing(&self, other: &SetDigests) -> Vec<u8> {
        let parts = 0..=u8::MAX;
        parts
            .filter(|part| self.0.get(part) != other.0.get(part))
            .collect()
    }
}

/// An object with the digests by part: `{"0": {"count": 1, …}, …}`.
impl JsonForm for SetDigests {
    fn write_json(&self, text: &mut String) {
        self.0.write_json(text);
    }

    fn from_json(value: &Value) -> Result<Self, Malformed> {
        JsonForm::from_json(value).map(SetDigests)
    }
}

impl FromIterator<Uuid> for SetDigests {
    fn from_iter<T: IntoIterator<Item = Uuid>>(uuids: T) -> Self {
        let mut digests = SetDigests::default();
        for uuid in uuids {
            digests.0.entry(Self::part(uuid)).or_default().add(uuid);
        }
        digests
    }
}

impl FromIterator<(u8, SetDigest)> for SetDigests {
    fn from_iter<T: IntoIterator<Item = (u8, SetDigest)>>(parts: T) -> Self {
        SetDigests(parts.into_iter().collect())
    }
}
