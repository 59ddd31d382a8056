//! Features of keys and values: maps.

use syn::Type;
use tdg_definition::json::{Pointer, Value};

use super::definition::{CodeFeature, FeatureReader};
use super::map::{KEY, VALUE, distribution, within};
use super::members::Members;
use super::{any, range};

impl FeatureReader<'_> {
    /// Finds the types of a map's keys and values, and checks how they are drawn.
    pub(super) fn find_entries(&mut self, kinds: (&Type, &Type), feature: &mut CodeFeature) {
        let is_any = any::is_alone(&feature.members);
        let stated = feature.members.remove("distribution");
        let given = feature.members.remove("length");
        let part = |path: [&str; 5]| {
            let part = within(&Pointer::root(), &path[1..]);
            let found = stated.as_ref().and_then(|map| part.find_in(map));
            found.and_then(Value::as_object).cloned()
        };
        let is_map = stated.as_ref().and_then(|map| map.get("form")) == Some(&"map".into());
        let (key, value) = match (&stated, part(KEY), part(VALUE)) {
            (Some(_), Some(key), Some(value)) if is_map => (key, value),
            (Some(drawn), ..) if is_any => {
                let mut each = Members::new();
                each.insert("distribution", drawn.clone());
                (each.clone(), each)
            }
            _ => {
                let name = self.origin.place.clone();
                let problem = format!(
                    "`{name}` has no distribution of its keys and values; state it: \
                     #[define({{pattern(regex = \"[a-z]{{1,4}}\") => any; 0..=5}})]"
                );
                return self.refuse(name, problem);
            }
        };
        let length = given.or_else(|| stated.as_ref()?.get("length").cloned());
        let key = self.find_part(kinds.0, &KEY, key, feature);
        let value = self.find_part(kinds.1, &VALUE, value, feature);
        let mut map = distribution(vec![key, value], length);
        let at = self.pointer.child("distribution");
        range::settle_length(&mut map, &at, self.places, self.errors);
        feature.members.insert("type", Value::from("LIST"));
        feature.members.insert("distribution", Value::Object(map));
    }
}
