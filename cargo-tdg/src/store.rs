//! The local store, as commands open it.

use tdg_engine::config::Settings;
use tdg_engine::store::{Store, StoreError, StoreProblem};

use crate::terminal::{counted, note};

/// Opens the store, and creates it if necessary.
pub(crate) fn open(settings: &Settings) -> Result<Store, StoreError> {
    Store::open(&settings.directory).inspect(tell)
}

/// Opens the store if it exists; reading must not create one.
pub(crate) fn open_existing(settings: &Settings) -> Result<Option<Store>, StoreError> {
    let store = Store::open_existing(&settings.directory)?;
    Ok(store.inspect(tell))
}

fn tell(store: &Store) {
    let count = store.unreadable();
    if count > 0 {
        note(&format!(
            "{} of runs can't be read, so the history may lack runs; kept as {}/*.unreadable",
            counted(count, "file"),
            store.file().with_file_name("runs").display()
        ));
    }
}

/// Describes why a file can't be locked or written.
pub(crate) fn why_not_locked(problem: &StoreProblem) -> String {
    match problem {
        StoreProblem::Locked => "another process keeps it locked; end that process".to_owned(),
        StoreProblem::NotWritable(cause) | StoreProblem::Other(cause) => cause.to_string(),
        problem => format!("{problem:?}"),
    }
}
