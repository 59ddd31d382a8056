//! The functions of a package at both revisions: called alike, or not called, with the reason.

use std::collections::BTreeMap;
use std::fs;

use super::effects::Effects;
use super::plan::PlannedCall;
use super::side::ComparedSide;
use crate::error::Result;
use crate::sources::{
    CallGraph, CodeConstants, FunctionConstants, Sources, functions_of_generic_types,
    public_functions,
};
use crate::workspace::Package;

/// The public functions of a package at one revision, by their names.
pub(super) struct Functions(BTreeMap<String, PlannedFunction>);

struct PlannedFunction {
    call: Result<PlannedCall, String>,
    /// What it reaches for outside of its process.
    effect: Option<&'static str>,
    constants: CodeConstants,
}

/// The functions of both revisions.
#[derive(Default)]
pub(super) struct Paired {
    pub(super) calls: Vec<PlannedCall>,
    /// The constants of the code of the functions that are called.
    pub(super) constants: BTreeMap<String, CodeConstants>,
    /// Functions that aren't called, with the reasons.
    pub(super) skipped: BTreeMap<String, String>,
    /// Functions that take or return something else, with which.
    pub(super) resigned: BTreeMap<String, &'static str>,
    pub(super) added: Vec<String>,
    pub(super) removed: Vec<String>,
}

impl Functions {
    /// Those of the package's library; none if it has no library.
    pub(super) fn of(side: &ComparedSide, package: &Package) -> Result<Self> {
        let Some(library) = &package.library else {
            return Ok(Self(BTreeMap::new()));
        };
        let sources = Sources::read(&library.name, &library.root, &|path| {
            fs::read_to_string(path)
        })
        .map_err(|error| {
            let folder = format!("{}/", package.directory.display());
            side.error(&error.to_string().replace(&folder, ""))
        })?;
        let calls = CallGraph::of(&sources);
        let effects = Effects::of(&calls);
        let constants = FunctionConstants::of(&sources, &calls, package);
        let mut functions = BTreeMap::new();
        for function in public_functions(&sources) {
            let prefix = format!("{}::", sources.name);
            let name = function
                .path
                .strip_prefix(&prefix)
                .unwrap_or(&function.path);
            let owner = function.owner.as_ref();
            let owner = owner.and_then(|it| it.path.rsplit("::").next());
            let called = function.signature.ident.to_string();
            let planned = PlannedFunction {
                call: PlannedCall::of(&function),
                effect: effects.effect(owner, &called),
                constants: constants.of_function(owner, &called),
            };
            functions.insert(name.to_owned(), planned);
        }
        for (owner, name) in functions_of_generic_types(&sources) {
            let planned = PlannedFunction {
                call: Err("is of a type with parameters".to_owned()),
                effect: None,
                constants: CodeConstants::default(),
            };
            functions
                .entry(format!("{owner}::{name}"))
                .or_insert(planned);
        }
        Ok(Self(functions))
    }

    /// Pairs the functions of two revisions; those that reach out are called only if `allowed`.
    pub(super) fn paired(before: &Self, after: &Self, allowed: &[String]) -> Paired {
        let mut paired = Paired {
            added: after
                .0
                .keys()
                .filter(|it| !before.0.contains_key(*it))
                .cloned()
                .collect(),
            ..Paired::default()
        };
        for (name, then) in &before.0 {
            let Some(now) = after.0.get(name) else {
                paired.removed.push(name.clone());
                continue;
            };
            let effect = then
                .effect
                .or(now.effect)
                .filter(|_| !allowed.contains(name));
            match (&then.call, &now.call, effect) {
                (Err(reason), _, _) | (_, Err(reason), _) => {
                    paired.skipped.insert(name.clone(), reason.clone());
                }
                (_, _, Some(effect)) => {
                    let reason = format!("reaches for {effect}; to call it: --allow {name}");
                    paired.skipped.insert(name.clone(), reason);
                }
                (Ok(planned), Ok(call), None) if planned == call => {
                    let constants = then.constants.of_both(&now.constants);
                    paired.constants.insert(name.clone(), constants);
                    paired.calls.push(call.clone());
                }
                (Ok(then), Ok(now), None) => {
                    let reason = match then.arguments == now.arguments {
                        true => "returns another type than before",
                        false => "takes other arguments than before",
                    };
                    paired.resigned.insert(name.clone(), reason);
                }
            }
        }
        paired
    }
}

impl Paired {
    /// Keeps the functions whose names contain the text.
    pub(super) fn keep(&mut self, text: &str) {
        self.calls.retain(|it| it.name.contains(text));
        self.skipped.retain(|name, _| name.contains(text));
        self.resigned.retain(|name, _| name.contains(text));
        self.added.retain(|name| name.contains(text));
        self.removed.retain(|name| name.contains(text));
    }
}
