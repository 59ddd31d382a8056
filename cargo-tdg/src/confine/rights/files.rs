//! The files that a program may read and write.

use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, path_beneath_rules,
};

use crate::error::{Context as _, Error, Result};

/// Stateless devices. Opening others can have effects: terminals, tapes, watchdogs.
const READABLE_DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Allows reading everything but devices, and writing only in the folder `own`.
pub(super) fn confine(program: &Path, own: &Path) -> Result<()> {
    // Requires only the rights of Linux 5.13, under which files can't move to another folder. Later
    // kernels allow that within `own`. `system_calls` prevents truncation on all kernels.
    let required = AccessFs::from_all(ABI::V1);
    let later = AccessFs::Refer | AccessFs::Truncate;
    let device_files = AccessFs::MakeChar | AccessFs::MakeBlock;
    let read = AccessFs::ReadFile | AccessFs::Execute;
    let folder = PathFd::new(own).context("the folder of the program")?;
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(required)
        // The library's own error is a list of rights.
        .map_err(|_| Error::new("the kernel doesn't offer it to this process"))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(later)?
        .create()?
        .add_rules(path_beneath_rules(["/"], AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(readable()?, read))?
        .add_rules(path_beneath_rules([program], read))?
        .add_rules(path_beneath_rules(
            ["/dev/null"],
            AccessFs::WriteFile | AccessFs::Truncate,
        ))?
        .add_rule(PathBeneath::new(folder, (required | later) & !device_files))?
        .restrict_self()?;
    Ok(())
}

/// Returns the stateless devices and all folders at the root but `/dev`.
fn readable() -> Result<Vec<PathBuf>> {
    let mut readable: Vec<_> = READABLE_DEVICES.map(PathBuf::from).into();
    for entry in fs::read_dir("/").context("/")? {
        let entry = entry.context("/")?;
        if entry.file_name() != "dev" {
            readable.push(entry.path());
        }
    }
    Ok(readable)
}
