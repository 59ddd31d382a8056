//! Random UUIDs.

use std::sync::Arc;

use crate::column::{Cells, Text};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::random::Purpose;
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Domain, Sampler, Support, Work};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("uuid", &[], &[FeatureType::String], read);

/// Version 4 (RFC 9562, section 5.4) in lower case: the words of the row's draws 0 and 1 are the
/// upper and the lower half of 128 bits; bits 48 to 51, counted from the left, become 0100, and
/// bits 64 and 65 become 10.
struct Uuid;

fn read(_: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    Some(Arc::new(Uuid))
}

impl Distribution for Uuid {
    fn canonical(&self) -> Canonical {
        (ENTRY.name, Vec::new())
    }

    /// With 122 random bits, two of at most 10,000 rows are equal with a probability of 10⁻²⁹.
    fn domain(&self) -> Domain<'_> {
        Domain::Distinct
    }

    fn support(&self) -> Support<'_> {
        Support::Drawn
    }

    fn work(&self) -> Work {
        Work::each(150)
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let words = |draw| rows.words(Purpose::Value, draw);
            let (upper, lower) = (words(0), words(1));
            let mut uuids = Text::default();
            let mut text = String::with_capacity(LENGTH);
            for row in 0..rows.len() {
                text.clear();
                write(&mut text, upper[row], lower[row]);
                uuids.push(&text);
            }
            Cells::Text(uuids)
        })
    }
}

/// 32 digits and 4 hyphens.
const LENGTH: usize = 36;

fn write(text: &mut String, upper: u64, lower: u64) {
    let upper = (upper & !0xF000) | 0x4000;
    let lower = (lower & !(0b11 << 62)) | (0b10 << 62);
    for (word, from, to) in [
        (upper, 0, 8),
        (upper, 8, 12),
        (upper, 12, 16),
        (lower, 0, 4),
        (lower, 4, 16),
    ] {
        if !text.is_empty() {
            text.push('-');
        }
        for digit in from..to {
            let digit = (word >> (60 - 4 * digit)) & 0xF;
            text.push(char::from(b"0123456789abcdef"[digit as usize]));
        }
    }
}
