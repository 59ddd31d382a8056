//! Gives up the rights of a program, by two kernel features, and checks that they are gone.
//!
//! `files` uses Landlock. `system_calls` uses seccomp for sockets, processes, signals, modes and
//! owners. `execve` is allowed, because the new program inherits the confinement, and a dynamic
//! loader could do the same without the kernel.

mod attempts;
mod files;
mod system_calls;

use std::path::Path;

use crate::error::{Context as _, Result};

pub(super) use self::attempts::{TRY_EVERYTHING, probe, try_everything};

/// Permanently confines this process and the program it becomes, which can write only in `own`.
pub(super) fn give_up(program: &Path, own: &Path) -> Result<()> {
    files::confine(program, own).context("Landlock")?;
    system_calls::confine().context("seccomp")
}
