//! The tables of deleted objects. They have the same columns as the originals.

use crate::database::sql::{Sql, sql};

/// The columns of a table whose deleted rows are kept.
macro_rules! columns {
    ("project") => {
        "account, uuid, added, name"
    };
    ("record") => {
        "account, project, kind, uuid, about, body, test, arrived"
    };
    ("definition") => {
        "account, uuid, project, added, identity, bytes, text"
    };
    ("ensemble") => {
        "account, uuid, definition, added, name, size, seed, sampler_version, digest, identity, bytes"
    };
    ("benchmark") => {
        "account, uuid, ensemble, definition, added, digest, policy, identity, bytes, changes, \
         kept_since"
    };
}
pub(super) use columns;

/// A table whose rows are kept. `$2` is the deletion.
pub(super) struct KeptTable {
    /// Copies the rows back. Returns their identities.
    pub(super) restore: Sql,
    pub(super) forget: Sql,
}

macro_rules! kept {
    ($table:tt, $identity:literal) => {
        KeptTable {
            restore: sql!(
                "INSERT INTO ",
                $table,
                " (",
                columns!($table),
                ") SELECT ",
                columns!($table),
                " FROM deleted_",
                $table,
                " WHERE account = $1 AND deletion = $2 RETURNING ",
                $identity
            ),
            forget: sql!(
                "DELETE FROM deleted_",
                $table,
                " WHERE account = $1 AND deletion = $2"
            ),
        }
    };
}

/// The tables, outermost object first.
pub(super) const KEPT: [KeptTable; 5] = [
    kept!("project", "uuid"),
    kept!("record", "uuid"),
    kept!("definition", "identity"),
    kept!("ensemble", "identity"),
    kept!("benchmark", "identity"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rusqlite::Connection;

    use crate::database::sqlite;

    #[test]
    fn all_columns_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tdg.db");
        drop(sqlite::open(&file, 1).unwrap());
        let connection = Connection::open(&file).unwrap();
        let columns = |table: &str| {
            let sql = "SELECT name FROM pragma_table_info(?1)";
            let mut statement = connection.prepare(sql).unwrap();
            let names = statement.query_map([table], |row| row.get(0)).unwrap();
            names
                .map(|name| name.unwrap())
                .collect::<BTreeSet<String>>()
        };
        for (table, listed) in [
            ("project", columns!("project")),
            ("record", columns!("record")),
            ("definition", columns!("definition")),
            ("ensemble", columns!("ensemble")),
            ("benchmark", columns!("benchmark")),
        ] {
            let mut names: BTreeSet<String> = listed.split(", ").map(str::to_owned).collect();
            assert_eq!(columns(table), names, "{table}");
            names.insert("deletion".to_owned());
            assert_eq!(columns(&format!("deleted_{table}")), names, "{table}");
        }
    }
}
