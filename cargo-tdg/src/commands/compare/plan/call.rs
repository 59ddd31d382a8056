//! How a function is called: an argument for each of its parameters.

#[cfg(test)]
mod tests;

use super::argument::PassedAs;
use super::planner::{PlannedArgument, PlannedTypes, Planner};
use crate::sources::PublicFunction;

/// A call of a function at one revision.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedCall {
    /// The function's, which no other one has.
    pub(crate) name: String,
    path: String,
    /// The arguments in order, each with its name.
    pub(crate) arguments: Vec<PlannedArgument>,
    is_async: bool,
}

/// How many ways to call a function are tried: the sources don't say which one compiles.
const ATTEMPTS: usize = 4;

impl PlannedCall {
    /// How the function may be called, the most usual way first; or why it isn't.
    pub(crate) fn alternatives(
        function: &PublicFunction<'_>,
        name: &str,
        types: &PlannedTypes<'_>,
    ) -> Result<Vec<Self>, String> {
        let mut calls = Vec::new();
        let mut reason = None;
        let attempts = (0..ATTEMPTS).flat_map(|attempt| [(attempt, true), (attempt, false)]);
        for (attempt, has_calls) in attempts {
            match Self::planned(function, name, types, attempt, has_calls) {
                Ok(call) if !calls.contains(&call) => calls.push(call),
                Ok(_) => {}
                Err(error) => drop(reason.get_or_insert(error)),
            }
        }
        match reason {
            Some(reason) if calls.is_empty() => Err(reason),
            _ => Ok(calls),
        }
    }

    fn planned(
        function: &PublicFunction<'_>,
        name: &str,
        types: &PlannedTypes<'_>,
        attempt: usize,
        has_calls: bool,
    ) -> Result<Self, String> {
        let signature = function.signature;
        if signature.unsafety.is_some() {
            return Err("is `unsafe`".to_owned());
        }
        let planner = Planner::of(function, types, attempt, has_calls)?;
        let inputs = signature.inputs.iter().enumerate();
        let arguments = inputs.map(|(position, input)| planner.parameter(position, input));
        let arguments: Vec<_> = arguments.collect::<Result<_, _>>()?;
        Ok(Self {
            name: name.to_owned(),
            path: planner.path,
            arguments,
            is_async: signature.asyncness.is_some(),
        })
    }

    /// The same call, of arguments that other calls changed before, as far as their paths are kept;
    /// nothing if there are none such.
    pub(super) fn after_calls(&self, is_kept: impl Fn(&str) -> bool) -> Option<Self> {
        let mut call = self.clone();
        let arguments = call.arguments.iter_mut();
        let has_calls = arguments.map(|(_, argument, _)| argument.draw_calls(&is_kept));
        has_calls.fold(false, |any, it| any | it).then_some(call)
    }

    /// The same call, where only calls of these paths may change the arguments before.
    pub(super) fn with_calls_where(&self, is_kept: impl Fn(&str) -> bool) -> Self {
        let mut call = self.clone();
        for (_, argument, _) in &mut call.arguments {
            argument.keep_calls(|it| is_kept(&it.maker.path));
        }
        call
    }

    /// The call that is one of both sides.
    pub(crate) fn common(&self, other: &Self) -> Option<Self> {
        let of_both = |one: &Self, other: &Self| {
            let mut call = one.clone();
            for (at, (_, argument, _)) in call.arguments.iter_mut().enumerate() {
                let others = other.arguments.get(at).map(|(_, it, _)| it.calls());
                argument.keep_calls(|it| others.is_some_and(|others| others.contains(it)));
            }
            call
        };
        let call = of_both(self, other);
        (call == of_both(other, self)).then_some(call)
    }

    /// The paths of what makes the arguments.
    pub(crate) fn makers(&self) -> Vec<&str> {
        let mut paths = Vec::new();
        for (_, argument, _) in &self.arguments {
            argument.add_makers(&mut paths);
        }
        paths
    }

    /// The source of the module that calls it.
    pub(crate) fn source(&self) -> String {
        let mut lets = String::new();
        for (at, (_, argument, _)) in self.arguments.iter().enumerate() {
            lets += &format!("    let mut a{at} = {};\n", argument.expression());
        }
        let passed = self.arguments.iter().enumerate();
        let passed = passed.map(|(at, (_, _, passed))| passed.expression(&format!("a{at}")));
        let passed: Vec<String> = passed.collect();
        let mut call = format!("{}({})", self.path, passed.join(", "));
        if self.is_async {
            call = format!("block_on({call})");
        }
        let mut parts = String::new();
        for (at, (name, _, passed)) in self.arguments.iter().enumerate() {
            if let PassedAs::Changed { .. } = passed {
                parts += &format!(
                    ", ({name:?}, {{ use unseen::ByNothing as _; (&&&&&Output::of(&a{at})).shown() }})"
                );
            }
        }
        format!(
            "#![allow(unused, deprecated)]\nuse crate::support::*;\n\n\
             pub fn call(t: &mut Tokens<'_>) -> Option<Vec<(&'static str, String)>> {{\n{lets}    made();\n    \
             let out = (&&&&&Output::of({call})).shown();\n    Some(vec![(\"\", out){parts}])\n}}\n"
        )
    }
}
