//! The directory of the local store.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Makes the directory, which git ignores. It may be there already.
pub(super) fn create(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    match fs::File::create_new(directory.join(".gitignore")) {
        Ok(mut file) => file.write_all(b"*\n"),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}
