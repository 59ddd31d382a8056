//! Where a test's definition is, and what is known of it while the test is compiled.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use syn::{LitStr, Type};
use tdg_definition::{is_uuid, nearest, sort};

/// Where the user says the definition is.
pub(crate) enum Source {
    /// In a file, by its path from the package's root; or on a server, by its UUID.
    File(LitStr),
    /// In code: of a type that derives `Define`.
    Type(Box<Type>),
}

/// What binding needs to know of a definition.
pub(crate) enum Definition {
    File {
        path: LitStr,
        features: Vec<String>,
    },
    /// On a server, which is not asked while the test is compiled.
    Service(LitStr),
    /// A macro sees names and no types: which features there are is known later.
    Type(Box<Type>),
}

/// Where the manifest of the package being compiled is; cargo and rust-analyzer say it.
pub(crate) fn package_root() -> Option<PathBuf> {
    std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)
}

impl Definition {
    /// Reads a file; the UUID of a definition on a server is none.
    pub(crate) fn read(literal: &LitStr, package_root: Option<&Path>) -> syn::Result<Self> {
        let path = literal.value();
        if is_uuid(&path) {
            return Ok(Definition::Service(literal.clone()));
        }
        let wrong = |problem: String| Err(syn::Error::new(literal.span(), problem));
        let Some(root) = package_root else {
            return wrong(
                "a definition's path starts at the package's root, which the build did not tell: \
                 set CARGO_MANIFEST_DIR for the compiler, as cargo does"
                    .to_owned(),
            );
        };
        if Path::new(&path).has_root() || path.contains(['\\', ':']) {
            return wrong(format!(
                "`{path}` is not a path that holds on every machine; \
                 write it from the package's root, with `/`: definitions/orders.json"
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
            Ok(definition) => {
                let features = definition
                    .features()
                    .iter()
                    .map(|feature| feature.name().to_owned())
                    .collect();
                Ok(Definition::File {
                    path: literal.clone(),
                    features,
                })
            }
            Err(faults) => {
                let faults = faults.to_string().replace('\n', "\n  ");
                wrong(format!("`{path}` is not a valid definition:\n  {faults}"))
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
            "\n  there is: {}",
            candidates[..candidates.len().min(5)].join(", ")
        ),
    };
    format!(
        "there is no file `{path}`{hint}\n  looked for: {}\n  \
         a definition's path starts at the package's root, where Cargo.toml is",
        file.display()
    )
}

/// The `.json` files beside the missing one; where that folder is missing too, those in the folders
/// of the package's root. Paths from the root, sorted.
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
