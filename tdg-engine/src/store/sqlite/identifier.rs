//! New identifiers.
//!
//! SQLite provides the random bits: crates that ask the system would add a second to every build.

use rusqlite::Connection;
use uuid::{Builder, Uuid};

use super::error::Problem;

/// Random: version 4.
pub(super) fn random(connection: &Connection) -> Result<Uuid, Problem> {
    let bits = random_bytes(connection)?;
    Ok(Builder::from_random_bytes(bits).into_uuid())
}

/// Ordered by time: version 7, of `microseconds` since 1970 UTC.
pub(super) fn timed(connection: &Connection, microseconds: i64) -> Result<Uuid, Problem> {
    let [bits @ .., _, _, _, _, _, _] = random_bytes(connection)?;
    let time = microseconds.unsigned_abs() / 1000;
    Ok(Builder::from_unix_timestamp_millis(time, &bits).into_uuid())
}

fn random_bytes(connection: &Connection) -> Result<[u8; 16], Problem> {
    let mut statement = connection.prepare("SELECT randomblob(16)")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_of_their_versions_and_differ() {
        let connection = Connection::open_in_memory().unwrap();
        let [one, other] = [(); 2].map(|()| random(&connection).unwrap());
        assert_eq!(one.get_version_num(), 4);
        assert_ne!(one, other);

        let [earlier, later] = [1_700_000_000_000_999, 1_700_000_000_001_000]
            .map(|microseconds| timed(&connection, microseconds).unwrap());
        assert_eq!(earlier.get_version_num(), 7);
        assert!(earlier < later);
        let time = later.get_timestamp().unwrap().to_unix();
        assert_eq!(time, (1_700_000_000, 1_000_000));
    }
}
