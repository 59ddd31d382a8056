//! What the macros refuse, and what they say then: one mistake a file, named after it (`define_…`
//! for the derive).
//!
//! After a change of messages: `TRYBUILD=overwrite cargo test -p tdg --test ui`.

#![allow(clippy::unwrap_used)] // In helpers too: what fails there fails the test.

use std::path::{Path, PathBuf};

#[test]
fn mistakes_are_explained_where_they_are() {
    provide_files("definitions");
    provide_files("rows");
    let cases = trybuild::TestCases::new();
    for entry in std::fs::read_dir("tests/ui").unwrap() {
        let path = entry.unwrap().path();
        let needs_no_tokio = path.to_string_lossy().ends_with("async_without_tokio.rs");
        if path.extension().is_some_and(|extension| extension == "rs")
            && !(needs_no_tokio && cfg!(feature = "tokio"))
        {
            cases.compile_fail(path);
        }
    }
}

/// The package that trybuild makes of the cases gets the files that they name.
fn provide_files(folder: &str) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let files: PathBuf = target.join("tests/trybuild/tdg").join(folder);
    std::fs::create_dir_all(&files).unwrap();
    for entry in std::fs::read_dir(Path::new("tests/ui").join(folder)).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), files.join(entry.file_name())).unwrap();
    }
}
