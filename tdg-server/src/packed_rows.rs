//! The rows of an ensemble as they are sent: compressed once, when they are drawn.

use std::io::{self, Read, Write};

use axum::body::Bytes;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};

const BEFORE: &str = "{\"vectors\":";
const AFTER: &str = "}";

/// `{"vectors":[…]}`, gzipped.
#[derive(Clone, Debug)]
pub(crate) struct PackedRows(Bytes);

impl PackedRows {
    /// Of rows that are JSON: `[[12.44,3],…]`.
    pub(crate) fn pack(rows: &str) -> Self {
        let mut encoder = GzEncoder::new(Vec::with_capacity(rows.len() / 2), Compression::fast());
        // A vector takes everything.
        let written = [BEFORE, rows, AFTER]
            .iter()
            .try_for_each(|part| encoder.write_all(part.as_bytes()));
        let finished = written.and_then(|()| encoder.finish());
        PackedRows(finished.unwrap_or_default().into())
    }

    /// As they are stored.
    pub(crate) fn from_gzip(gzip: Vec<u8>) -> Self {
        PackedRows(gzip.into())
    }

    pub(crate) fn gzip(&self) -> &Bytes {
        &self.0
    }

    /// `{"vectors":[…]}`.
    ///
    /// # Errors
    ///
    /// If what was stored is damaged.
    pub(crate) fn unpack(&self) -> io::Result<String> {
        let mut text = String::new();
        GzDecoder::new(&self.0[..]).read_to_string(&mut text)?;
        Ok(text)
    }

    /// The rows alone.
    ///
    /// # Errors
    ///
    /// As [`unpack`](Self::unpack).
    pub(crate) fn rows(&self) -> io::Result<String> {
        let mut text = self.unpack()?;
        text.truncate(text.len().saturating_sub(AFTER.len()));
        text.drain(..BEFORE.len().min(text.len()));
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_unpacked_as_they_were_packed() {
        let packed = PackedRows::pack("[[1,\"é\"],[2,null]]");
        assert_eq!(
            packed.unpack().unwrap(),
            "{\"vectors\":[[1,\"é\"],[2,null]]}"
        );
        assert_eq!(packed.rows().unwrap(), "[[1,\"é\"],[2,null]]");
        let stored = PackedRows::from_gzip(packed.gzip().to_vec());
        assert_eq!(stored.rows().unwrap(), packed.rows().unwrap());
    }

    #[test]
    fn damaged_bytes_are_an_error() {
        let gzip = PackedRows::pack("[[1]]").gzip().to_vec();
        assert!(
            PackedRows::from_gzip(gzip[..gzip.len() - 9].to_vec())
                .unpack()
                .is_err()
        );
        assert!(PackedRows::from_gzip(Vec::new()).rows().is_err());
    }
}
