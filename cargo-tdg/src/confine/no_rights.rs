//! Stands in for `rights` on systems other than Linux, or on other processors.

use std::env::consts::{ARCH, OS};
use std::ffi::OsString;
use std::path::Path;

use super::Confinement;
use crate::error::{Error, Result};

pub(super) const TRY_EVERYTHING: &str = "--try-everything";

pub(super) fn give_up(_program: &Path, _own: &Path) -> Result<()> {
    Err(Error::new(format!("not possible on {OS} ({ARCH})")))
}

pub(super) fn probe(_confinement: &Confinement) -> Result<()> {
    give_up(Path::new(""), Path::new(""))
}

pub(super) fn try_everything(_arguments: impl Iterator<Item = OsString>) -> Result<()> {
    Ok(())
}
