//! The lock that limits a file to one server. Commands such as `keys` may use the file meanwhile.

use std::fs::{self, File};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use tdg_service::{Result, ServiceError};

/// Held until the process ends, for any reason.
pub(crate) struct ServerLock {
    _file: Option<File>,
}

/// Locks an empty file next to the database, which is never removed. SQLite's own locks on the
/// database end with each transaction.
pub(in crate::database) fn lock(database: &Path) -> Result<ServerLock> {
    let name = database.display();
    // A link to the file is the same database.
    let database = fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
    let mut beside = database.into_os_string();
    beside.push("-lock");
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&beside);
    let locked = file.map_err(|error| error.to_string()).and_then(|file| {
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(file)),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    });
    match locked {
        Ok(Some(file)) => Ok(ServerLock { _file: Some(file) }),
        Ok(None) => Err(ServiceError::unavailable(format!(
            "another tdg-server uses {name}: only one may; with PostgreSQL, any number of servers \
             share a database"
        ))),
        Err(error) => {
            let lock = beside.display();
            tracing::warn!(
                %error,
                "{lock} can't be locked: make sure that no other server uses {name}, and that it \
                 is not on a network file system"
            );
            Ok(ServerLock { _file: None })
        }
    }
}
