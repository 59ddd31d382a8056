//! A part of a change, and the expected outputs after accepting it.

use std::fmt;

use tdg_definition::Policy;
use tdg_definition::json::{Pointer, Value};

use super::{DifferingCase, Moved, ReplaceError, replace};
use crate::output::{Outputs, write_as};

/// A part of a change that is accepted separately.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangePart {
    /// The cases, in order; all if `None`.
    pub cases: Option<Vec<usize>>,
    /// The places in their outputs; the whole outputs if empty.
    pub fields: Vec<Pointer>,
    /// The aspect to accept of a field that has moved.
    pub aspect: Aspect,
}

/// The aspect to accept of a field that has moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aspect {
    /// Place and value.
    #[default]
    All,
    /// Only its place; the value stays the benchmark's.
    Place,
    /// Only its value; the place stays the benchmark's.
    Value,
}

/// The reason why a part can't be accepted separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartError {
    /// The outputs of a case changed their form.
    Form,
    /// The elements of an array can't be identified.
    Elements(usize, ReplaceError),
}

impl fmt::Display for PartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => formatter.write_str(
                "the outputs have a different form now; accept the whole change or \
                 nothing",
            ),
            Self::Elements(case, error) => write!(formatter, "case {case}: {error}"),
        }
    }
}

impl std::error::Error for PartError {}

impl ChangePart {
    /// Returns the expected outputs after accepting this part.
    ///
    /// # Errors
    /// Fails if it can't be accepted separately.
    ///
    /// ```
    /// use tdg_definition::Policy;
    /// use tdg_engine::compare::{ChangePart, DifferingCase};
    /// use tdg_engine::output::Outputs;
    ///
    /// let policy = Policy::exact();
    /// let expected = Outputs::parse(r#"[{"price":100,"tax":19}, 1]"#)?;
    /// let actual = Outputs::parse(r#"[{"price":97,"tax":18}, 2]"#)?;
    /// let differing = (0..2).map(|case| {
    ///     DifferingCase::of_outputs(&policy, case, expected.get(case), actual.get(case))
    /// });
    /// let differing: Vec<_> = differing.collect::<Result<_, _>>()?;
    ///
    /// let part = ChangePart {
    ///     cases: Some(vec![0]),
    ///     fields: vec!["/tax".parse()?],
    ///     ..ChangePart::default()
    /// };
    /// let accepted = part.accepted(&policy, &expected, &actual, &differing)?;
    /// assert_eq!(accepted.as_json(), r#"[{"price":100,"tax":18},1]"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accepted(
        &self,
        policy: &Policy,
        expected: &Outputs,
        actual: &Outputs,
        differing: &[DifferingCase],
    ) -> Result<Outputs, PartError> {
        let mut differing = differing.iter().peekable();
        let mut accepted = Outputs::with_capacity(expected.len());
        for case in 0..expected.len() {
            let (before, now) = (expected.get(case), actual.get(case));
            match differing.next_if(|it| it.case == case) {
                Some(differing) if self.has(case) => {
                    accepted.push_text(&self.replaced(policy, differing, before, now)?);
                }
                _ => accepted.push_text(before),
            }
        }
        Ok(accepted)
    }

    fn has(&self, case: usize) -> bool {
        let cases = self.cases.as_ref();
        cases.is_none_or(|cases| cases.binary_search(&case).is_ok())
    }

    /// Returns the text of a case's expected output after accepting this part.
    fn replaced(
        &self,
        policy: &Policy,
        differing: &DifferingCase,
        before: &str,
        now: &str,
    ) -> Result<String, PartError> {
        let output = self.output(policy, differing)?;
        let text = match output == differing.actual {
            true => Some(now.to_owned()),
            false => write_as(before, &output),
        };
        let text = text.filter(|_| differing.comparison.forms.is_none());
        text.ok_or(PartError::Form)
    }

    fn output(&self, policy: &Policy, differing: &DifferingCase) -> Result<Value, PartError> {
        let DifferingCase {
            case,
            expected,
            actual,
            comparison,
        } = differing;
        if self.fields.is_empty() {
            return Ok(actual.clone());
        }
        let is_meant = |moved: &&Moved| match self.aspect {
            Aspect::All => false,
            Aspect::Place => self.fields.contains(&moved.to),
            Aspect::Value => self.fields.iter().any(|field| moved.to.covers(field)),
        };
        let moved: Vec<&Moved> = comparison.moved.iter().filter(is_meant).collect();
        let apply = |output: Value, moved: &Moved| moved.apply(&output).unwrap_or(output);
        let placed = moved
            .iter()
            .fold(expected.clone(), |it, moved| apply(it, moved));
        if self.aspect == Aspect::Place {
            return Ok(placed);
        }
        let replaced = replace(policy, &placed, actual, &self.fields);
        let replaced = replaced.map_err(|error| PartError::Elements(*case, error))?;
        let back = moved.iter().map(|moved| moved.reversed());
        Ok(back.fold(replaced, |it, moved| apply(it, &moved)))
    }
}
