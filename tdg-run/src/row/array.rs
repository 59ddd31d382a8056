//! Arrays of any length. serde itself only reads up to 32 values.

use serde_core::de::{Deserialize, Deserializer, Error};

/// An array of any length.
pub struct LongArray<T, const N: usize>(pub [T; N]);

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for LongArray<T, N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let values = Vec::deserialize(from)?;
        let length = values.len();
        let expected = format!("an array of {N}");
        let other_length = |_| Error::invalid_length(length, &expected.as_str());
        values.try_into().map(LongArray).map_err(other_length)
    }
}
