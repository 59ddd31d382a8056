//! A call of a function in a test, whose rows hold values of the parameters' types.

use syn::{FnArg, ReturnType, Type, parse_quote};

use super::argument::{Argument, PassedAs};
use super::planned_types::PlannedTypes;
use super::planner::Planner;
use crate::sources::tokens::{is_str, optional_reference, text, ungrouped};
use crate::sources::{PublicFunction, Unsupported, parameter_name, snake};

/// A call of a function in a test.
pub(crate) struct TestedCall {
    pub(crate) path: String,
    pub(crate) arguments: Vec<TestedArgument>,
    /// The type of the output, if a test can name it.
    pub(crate) output: Option<String>,
}

/// An argument of a tested function.
pub(crate) struct TestedArgument {
    /// The name of the parameter, and its declaration.
    pub(crate) name: String,
    pub(crate) declared: String,
    /// The argument and how it is passed, or why it can't be planned.
    pub(crate) planned: Result<(Argument, PassedAs), Unsupported>,
    /// The type of a drawn value for it, if a test can name it.
    pub(crate) held: Option<String>,
}

impl TestedCall {
    /// Plans the call of an attempt.
    pub(crate) fn new(
        function: &PublicFunction<'_>,
        types: &PlannedTypes<'_>,
        attempt: usize,
    ) -> Result<Self, Unsupported> {
        let signature = function.signature;
        let planner = Planner::new(function, types, attempt, false)?;
        let inputs = signature.inputs.iter().enumerate();
        let arguments = inputs.map(|(position, input)| {
            let (name, kind) = match input {
                FnArg::Receiver(it) => (receiver(function), &it.ty),
                FnArg::Typed(it) => (parameter_name(position, &it.pat), &it.ty),
            };
            let planned = planner.parameter(position, input);
            TestedArgument {
                name,
                declared: text(input),
                planned: planned.map(|(_, argument, passed)| (argument, passed)),
                held: owned(kind).and_then(|it| planner.named_in_test(&it)),
            }
        });
        let arguments = arguments.collect();
        let output = match &signature.output {
            ReturnType::Default => Some("()".to_owned()),
            ReturnType::Type(_, kind) => planner.named_in_test(kind),
        };
        Ok(Self {
            path: planner.path,
            arguments,
            output,
        })
    }

    /// Returns the reason that an argument can't be planned.
    pub(crate) fn reason(&self) -> Option<&Unsupported> {
        let planned = self.arguments.iter().map(|it| it.planned.as_ref());
        planned.filter_map(Result::err).next()
    }
}

/// Returns a name for the value that a method is called on.
fn receiver(function: &PublicFunction<'_>) -> String {
    let path = function.owner.as_ref().map_or("self", |it| &it.path);
    snake(path.rsplit("::").next().unwrap_or(path))
}

/// Returns the type of the value that a reference is taken of; `None` if it is unsized. Texts stay
/// references.
fn owned(kind: &Type) -> Option<Type> {
    let owner = |kind: &Type| match ungrouped(kind) {
        Type::Slice(slice) => {
            let element = &slice.elem;
            Some(parse_quote!(Vec<#element>))
        }
        Type::TraitObject(_) => None,
        kind => Some(kind.clone()),
    };
    let kind = ungrouped(kind);
    match (kind, optional_reference(kind)) {
        (Type::Reference(it), _) if !is_str(&it.elem) => owner(&it.elem),
        (_, Some(it)) if !is_str(&it.elem) && it.mutability.is_none() => {
            let inner = owner(&it.elem)?;
            Some(parse_quote!(Option<#inner>))
        }
        _ => Some(kind.clone()),
    }
}
