//! New identifiers, as the bytes of UUIDs.
//!
//! The random bits come from std: a crate that queries the system would slow down every build.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// Returns a random UUID (version 4).
#[must_use]
pub fn random() -> [u8; 16] {
    with_version(random_bits(), 4)
}

/// Returns a UUID ordered by time (version 7), for `microseconds` since 1970 UTC.
pub(crate) fn timed(microseconds: i64) -> [u8; 16] {
    let milliseconds = u128::from(microseconds.unsigned_abs() / 1000);
    with_version(milliseconds << 80 | random_bits() >> 48, 7)
}

/// Returns hashes of an empty input, since each hasher has its own random keys.
fn random_bits() -> u128 {
    let [high, low] = [(); 2].map(|()| u128::from(RandomState::new().build_hasher().finish()));
    high << 64 | low
}

fn with_version(bits: u128, version: u8) -> [u8; 16] {
    let mut bytes = bits.to_be_bytes();
    bytes[6] = bytes[6] & 0x0f | version << 4;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    bytes
}

#[cfg(all(test, feature = "sqlite-system"))]
mod tests {
    use uuid::{Uuid, Variant};

    use super::*;

    #[test]
    fn identifiers_are_of_their_versions_and_differ() {
        let [one, other] = [(); 2].map(|()| Uuid::from_bytes(random()));
        assert_eq!(one.get_version_num(), 4);
        assert_eq!(one.get_variant(), Variant::RFC4122);
        assert_ne!(one, other);

        let [earlier, later] = [1_700_000_000_000_999, 1_700_000_000_001_000]
            .map(|microseconds| Uuid::from_bytes(timed(microseconds)));
        assert_eq!(earlier.get_version_num(), 7);
        assert_eq!(earlier.get_variant(), Variant::RFC4122);
        assert!(earlier < later);
        let time = later.get_timestamp().unwrap().to_unix();
        assert_eq!(time, (1_700_000_000, 1_000_000));
    }

    #[test]
    fn every_random_bit_is_set_in_some_and_not_in_others() {
        let all: Vec<u128> = (0..1000).map(|_| u128::from_be_bytes(random())).collect();
        let ever = all.iter().fold(0, |ever, bits| ever | bits);
        let always = all.iter().fold(!0, |always, bits| always & bits);
        let version = u128::from_be_bytes(with_version(0, 4));
        let variable = u128::from_be_bytes(with_version(!0, 0)) & !(0b11 << 62);
        assert_eq!(ever, variable | version);
        assert_eq!(always, version);
    }
}
