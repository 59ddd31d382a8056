//! Features with several values: the elements of lists, the values of tuples, the entries of maps.

use syn::{Type, TypeTuple, parse_quote};
use tdg_definition::FeatureType;
use tdg_definition::json::{Pointer, Value};

use super::alias::may_be_alias;
use super::constant::is_mark;
use super::definition::{CodeFeature, FeatureReader, example};
use super::list::{self, ListType};
use super::maker::Maker;
use super::members::Members;
use super::origin::FeatureOrigin;
use super::tuple::{self, distribution};
use super::{any, maker, map, range};
use crate::types::{feature_type, in_option, text, ungroup};

impl FeatureReader<'_> {
    /// Finds the types of the parts, and checks how they are drawn. Returns false without parts.
    pub(super) fn find_parts(&mut self, value: &Type, feature: &mut CodeFeature) -> bool {
        if let Some(list) = ListType::from_type(value) {
            self.find_elements(&list, feature);
            return true;
        }
        if let Some(tuple) = tuple::tuple_type(value) {
            self.find_values(tuple, feature);
            return true;
        }
        if let Some(kinds) = map::entry_types(value) {
            self.find_entries(kinds, feature);
            return true;
        }
        let Some(drawn) = feature
            .members
            .get("distribution")
            .filter(|it| draws_parts(it))
        else {
            return false;
        };
        let is_open = matches!(value, Type::Infer(_));
        let problem = match self.origin.maker {
            None if !is_open && !may_be_alias(value) => return false,
            Some(maker) if maker.is_parse() => {
                "`parse` reads one text, but this draws several values; write it after the value \
                 that it reads, as in (pattern(regex = \"[0-9]\"), parse)"
            }
            Some(_) if is_map(drawn) => {
                "keys and values are drawn; name their types in a closure: via = |map: \
                 BTreeMap<String, i64>| …"
            }
            Some(_) if !is_open => {
                "several values are drawn, but the closure takes one; give it a parameter for \
                 each, or one for all: via = |a: i64, b: i64| …, via = |xs: Vec<i64>| …"
            }
            _ => {
                let open: Type = parse_quote!(_);
                if is_map(drawn) {
                    self.find_entries((&open, &open), feature);
                } else if drawn.get("element").is_some() {
                    self.find_elements(&ListType::alone(&open), feature);
                } else {
                    let values = drawn.get("features").and_then(Value::as_array);
                    let kinds = values.unwrap_or_default().iter().map(|_| &open);
                    self.find_values(&parse_quote!((#(#kinds,)*)), feature);
                }
                return true;
            }
        };
        let place = self.origin.maker.map(Maker::place);
        self.refuse(place, problem.to_owned());
        true
    }

    /// Finds the type of the elements, and checks how they are drawn.
    fn find_elements(&mut self, list: &ListType<'_>, feature: &mut CodeFeature) {
        let at = self.pointer.child("distribution");
        if feature.members.get("distribution").is_some_and(is_map) {
            let problem = "this takes a list, but keys and values are drawn; write [any; 0..=5]";
            return self.refuse(self.places.tokens(&at), problem.to_owned());
        }
        let (mut distribution, element) = match feature.members.remove("distribution") {
            Some(Value::Object(mut list)) if list.get("type") == Some(&"list".into()) => {
                let element = match list.remove("element") {
                    Some(Value::Object(element)) => element,
                    _ => Members::new(),
                };
                (list, element)
            }
            // An element's distribution alone: `#[define(any)] xs: &[u32]`.
            other => {
                let of_element = at.child("element").child("distribution");
                self.places.copy(&at, &of_element);
                let mut element = Members::new();
                other.and_then(|drawn| element.insert("distribution", drawn));
                let mut list = Members::new();
                list.insert("type", Value::from("list"));
                (list, element)
            }
        };
        if let Some(sorted) = feature.members.remove("sorted") {
            self.move_places("sorted");
            distribution.insert("sorted", sorted);
        }
        let given = feature.members.remove("length");
        let of_type = list.stated_length(self.places);
        self.settle_length(&mut distribution, given, of_type);
        let element = self.find_part(list.element, &["distribution", "element"], element, feature);
        distribution.insert("element", Value::Object(element));
        // The values of derived types aren't known.
        match feature.drawn_by_types().next().is_none() {
            true if list.is_set => list::make_unique(&mut distribution),
            true => {}
            false => self.places.silence(at.child("sorted")),
        }
        feature.members.insert("type", Value::from("LIST"));
        feature
            .members
            .insert("distribution", Value::Object(distribution));
    }

    /// Moves the place of a word that is written after a drawn list into it.
    fn move_places(&mut self, word: &str) {
        let within = self.pointer.child("distribution").child(word);
        self.places.copy(&self.pointer.child(word), &within);
    }

    /// Sets the length of a drawn list, unless it is written `after` it or given by the type.
    pub(super) fn settle_length(
        &mut self,
        drawn: &mut Members,
        after: Option<Value>,
        of_type: Option<Value>,
    ) {
        let at = self.pointer.child("distribution");
        let places = [self.pointer.child("length"), at.child("length"), at.clone()];
        let mut written = places.iter().map(|it| self.places.tokens(it));
        let written = written.find(|it| !it.is_empty()).unwrap_or_default();
        if after.is_some() && drawn.contains_key("length") {
            return self.refuse(written, "there is already a length; keep one".to_owned());
        }
        if after.is_some() {
            self.move_places("length");
        }
        let stated = after.or_else(|| drawn.remove("length"));
        if let (Some(stated), Some(of_type)) = (&stated, &of_type)
            && stated != of_type
            && !is_mark(stated)
            && !is_mark(of_type)
        {
            let problem = format!("the array has {of_type} values; remove this length");
            return self.refuse(written, problem);
        }
        stated
            .or(of_type)
            .and_then(|length| drawn.insert("length", length));
        range::settle_length(drawn, &mut self.json().at(at));
    }

    /// Finds the types of a tuple's values, and checks how they are drawn.
    pub(super) fn find_values(&mut self, tuple: &TypeTuple, feature: &mut CodeFeature) {
        let count = tuple.elems.len();
        let kinds: Vec<&Type> = tuple.elems.iter().map(ungroup).collect();
        let is_stated = feature.members.contains_key("distribution");
        let values = values_of(feature, count);
        let each: Vec<String> = kinds.iter().copied().map(example_of).collect();
        let each = each.join(", ");
        let at = self.pointer.child("distribution");
        if !is_stated && kinds.iter().any(|kind| feature_type(kind).is_some()) {
            let name = &self.origin.place;
            let via = self.origin.maker.map_or("", |_| ", via = …");
            let problem =
                format!("`{name}` has no distribution; state one: #[define(({each}){via})]");
            return self.refuse(name, problem);
        }
        if values.len() != count {
            if !self.places.is_silent(&at) {
                let (name, written) = (&self.origin.place, self.places.tokens(&at));
                let problem = match self.origin.maker {
                    Some(maker) if maker.is_of_all() => format!(
                        "the closure has {count} parameters, so it needs as many values: \
                         #[define(({each}), via = …)]"
                    ),
                    _ => format!(
                        "`{name}` has {count} values, each drawn on its own: #[define(({each}))]"
                    ),
                };
                self.refuse(written, problem);
            }
            return self.places.silence(self.pointer.clone());
        }
        let mut found = Vec::with_capacity(count);
        for (kind, members) in kinds.into_iter().zip(values) {
            let position = found.len().to_string();
            let path = ["distribution", "features", &position];
            found.push(self.find_part(kind, &path, members, feature));
        }
        feature.members.insert("type", Value::from("OBJECT"));
        feature.members.insert("distribution", distribution(found));
    }

    /// Finds the types of a map's keys and values, and checks how they are drawn.
    fn find_entries(&mut self, kinds: (&Type, &Type), feature: &mut CodeFeature) {
        let is_any = any::is_alone(&feature.members);
        let stated = feature.members.remove("distribution");
        let given = feature.members.remove("length");
        let part = |path: [&str; 5]| {
            let part: Pointer = path[1..].iter().collect();
            let found = stated.as_ref().and_then(|map| part.find_in(map));
            found.and_then(Value::as_object).cloned()
        };
        let (key, value) = match (&stated, part(map::KEY), part(map::VALUE)) {
            (Some(drawn), Some(key), Some(value)) if is_map(drawn) => (key, value),
            (Some(drawn), ..) if is_any => {
                let mut each = Members::new();
                each.insert("distribution", drawn.clone());
                (each.clone(), each)
            }
            _ => {
                let name = self.origin.place.clone();
                let problem = format!(
                    "`{name}` has no distribution for its keys and values; state it: \
                     #[define({{pattern(regex = \"[a-z]{{1,4}}\") => any; 0..=5}})]"
                );
                return self.refuse(name, problem);
            }
        };
        let length = stated.as_ref().and_then(|map| map.get("length").cloned());
        let key = self.find_part(kinds.0, &map::KEY, key, feature);
        let value = self.find_part(kinds.1, &map::VALUE, value, feature);
        let mut map = map::distribution(vec![key, value], length);
        self.settle_length(&mut map, given, None);
        feature.members.insert("type", Value::from("LIST"));
        feature.members.insert("distribution", Value::Object(map));
    }

    /// Finds the type of the feature's part at that path, and checks how it is drawn.
    pub(super) fn find_part(
        &mut self,
        kind: &Type,
        path: &[&str],
        members: Members,
        feature: &mut CodeFeature,
    ) -> Members {
        let position = path.last().and_then(|it| it.parse().ok()).unwrap_or(0);
        let origin = FeatureOrigin {
            place: self.origin.place.clone(),
            kind,
            maker: self.origin.maker.and_then(|it| it.of_part(position)),
            attributes: &[],
            written: self.origin.written,
        };
        let mut drawn = CodeFeature {
            name: String::new(),
            members,
            parts: Vec::new(),
            constants: Vec::new(),
            is_optional: false,
        };
        let mut reader = FeatureReader {
            origin: &origin,
            pointer: map::within(&self.pointer, path),
            part: map::within(&self.part, path),
            places: self.places,
            errors: self.errors,
        };
        reader.find_type(&mut drawn);
        feature.parts.append(&mut drawn.parts);
        drawn.members
    }
}

/// Returns true if a derived type may state how values of that type, or its parts, are drawn.
pub(crate) fn may_be_derived(kind: &Type) -> bool {
    let kind = maker::referent(kind);
    if let Some(value) = in_option(kind) {
        return may_be_derived(value);
    }
    if let Some(list) = ListType::from_type(kind) {
        return may_be_derived(list.element);
    }
    if let Some((key, value)) = map::entry_types(kind) {
        return may_be_derived(key) || may_be_derived(value);
    }
    match tuple::tuple_type(kind) {
        Some(tuple) => tuple.elems.iter().any(may_be_derived),
        None => may_be_alias(kind),
    }
}

/// Returns true if a list or a tuple is drawn.
fn draws_parts(distribution: &Value) -> bool {
    let is_tuple = distribution.get("form").and_then(Value::as_str) == Some("array");
    is_tuple || distribution.get("element").is_some()
}

fn is_map(distribution: &Value) -> bool {
    distribution.get("form").and_then(Value::as_str) == Some("map")
}

/// Returns an example of a distribution for that type, for messages.
fn example_of(kind: &Type) -> String {
    match feature_type(kind) {
        Some(known) => example(Some(known)).to_owned(),
        None if matches!(kind, Type::Infer(_)) => example(Some(FeatureType::Integer)).to_owned(),
        None => text(kind),
    }
}

/// Returns the members of each of `count` values. A bare `any` applies to all of them.
fn values_of(feature: &mut CodeFeature, count: usize) -> Vec<Members> {
    let is_any = any::is_alone(&feature.members);
    let Some(drawn) = feature.members.remove("distribution") else {
        return vec![Members::new(); count];
    };
    if is_any {
        let mut each = Members::new();
        each.insert("distribution", drawn);
        return vec![each; count];
    }
    let is_tuple = drawn.get("form") == Some(&Value::from("array"));
    let values = drawn.get("features").and_then(Value::as_array);
    let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let values = values.unwrap_or_default().iter().filter(|_| is_tuple);
    values.map(members).collect()
}
