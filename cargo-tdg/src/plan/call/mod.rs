//! A call of a function, with an argument for each parameter.

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use super::argument::PassedAs;
use super::planned_types::PlannedTypes;
use super::planner::{PlannedArgument, Planner};
use crate::sources::tokens::path_roots;
use crate::sources::{PublicFunction, ShownMembers, Unsupported};

/// A call of a function at one revision.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedCall {
    /// The unique name of the function.
    pub(crate) name: String,
    pub(crate) path: String,
    /// The arguments in order, with their names.
    pub(crate) arguments: Vec<PlannedArgument>,
    is_async: bool,
    /// The members that show the output, if nothing else does.
    members: ShownMembers,
}

/// The number of ways to try calling a function, since the sources don't show which compile.
pub(crate) const ATTEMPTS: usize = 4;

impl PlannedCall {
    /// Returns the ways to call the function, most usual first, or why it can't be called.
    pub(crate) fn alternatives(
        function: &PublicFunction<'_>,
        name: &str,
        types: &PlannedTypes<'_>,
    ) -> Result<Vec<Self>, Unsupported> {
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
        // An `Option` or a `Result` is shown without them, too.
        let with_members = calls.iter().filter(|it| it.members.within.is_some());
        let without = with_members.map(|call| Self {
            members: ShownMembers::default(),
            ..call.clone()
        });
        let without: Vec<Self> = without.collect();
        calls.extend(without);
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
    ) -> Result<Self, Unsupported> {
        let signature = function.signature;
        if signature.unsafety.is_some() {
            return Err("is `unsafe`".into());
        }
        let planner = Planner::new(function, types, attempt, has_calls)?;
        let inputs = signature.inputs.iter().enumerate();
        let arguments = inputs.map(|(position, input)| planner.parameter(position, input));
        let arguments: Vec<_> = arguments.collect::<Result<_, _>>()?;
        Ok(Self {
            name: name.to_owned(),
            path: planner.path,
            arguments,
            is_async: signature.asyncness.is_some(),
            members: function.shown_members(&["Debug", "Display", "Iterator"], &|path| {
                (types.effect_of)(path).is_none()
            }),
        })
    }

    /// Also draws calls on kept paths that change the arguments first; `None` without such calls.
    pub(super) fn after_calls(&self, is_kept: impl Fn(&str) -> bool) -> Option<Self> {
        let mut call = self.clone();
        let arguments = call.arguments.iter_mut();
        let has_calls = arguments.map(|(_, argument, _)| argument.draw_calls(&is_kept));
        has_calls.fold(false, |any, it| any | it).then_some(call)
    }

    /// Keeps only the changing calls with these paths.
    pub(super) fn with_calls_where(&self, is_kept: impl Fn(&str) -> bool) -> Self {
        let mut call = self.clone();
        for (_, argument, _) in &mut call.arguments {
            argument.keep_calls(|it| is_kept(&it.maker.path));
        }
        call
    }

    /// Keeps only the members that another call's output has as well.
    pub(super) fn with_members_of(&self, other: &Self) -> Self {
        let mut call = self.clone();
        call.members.keep(&other.members);
        call
    }

    /// Returns the call that works on both sides.
    pub(crate) fn common(&self, other: &Self) -> Option<Self> {
        let of_both = |one: &Self, other: &Self| {
            let mut call = one.with_members_of(other);
            for (at, (_, argument, _)) in call.arguments.iter_mut().enumerate() {
                let others = other.arguments.get(at).map(|(_, it, _)| it.calls());
                argument.keep_calls(|it| others.is_some_and(|others| others.contains(it)));
            }
            call
        };
        let call = of_both(self, other);
        (call == of_both(other, self)).then_some(call)
    }

    /// Returns the paths of the arguments' makers.
    pub(crate) fn makers(&self) -> Vec<&str> {
        let mut paths = Vec::new();
        for (_, argument, _) in &self.arguments {
            argument.add_makers(&mut paths);
        }
        paths
    }

    /// Returns the crates and modules that its source names.
    pub(crate) fn roots(&self) -> Vec<String> {
        let source: Result<TokenStream, _> = self.source().parse();
        source.map_or_else(|_| Vec::new(), |it| path_roots(&it))
    }

    /// Returns the source of the module with the call.
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
        let mut changed = String::new();
        for (at, (name, _, passed)) in self.arguments.iter().enumerate() {
            if let PassedAs::Changed { .. } = passed {
                changed += &format!(
                    "    parts.push(({name:?}, {{ use unseen::ByNothing as _; {} }}));\n",
                    shown(&format!("&a{at}"))
                );
            }
        }
        let (out, parts) = match self.members.names.is_empty() {
            true => (shown(&call), "vec![(\"\", out)]".to_owned()),
            false => (call, parts(&self.members)),
        };
        format!(
            "#![allow(unused, deprecated)]\nuse crate::support::*;\n\n\
             pub fn call(t: &mut Tokens<'_>) -> Option<Vec<(&'static str, String)>> {{\n{lets}    made();\n    \
             let out = {out};\n    let mut parts = {parts};\n{changed}    Some(parts)\n}}\n"
        )
    }
}

/// Returns the expression of a value's text.
fn shown(value: &str) -> String {
    format!("(&&&&&&Output::of({value})).shown()")
}

/// Returns the expression of the texts of the members of `out`.
fn parts(members: &ShownMembers) -> String {
    let names = members.names.iter().map(|name| {
        let key = name.trim_end_matches("()");
        format!("({key:?}, {})", shown(&format!("&out.{name}")))
    });
    let parts = format!("vec![{}]", names.collect::<Vec<_>>().join(", "));
    match members.within {
        Some("Option") => format!(
            "match &out {{ Some(out) => {parts}, None => vec![(\"\", \"None\".to_owned())] }}"
        ),
        Some(_) => format!(
            "match &out {{ Ok(out) => {parts}, Err(it) => vec![(\"\", {{ use unseen::ByNothing as _; \
             format!(\"Err({{}})\", {}) }})] }}",
            shown("it")
        ),
        None => parts,
    }
}
