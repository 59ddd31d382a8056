//! Bytes: what `&[u8]`, `Vec<u8>` and `[u8; N]` hold, unless each number is drawn on its own.

use syn::Type;
use tdg_definition::FeatureType;
use tdg_definition::json::Value;

use super::definition::{CodeFeature, FeatureReader};
use super::list::ListType;
use super::members::Members;
use super::{drawn, range};
use crate::types::{last_word, text};

/// Whether the values of a feature of that type are bytes.
pub(super) fn are_drawn(kind: &Type, feature: &Members) -> bool {
    match feature.get("type").and_then(Value::as_str) {
        Some(stated) => FeatureType::from_name(stated) == Some(FeatureType::Bytes),
        None => {
            let distribution = feature.get("distribution");
            hold_bytes(kind) && distribution.is_some_and(draws_bytes)
        }
    }
}

fn hold_bytes(kind: &Type) -> bool {
    let is_set = last_word(kind).is_some_and(|word| word.to_string().ends_with("Set"));
    let element = ListType::of(kind).filter(|_| !is_set);
    element.is_some_and(|list| last_word(list.element).is_some_and(|word| word == "u8"))
}

fn draws_bytes(distribution: &Value) -> bool {
    let name = distribution.get("type").and_then(Value::as_str);
    // A regular expression that is faulty is no list of numbers either.
    matches!(name, Some("pattern" | "regex")) || drawn::can_be(distribution, FeatureType::Bytes)
}

impl FeatureReader<'_> {
    /// Settles how bytes for a value of that type are drawn.
    pub(super) fn find_bytes(&mut self, kind: &Type, feature: &mut CodeFeature) {
        feature.members.insert("type", Value::from("BYTES"));
        let given = feature.members.remove("length");
        let at = self.pointer.child("distribution");
        let Some(Value::Object(distribution)) = feature.members.get_mut("distribution") else {
            return;
        };
        let name = distribution.get("type").and_then(Value::as_str);
        let name = name.unwrap_or_default().to_owned();
        if name != "any" {
            if given.is_some() {
                let problem = format!(
                    "`{name}` says itself how long its bytes are; `length` is of any: \
                     any, length(0..=64)"
                );
                let written = self.places.tokens(&self.pointer.child("length"));
                self.refuse(written, problem);
            }
            return;
        }
        let stated = ListType::of(kind).and_then(|list| list.stated_length());
        if let (Some(given), Some(stated)) = (&given, &stated)
            && given != stated
        {
            let problem = format!("`{}` has its length already; remove this one", text(kind));
            let written = self.places.tokens(&self.pointer.child("length"));
            return self.refuse(written, problem);
        }
        if let Some(length) = given.or(stated) {
            distribution.get_or_insert_with("length", || length);
        }
        range::settle_length(distribution, &at, self.places, self.errors);
    }
}
