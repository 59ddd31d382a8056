//! The origin of a test's definition.

use std::path::PathBuf;

use tdg_definition::Definition;

/// The origin of a test's definition: a [`Definition`], the path of a JSON file from the package's
/// directory, or a definition on a server.
///
/// ```
/// use tdg::{Definition, DefinitionSource, EnsembleTest};
///
/// let orders = "definitions/orders.json";
/// let test = EnsembleTest::new("total").definition(orders);
///
/// let on_server = DefinitionSource::remote("0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10");
/// let test = EnsembleTest::new("total").definition(on_server);
///
/// let in_memory = Definition::parse(r#"{"features": [{"feature_name": "x", "type": "FLOAT",
///     "distribution": {"type": "uniform", "min": 0, "max": 1}}]}"#)?;
/// let test = EnsembleTest::new("total").definition(in_memory);
/// # Ok::<(), tdg::Faults>(())
/// ```
#[derive(Clone, Debug)]
pub struct DefinitionSource(pub(crate) Source);

#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A JSON file, by its path relative to the package's directory.
    File(PathBuf),
    /// A JSON file that was read at compile time, in its canonical form.
    Embedded {
        path: &'static str,
        canonical: &'static str,
    },
    /// A definition on a server, by its UUID.
    Remote(String),
    /// The definition in the signature of the test.
    Signature(Definition),
    /// The definition of a type that derives `Define`.
    Type(Definition),
    Value(Definition),
}

impl DefinitionSource {
    /// Returns the definition with this UUID on the server. The test needs
    /// [`StoreKind::Remote`](crate::StoreKind::Remote).
    pub fn remote(uuid: impl Into<String>) -> Self {
        Self(Source::Remote(uuid.into()))
    }
}

impl From<&str> for DefinitionSource {
    fn from(path: &str) -> Self {
        Self(Source::File(path.into()))
    }
}

impl From<PathBuf> for DefinitionSource {
    fn from(path: PathBuf) -> Self {
        Self(Source::File(path))
    }
}

impl From<Definition> for DefinitionSource {
    fn from(definition: Definition) -> Self {
        Self(Source::Value(definition))
    }
}
