//! Bytes: the values of `&[u8]`, `Vec<u8>` and `[u8; N]`, unless each number is drawn separately.

use proc_macro2::TokenStream;
use syn::Type;
use tdg_definition::FeatureType;
use tdg_definition::json::Value;

use super::definition::{CodeFeature, FeatureReader};
use super::drawn_type;
use super::list::ListType;
use super::members::Members;
use crate::types::last_word;

/// Returns true if the values of a feature of that type, drawn as `written`, are bytes.
fn are_drawn(kind: &Type, feature: &Members, written: &TokenStream) -> bool {
    match feature.get("type").and_then(Value::as_str) {
        Some(stated) => FeatureType::from_name(stated) == Some(FeatureType::Bytes),
        None => {
            let distribution = feature.get("distribution");
            let draws_bytes = |it| drawn_type::byte_string(written).is_some() || draws_bytes(it);
            hold_bytes(kind) && distribution.is_some_and(draws_bytes)
        }
    }
}

fn hold_bytes(kind: &Type) -> bool {
    let list = ListType::from_type(kind).filter(|list| !list.is_set);
    list.is_some_and(|list| last_word(list.element).is_some_and(|word| word == "u8"))
}

fn draws_bytes(distribution: &Value) -> bool {
    let name = distribution.get("type").and_then(Value::as_str);
    // A faulty regular expression isn't a list of numbers either.
    matches!(name, Some("pattern" | "regex"))
        || drawn_type::can_be(distribution, FeatureType::Bytes)
}

impl FeatureReader<'_> {
    /// Resolves how bytes for that type are drawn. Returns false if the type doesn't hold bytes.
    pub(super) fn find_bytes(&mut self, kind: &Type, feature: &mut CodeFeature) -> bool {
        let written = self.places.tokens(&self.pointer.child("distribution"));
        let are_drawn = are_drawn(kind, &feature.members, &written);
        if are_drawn {
            self.settle_bytes(kind, feature);
        }
        are_drawn
    }

    /// Rejects `b"…"` for a text, and then returns false.
    pub(super) fn check_texts(&mut self, feature: &CodeFeature) -> bool {
        let places = ["distribution", "edge_cases"].map(|member| self.pointer.child(member));
        let mut written = places.iter().map(|it| self.places.tokens(it));
        let Some(bytes) = written.find_map(|it| drawn_type::byte_string(&it)) else {
            return true;
        };
        let kind = feature.members.get("type").and_then(Value::as_str);
        let problem = format!(
            "`b\"…\"` is a value of BYTES, for `&[u8]` and `Vec<u8>`, but this is {}; write it \
             without the `b`",
            kind.unwrap_or("another type"),
        );
        self.refuse(bytes, problem);
        false
    }

    fn settle_bytes(&mut self, kind: &Type, feature: &mut CodeFeature) {
        feature.members.insert("type", Value::from("BYTES"));
        let given = feature.members.remove("length");
        let Some(Value::Object(distribution)) = feature.members.get_mut("distribution") else {
            return;
        };
        let name = distribution.get("type").and_then(Value::as_str);
        let name = name.unwrap_or_default().to_owned();
        if name != "any" {
            if given.is_some() {
                let problem = format!(
                    "`{name}` determines how long its bytes are; `length` goes with `any`: any, \
                     length(0..=64)"
                );
                let written = self.places.tokens(&self.pointer.child("length"));
                self.refuse(written, problem);
            }
            return;
        }
        let of_type = ListType::from_type(kind).and_then(|list| list.stated_length(self.places));
        self.settle_length(distribution, given, of_type);
    }
}
