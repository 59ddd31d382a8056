//! The features of a row as fields of a struct, by position.
//!
//! serde compares a name with all field names in turn, so a row of 900 features would take 400,000
//! comparisons. A derived `Deserialize` also takes positions.

use std::any::type_name;
use std::collections::HashMap;
use std::sync::OnceLock;

/// A position that no field has.
const NO_FIELD: u64 = u64::MAX;

/// The way in which the rows' struct finds its fields.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldOrder {
    found: OnceLock<FieldPositions>,
    takes_names: OnceLock<()>,
}

#[derive(Clone, Debug)]
struct FieldPositions {
    visitor: &'static str,
    fields: &'static [&'static str],
    /// The field of each feature.
    positions: Vec<u64>,
}

impl FieldOrder {
    /// Returns the fields of the features, once a row was read as the struct of visitor `V`.
    pub(super) fn positions<V>(&self, fields: &'static [&'static str]) -> Option<&[u64]> {
        let found = self.found.get()?;
        let is_it = std::ptr::eq(found.fields, fields) && found.visitor == type_name::<V>();
        (is_it && !self.takes_names()).then_some(&found.positions)
    }

    /// Notes that a row was read by names. This proves that no field has two names, since each name
    /// is a feature and serde refuses a repeated field.
    pub(super) fn note<'n, V>(
        &self,
        fields: &'static [&'static str],
        features: impl Iterator<Item = &'n str>,
    ) {
        if self.found.get().is_some() {
            return;
        }
        let by_name: HashMap<&str, u64> = fields.iter().copied().zip(0..).collect();
        let position = |name| by_name.get(name).copied().unwrap_or(NO_FIELD);
        let positions: Vec<u64> = features.map(position).collect();
        let bound = positions.iter().filter(|it| **it != NO_FIELD).count();
        if bound == fields.len() {
            self.found.get_or_init(|| FieldPositions {
                visitor: type_name::<V>(),
                fields,
                positions,
            });
        }
    }

    /// Returns true if the struct only takes names.
    pub(super) fn takes_names(&self) -> bool {
        self.takes_names.get().is_some()
    }

    /// Notes that the struct only takes names.
    pub(super) fn take_names(&self) {
        self.takes_names.get_or_init(|| ());
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::fmt;

    use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
    use serde::{Deserialize, Deserializer};
    use tdg_definition::Definition;

    use crate::row::Vectors;

    /// Creates three rows of integers. Feature n has the value n, plus 10 for each earlier row.
    fn rows(features: &[&str]) -> Vectors {
        let feature = |(start, name): (usize, &&str)| {
            format!(
                r#"{{"feature_name": "{name}", "type": "INTEGER",
                    "distribution": {{"type": "sequence", "start": {start}, "step": 10}}}}"#
            )
        };
        let features: Vec<_> = features.iter().enumerate().map(feature).collect();
        let text = format!(r#"{{"features": [{}]}}"#, features.join(","));
        Vectors::generate(&Definition::parse(&text).unwrap(), 0, 3)
    }

    fn read<'a, T: Deserialize<'a>>(vectors: &'a Vectors) -> Vec<Result<T, String>> {
        let read = |row: crate::Row<'a>| row.to().map_err(|error| error.to_string());
        vectors.rows().map(read).collect()
    }

    thread_local! {
        static KEYS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    /// Reads the fields a and b, and notes the keys that serde passes.
    #[derive(Debug, PartialEq)]
    struct Noted<const BY_NAME: bool>(u8, u8);

    impl<'de, const BY_NAME: bool> Deserialize<'de> for Noted<BY_NAME> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_struct("Noted", &["a", "b"], NotedVisitor::<BY_NAME>)
        }
    }

    struct NotedVisitor<const BY_NAME: bool>;

    impl<'de, const BY_NAME: bool> Visitor<'de> for NotedVisitor<BY_NAME> {
        type Value = Noted<BY_NAME>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("two fields")
        }

        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
            let mut noted = Noted(0, 0);
            while let Some(key) = map.next_key_seed(NotedKey::<BY_NAME>)? {
                match key.as_str() {
                    "a" | "0" => noted.0 = map.next_value()?,
                    "b" | "1" => noted.1 = map.next_value()?,
                    _ => drop(map.next_value::<IgnoredAny>()?),
                }
                KEYS.with_borrow_mut(|keys| keys.push(key));
            }
            Ok(noted)
        }
    }

    struct NotedKey<const BY_NAME: bool>;

    impl<'de, const BY_NAME: bool> DeserializeSeed<'de> for NotedKey<BY_NAME> {
        type Value = String;

        fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
            deserializer.deserialize_identifier(self)
        }
    }

    impl<const BY_NAME: bool> Visitor<'_> for NotedKey<BY_NAME> {
        type Value = String;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a key")
        }

        fn visit_str<E>(self, name: &str) -> Result<String, E> {
            Ok(name.to_owned())
        }

        fn visit_u64<E: serde::de::Error>(self, position: u64) -> Result<String, E> {
            match BY_NAME {
                true => Err(E::custom("a name, please")),
                false => Ok(position.to_string()),
            }
        }
    }

    fn keys_of<const BY_NAME: bool>(features: &[&str]) -> String {
        let vectors = rows(features);
        KEYS.take();
        let found = read::<Noted<BY_NAME>>(&vectors);
        let at = |name| features.iter().position(|it| *it == name).unwrap() as u8;
        let expected = |row: u8| Ok(Noted(10 * row + at("a"), 10 * row + at("b")));
        assert_eq!(found, [expected(0), expected(1), expected(2)]);
        KEYS.take().join(" ")
    }

    #[test]
    fn names_are_compared_in_one_row_only() {
        assert_eq!(keys_of::<false>(&["a", "b"]), "a b 0 1 0 1");
        assert_eq!(keys_of::<false>(&["b", "a"]), "b a 1 0 1 0");
        let none = u64::MAX;
        assert_eq!(
            keys_of::<false>(&["b", "c", "a"]),
            format!("b c a 1 {none} 0 1 {none} 0")
        );
    }

    #[test]
    fn a_struct_that_takes_names_only_is_given_names() {
        assert_eq!(keys_of::<true>(&["b", "a"]), "b a b a b a");
    }

    #[test]
    fn a_field_of_two_names_is_found_by_either() {
        #[derive(Debug, Deserialize, PartialEq)]
        struct Renamed {
            #[serde(alias = "a")]
            y: u8,
            x: u8,
        }
        let found = read::<Renamed>(&rows(&["x", "y"]));
        let of = |x, y| Ok(Renamed { y, x });
        assert_eq!(found, [of(0, 1), of(10, 11), of(20, 21)]);
        let found = read::<Renamed>(&rows(&["x", "a"]));
        assert_eq!(found, [of(0, 1), of(10, 11), of(20, 21)]);
        for error in read::<Renamed>(&rows(&["a", "x", "y"])) {
            assert!(error.unwrap_err().contains("duplicate field"));
        }
    }

    #[test]
    fn rows_are_read_as_several_structs() {
        #[derive(Debug, Deserialize, PartialEq)]
        struct One {
            a: u8,
            b: u8,
        }
        #[derive(Debug, Deserialize, PartialEq)]
        #[serde(deny_unknown_fields)]
        struct Other {
            b: u8,
            a: u8,
        }
        #[derive(Debug, Deserialize, PartialEq)]
        #[serde(deny_unknown_fields)]
        struct Few {
            a: u8,
        }
        let vectors = rows(&["a", "b"]);
        for _ in 0..2 {
            assert_eq!(read::<One>(&vectors)[2], Ok(One { a: 20, b: 21 }));
            assert_eq!(read::<Other>(&vectors)[2], Ok(Other { b: 21, a: 20 }));
            for error in read::<Few>(&vectors) {
                assert!(error.unwrap_err().contains("unknown field `b`"));
            }
        }
    }
}
