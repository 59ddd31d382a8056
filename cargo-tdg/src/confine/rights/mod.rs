//! Which rights a program gives up, by two means of the kernel, and whether it then lacks them.
//!
//! `files` are Landlock's. `system_calls` are seccomp's: sockets, processes, signals, modes and
//! owners. Starting a program in place of itself is allowed, because it inherits the confinement;
//! a dynamic loader can do the same without the kernel.

mod attempts;
mod files;
mod system_calls;

use std::path::Path;

use crate::error::{Context as _, Result};

pub(super) use self::attempts::{TRY_EVERYTHING, probe, try_everything};

/// Confines this process and what it becomes, for good; it writes in the folder `own` alone.
pub(super) fn give_up(program: &Path, own: &Path) -> Result<()> {
    files::confine(program, own).context("Landlock")?;
    system_calls::confine().context("seccomp")
}
