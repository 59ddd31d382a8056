//! Items for the code that the macros write. They are not part of the public API.

use crate::runner::UnderTest;
use crate::test_options::Source;
use crate::{Definition, DefinitionSource, EnsembleTest};

/// Re-exported, because users have crates named `core`.
pub use ::core;
pub use ::std::{boxed::Box, vec::Vec};

#[cfg(feature = "tokio")]
pub use crate::async_runtime::{block_on, enter, runtime};

/// Re-exported, because users may not depend on serde_core.
pub use ::serde_core as serde;

pub use crate::define::{AnyPart, NullablePart, constant};
pub use crate::define::{DefinedPart, PartMembers, StatedDefinition, check_feature};
pub use crate::define::{defined, definition, members, part};
pub use crate::row::{LongArray, Taken, bind, feature_or_row, leaked, whole_row};
pub use crate::runner::{CallError, Function, Other, Pass, Passed, RunError, SetUpError, batch};
pub use crate::runner::{fixture, shared, with_fixtures};
pub use tdg_engine::Site;

/// Creates a test at that place, named after its module and function, which takes these features.
pub fn test_at(site: Site, takes: Taken) -> EnsembleTest {
    EnsembleTest::at(site).takes(takes)
}

/// Runs a test of one function, or of two.
#[track_caller]
pub fn run(test: EnsembleTest, function: Function<'_>, against: Option<Other<'_>>) {
    test.finish(&UnderTest { function, against });
}

/// Returns a definition file that was read at compile time, in its canonical form. The path is
/// relative to the package's directory.
pub fn embedded(path: &'static str, canonical: &'static str) -> DefinitionSource {
    DefinitionSource(Source::Embedded { path, canonical })
}

/// Returns a definition from the signature of a test.
pub fn in_signature(definition: Definition) -> DefinitionSource {
    DefinitionSource(Source::Signature(definition))
}

/// Returns the definition of a type that derives `Define`.
pub fn of_type(definition: Definition) -> DefinitionSource {
    DefinitionSource(Source::Type(definition))
}

pub mod read {
    pub use crate::row::read::*;
}

pub mod made {
    pub use crate::maker::*;
}

pub mod probe {
    pub use crate::outcome_probe::*;
}
