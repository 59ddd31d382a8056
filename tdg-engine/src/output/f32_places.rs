//! The places in outputs that hold `f32`s.
//!
//! An output's text doesn't show this: the shortest text of `0.1_f32` is also the one of `0.1_f64`.

use std::collections::BTreeMap;

use tdg_definition::Policy;
use tdg_definition::json::{Number, Pointer, Value};
use tdg_definition::policy::ANY;

use super::{OutputForm, debug};

/// The number of decimals that distinguishes an `f32` from an `f64`.
pub const DECIMALS: usize = 17;
/// The key of the text with these decimals, next to the output's `$debug` key.
const PRECISE: &str = "$precise";
/// The number of elements of an array, and of members of an object, that are tracked separately.
const TOLD_APART: usize = 32;
/// The most places added to a policy, because policies in JSON are limited.
const PLACES: usize = 64;

/// The places in outputs that hold `f32`s, and the places that hold `f64`s.
///
/// ```
/// use tdg_definition::Policy;
/// use tdg_definition::json::{Number, Value};
/// use tdg_engine::output::F32Places;
///
/// let mut places = F32Places::default();
/// places.take(&mut Value::object([("x", Number::from(0.5_f32).into()), ("y", 0.5.into())]));
/// let policy = places.in_policy(&Policy::exact());
/// assert_eq!(policy.to_json().to_string(), r#"{"f32":["/x"]}"#);
/// ```
#[derive(Clone, Debug, Default)]
pub struct F32Places {
    has_f32: bool,
    has_f64: bool,
    /// Set if a `Debug` output has a float that is the same in both types, like 0.5.
    has_either: bool,
    elements: Vec<Self>,
    members: BTreeMap<String, Self>,
    /// The elements and members past the tracked ones.
    others: Option<Box<Self>>,
}

/// Returns a `Debug` output along with the precise text that identifies its `f32`s.
pub fn precise_debug(text: String, precise: String) -> Value {
    let mut output = OutputForm::Debug.of_text(text);
    if let Value::Object(members) = &mut output {
        members.insert(PRECISE, precise.into());
    }
    output
}

impl F32Places {
    /// Adds the places of an output. A `Debug` output identifies its `f32`s by a text with [more
    /// decimals](DECIMALS), which is removed from it: `0.1_f32` is 0.10000000149….
    pub fn take(&mut self, output: &mut Value) {
        if !self.take_precise(output) && has_f32(output) {
            self.add_value(output, None);
        }
    }

    fn take_precise(&mut self, output: &mut Value) -> bool {
        let Value::Object(members) = output else {
            return false;
        };
        if let Some(precise) = members.remove(PRECISE) {
            let texts = [OutputForm::Debug.text_in(output), precise.as_str()];
            if let [Some(text), Some(precise)] = texts {
                self.add_debug(text, precise);
            }
            return true;
        }
        let is_precise = |side: &&str| {
            members
                .get(side)
                .is_some_and(|it| it.get(PRECISE).is_some())
        };
        let Some(side) = ["Ok", "Err"].into_iter().find(is_precise) else {
            return false;
        };
        let mut value = members.remove(side).unwrap_or(Value::Null);
        let taken = self.at(side).take_precise(&mut value);
        members.insert(side, value);
        taken
    }

    /// Adds the places of a `Debug` output, given its text and the one with more decimals.
    pub fn add_debug(&mut self, text: &str, precise: &str) {
        self.add_value(&debug::read(text), Some(&debug::read(precise)));
    }

    /// Adds the places of other outputs.
    pub fn append(&mut self, other: &Self) {
        self.has_f32 |= other.has_f32;
        self.has_f64 |= other.has_f64;
        self.has_either |= other.has_either;
        for (index, element) in other.elements.iter().enumerate() {
            self.element(index).append(element);
        }
        for (name, member) in &other.members {
            self.at(name).append(member);
        }
        if let Some(others) = &other.others {
            self.others.get_or_insert_default().append(others);
        }
    }

    /// Returns the policy with the places that hold only `f32`s.
    pub fn in_policy(&self, policy: &Policy) -> Policy {
        let mut places = self.find(&Pointer::root());
        if places.len() > PLACES {
            places.clear();
        }
        let add = |policy: Policy, place: Pointer| {
            let added = policy.clone().f32_at(&place.to_string());
            added.unwrap_or(policy)
        };
        places.into_iter().fold(policy.clone(), add)
    }

    fn add_value(&mut self, value: &Value, precise: Option<&Value>) {
        match (value, precise) {
            (Value::Number(number), None) if number.is_float() => {
                self.add_type(number.as_f32().is_some())
            }
            (Value::Number(number), Some(precise)) if number.is_float() => {
                match is_f32(*number, precise) {
                    Some(is_f32) => self.add_type(is_f32),
                    None => self.has_either = true,
                }
            }
            (Value::Array(elements), _) => {
                let precise = precise.map(|it| it.as_array().unwrap_or_default());
                for (index, element) in elements.iter().enumerate() {
                    let precise = precise.map(|it| it.get(index).unwrap_or(&Value::Null));
                    self.element(index).add_value(element, precise);
                }
            }
            (Value::Object(members), _) => {
                for (name, member) in members {
                    let precise = precise.map(|it| it.get(name).unwrap_or(&Value::Null));
                    self.at(name).add_value(member, precise);
                }
            }
            _ => {}
        }
    }

    fn add_type(&mut self, is_f32: bool) {
        self.has_f32 |= is_f32;
        self.has_f64 |= !is_f32;
    }

    fn element(&mut self, index: usize) -> &mut Self {
        if index >= TOLD_APART {
            return self.others.get_or_insert_default();
        }
        if index >= self.elements.len() {
            self.elements.resize_with(index + 1, Self::default);
        }
        &mut self.elements[index]
    }

    /// Returns the places below the member with this name.
    pub fn at(&mut self, name: &str) -> &mut Self {
        if self.members.len() < TOLD_APART && !self.members.contains_key(name) {
            self.members.insert(name.to_owned(), Self::default());
        }
        match self.members.get_mut(name) {
            Some(member) => member,
            None => self.others.get_or_insert_default(),
        }
    }

    fn told_apart(&self) -> impl Iterator<Item = (String, &Self)> {
        let elements = self.elements.iter().enumerate();
        let elements = elements.map(|(index, it)| (index.to_string(), it));
        elements.chain(self.members.iter().map(|(name, it)| (name.clone(), it)))
    }

    /// Returns true if `is_it` holds for this place or one below it.
    fn has(&self, is_it: fn(&Self) -> bool) -> bool {
        let others = self.others.as_deref();
        let below = self.told_apart().map(|(_, it)| it).chain(others);
        is_it(self) || below.into_iter().any(|it| it.has(is_it))
    }

    /// Returns the smallest set of places, from `place` down, that covers `f32`s and nothing else.
    fn find(&self, place: &Pointer) -> Vec<Pointer> {
        let is_f64 = |it: &Self| it.has_f64 || it.has_either && !it.has_f32;
        match (self.has(|it| it.has_f32), self.has(is_f64)) {
            (false, _) => return Vec::new(),
            (true, false) => return vec![place.clone()],
            (true, true) => {}
        }
        if let Some(element) = self.element_alike() {
            return element.find(&place.child(ANY));
        }
        let told_apart = self.told_apart();
        told_apart
            .flat_map(|(name, it)| it.find(&place.child(&name)))
            .collect()
    }

    /// Merges all elements into one if they are alike, as in a list but not in a tuple.
    fn element_alike(&self) -> Option<Self> {
        let mut element = self.others.as_deref().cloned().unwrap_or_default();
        self.told_apart().for_each(|(_, it)| element.append(it));
        let is_list = self.elements.len() > 1 || self.others.is_some();
        let is_mixed = |it: &Self| it.has_f32 && (it.has_f64 || it.told_apart().next().is_some());
        (is_list && !element.has(is_mixed)).then_some(element)
    }
}

fn has_f32(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f32().is_some(),
        Value::Array(elements) => elements.iter().any(has_f32),
        Value::Object(members) => members.values().any(has_f32),
        _ => false,
    }
}

/// Returns true if a float is an `f32`, judging by its text and by one with more decimals, or
/// `None` if it is the same in both types.
fn is_f32(float: Number, precise: &Value) -> Option<bool> {
    let precise = match precise {
        Value::Number(precise) => Some(precise.as_f64()),
        // The text has more decimals than the float needs.
        other => other
            .get(debug::TEXT)
            .and_then(|text| text.as_str()?.parse().ok()),
    };
    let (Some(precise), Some(single)) = (precise, float.of_f32().as_f32()) else {
        return Some(false);
    };
    let [to_f32, to_f64] = [f64::from(single), float.as_f64()].map(|it| (it - precise).abs());
    // A number near 0 has few significant decimals.
    let is_clear = to_f32.min(to_f64) * 1000.0 < to_f32.max(to_f64);
    is_clear.then_some(to_f32 < to_f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(outputs: impl IntoIterator<Item = Value>) -> String {
        let mut places = F32Places::default();
        outputs.into_iter().for_each(|mut it| places.take(&mut it));
        places.in_policy(&Policy::exact()).to_json().to_string()
    }

    fn of_debug(outputs: &[&dyn std::fmt::Debug]) -> String {
        places(
            outputs
                .iter()
                .map(|it| precise_debug(format!("{it:?}"), format!("{it:.DECIMALS$?}"))),
        )
    }

    fn single(float: f32) -> Value {
        Number::from(float).into()
    }

    fn list(elements: impl IntoIterator<Item = Value>) -> Value {
        elements.into_iter().collect::<Vec<_>>().into()
    }

    #[test]
    fn the_fewest_places_lead_to_all_f32s() {
        let point = |x: f32, y: f64| Value::object([("x", single(x)), ("y", y.into())]);
        let pair = || list([single(0.1), 0.1.into()]);
        let half = single(0.5);
        for (output, expected) in [
            (single(0.1), r#"{"f32":[""]}"#),
            (0.1.into(), "{}"),
            (1.into(), "{}"),
            (
                list([half.clone(), Value::Null, 3.into()]),
                r#"{"f32":[""]}"#,
            ),
            (point(0.1, 0.1), r#"{"f32":["/x"]}"#),
            (
                list((0..100).map(|_| point(0.1, 0.1))),
                r#"{"f32":["/*/x"]}"#,
            ),
            (pair(), r#"{"f32":["/0"]}"#),
            (list((0..100).map(|_| pair())), r#"{"f32":["/*/0"]}"#),
            (
                Value::object([("Ok", point(0.1, 0.1))]),
                r#"{"f32":["/Ok/x"]}"#,
            ),
            (list([point(0.1, 0.1), half]), r#"{"f32":["/0/x","/1"]}"#),
        ] {
            assert_eq!(places([output.clone()]), expected, "{output}");
        }
        let rates = (0..100).map(|it| (it.to_string(), point(0.1, 0.1)));
        assert_eq!(
            places([Value::from(rates.collect::<tdg_definition::json::Object>())]),
            r#"{"f32":["/*/x"]}"#
        );
    }

    #[test]
    fn a_place_of_both_types_is_left_out() {
        assert_eq!(places([single(0.1), 0.1.into()]), r#"{"f32":[""]}"#);
        let both = [0.1_f32, 0.2].map(|it| list([single(it), f64::from(it).into()]));
        assert_eq!(places(both), r#"{"f32":["/0"]}"#);
    }

    #[test]
    fn debug_recognizes_f32s_by_their_decimals() {
        assert_eq!(of_debug(&[&0.1_f32]), r#"{"f32":[""]}"#);
        assert_eq!(of_debug(&[&0.1_f64, &(0.1_f32 as f64)]), "{}");
        assert_eq!(of_debug(&[&(0.1_f32, 0.1_f64)]), r#"{"f32":["/0"]}"#);
        assert_eq!(
            of_debug(&[&Ok::<_, ()>(Some(vec![0.1_f32]))]),
            r#"{"f32":[""]}"#
        );
        assert_eq!(of_debug(&[&(0.1_f32, 0.5_f64)]), r#"{"f32":["/0"]}"#);
        assert_eq!(of_debug(&[&[0.1_f32, 0.5]]), r#"{"f32":["/*"]}"#);
        // One half is exact at any number of decimals.
        assert_eq!(of_debug(&[&0.5_f32]), "{}");
        assert_eq!(
            of_debug(&[&0.5_f32, &0.1_f32, &1e-30_f32]),
            r#"{"f32":[""]}"#
        );
        assert_eq!(of_debug(&[&std::time::Duration::from_millis(1500)]), "{}");
    }

    #[test]
    fn nothing_but_the_output_is_left_of_an_output() {
        let text = || precise_debug("0.1".to_owned(), "0.10".to_owned());
        for (mut output, left) in [
            (text(), r#"{"$debug":"0.1"}"#),
            (
                Value::object([("Err", text())]),
                r#"{"Err":{"$debug":"0.1"}}"#,
            ),
        ] {
            F32Places::default().take(&mut output);
            assert_eq!(output.to_string(), left);
        }
    }
}
