//! The shared library: linked in dev builds, and refused where it can't work.

#[cfg(not(unix))]
compile_error!("the feature `dynamic` of tdg works only on Unix: remove it from Cargo.toml");

// C libraries in a shared library hide the tests' own: a user's rusqlite or ring wouldn't link.
#[cfg(all(
    any(feature = "sqlite", feature = "sqlite-system", feature = "remote"),
    not(doc)
))]
compile_error!(
    "the feature `dynamic` of tdg excludes `sqlite`, `sqlite-system` and `remote`: write `tdg = { \
     version = \"…\", default-features = false, features = [\"explain\", \"dynamic\"] }`; runs are \
     then written to files, which `cargo tdg` imports"
);

// Release builds and, with `--cfg tdg_static`, CI link once, so they don't need it.
#[cfg(all(unix, debug_assertions, not(tdg_static)))]
use tdg_dylib as _;
