//! The language of policies, which define how outputs are compared with a benchmark's.
//!
//! Policies are built and checked by this crate, for the attribute, hand-built tests, JSON and
//! services. `tdg-engine` does the comparing.

mod distribution;
mod error;
mod json_form;
mod node;
#[cfg(test)]
mod tests;
mod tolerance;

pub use distribution::FieldDistribution;
pub use error::PolicyError;
pub use node::{ANY, PolicyNode, fields_at, leads_to};
pub use tolerance::Tolerance;

use crate::fault::{Invalid, invalid};
use crate::json::Pointer;

/// The rules by which outputs are compared: exact, except where they say otherwise.
///
/// Pointers are JSON Pointers into the output's JSON form: `/price`, `/lines/0/price`, or
/// `/Ok/total` for a function that returns a `Result`. `*` matches every element of an array and
/// every value of an object, which is how maps are written: `/lines/*/price`, `/rates/*`. (A key
/// named `*` can't be addressed separately.)
///
/// A tolerance applies to everything below its pointer. If several pointers lead to a field, the
/// one with the most segments wins. Among equally long ones, it's the one with a name or an index
/// where they first differ: `/lines/0/price` before `/lines/*/price` before `/lines`. Everything
/// below an ignored pointer is ignored, regardless of other pointers.
///
/// ```
/// use tdg_definition::{Policy, Tolerance};
///
/// let policy = Policy::exact()
///     .tolerance(Tolerance::rel(1e-9))?
///     .tolerance_at("/lines/*/price", Tolerance::abs(0.01))?
///     .ignore("/id")?
///     .unordered("/lines")?;
/// # Ok::<(), tdg_definition::PolicyError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Policy {
    root: PolicyNode,
    allow: f64,
    /// The places whose numbers are `f32`s.
    f32s: Option<Box<PolicyNode>>,
}

/// Compares the rules only. The places of `f32`s are a property of the outputs.
impl PartialEq for Policy {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.allow == other.allow
    }
}

impl Policy {
    /// Requires every field to be equal.
    pub fn exact() -> Self {
        Self::default()
    }

    /// Sets the tolerance for all numbers of the output.
    ///
    /// # Errors
    ///
    /// If the tolerance is unusable, or the output already has one.
    pub fn tolerance(self, tolerance: Tolerance) -> Result<Self, PolicyError> {
        self.tolerance_at("", tolerance)
    }

    /// Sets the tolerance for the numbers at a JSON Pointer and below it.
    ///
    /// # Errors
    ///
    /// If the tolerance is unusable, or the pointer is invalid or already has a tolerance.
    pub fn tolerance_at(
        mut self,
        pointer: &str,
        tolerance: Tolerance,
    ) -> Result<Self, PolicyError> {
        let checked = tolerance.check();
        let added = checked
            .map_err(|(member, problem)| format!("{member} {problem}").into())
            .and_then(|()| self.add_tolerance(pointer, tolerance));
        added.map_err(|problem| match pointer {
            "" => PolicyError::new("tolerance", problem),
            _ => PolicyError::new(format_args!("tolerance of {pointer:?}"), problem),
        })?;
        Ok(self)
    }

    /// Ignores the field at a JSON Pointer and everything below it: neither values nor presence
    /// matter. The length of an array whose elements are ignored still does.
    ///
    /// # Errors
    ///
    /// If the pointer is invalid, already ignored, or points to the whole output.
    pub fn ignore(mut self, pointer: &str) -> Result<Self, PolicyError> {
        self.add_ignored(pointer)
            .map_err(|problem| PolicyError::new(format_args!("ignore({pointer:?})"), problem))?;
        Ok(self)
    }

    /// Compares the array at a JSON Pointer regardless of order: each expected element needs an
    /// actual one that is equal under this policy, and each actual element is used once.
    ///
    /// Pointers into the elements use `*`: `/lines/*/price`. An element without a partner is
    /// missing or added; if both sides have such elements, they are shown as differing pairs.
    ///
    /// # Errors
    ///
    /// If the pointer is invalid or already unordered, or another one has an index for an element.
    pub fn unordered(mut self, pointer: &str) -> Result<Self, PolicyError> {
        self.add_unordered(pointer)
            .map_err(|problem| PolicyError::new(format_args!("unordered({pointer:?})"), problem))?;
        Ok(self)
    }

    /// Compares the distribution of the number at a JSON Pointer over all cases, rather than each
    /// case: for functions that draw random numbers. `""` is the whole output.
    ///
    /// `ks` is the rate of false alarms, the probability that a run of the unchanged function
    /// differs. The test is the two-sample Kolmogorov-Smirnov test. With several distributions, the
    /// rate applies to all of them together.
    ///
    /// # Errors
    ///
    /// If the rate isn't between 0 and 1, if the pointer is invalid, matches several fields or
    /// already has a distribution, or if the field is ignored or has a tolerance.
    pub fn distribution(mut self, pointer: &str, ks: f64) -> Result<Self, PolicyError> {
        self.add_distribution(pointer, ks).map_err(|problem| {
            PolicyError::new(format_args!("distribution({pointer:?})"), problem)
        })?;
        Ok(self)
    }

    /// Allows a share of the cases to differ in any way: `0.01` is one in a hundred.
    ///
    /// # Errors
    ///
    /// If the share is negative or not below 1 (allowing every case to differ tests nothing), or
    /// was set before.
    pub fn allow(mut self, share: f64) -> Result<Self, PolicyError> {
        self.add_allowed(share)
            .map_err(|problem| PolicyError::new("allow", problem))?;
        Ok(self)
    }

    /// Counts the ULP of numbers at a JSON Pointer and below it in `f32`s rather than `f64`s. Runs
    /// do so for outputs with `f32`s, because the text of an output doesn't show its type.
    ///
    /// # Errors
    ///
    /// If the pointer is invalid.
    ///
    /// ```
    /// use tdg_definition::{Policy, Tolerance};
    ///
    /// let stated = Policy::exact().tolerance(Tolerance::ulp(4))?;
    /// let policy = stated.clone().f32_at("/price")?;
    /// assert_eq!(policy, stated);
    /// assert_eq!(policy.to_json().to_string(), r#"{"f32":["/price"],"tolerance":{"ulp":4}}"#);
    /// assert_eq!(policy.stated().to_json(), stated.to_json());
    /// # Ok::<(), tdg_definition::PolicyError>(())
    /// ```
    pub fn f32_at(mut self, pointer: &str) -> Result<Self, PolicyError> {
        self.add_f32(pointer)
            .map_err(|problem| PolicyError::new(format_args!("f32 at {pointer:?}"), problem))?;
        Ok(self)
    }

    /// Returns the policy without the types of the outputs.
    #[doc(hidden)]
    #[must_use]
    pub fn stated(&self) -> Self {
        Self {
            f32s: None,
            ..self.clone()
        }
    }

    /// Returns the policy with the `f32`s of another one.
    #[doc(hidden)]
    #[must_use]
    pub fn with_f32s_of(&self, other: &Self) -> Self {
        Self {
            f32s: other.f32s.clone(),
            ..self.clone()
        }
    }

    /// Returns true if a number has a tolerance in ULP.
    #[doc(hidden)]
    pub fn has_ulps(&self) -> bool {
        let mut nodes = self.root.all().into_iter();
        nodes.any(|(_, node)| node.tolerance.is_some_and(|it| it.ulps() > 0))
    }

    /// Combines two policies.
    ///
    /// # Errors
    ///
    /// If both have a rule of the same kind for the same place, or contradict each other.
    ///
    /// ```
    /// use tdg_definition::{Policy, Tolerance};
    ///
    /// let sums = || Policy::exact().tolerance(Tolerance::rel(1e-9));
    /// let invoice = sums()?.merge(Policy::exact().ignore("/id")?)?;
    /// assert_eq!(invoice, sums()?.ignore("/id")?);
    /// let error = sums()?.merge(sums()?).unwrap_err();
    /// assert_eq!(error.to_string(), "tolerance: is given twice for the whole output; keep one");
    /// # Ok::<(), tdg_definition::PolicyError>(())
    /// ```
    pub fn merge(mut self, other: Self) -> Result<Self, PolicyError> {
        for (pointer, node) in other.root.all() {
            let pointer = pointer.to_string();
            if let Some(tolerance) = node.tolerance {
                self = self.tolerance_at(&pointer, tolerance)?;
            }
            if node.ignored {
                self = self.ignore(&pointer)?;
            }
            if node.unordered {
                self = self.unordered(&pointer)?;
            }
            if let Some(ks) = node.distribution {
                self = self.distribution(&pointer, ks)?;
            }
        }
        for pointer in other.f32s() {
            self = self.f32_at(&pointer.to_string())?;
        }
        if other.allow > 0.0 {
            self = self.allow(other.allow)?;
        }
        Ok(self)
    }

    /// Returns true if outputs have to be equal.
    pub fn is_exact(&self) -> bool {
        *self == Self::exact()
    }

    /// Returns the number of cases that may differ, out of `cases`.
    ///
    /// ```
    /// let policy = tdg_definition::Policy::exact().allow(0.01)?;
    /// assert_eq!(policy.allowed(500), 5);
    /// # Ok::<(), tdg_definition::PolicyError>(())
    /// ```
    pub fn allowed(&self, cases: usize) -> usize {
        // A product would be rounded: 0.29 × 100 is less than 29.
        let mut allowed = (self.allow * cases as f64) as usize + 1;
        while allowed > 0 && allowed as f64 / cases as f64 > self.allow {
            allowed -= 1;
        }
        allowed
    }

    /// Returns the share of cases that may differ; 0 by default.
    pub fn allowed_share(&self) -> f64 {
        self.allow
    }
}

/// Adds rules one at a time; callers prepend the place to errors.
impl Policy {
    fn add_tolerance(&mut self, pointer: &str, tolerance: Tolerance) -> Result<(), Invalid> {
        let node = self.root.at(pointer)?;
        if node.distribution.is_some() {
            return Err(distribution::both_rules(pointer, "distribution").into());
        }
        let before = node.tolerance.replace(tolerance);
        once(before.is_none(), pointer)
    }

    fn add_ignored(&mut self, pointer: &str) -> Result<(), Invalid> {
        if pointer.is_empty() {
            return Err(
                "would ignore the whole output; name a field of it, such as \"/id\", \
                 or return () to record nothing"
                    .into(),
            );
        }
        self.check_distributions_within(pointer)?;
        let node = self.root.at(pointer)?;
        once(!std::mem::replace(&mut node.ignored, true), pointer)
    }

    fn add_unordered(&mut self, pointer: &str) -> Result<(), Invalid> {
        let node = self.root.at(pointer)?;
        if let Some(index) = node.index() {
            return Err(node::element_of_unordered(pointer, index).into());
        }
        once(!std::mem::replace(&mut node.unordered, true), pointer)
    }

    fn add_f32(&mut self, pointer: &str) -> Result<(), Invalid> {
        self.f32s.get_or_insert_default().at(pointer)?.is_f32 = true;
        Ok(())
    }

    fn f32s(&self) -> impl Iterator<Item = Pointer> {
        let nodes = self.f32s.iter().flat_map(|root| root.all());
        let f32s = nodes.filter(|(_, node)| node.is_f32);
        f32s.map(|(pointer, _)| pointer)
    }

    fn add_allowed(&mut self, share: f64) -> Result<(), Invalid> {
        if !(0.0..1.0).contains(&share) {
            return invalid!(
                "must be a share of the cases from 0 to less than 1, but is {share:?}; \
                 write allow = 0.01 for one case in a hundred"
            );
        }
        if std::mem::replace(&mut self.allow, share) != 0.0 {
            return Err("is given twice; keep one".into());
        }
        Ok(())
    }
}

fn once(is_first: bool, pointer: &str) -> Result<(), Invalid> {
    match pointer {
        _ if is_first => Ok(()),
        "" => Err("is given twice for the whole output; keep one".into()),
        _ => invalid!("{pointer:?} is given twice; keep one"),
    }
}
