//! The state of a benchmark's test.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Owner;
use super::binary::TestBinary;
use super::source_text::SourceText;
use super::target::{is_of_both, modules_of, target_of};
use tdg_engine::TestId;
use tdg_engine::config::{normal_path, source_path};
use tdg_engine::snapshot::named_snapshot_file;

/// The state of a benchmark's test: there, idle, gone, or unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The test exists, judging by its source and binary.
    There,
    /// Its source has such a function, which doesn't run: it is ignored, excluded by `#[cfg]`, in a
    /// string, or in a source that isn't a module any more.
    Idle(&'static str),
    /// The test is gone.
    Gone,
    /// Its binary should list it but can't be queried.
    Unasked(String),
    /// It can't be determined.
    Unknown(String),
}

/// The tests of a package, where they can be listed.
#[derive(Debug)]
pub struct KnownTests<'a> {
    /// The package's directory.
    pub package: &'a Path,
    /// The folders with sources of the package outside its directory.
    pub outside: &'a [PathBuf],
    /// The test binaries that were queried.
    pub binaries: &'a [TestBinary],
}

/// A source file of a package with listed tests.
pub(super) struct KnownSource<'a> {
    known: &'a KnownTests<'a>,
    text: Arc<SourceText>,
    /// The modules in front of its tests' names: `a::b::`.
    modules: String,
    /// The binaries that certainly contain its tests.
    binaries: Vec<&'a TestBinary>,
}

impl KnownTests<'_> {
    /// Returns the standing of a snapshot file's test. `is_named` is true if the test's name
    /// differs from its function's, because a test binary lists only functions.
    pub fn standing(&self, owner: &Owner, file: &Path, is_named: bool) -> Standing {
        match self.source(&owner.source) {
            Ok(Some(source)) if is_named => self.standing_of_named(&source.text, file),
            Ok(Some(source)) => source.standing(owner, file),
            Ok(None) => Standing::Gone,
            Err(error) => Standing::Unknown(format!("its source can't be read: {error}")),
        }
    }

    /// A source file of the package; `None` if it is gone.
    pub(super) fn source(&self, path: &Path) -> io::Result<Option<KnownSource<'_>>> {
        let Some(text) = SourceText::once(path)? else {
            return Ok(None);
        };
        let modules = match modules_of(path, self.package) {
            root if root.is_empty() => root,
            modules => modules + "::",
        };
        Ok(Some(KnownSource {
            known: self,
            text,
            modules,
            binaries: self.binaries_of(path),
        }))
    }

    /// Returns true if a test whose benchmark is only in the store is gone. The store doesn't
    /// record which names are explicit, so both kinds are tried.
    pub fn is_gone_from_store(&self, test: &TestId) -> bool {
        let owner = Owner {
            source: normal_path(&self.package.join(&test.source)),
            name: test.name.clone(),
        };
        if source_path(self.package, &owner.source) != test.source {
            // An earlier version wrote the path differently.
            return true;
        }
        let file = named_snapshot_file(&owner.source, &owner.name);
        let is_there = |is_named| {
            let standing = self.standing(&owner, &file, is_named);
            matches!(standing, Standing::There | Standing::Idle(_))
        };
        !is_there(false) && !is_there(true)
    }

    fn standing_of_named(&self, text: &SourceText, file: &Path) -> Standing {
        match text.names(file) {
            true => Standing::There,
            false if !text.builds_names() => Standing::Gone,
            false if self.are_older_than(file) => Standing::There,
            false => Standing::Unknown("names of tests are built there at run time".to_owned()),
        }
    }

    /// Returns the binaries that certainly contain the tests of a source file.
    fn binaries_of(&self, source: &Path) -> Vec<&TestBinary> {
        let target = target_of(source, self.package);
        let is_shared = is_of_both(target.as_deref(), self.package);
        let has_source = |binary: &&TestBinary| {
            let same_target =
                || target.is_some() && target == target_of(&binary.source, self.package);
            binary.source == source || !is_shared && same_target()
        };
        self.binaries.iter().filter(has_source).collect()
    }

    /// Returns true if all binaries are older than the file, so that a run of this build wrote it.
    fn are_older_than(&self, file: &Path) -> bool {
        !self.binaries.is_empty() && self.binaries.iter().all(|it| it.is_older_than(file))
    }
}

impl KnownSource<'_> {
    /// Returns true if a test has this snapshot file by name, regardless of the name recorded in
    /// the file.
    pub(super) fn has_test(&self, owner: &Owner, file: &Path) -> bool {
        self.standing(owner, file) == Standing::There || self.text.gives_name(file)
    }

    fn standing(&self, owner: &Owner, file: &Path) -> Standing {
        let Self { text, binaries, .. } = self;
        let function = owner.function();
        let tests = text.tests(function);
        let counts = binaries.iter().map(|it| it.count(&self.modules, function));
        let compiled: usize = counts.sum();
        if binaries.iter().any(|it| it.lists(&owner.name)) {
            return match tests.ensembles > 0 || compiled > tests.ordinary {
                true if tests.is_ignored => Standing::Idle("ignored"),
                true => Standing::There,
                false => Standing::Gone,
            };
        }
        let refusal = binaries.iter().find_map(|it| it.refusal());
        let asks_none = binaries.is_empty();
        // Some aren't compiled: `#[cfg]` removes them, or they are in another binary.
        if tests.ensembles > compiled {
            return match (asks_none, refusal) {
                (false, None) => Standing::Idle("not compiled"),
                _ => Standing::There,
            };
        }
        match (asks_none, refusal) {
            (false, None) => Standing::Gone,
            _ if self.known.are_older_than(file) => Standing::There,
            (false, Some(reason)) => {
                Standing::Unasked(format!("its test binary can't list its tests: {reason}"))
            }
            (true, _) if !self.known.binaries.is_empty() => {
                Standing::Unknown("another test binary may have it".to_owned())
            }
            (true, _) if text.may_have(function) => {
                Standing::Unknown("a macro may make it".to_owned())
            }
            (true, _) => Standing::Gone,
        }
    }
}
