//! How outputs are compared.

use std::fmt;

use tdg_definition::json::{Pointer, Value};

use super::rule::{self, Rule, Settings};
use super::{Comparison, Tolerance, unordered, walk};

/// How outputs are compared: exactly, unless it is told otherwise.
///
/// Pointers are JSON Pointers into the output's JSON form: `/price`, `/lines/0/price`, `/Ok/total`
/// for a function that returns a `Result`. `*` stands for every element of an array and every value
/// of an object, because a map is written as an object too: `/lines/*/price`, `/rates/*`. (A key
/// that is `*` can't be told from the others.)
///
/// A tolerance holds for everything below its pointer. Where several lead to a field, the one with
/// the most segments counts; of as many segments, the one that has a name or an index where they
/// first part: `/lines/0/price` before `/lines/*/price` before `/lines`. What is ignored is ignored:
/// nothing below is looked at, whatever other pointers say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    pub(super) root: Rule,
    allow: f64,
}

impl Policy {
    /// Every field has to be equal.
    pub fn exact() -> Self {
        Self::default()
    }

    /// The tolerance for all numbers of the output.
    ///
    /// # Errors
    ///
    /// If a limit of the tolerance is negative or not finite, or the output has a tolerance already.
    pub fn tolerance(self, tolerance: Tolerance) -> Result<Self, PolicyError> {
        self.tolerance_at("", tolerance)
    }

    /// The tolerance for the numbers at a JSON Pointer and below it.
    ///
    /// # Errors
    ///
    /// If a limit of the tolerance is negative or not finite, or the pointer is none, or has a
    /// tolerance already.
    pub fn tolerance_at(
        mut self,
        pointer: &str,
        tolerance: Tolerance,
    ) -> Result<Self, PolicyError> {
        let added = self.add_tolerance(pointer, tolerance);
        added.map_err(|problem| {
            PolicyError(match pointer {
                "" => format!("tolerance: {problem}"),
                _ => format!("tolerance of {pointer:?}: {problem}"),
            })
        })?;
        Ok(self)
    }

    /// Leaves out the field at a JSON Pointer and everything below it: neither its value nor its
    /// presence matters. The length of an array whose elements are ignored still does.
    ///
    /// # Errors
    ///
    /// If the pointer is none, or that of the whole output.
    pub fn ignore(mut self, pointer: &str) -> Result<Self, PolicyError> {
        let added = self.add_ignored(pointer);
        added.map_err(|problem| PolicyError(format!("ignore({pointer:?}): {problem}")))?;
        Ok(self)
    }

    /// Compares the array at a JSON Pointer without regard to order: each expected element needs an
    /// actual one that is the same as it under this policy, and each actual one only serves once.
    ///
    /// Pointers to what is in the elements have `*` for them: `/lines/*/price`. An element that has
    /// no partner is a difference at its place, missing or added; where both sides have some, they
    /// are shown as pairs that differ.
    ///
    /// ```
    /// use tdg_engine::compare::{Policy, Tolerance};
    /// use tdg_definition::json::parse;
    ///
    /// let policy = Policy::exact()
    ///     .unordered("/lines")?
    ///     .tolerance_at("/lines/*/price", Tolerance::abs(0.01))?;
    /// let expected = parse(r#"{"lines": [{"sku": "a", "price": 1.0}, {"sku": "b", "price": 2.0}]}"#)?;
    /// let actual = parse(r#"{"lines": [{"sku": "b", "price": 2.009}, {"sku": "a", "price": 1.0}]}"#)?;
    /// assert!(policy.compare(&expected, &actual).is_same());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the pointer is none, or another pointer names one of the elements by its index.
    pub fn unordered(mut self, pointer: &str) -> Result<Self, PolicyError> {
        let added = self.add_unordered(pointer);
        added.map_err(|problem| PolicyError(format!("unordered({pointer:?}): {problem}")))?;
        Ok(self)
    }

    /// Lets a share of the cases differ, whatever differs in them: `0.01` is one in a hundred.
    ///
    /// # Errors
    ///
    /// If the share is negative or not below 1: who allows every case to differ tests nothing.
    pub fn allow(mut self, share: f64) -> Result<Self, PolicyError> {
        let set = self.set_allowed(share);
        set.map_err(|problem| PolicyError(format!("allow: {problem}")))?;
        Ok(self)
    }

    /// How many of so many cases may differ.
    ///
    /// ```
    /// let policy = tdg_engine::compare::Policy::exact().allow(0.01)?;
    /// assert_eq!(policy.allowed(500), 5);
    /// # Ok::<(), tdg_engine::compare::PolicyError>(())
    /// ```
    pub fn allowed(&self, cases: usize) -> usize {
        // A product would be rounded: 0.29 × 100 is less than 29.
        let mut allowed = (self.allow * cases as f64) as usize + 1;
        while allowed > 0 && allowed as f64 / cases as f64 > self.allow {
            allowed -= 1;
        }
        allowed
    }

    /// The share of cases that may differ; 0 unless it is told otherwise.
    pub fn allowed_share(&self) -> f64 {
        self.allow
    }

    /// The pointers that lead to nothing in any of the outputs: likely mistakes. Outputs are asked
    /// for until all pointers have led somewhere.
    pub fn unmatched(&self, outputs: &mut dyn Iterator<Item = Value>) -> Vec<Pointer> {
        let mut unmatched = Vec::new();
        self.root.each(&mut Pointer::root(), &mut |place, rule| {
            if rule.says_something() && !place.is_root() {
                unmatched.push(place.clone());
            }
        });
        while !unmatched.is_empty()
            && let Some(output) = outputs.next()
        {
            unmatched.retain(|pointer| !rule::leads_into(pointer.segments(), &output));
        }
        unmatched
    }

    /// How many places it says something of, those on the way to them included: the memory that it takes grows
    /// with that.
    #[doc(hidden)]
    pub fn rules(&self) -> usize {
        let mut rules = 0;
        self.root.each(&mut Pointer::root(), &mut |_, _| rules += 1);
        rules
    }

    /// Whether any array is compared without regard to order.
    pub fn is_unordered(&self) -> bool {
        let mut is_unordered = false;
        self.root.each(&mut Pointer::root(), &mut |_, rule| {
            is_unordered |= rule.unordered
        });
        is_unordered
    }

    /// How much of an output there is to compare without an order: the values in such arrays, each counted once for every
    /// such array that it is in. The time and memory that comparing takes grow with it.
    pub fn unordered_values(&self, output: &Value) -> usize {
        unordered::values(output, Settings::of_root(&self.root))
    }

    /// Compares the output of one case with the benchmark's.
    pub fn compare(&self, expected: &Value, actual: &Value) -> Comparison {
        walk::compare(self, expected, actual)
    }
}

/// What can be said, one thing at a time; a problem is told without the place.
impl Policy {
    pub(super) fn add_tolerance(
        &mut self,
        pointer: &str,
        tolerance: Tolerance,
    ) -> Result<(), String> {
        tolerance.check()?;
        let rule = self.root.within(pointer)?;
        if rule.tolerance.replace(tolerance).is_some() {
            return Err("is given twice; remove one".to_owned());
        }
        Ok(())
    }

    pub(super) fn add_ignored(&mut self, pointer: &str) -> Result<(), String> {
        if pointer.is_empty() {
            return Err(
                "would ignore the whole output; name a field of it, such as \"/id\", \
                 or return () to record nothing"
                    .to_owned(),
            );
        }
        self.root.within(pointer)?.ignored = true;
        Ok(())
    }

    pub(super) fn add_unordered(&mut self, pointer: &str) -> Result<(), String> {
        let rule = self.root.within(pointer)?;
        if let Some(index) = rule.index() {
            return Err(rule::no_element(pointer, index));
        }
        rule.unordered = true;
        Ok(())
    }

    pub(super) fn set_allowed(&mut self, share: f64) -> Result<(), String> {
        if !(0.0..1.0).contains(&share) {
            return Err(format!(
                "must be a share of the cases from 0 to less than 1, but is {share:?}; \
                 write allow = 0.01 for one case in a hundred"
            ));
        }
        self.allow = share;
        Ok(())
    }
}

/// What is wrong with a policy, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError(String);

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PolicyError {}
