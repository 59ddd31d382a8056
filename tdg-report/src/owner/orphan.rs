//! Benchmarks that have lost their tests.

use std::path::{Path, PathBuf};

use tdg_definition::Definition;

use super::files::packages;
use super::heads::SnapshotHead;
use super::{KnownTests, Owner, Standing};
use tdg_engine::Ensemble;
use tdg_engine::snapshot::Header;

/// A benchmark that has lost its test, or may have.
#[derive(Clone, Debug)]
pub struct Orphan {
    /// The former test.
    pub owner: Owner,
    /// Its snapshot file.
    pub file: PathBuf,
    /// The ensemble of the benchmark.
    pub header: Header,
    /// The reason why the test may still exist, if that is uncertain.
    pub doubt: Option<String>,
    /// Set if its source still has such a function, which doesn't run.
    pub is_idle: bool,
    /// Set if it is in another package.
    pub is_elsewhere: bool,
    /// Set if its rows share a feature, by name and type, with the test's rows.
    pub has_features: bool,
}

impl KnownTests<'_> {
    /// Returns the benchmarks in files that have lost their tests, as candidates for a test with
    /// these rows and snapshot file: first the ones with the same rows, then with a common feature,
    /// then in the same folder.
    ///
    /// If a test may still exist, its benchmark counts only if it has the same rows, because the
    /// test may have moved. `is_claimed` returns true if a file belongs to a test of this process.
    pub fn orphans(
        &self,
        rows: &Ensemble,
        own: &Path,
        is_claimed: impl Fn(&Path) -> bool,
    ) -> Vec<Orphan> {
        let heads = self.heads();
        let others = heads.iter().filter(|it| {
            let has_test = it.has_test && !self.has_other_benchmark(&it.owner);
            !has_test && it.file != own && !is_claimed(&it.file)
        });
        let mut orphans: Vec<Orphan> = others.filter_map(|it| self.orphan(it, rows)).collect();
        orphans.sort_by_key(|it| {
            let has_rows = it.header.ensemble.digest == rows.digest;
            (
                !has_rows,
                !it.has_features,
                it.file.parent() != own.parent(),
            )
        });
        orphans
    }

    /// Returns orphans with the same rows in other packages, since the test may have moved.
    pub fn orphans_elsewhere(&self, root: &Path, rows: &Ensemble) -> Vec<Orphan> {
        let others = packages(root).into_iter();
        let others = others.filter(|package| package != self.package);
        let orphans = others.flat_map(|package| {
            let known = KnownTests {
                package: &package,
                outside: &[],
                binaries: &[],
            };
            let is_own = |file: &Path| self.outside.iter().any(|own| file.starts_with(own));
            let has_rows = |it: &&SnapshotHead| {
                let header = || it.header().map(|header| &header.ensemble);
                let has_rows = || header().is_some_and(|it| it.digest == rows.digest);
                !it.has_test && !is_own(&it.file) && has_rows()
            };
            let heads = known.heads();
            let orphans = heads.iter().filter(has_rows);
            let orphans = orphans.filter_map(|it| known.orphan(it, rows));
            orphans.collect::<Vec<_>>()
        });
        let certain = orphans.filter(|orphan| orphan.doubt.is_none());
        let elsewhere = certain.map(|orphan| Orphan {
            is_elsewhere: true,
            ..orphan
        });
        elsewhere.collect()
    }

    /// Returns true if the owner is known to have another benchmark.
    fn has_other_benchmark(&self, owner: &Owner) -> bool {
        let mut binaries = self.binaries.iter();
        binaries.any(|it| it.has_other_benchmark(&owner.name))
    }

    fn orphan(&self, head: &SnapshotHead, rows: &Ensemble) -> Option<Orphan> {
        let (file, header) = (&head.file, head.header()?);
        let owner = Owner::find(file, self.package, Some(&header.ensemble.name))?;
        let has_rows = header.ensemble.digest == rows.digest;
        let standing = self.standing_of(&owner, file, header);
        let is_idle = matches!(standing, Standing::Idle(_));
        let doubt = match standing {
            Standing::There => return None,
            Standing::Gone => None,
            Standing::Unasked(reason) => Some(reason),
            Standing::Unknown(reason) if has_rows => Some(reason),
            Standing::Idle(why) if has_rows => {
                Some(format!("a function of that name exists, but {why}"))
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
            has_features: has_rows || share_a_feature(&header.ensemble, rows),
        })
    }

    /// A file that git moved may belong to a function or to an explicit name.
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
}

/// Returns true if two ensembles have a feature with the same name and type, or if a definition
/// can't be read.
fn share_a_feature(one: &Ensemble, other: &Ensemble) -> bool {
    let read = |ensemble: &Ensemble| Definition::parse(&ensemble.definition).ok();
    let (Some(one), Some(other)) = (read(one), read(other)) else {
        return true;
    };
    one.features().iter().any(|feature| {
        let mut others = other.features().iter();
        others.any(|it| it.name() == feature.name() && it.feature_type() == feature.feature_type())
    })
}
