//! The snapshot files of a package, with their heads.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::folder::SourceFolder;
use super::status::KnownSource;
use super::target::{is_of_both, target_of};
use super::{KnownTests, Owner, snapshot_files};
use tdg_engine::snapshot::Header;

/// A snapshot file. Its head is read on first use.
#[derive(Debug)]
pub(super) struct SnapshotHead {
    pub(super) file: PathBuf,
    /// The test that owns it by file name.
    pub(super) owner: Owner,
    /// Set if that test exists.
    pub(super) has_test: bool,
    header: OnceLock<Option<Header>>,
}

impl SnapshotHead {
    /// Returns the head, or `None` if another tool wrote the file.
    pub(super) fn header(&self) -> Option<&Header> {
        let read = || Header::read(&self.file);
        self.header.get_or_init(read).as_ref()
    }
}

impl KnownTests<'_> {
    /// Returns the package's snapshot files as of the first call in this process. Any that it wrote
    /// since then belong to existing tests.
    pub(super) fn heads(&self) -> Arc<Vec<SnapshotHead>> {
        type Heads = Arc<Vec<SnapshotHead>>;
        static HEADS: Mutex<Option<HashMap<(PathBuf, PathBuf), Heads>>> = Mutex::new(None);
        let mut heads = HEADS.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (self.package.to_owned(), self.target());
        let heads = heads.get_or_insert_default().entry(key);
        heads.or_insert_with(|| Arc::new(self.read_heads())).clone()
    }

    /// Returns the target of the first binary, or its source file if the target is ambiguous.
    fn target(&self) -> PathBuf {
        let Some(binary) = self.binaries.first() else {
            return PathBuf::new();
        };
        let target = target_of(&binary.source, self.package);
        let target = target.filter(|it| !is_of_both(Some(it), self.package));
        target.map_or_else(|| binary.source.clone(), PathBuf::from)
    }

    fn read_heads(&self) -> Vec<SnapshotHead> {
        let mut folder: Option<SourceFolder> = None;
        // Many files are of one source.
        let mut sources: HashMap<PathBuf, Option<KnownSource<'_>>> = HashMap::new();
        let mut has_test = |owner: &Owner, file: &Path| {
            let known = sources.entry(owner.source.clone());
            let known = known.or_insert_with_key(|it| self.source(it).ok().flatten());
            known.as_ref().is_some_and(|it| it.has_test(owner, file))
        };
        let mut head = |file: PathBuf| {
            folder = folder.take().filter(|folder| folder.is_of(&file));
            folder = folder.take().or_else(|| SourceFolder::read(&file));
            let owner = Owner::among(folder.as_ref()?, &file, self.package, None)?;
            Some(SnapshotHead {
                has_test: has_test(&owner, &file),
                owner,
                file,
                header: OnceLock::new(),
            })
        };
        let folders = self.outside.iter().map(PathBuf::as_path);
        let folders = [self.package].into_iter().chain(folders);
        folders
            .flat_map(snapshot_files)
            .filter_map(&mut head)
            .collect()
    }
}
