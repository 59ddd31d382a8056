//! Benchmarks that are left without their tests.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::binary::TestBinary;
use super::files::packages;
use super::source_text::SourceText;
use super::target::{is_of_both, modules_of, target_of};
use super::{Owner, snapshot_files};
use crate::snapshot::{Header, named_snapshot_file};
use crate::test_id::TestId;

/// A benchmark that is left without its test, or may be.
#[derive(Clone, Debug)]
pub struct Orphan {
    /// The test.
    pub owner: Owner,
    /// Its snapshot file.
    pub file: PathBuf,
    /// The ensemble of the benchmark.
    pub header: Header,
    /// Why it isn't certain that the test is gone, if it isn't.
    pub doubt: Option<String>,
    /// Whether its source still has such a function, which doesn't run.
    pub is_idle: bool,
    /// Whether it is in another package.
    pub is_elsewhere: bool,
}

/// Whether the test of a benchmark is still there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is, as far as anything can tell.
    There,
    /// Its source has such a function, which doesn't run: it is ignored, or it isn't compiled,
    /// because of `#[cfg]`, because the source is no module any more, or because it is in a text.
    Idle(&'static str),
    /// It isn't.
    Gone,
    /// Its binary should know, and can't be asked.
    Unasked(String),
    /// Nothing tells.
    Unknown(String),
}

/// The tests of a package, as far as they are known.
#[derive(Debug)]
pub struct KnownTests<'a> {
    /// The package's directory.
    pub package: &'a Path,
    /// The test binaries that were asked.
    pub binaries: &'a [TestBinary],
}

impl KnownTests<'_> {
    /// The benchmarks in files that are left without their tests, for a test of these rows and
    /// that snapshot file; first those of the same rows, then those of the same folder.
    ///
    /// Where nothing tells whether a test is gone, only one of the same rows counts: it may have
    /// moved. `is_claimed` tells whether a test of this process has a file.
    pub fn orphans(
        &self,
        digest: &str,
        own: &Path,
        is_claimed: impl Fn(&Path) -> bool,
    ) -> Vec<Orphan> {
        let files = headers(self.package);
        let others = files.iter();
        let others = others.filter(|(file, _)| file != own && !is_claimed(file));
        let has_rows = |header: &Header| header.ensemble.digest == digest;
        let mut orphans: Vec<Orphan> = others
            .filter_map(|(file, header)| {
                let owner = Owner::of(file, self.package, Some(&header.ensemble.name))?;
                let standing = self.standing_of(&owner, file, header);
                let is_idle = matches!(standing, Standing::Idle(_));
                let doubt = match standing {
                    Standing::There => return None,
                    Standing::Gone => None,
                    Standing::Unasked(reason) => Some(reason),
                    Standing::Unknown(reason) if has_rows(header) => Some(reason),
                    Standing::Idle(why) if has_rows(header) => {
                        Some(format!("a function of that name is there, but {why}"))
                    }
                    Standing::Unknown(_) | Standing::Idle(_) => return None,
                };
                Some(Orphan {
                    owner,
                    file: file.clone(),
                    header: header.clone(),
                    doubt,
                    is_idle,
                    is_elsewhere: false,
                })
            })
            .collect();
        orphans.sort_by_key(|it| (!has_rows(&it.header), it.file.parent() != own.parent()));
        orphans
    }

    /// Those of the same rows in the other packages below the root: the test may have moved there.
    pub fn orphans_elsewhere(&self, root: &Path, digest: &str) -> Vec<Orphan> {
        let others = packages(root).into_iter();
        let others = others.filter(|package| package != self.package);
        let orphans = others.flat_map(|package| {
            let known = KnownTests {
                package: &package,
                binaries: &[],
            };
            known.orphans(digest, Path::new(""), |_| false)
        });
        let of_rows = orphans.filter(|it| it.header.ensemble.digest == digest);
        let certain = of_rows.filter(|orphan| orphan.doubt.is_none());
        let elsewhere = certain.map(|orphan| Orphan {
            is_elsewhere: true,
            ..orphan
        });
        elsewhere.collect()
    }

    /// A file that git moved may belong to a name of either kind.
    fn standing_of(&self, owner: &Owner, file: &Path, header: &Header) -> Standing {
        let is_moved = owner.name != header.ensemble.name;
        if header.is_named || is_moved {
            let standing = self.standing(owner, file, !header.is_named);
            if standing == Standing::There {
                return standing;
            }
        }
        self.standing(owner, file, header.is_named)
    }

    /// Whether the test of a snapshot file is there; `is_named` if its name is not that of its
    /// function, which alone a test binary lists.
    pub fn standing(&self, owner: &Owner, file: &Path, is_named: bool) -> Standing {
        let text = match SourceText::read(&owner.source) {
            Ok(Some(text)) => text,
            Ok(None) => return Standing::Gone,
            Err(error) => return Standing::Unknown(format!("its source can't be read: {error}")),
        };
        if is_named {
            return self.standing_of_named(&text, file);
        }
        let own: Vec<&TestBinary> = self.binaries_of(&owner.source).collect();
        let listed = own.iter().filter_map(|binary| binary.names().as_ref().ok());
        let listed: Vec<&String> = listed.flatten().collect();
        let function = owner.function();
        // More than are compiled: one is left out by `#[cfg]`, or is another binary's.
        let modules = match modules_of(&owner.source, self.package) {
            root if root.is_empty() => root,
            modules => modules + "::",
        };
        let is_of_file = |name: &str| match name.strip_prefix(&modules) {
            Some(name) => name.rsplit("::").next() == Some(function),
            None => false,
        };
        let compiled = listed.iter().filter(|name| is_of_file(name)).count();
        let refusal = own.iter().find_map(|binary| binary.names().as_ref().err());
        if listed.contains(&&owner.name) {
            return match text.ignores(function) {
                true => Standing::Idle("ignored"),
                false => Standing::There,
            };
        }
        if text.functions(function) > compiled {
            return match (own.is_empty(), refusal) {
                (false, None) => Standing::Idle("not compiled"),
                _ => Standing::There,
            };
        }
        match (own.is_empty(), refusal) {
            (false, None) => Standing::Gone,
            _ if self.are_older_than(file) => Standing::There,
            (false, Some(reason)) => Standing::Unasked(format!(
                "its test binary can't be asked for its tests: {reason}"
            )),
            (true, _) if !self.binaries.is_empty() => {
                Standing::Unknown("another test binary may have it".to_owned())
            }
            (true, _) if text.may_have(function) => {
                Standing::Unknown("a macro may make it".to_owned())
            }
            (true, _) => Standing::Gone,
        }
    }

    /// Whether a test whose benchmark is in the store alone is gone. The store doesn't know which
    /// names are those of functions.
    pub fn is_gone_from_store(&self, test: &TestId) -> bool {
        let owner = Owner {
            source: self.package.join(&test.source),
            name: test.name.clone(),
        };
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

    /// The binaries that certainly have the tests of a source file.
    fn binaries_of(&self, source: &Path) -> impl Iterator<Item = &TestBinary> {
        let target = target_of(source, self.package);
        let is_shared = is_of_both(target.as_deref(), self.package);
        self.binaries.iter().filter(move |binary| {
            let same_target =
                || target.is_some() && target == target_of(&binary.source, self.package);
            binary.source == source || !is_shared && same_target()
        })
    }

    /// Whether a run of the present build has written a file.
    fn are_older_than(&self, file: &Path) -> bool {
        !self.binaries.is_empty() && self.binaries.iter().all(|it| it.is_older_than(file))
    }
}

/// The snapshot files of a package with their heads, as they were when the process first asked:
/// those that it wrote since belong to tests that exist.
fn headers(package: &Path) -> Arc<Vec<(PathBuf, Header)>> {
    type Headers = Arc<Vec<(PathBuf, Header)>>;
    static PACKAGES: Mutex<Option<HashMap<PathBuf, Headers>>> = Mutex::new(None);
    let mut packages = PACKAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let headers = packages.get_or_insert_default().entry(package.to_owned());
    let read = || {
        let files = snapshot_files(package).into_iter();
        let with_header = |file: PathBuf| Header::read(&file).map(|header| (file, header));
        Arc::new(files.filter_map(with_header).collect())
    };
    headers.or_insert_with(read).clone()
}
