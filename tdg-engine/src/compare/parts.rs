//! The parts of a change: the shape of outputs, values, `Err`s and panics, each with its fields and
//! cases.

use std::collections::{BTreeMap, BTreeSet};

use tdg_definition::json::{Pointer, Value};
use tdg_definition::{control, sort};

use super::{Comparison, DifferingCase, FieldDifference, Moved, with_any_element};
use crate::output::refusal;

/// The key of a recorded panic.
const PANIC: &str = "$panic";
/// Last-bit differences form a separate part if more than one in this many others exists.
const CLOSE: usize = 10;
/// Fields that changed in nearly the same cases are one part: they share at least this proportion
/// of their cases.
const ALIKE: f64 = 0.9;

/// A part of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The kind of change.
    pub kind: PartKind,
    /// The places, with `*` for any element of an array; the whole output if empty.
    pub fields: Vec<Pointer>,
    /// The cases, in order.
    pub cases: Vec<usize>,
}

/// The kind of change of some fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// The benchmark doesn't have them.
    Added,
    /// Only the benchmark has them.
    Removed,
    /// The only field has moved. Its values are separate parts.
    Renamed {
        /// Its place in the benchmark.
        from: Pointer,
    },
    /// They have another value.
    Value,
    /// Their floats differ only in the last bits, and by more in other cases.
    LastBits,
    /// The output became an `Err`.
    BecameErr,
    /// The output isn't an `Err` any more.
    BecameOk,
    /// The function panics now, and panics are recorded.
    Panicked,
    /// The function no longer panics. The panic was recorded.
    StoppedPanicking,
    /// The row isn't an input of the function any more.
    NoLongerInput,
    /// The row became an input of the function.
    BecameInput,
    /// The row still isn't an input, for another reason.
    OtherReason,
}

impl Part {
    /// Returns true if both are the same kind of change of some field.
    pub fn is_like(&self, other: &Self) -> bool {
        let mut shared = self.fields.iter().filter(|it| other.fields.contains(it));
        self.kind == other.kind && (other.fields.is_empty() || shared.next().is_some())
    }

    /// Returns the kind and the fields, such as `value /total`. Records have it.
    pub fn key(&self) -> String {
        let kind = match &self.kind {
            PartKind::Added => "added",
            PartKind::Removed => "removed",
            PartKind::Renamed { from } => &format!("renamed from {from} to"),
            PartKind::Value => "value",
            PartKind::LastBits => "last bits",
            PartKind::BecameErr => "became Err",
            PartKind::BecameOk => "became Ok",
            PartKind::Panicked => "panicked",
            PartKind::StoppedPanicking => "stopped panicking",
            PartKind::NoLongerInput => "no longer input",
            PartKind::BecameInput => "became input",
            PartKind::OtherReason => "other reason",
        };
        let fields = self.fields.iter().map(|it| format!(" {it}"));
        control::escape(&(kind.to_owned() + &fields.collect::<String>())).into_owned()
    }

    /// Returns true if this changes the shape of most of `size` outputs. The others may have no
    /// place for the change, because they are `Err`s or lack the object around it.
    pub fn is_common_shape(&self, size: usize) -> bool {
        self.kind.is_shape() && 2 * self.cases.len() > size
    }
}

impl PartKind {
    /// Returns true if the outputs' shape changed rather than their values.
    pub fn is_shape(&self) -> bool {
        matches!(self, Self::Added | Self::Removed | Self::Renamed { .. })
    }
}

/// Returns the parts of a change: shape first, then values, then `Err`s and panics. Within a kind,
/// parts with the most cases come first.
pub fn parts(differing: &[DifferingCase]) -> Vec<Part> {
    let mut outcomes = [
        (PartKind::BecameErr, Vec::new()),
        (PartKind::BecameOk, Vec::new()),
        (PartKind::Panicked, Vec::new()),
        (PartKind::StoppedPanicking, Vec::new()),
        (PartKind::NoLongerInput, Vec::new()),
        (PartKind::BecameInput, Vec::new()),
        (PartKind::OtherReason, Vec::new()),
    ];
    let mut fields = DifferingFields::default();
    let mut differences = differing.iter().flat_map(|it| &it.comparison.differences);
    if !differences.all(FieldDifference::is_in_last_bits) {
        fields.apart = apart_in_last_bits(differing.iter());
    }
    for DifferingCase {
        case, comparison, ..
    } in differing
    {
        let outcome = outcomes
            .iter_mut()
            .find(|(kind, _)| is_now(kind, comparison));
        match outcome {
            Some((_, cases)) => cases.push(*case),
            None => fields.add(*case, comparison),
        }
    }
    let mut parts = fields.into_parts();
    parts.extend(outcomes.into_iter().map(|(kind, cases)| Part {
        kind,
        fields: Vec::new(),
        cases,
    }));
    parts.retain(|part| !part.cases.is_empty());
    parts
}

/// Returns true if the output's outcome changed to this kind.
fn is_now(kind: &PartKind, comparison: &Comparison) -> bool {
    let is_input = |value: &Option<Value>| value.as_ref().is_none_or(|it| refusal(it).is_none());
    let has = |value: &Option<Value>, key: &str| {
        value.as_ref().is_some_and(|value| value.get(key).is_some())
    };
    let mut differences = comparison.differences.iter();
    let mut is_from = |was: bool, is: bool| {
        differences.any(|it| {
            it.pointer.is_root() && is_input(&it.expected) == was && is_input(&it.actual) == is
        })
    };
    let (from, to) = match kind {
        PartKind::NoLongerInput => return is_from(true, false),
        PartKind::BecameInput => return is_from(false, true),
        PartKind::OtherReason => return is_from(false, false),
        PartKind::StoppedPanicking => {
            return differences.any(|it| {
                let had = it.pointer.is_root() && has(&it.expected, PANIC);
                let is_gone = it.actual.is_none() && it.pointer.segments().eq([PANIC]);
                had && !has(&it.actual, PANIC) || is_gone
            });
        }
        PartKind::BecameErr => (Some("Ok"), "Err"),
        PartKind::BecameOk => (Some("Err"), "Ok"),
        PartKind::Panicked => (None, PANIC),
        _ => return false,
    };
    differences.any(|difference| {
        let is_from = from.is_none_or(|from| has(&difference.expected, from));
        let is_whole = difference.pointer.is_root() && is_from && has(&difference.actual, to);
        // The policy may ignore the rest of an outcome.
        let is_new = difference.expected.is_none() && difference.pointer.segments().eq([to]);
        is_whole || is_new
    })
}

/// Returns the fields with many last-bit differences.
pub fn apart_in_last_bits<'a>(
    differing: impl Iterator<Item = &'a DifferingCase>,
) -> BTreeSet<Pointer> {
    let mut counts: BTreeMap<Pointer, [usize; 2]> = BTreeMap::new();
    for difference in differing.flat_map(|it| &it.comparison.differences) {
        let counts = counts
            .entry(with_any_element(&difference.pointer))
            .or_default();
        counts[usize::from(difference.is_in_last_bits())] += 1;
    }
    // In a few cases, a change may be that small by chance.
    let are_many = |(_, [others, close]): &(Pointer, [usize; 2])| *close * CLOSE > *others;
    let apart = counts.into_iter().filter(are_many);
    apart.map(|(field, _)| field).collect()
}

/// The differing fields of all cases.
#[derive(Default)]
struct DifferingFields {
    added: CasesByField,
    removed: CasesByField,
    values: CasesByField,
    /// The fields whose last-bit differences are a separate part.
    apart: BTreeSet<Pointer>,
    last_bits: CasesByField,
    moved: Vec<(Moved, Vec<usize>)>,
}

/// Fields and the cases in which they differ.
type CasesByField = BTreeMap<Pointer, Vec<usize>>;

impl DifferingFields {
    fn add(&mut self, case: usize, comparison: &Comparison) {
        for moved in &comparison.moved {
            match self.moved.iter_mut().find(|(other, _)| other == moved) {
                Some((_, cases)) => cases.push(case),
                None => self.moved.push((moved.clone(), vec![case])),
            }
        }
        // If the variant changed, its one-sided fields add nothing to its name.
        let differences = comparison.differences.iter();
        let variants = differences.filter(|it| !is_one_sided(it));
        let variants = variants.map(|it| inside(&it.pointer));
        let variants = variants.filter(|(_, name)| name.as_deref() == Some("$name"));
        let variants: Vec<Pointer> = variants.map(|(variant, _)| variant).collect();
        let is_of_variant =
            |it: &&FieldDifference| is_one_sided(it) && variants.contains(&inside(&it.pointer).0);
        let differences = comparison.differences.iter();
        let differences = differences.filter(|it| !comparison.is_moved(it) && !is_of_variant(it));
        for difference in differences {
            let field = with_any_element(&difference.pointer);
            let FieldDifference {
                expected, actual, ..
            } = difference;
            // An added or removed array element changes the array's value.
            let is_element = field.segments().next_back() == Some("*");
            let found = match (expected, actual) {
                (None, Some(_)) if !is_element => &mut self.added,
                (Some(_), None) if !is_element => &mut self.removed,
                _ if difference.is_in_last_bits() && self.apart.contains(&field) => {
                    &mut self.last_bits
                }
                _ => &mut self.values,
            };
            let cases = found.entry(field).or_default();
            // The elements of an array are one field.
            if cases.last() != Some(&case) {
                cases.push(case);
            }
        }
        // If another element changed by more, last-bit differences don't matter.
        for (field, cases) in &self.values {
            if cases.last() == Some(&case)
                && let Some(close) = self.last_bits.get_mut(field)
            {
                close.retain(|other| *other != case);
            }
        }
    }

    fn into_parts(self) -> Vec<Part> {
        let renamed = self.moved.into_iter().map(|(moved, cases)| Part {
            kind: PartKind::Renamed { from: moved.from },
            fields: vec![moved.to],
            cases,
        });
        let mut parts = alike(PartKind::Removed, self.removed);
        parts.extend(alike(PartKind::Added, self.added));
        parts.extend(renamed);
        parts.extend(alike(PartKind::Value, self.values));
        parts.extend(alike(PartKind::LastBits, self.last_bits));
        parts
    }
}

/// Returns true if only one of the outputs has the field.
fn is_one_sided(difference: &FieldDifference) -> bool {
    difference.expected.is_none() || difference.actual.is_none()
}

/// Splits a field into its parent and its name there.
fn inside(field: &Pointer) -> (Pointer, Option<String>) {
    let mut around = field.clone();
    let name = around.pop();
    (around, name)
}

/// Returns the fields as parts, merging fields with (nearly) the same cases.
fn alike(kind: PartKind, found: CasesByField) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut found: Vec<(Pointer, Vec<usize>)> = found.into_iter().collect();
    sort::by_key(&mut found, |(_, cases)| std::cmp::Reverse(cases.len()));
    for (field, cases) in found {
        let like = parts.iter_mut().find(|part| match kind {
            PartKind::Value | PartKind::LastBits => common(&part.cases, &cases) >= ALIKE,
            _ => part.cases == cases,
        });
        match like {
            Some(part) => {
                part.fields.push(field);
                part.cases.extend(cases);
                sort::by(&mut part.cases, Ord::cmp);
                part.cases.dedup();
            }
            None => parts.push(Part {
                kind: kind.clone(),
                fields: vec![field],
                cases,
            }),
        }
    }
    parts
}

/// Returns the proportion of the cases that are in both lists, which are sorted.
fn common(left: &[usize], right: &[usize]) -> f64 {
    let is_common = |case: &&usize| right.binary_search(case).is_ok();
    let common = left.iter().filter(is_common).count();
    common as f64 / (left.len() + right.len() - common) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::find_moved;
    use tdg_definition::Policy;
    use tdg_definition::json::parse;

    /// Returns the parts of a change of outputs, one per line.
    fn parts_of(outputs: &[(&str, &str)]) -> String {
        let read = |text: &str| parse(text).unwrap();
        let mut differing: Vec<_> = outputs
            .iter()
            .enumerate()
            .map(|(case, (expected, actual))| {
                DifferingCase::compared(&Policy::exact(), case, read(expected), read(actual))
            })
            .filter(|differing| !differing.comparison.is_same())
            .collect();
        let line = |part: &Part| {
            let fields: Vec<String> = part.fields.iter().map(ToString::to_string).collect();
            format!("{:?} {} in {:?}", part.kind, fields.join(" "), part.cases)
        };
        find_moved(&Policy::exact(), &mut differing);
        parts(&differing)
            .iter()
            .map(line)
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn shape_and_values_are_separate_parts() {
        insta::assert_snapshot!(parts_of(&[
            (r#"{"price":1,"old":1}"#, r#"{"price":2,"tax":0}"#),
            (r#"{"price":1,"old":2}"#, r#"{"price":1,"tax":0}"#),
            (r#"{"price":3,"old":3}"#, r#"{"price":4,"tax":0}"#),
        ]), @"
        Removed /old in [0, 1, 2]
        Added /tax in [0, 1, 2]
        Value /price in [0, 2]
        ");
    }

    #[test]
    fn a_field_with_the_same_values_under_another_name_is_renamed() {
        insta::assert_snapshot!(parts_of(&[
            (r#"{"a":1,"net":1}"#, r#"{"a":1,"price":1}"#),
            (r#"{"a":2,"net":2}"#, r#"{"a":2,"price":2}"#),
        ]), @r#"Renamed { from: Pointer("/net") } /price in [0, 1]"#);
    }

    #[test]
    fn errors_and_panics_are_separate_parts() {
        insta::assert_snapshot!(parts_of(&[
            (r#"{"Ok":1}"#, r#"{"Err":"gone"}"#),
            (r#"{"Err":"gone"}"#, r#"{"Ok":1}"#),
            (r#"{"Ok":1}"#, r#"{"Ok":2}"#),
            ("1", r#"{"$panic":"gone"}"#),
            (r#"{"Ok":1}"#, r#"{"$panic":"gone"}"#),
            (r#"{"$panic":"gone"}"#, r#"{"a":1}"#),
            (r#"{"$panic":"gone"}"#, r#"{"Err":"gone"}"#),
            (r#"{"$panic":"gone"}"#, r#"{"$panic":"left"}"#),
            (r#"{"a":1}"#, r#"{"$not_an_input":"gone"}"#),
            (r#"{"$not_an_input":"gone"}"#, "[1]"),
            (r#"{"$not_an_input":"gone"}"#, r#"{"$not_an_input":"left"}"#),
        ]), @"
        Value /$panic in [7]
        Value /Ok in [2]
        BecameErr  in [0, 6]
        BecameOk  in [1]
        Panicked  in [3, 4]
        StoppedPanicking  in [5]
        NoLongerInput  in [8]
        BecameInput  in [9]
        OtherReason  in [10]
        ");
    }

    #[test]
    fn another_variant_is_reported_by_its_name() {
        insta::assert_snapshot!(parts_of(&[
            (r#"{"Err":{"$name":"Os","code":5}}"#, r#"{"Err":{"$name":"Kind","kind":2}}"#),
            (r#"{"Err":{"$name":"Os","code":5}}"#, r#"{"Err":{"$name":"Os","kind":5}}"#),
        ]), @"
        Removed /Err/code in [1]
        Added /Err/kind in [1]
        Value /Err/$name in [0]
        ");
    }

    #[test]
    fn floats_that_differ_in_their_last_bits_are_a_separate_part() {
        insta::assert_snapshot!(parts_of(&[
            ("1.0", "1.0000000000000002"),
            ("1.0", "1.5"),
            ("[1.0,2.0]", "[1.0000000000000002,3.0]"),
            ("[1.0,2.0]", "[1.0000000000000002,2.0]"),
            ("1.0", "1.0000000000000018"),
            ("1.0", "1.000000000000002"),
        ]), @"
        Value  in [1, 5]
        Value /* in [2]
        LastBits  in [0, 4]
        LastBits /* in [3]
        ");
    }

    #[test]
    fn fields_that_changed_in_nearly_the_same_cases_are_one_part() {
        let output = |net: i32, gross: i32, tip: i32| {
            format!(r#"{{"net":{net},"gross":{gross},"lines":[{tip}]}}"#)
        };
        let outputs: Vec<_> = (0..20)
            .map(|case| {
                (
                    output(0, 0, 0),
                    output(1, i32::from(case != 7), i32::from(case < 3)),
                )
            })
            .collect();
        let outputs: Vec<_> = outputs
            .iter()
            .map(|(left, right)| (&**left, &**right))
            .collect();
        insta::assert_snapshot!(parts_of(&outputs), @"
        Value /net /gross in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
        Value /lines/* in [0, 1, 2]
        ");
    }
}
