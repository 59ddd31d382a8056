//! The members of a JSON object.

use std::collections::BTreeMap;
use std::slice::Iter;

use super::Value;
use crate::sort;

/// The members of a JSON object, sorted by the bytes of their keys.
///
/// Stored as a list, because objects are usually small and numerous: a member takes 56 bytes and
/// its texts, without spare capacity.
///
/// ```
/// use tdg_definition::json::{Object, Value};
///
/// let mut point = Object::from([("y", Value::from(2)), ("x", Value::from(1))]);
/// assert_eq!(point.insert("x", Value::from(3)), Some(Value::from(1)));
/// assert_eq!(Value::Object(point).to_string(), r#"{"x":3,"y":2}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Object {
    members: Vec<(String, Value)>,
}

impl Object {
    /// Creates an empty object.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an object with these members, in any order.
    ///
    /// # Errors
    ///
    /// The first duplicate key.
    pub fn from_members(members: Vec<(String, Value)>) -> Result<Self, String> {
        let object = Self::sorted(members);
        let mut pairs = object.members.windows(2);
        match pairs.find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(pair[0].0.clone()),
            None => Ok(object),
        }
    }

    /// Sorts the members and keeps duplicate keys.
    fn sorted(mut members: Vec<(String, Value)>) -> Self {
        if !members.is_sorted_by(|(left, _), (right, _)| left <= right) {
            sort::by(&mut members, |(left, _), (right, _)| left.cmp(right));
        }
        members.shrink_to_fit();
        Self { members }
    }

    /// Sorts the members and keeps the last value of each key. Not generic, to be compiled once.
    fn with_last_values(members: Vec<(String, Value)>) -> Self {
        let mut object = Self::sorted(members);
        object.members.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                std::mem::swap(later, earlier);
            }
            is_same
        });
        object
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns true if there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let place = self.place(key).ok()?;
        Some(&self.members[place].1)
    }

    /// Returns the mutable value of a key.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let place = self.place(key).ok()?;
        Some(&mut self.members[place].1)
    }

    /// Returns true if the key is present.
    pub fn contains_key(&self, key: &str) -> bool {
        self.place(key).is_ok()
    }

    /// Adds a member or replaces its value; returns the previous value.
    ///
    /// This moves all later members. For many members, use [`from_members`](Self::from_members).
    pub fn insert(&mut self, key: impl Into<String>, value: Value) -> Option<Value> {
        let key = key.into();
        match self.place(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.members[place].1, value)),
            Err(place) => {
                self.members.insert(place, (key, value));
                None
            }
        }
    }

    /// Returns the mutable value of a key, inserting it if missing.
    pub fn get_or_insert_with(
        &mut self,
        key: impl Into<String>,
        make: impl FnOnce() -> Value,
    ) -> &mut Value {
        let key = key.into();
        let place = self.place(&key).unwrap_or_else(|place| {
            self.members.insert(place, (key, make()));
            place
        });
        &mut self.members[place].1
    }

    /// Removes the member with this key and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let place = self.place(key).ok()?;
        Some(self.members.remove(place).1)
    }

    /// Returns the members, ordered by key.
    pub fn iter(&self) -> Iter<'_, (String, Value)> {
        self.members.iter()
    }

    /// Returns the keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &String> {
        self.members.iter().map(|(key, _)| key)
    }

    /// Returns the values, ordered by key.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.members.iter().map(|(_, value)| value)
    }

    /// Returns the mutable values, ordered by key.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Value> {
        self.members.iter_mut().map(|(_, value)| value)
    }

    /// The index of a key, or its insertion point.
    fn place(&self, key: &str) -> Result<usize, usize> {
        self.members
            .binary_search_by(|(other, _)| other.as_str().cmp(key))
    }
}

impl<'a> IntoIterator for &'a Object {
    type Item = &'a (String, Value);
    type IntoIter = Iter<'a, (String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

/// Keeps the last value of each key.
impl<K: Into<String>> FromIterator<(K, Value)> for Object {
    fn from_iter<T: IntoIterator<Item = (K, Value)>>(members: T) -> Self {
        let mut all = Vec::new();
        // A loop, because this is compiled for many iterators.
        for (key, value) in members {
            all.push((key.into(), value));
        }
        Self::with_last_values(all)
    }
}

impl<K: Into<String>, const N: usize> From<[(K, Value); N]> for Object {
    fn from(members: [(K, Value); N]) -> Self {
        members.into_iter().collect()
    }
}

impl From<BTreeMap<String, Value>> for Object {
    fn from(members: BTreeMap<String, Value>) -> Self {
        let members = members.into_iter().collect();
        Self { members }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn members() -> impl Strategy<Value = Vec<(String, Value)>> {
        let value = any::<i32>().prop_map(Value::from);
        prop::collection::vec(("[a-c]{0,3}", value), 0..40)
    }

    proptest! {
        #[test]
        fn it_is_what_a_sorted_map_is(members in members(), key in "[a-c]{0,2}") {
            let collected: Object = members.clone().into_iter().collect();
            let (mut map, mut object) = (BTreeMap::new(), Object::new());
            for (key, value) in members {
                prop_assert_eq!(object.insert(key.clone(), value.clone()), map.insert(key, value));
            }
            prop_assert_eq!(&object, &Object::from(map.clone()));
            prop_assert_eq!(&object, &collected);
            prop_assert_eq!(object.get(&key), map.get(&key));
            prop_assert_eq!(object.contains_key(&key), map.contains_key(&key));
            prop_assert!(object.keys().eq(map.keys()));
            prop_assert!(object.values().eq(map.values()));
            prop_assert_eq!(object.remove(&key), map.remove(&key));
            prop_assert_eq!((object.len(), object.is_empty()), (map.len(), map.is_empty()));
            prop_assert_eq!(object, Object::from(map));
        }

        #[test]
        fn members_come_in_any_order_and_each_key_once(members in members()) {
            let map: BTreeMap<String, Value> = members.iter().cloned().collect();
            let is_repeated = |key: &String| members.iter().filter(|(other, _)| other == key).count() > 1;
            match Object::from_members(members.clone()) {
                Ok(object) => {
                    prop_assert_eq!(map.len(), members.len());
                    prop_assert_eq!(object, Object::from(map));
                }
                Err(key) => prop_assert!(is_repeated(&key)),
            }
        }
    }
}
