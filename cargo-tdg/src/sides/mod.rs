//! A side of a comparison: its sources, and the tests that are built and run on them.
//!
//! `revision` and `published_version` get the sources, `overlay` lays today's tests over them, and
//! `tested_side` builds and runs these.

mod overlay;
mod path_dependencies;
pub(crate) mod published_version;
mod revision;
mod side;
mod test_targets;
mod tested_side;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tdg_engine::store::FileLock;

use crate::error::{Context as _, Error, Result};
use crate::store::why_not_locked;
use crate::terminal::show_progress;
use crate::workspace::Workspace;

pub(crate) use self::overlay::{LaidTests, Overlay, test_sources};
pub(crate) use self::revision::Revision;
pub(crate) use self::side::{BuildOptions, ComparedSide, build_folder};
pub(crate) use self::test_targets::{
    TargetError, TestProgram, TestTarget, TestTargets, first_error, listed_tests,
};
pub(crate) use self::tested_side::{RunKind, TestedSide};

/// How long to wait for another comparison that builds in the same folder.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Returns the folder of comparisons, once no other one builds there.
pub(crate) fn lock_folder(workspace: &Workspace) -> Result<(PathBuf, FileLock)> {
    let folder = workspace.target_directory.join("tdg").join("compare");
    fs::create_dir_all(&folder).context(folder.display())?;
    show_progress("waiting for another comparison …");
    let lock = FileLock::wait(&folder.join("lock"), PATIENCE)
        .map_err(|problem| Error::new(why_not_locked(&problem)).context(folder.display()))?;
    Ok((folder, lock))
}

/// Writes a file unless its content is the same: cargo checks modification times.
pub(crate) fn write_changed(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    if fs::read(path).is_ok_and(|it| it == content.as_ref()) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).context(folder.display())?;
    }
    fs::write(path, content).context(path.display())
}
