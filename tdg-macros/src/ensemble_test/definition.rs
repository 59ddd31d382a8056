//! The part of a test's definition that is known at compile time.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use syn::{LitStr, Type};
use tdg_definition::{Fault, Faults, Feature, nearest, read_row, sort};

use super::function::TestedFunction;
use super::options::AttributeOptions;
use super::parameter::TestedParameter;
use super::signature;
use super::source::DefinitionOption;
use crate::define::{self, may_be_derived};
use crate::errors::Errors;

/// The part of a definition that binding needs.
pub(crate) enum BoundDefinition {
    File {
        path: LitStr,
        features: Vec<Feature>,
        canonical: String,
    },
    /// A definition on a server, by its UUID. It isn't fetched at compile time.
    Remote(LitStr),
    /// A derived type, whose features the macro doesn't know because it only sees names.
    Type(Box<Type>),
    /// A definition in the signature, where each parameter is a feature.
    Signature(define::CodeDefinition),
}

impl BoundDefinition {
    /// Finds the definition in the options, or else in the parameters.
    pub(crate) fn find(
        function: &TestedFunction,
        options: &AttributeOptions,
        package_root: Option<&Path>,
        errors: &mut Errors,
    ) -> Option<Self> {
        let mut definers = function.parameters.iter().flat_map(|it| &it.definers);
        let (definer, relations) = (definers.next(), options.relations.first());
        let has_maker = function.parameters.iter().any(|it| it.maker.is_some());
        if options.given("definition").is_none() {
            let is_derived = |it: &TestedParameter| it.kind.as_ref().is_some_and(may_be_derived);
            let of_file = options.given("rows").is_some();
            let needs_none =
                options.batch.is_none() && function.of_row().any(|it| of_file || is_derived(it));
            if definer.is_some() || has_maker || needs_none {
                return signature::read(function, options, errors).map(Self::Signature);
            }
            errors.add(signature::missing(
                function,
                relations.map(|(name, _)| name),
            ));
            return None;
        }
        if let Some(definer) = definer {
            errors.at(
                definer,
                "the option `definition` names a definition, but this states another; keep one of \
                 them",
            );
        } else if let Some((name, _)) = relations {
            errors.at(
                name,
                "`define` relates parameters that have their own #[define(…)]; the relations of a \
                 file belong in the file, and the relations of a type that derives `Define` on the \
                 type",
            );
        }
        match options.definition.as_ref()? {
            DefinitionOption::File(path) => errors.keep(Self::read(path, package_root)),
            DefinitionOption::Remote(id) => Some(Self::Remote(id.clone())),
            DefinitionOption::Type(kind) => Some(Self::Type(kind.clone())),
        }
    }

    /// Reads a file.
    fn read(literal: &LitStr, package_root: Option<&Path>) -> syn::Result<Self> {
        let path = literal.value();
        let wrong = |problem: String| Err(syn::Error::new(literal.span(), problem));
        let Some(root) = package_root else {
            return wrong(
                "a definition's path starts at the package's root, which is unknown: \
                 set CARGO_MANIFEST_DIR for the compiler, as cargo does"
                    .to_owned(),
            );
        };
        if Path::new(&path).has_root() || path.contains(['\\', ':']) {
            return wrong(format!(
                "`{path}` is not a path that works on every machine; write it from the package's \
                 root, with `/`: definitions/orders.json"
            ));
        }
        let file = root.join(&path);
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return wrong(missing(&path, &file, root));
            }
            Err(_) if file.is_dir() => {
                return wrong(format!("`{path}` is a folder; name a file in it"));
            }
            Err(error) => {
                return wrong(format!(
                    "`{path}` can't be read: {error} ({})",
                    file.display()
                ));
            }
        };
        match tdg_definition::Definition::parse(&text) {
            Ok(definition) => Ok(BoundDefinition::File {
                path: literal.clone(),
                features: definition.features().to_vec(),
                canonical: definition.canonical(),
            }),
            Err(faults) => {
                let faults = faults.to_string().replace('\n', "\n  ");
                wrong(format!("`{path}` is not a valid definition:\n  {faults}"))
            }
        }
    }
}

impl BoundDefinition {
    /// Checks the test's kept rows against the known features.
    pub(crate) fn check_rows(&self, rows: &[LitStr], errors: &mut Errors) {
        let parsed;
        let (name, features) = match self {
            Self::File { path, features, .. } => (format!("`{}`", path.value()), &**features),
            Self::Signature(definition) if !rows.is_empty() => {
                let Ok(definition) = definition.parsed() else {
                    return;
                };
                parsed = definition;
                ("this signature".to_owned(), parsed.features())
            }
            Self::Signature(_) | Self::Remote(_) | Self::Type(_) => return,
        };
        for row in rows {
            let Err(faults) = read_row(features, &row.value()) else {
                continue;
            };
            // The statements of a derived type or a constant are known at run time.
            let is_known = |fault: &&Fault| match (self, fault.pointer.segments().next()) {
                (Self::Signature(definition), Some(name)) => !definition.is_open(name),
                _ => true,
            };
            let faults: Faults = faults.iter().filter(is_known).cloned().collect();
            if let Err(faults) = faults.check() {
                let faults = faults.to_string().replace('\n', "\n  ");
                errors.at(row, format!("this is not a row of {name}:\n  {faults}"));
            }
        }
    }
}

fn missing(path: &str, file: &Path, root: &Path) -> String {
    let candidates = json_files_near(file, root);
    let hint = match nearest(path, candidates.iter().map(String::as_str)) {
        Some(nearest) => format!("\n  did you mean `{nearest}`?"),
        None if candidates.is_empty() => String::new(),
        None => format!(
            "\n  found: {}",
            candidates[..candidates.len().min(5)].join(", ")
        ),
    };
    format!(
        "can't find the file `{path}`{hint}\n  looked for: {}\n  \
         a definition's path starts at the package's root, where Cargo.toml is",
        file.display()
    )
}

/// Returns the `.json` files next to the missing one. If that folder is missing too, returns the
/// files in the folders of the package's root. The paths are relative to the root and sorted.
fn json_files_near(file: &Path, root: &Path) -> Vec<String> {
    let folders = match file.parent() {
        Some(folder) if folder.is_dir() => vec![folder.to_owned()],
        _ => std::iter::once(root.to_owned())
            .chain(entries(root).into_iter().filter(|entry| entry.is_dir()))
            .collect(),
    };
    let mut found: Vec<String> = folders
        .iter()
        .flat_map(|folder| entries(folder))
        .filter(|entry| entry.extension() == Some(OsStr::new("json")))
        .filter_map(|entry| Some(entry.strip_prefix(root).ok()?.to_str()?.replace('\\', "/")))
        .collect();
    sort::by(&mut found, Ord::cmp);
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
}
