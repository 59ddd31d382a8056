//! The shared library: linked in dev builds, and refused where it can't work.

#[cfg(not(unix))]
compile_error!("the feature `dynamic` of tdg works only on Unix so far: remove it from Cargo.toml");

// C libraries within a shared library hide those of the tests: a user's own rusqlite or ring would
// not link.
#[cfg(any(feature = "sqlite", feature = "sqlite-system", feature = "remote"))]
compile_error!(
    "the feature `dynamic` of tdg excludes `sqlite`, `sqlite-system` and `remote`: write \
     `tdg = { version = \"…\", default-features = false, features = [\"explain\", \"dynamic\"] }`; runs are \
     then kept in files, which `cargo tdg` takes in"
);

// Release builds have no use for it: they are linked once.
#[cfg(all(unix, debug_assertions))]
use tdg_dylib as _;
