//! Bytes of every kind: text, broken text, and noise.

use super::length::{self, ListLength};
use super::part_reader::{PartReader, ReadStructured};
use super::path::Reference;
use super::structure::{FeatureValues, Structure};
use crate::bytes;
use crate::checkpoint;
use crate::column::{ByteCells, Cells};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::{Purpose, RowStream, StreamRows};
use crate::scalar::any::{self, CHARACTERS, EDGE_SHARE};
use crate::scalar::text::pattern::{Pattern, choose};
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Sampler, Support, Work};

/// `any` for all types; its bytes may be as long as another feature says.
pub(super) const ENTRY: CatalogueEntry<ReadStructured> = any::ENTRY.with_read(read);

/// The bytes that never occur in UTF-8.
const NEVER: [u8; 13] = [
    0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
];

/// Bytes of the given length, in four equally likely kinds: printable ASCII; UTF-8; UTF-8 made
/// invalid by changing, cutting or doubling one byte; and uniformly random bytes.
struct AnyBytes {
    length: ListLength,
    /// The pattern of one character.
    character: Pattern,
}

/// Reads the parameters of `any`.
fn read(fields: &mut Fields<'_>, kind: FeatureType, reader: &PartReader) -> Option<FeatureValues> {
    if kind != FeatureType::Bytes {
        return any::read(fields, kind).map(FeatureValues::Scalar);
    }
    Some(FeatureValues::structured(AnyBytes {
        length: ListLength::read(fields, reader)?,
        character: Pattern::from_regex(CHARACTERS)?,
    }))
}

impl Distribution for AnyBytes {
    fn canonical(&self) -> Canonical {
        (ENTRY.name, vec![(length::NAME, self.length.to_value())])
    }

    /// Returns the bounds of the lengths.
    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        let (shortest, longest) = self.length.bounds();
        (Some(shortest.into()), Some(longest.into()))
    }

    /// Zero if another feature sets the length, because few edge values have it.
    fn edge_share(&self) -> f64 {
        match self.length.reference() {
            Some(_) => 0.0,
            None => EDGE_SHARE,
        }
    }

    fn work(&self) -> Work {
        let mean = self.length.mean();
        self.length
            .work_of(mean, Work::each(120))
            .and(Work::each(300))
    }

    /// The lengths have separate words, so a different length gives the same kind of bytes.
    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let lengths = self.length.draw(rows);
            let stream = rows.stream().within("");
            let contents = StreamRows::at(&stream, rows.places());
            let mut cells = ByteCells::default();
            for (row, &length) in lengths.iter().enumerate() {
                if row % 16 == 0 {
                    checkpoint();
                }
                let mut draws = contents.draws(Purpose::Value, row);
                cells.push(&self.bytes(length as usize, &mut draws));
            }
            Cells::Bytes(cells)
        })
    }
}

impl Structure for AnyBytes {
    fn possible(&self) -> Support<'_> {
        let (shortest, longest) = self.length.bounds();
        let lengths = shortest..=longest;
        Support::Strings {
            simplest: "a".repeat(shortest as usize),
            has: Box::new(move |text| {
                let bytes = bytes::unescape(text);
                bytes.is_ok_and(|bytes| lengths.contains(&(bytes.len() as i128)))
            }),
        }
    }

    fn reference(&self) -> Option<&Reference> {
        self.length.reference()
    }

    fn adjusted(&self, value: &Value, to: Option<&Value>, was: Option<&Value>) -> Option<Value> {
        self.length.adjusted(value, to, was)
    }

    fn follows(&self, value: &Value, referred: Option<&Value>) -> bool {
        self.length.follows(value, referred)
    }
}

impl AnyBytes {
    fn bytes(&self, length: usize, draws: &mut RowStream) -> Vec<u8> {
        match choose(draws, 4) {
            0 => (0..length).map(|_| printable(draws)).collect(),
            1 => self.text(length, draws),
            2 => self.broken(length, draws),
            _ => (0..length).map(|_| choose(draws, 256) as u8).collect(),
        }
    }

    /// Draws UTF-8, padded with ASCII where the next character would be too long.
    fn text(&self, length: usize, draws: &mut RowStream) -> Vec<u8> {
        let mut text = String::new();
        while text.len() < length {
            let before = text.len();
            self.character.write(draws, &mut text);
            if text.len() > length {
                text.truncate(before);
                break;
            }
        }
        let mut bytes = text.into_bytes();
        while bytes.len() < length {
            bytes.push(printable(draws));
        }
        bytes
    }

    /// Draws UTF-8 with one byte broken.
    fn broken(&self, length: usize, draws: &mut RowStream) -> Vec<u8> {
        if length == 0 {
            return Vec::new();
        }
        let change = choose(draws, 3);
        let drawn = match change {
            0 => length,
            1 => length + 1,
            _ => length - 1,
        };
        let mut bytes = self.text(drawn, draws);
        // Removing or doubling one of these breaks its character.
        let wide: Vec<usize> = (0..drawn).filter(|at| !bytes[*at].is_ascii()).collect();
        if change == 0 || wide.is_empty() {
            bytes.resize(length, b' ');
            let at = choose(draws, length as u64) as usize;
            bytes[at] = NEVER[choose(draws, NEVER.len() as u64) as usize];
            return bytes;
        }
        let at = wide[choose(draws, wide.len() as u64) as usize];
        match change {
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, bytes[at]),
        }
        bytes
    }
}

fn printable(draws: &mut RowStream) -> u8 {
    b' ' + choose(draws, 95) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::feature_reader::READER;
    use crate::random::Stream;

    fn any_bytes() -> AnyBytes {
        let text = r#"{"type": "any", "length": {"min": 0, "max": 40}}"#;
        let value = crate::json::parse(text).unwrap();
        let mut faults = crate::fault::Faults::default();
        let pointer = crate::json::Pointer::root();
        let fields = Fields::of(&value, pointer, "a distribution", &mut faults);
        AnyBytes {
            length: ListLength::read(&mut fields.unwrap(), &READER).unwrap(),
            character: Pattern::from_regex(CHARACTERS).unwrap(),
        }
    }

    #[test]
    fn text_is_utf_8_and_broken_text_is_not() {
        let any = any_bytes();
        let stream = Stream::new(7, "x");
        for row in 0..3000 {
            for length in [0, 1, 2, 3, 17] {
                let text = any.text(length, &mut stream.row(Purpose::Value, row));
                assert!(str::from_utf8(&text).is_ok() && text.len() == length);
                let broken = any.broken(length, &mut stream.row(Purpose::Value, row));
                assert_eq!(str::from_utf8(&broken).is_err(), length > 0, "{broken:?}");
                assert_eq!(broken.len(), length);
            }
        }
    }

    #[test]
    fn each_kind_is_a_quarter() {
        let any = any_bytes();
        let stream = Stream::new(7, "x");
        let rows = 4000;
        let drawn = (0..rows).map(|row| any.bytes(12, &mut stream.row(Purpose::Value, row)));
        let (mut ascii, mut text) = (0, 0);
        for bytes in drawn {
            ascii += usize::from(bytes.iter().all(|byte| matches!(byte, b' '..=b'~')));
            text += usize::from(str::from_utf8(&bytes).is_ok());
        }
        // Twelve characters are rarely all printable, and noise is hardly ever text.
        assert!((950..1080).contains(&ascii), "{ascii}");
        assert!((1930..2070).contains(&text), "{text}");
    }
}
