//! The rows of an ensemble as they are stored and sent: compressed once, when they are drawn, and
//! unpacked for clients that don't accept compression.

use std::io::{self, Cursor, Read, Write};
use std::iter;

use axum::body::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::memory::InUse;

const BEFORE: &str = "{\"vectors\":";
const AFTER: &str = "}";

/// The maximum size of a part of unpacked rows, in bytes.
pub(crate) const PART: usize = 64 << 10;

/// A response body, `{"vectors":[…]}`, gzipped or not.
#[derive(Clone, Debug)]
pub(crate) struct RowsBody {
    bytes: Bytes,
    in_use: InUse,
}

/// Rows that are gzipped.
#[derive(Clone, Debug)]
pub(crate) struct PackedRows(pub(crate) RowsBody);

impl RowsBody {
    fn new(bytes: Vec<u8>) -> Self {
        RowsBody {
            bytes: bytes.into(),
            in_use: InUse::default(),
        }
    }

    pub(crate) fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Returns the memory of the bytes.
    pub(crate) fn in_use(&self) -> &InUse {
        &self.in_use
    }
}

impl PackedRows {
    /// Compresses rows in JSON: `[[12.44,3],…]`.
    pub(crate) fn pack(rows: &str) -> Self {
        Self::from_gzip(gzip(&[BEFORE, rows, AFTER]))
    }

    /// Converts from the stored form.
    pub(crate) fn from_gzip(gzip: Vec<u8>) -> Self {
        PackedRows(RowsBody::new(gzip))
    }

    pub(crate) fn gzip(&self) -> &Bytes {
        &self.0.bytes
    }

    /// Returns the uncompressed length in bytes, which is at the end of gzip data.
    pub(crate) fn length(&self) -> usize {
        let length = self.gzip().last_chunk().copied().map(u32::from_le_bytes);
        length.unwrap_or_default() as usize
    }

    /// Returns `{"vectors":[…]}` in parts, so that a slow client needs only one of them in memory.
    /// The last is an error if the stored bytes are damaged.
    pub(crate) fn parts(&self) -> impl Iterator<Item = io::Result<Bytes>> + Send + use<> {
        let mut decoder = GzDecoder::new(Cursor::new(self.gzip().clone()));
        iter::from_fn(move || {
            let mut part = Vec::with_capacity(PART);
            match decoder.by_ref().take(PART as u64).read_to_end(&mut part) {
                Ok(0) => None,
                Ok(_) => Some(Ok(part.into())),
                Err(error) => Some(Err(error)),
            }
        })
    }

    /// Unpacks the whole `{"vectors":[…]}`.
    ///
    /// # Errors
    ///
    /// If the stored bytes are damaged.
    pub(crate) fn unpack(&self) -> io::Result<RowsBody> {
        let mut json = Vec::with_capacity(self.length());
        GzDecoder::new(&self.gzip()[..]).read_to_end(&mut json)?;
        Ok(RowsBody::new(json))
    }

    /// Returns the rows as JSON: `[[12.44,3],…]`.
    ///
    /// # Errors
    ///
    /// If the stored bytes are damaged.
    pub(crate) fn rows(&self) -> io::Result<String> {
        let mut text = String::new();
        GzDecoder::new(&self.gzip()[..]).read_to_string(&mut text)?;
        text.truncate(text.len().saturating_sub(AFTER.len()));
        text.drain(..BEFORE.len().min(text.len()));
        Ok(text)
    }
}

/// Compresses parts of a text.
pub(crate) fn gzip(parts: &[&str]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut encoder = GzEncoder::new(Vec::with_capacity(length / 2), Compression::fast());
    // Writing to a vector can't fail.
    let mut parts = parts.iter();
    let written = parts.try_for_each(|part| encoder.write_all(part.as_bytes()));
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(packed: &PackedRows) -> io::Result<Vec<u8>> {
        let parts = packed.parts().collect::<io::Result<Vec<_>>>()?;
        Ok(parts.concat())
    }

    #[test]
    fn many_rows_are_unpacked_in_parts() {
        let rows = format!("[{}[0]]", "[12345678],".repeat(20_000));
        let packed = PackedRows::pack(&rows);
        let parts: Vec<_> = packed.parts().map(Result::unwrap).collect();
        assert!(parts.len() > 3 && parts.iter().all(|part| part.len() <= PART));
        let parts = parts.concat();
        assert_eq!(parts, format!("{BEFORE}{rows}{AFTER}").as_bytes());
        assert_eq!(packed.unpack().unwrap().bytes(), &parts);
        assert_eq!(parts.len(), packed.length());
    }

    #[test]
    fn rows_are_unpacked_as_they_were_packed() {
        let packed = PackedRows::pack("[[1,\"é\"],[2,null]]");
        assert_eq!(
            all(&packed).unwrap(),
            b"{\"vectors\":[[1,\"\xc3\xa9\"],[2,null]]}"
        );
        assert_eq!(packed.rows().unwrap(), "[[1,\"é\"],[2,null]]");
        let stored = PackedRows::from_gzip(packed.gzip().to_vec());
        assert_eq!(stored.rows().unwrap(), packed.rows().unwrap());
    }

    #[test]
    fn damaged_bytes_are_an_error() {
        let gzip = PackedRows::pack("[[1]]").gzip().to_vec();
        assert!(all(&PackedRows::from_gzip(gzip[..gzip.len() - 9].to_vec())).is_err());
        let nothing = PackedRows::from_gzip(Vec::new());
        assert!(nothing.rows().is_err() && nothing.unpack().is_err());
    }
}
