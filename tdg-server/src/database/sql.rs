//! Statements and their values.

use rusqlite::types::Null;
use tokio_postgres::types::{self, Type};

/// A statement. Both engines share its SQL except for the names of parameters, or have separate
/// texts if it must differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sql {
    pub(super) postgres: &'static str,
    pub(super) sqlite: &'static str,
}

/// Builds a statement: `sql!("… $1 …", …)` for both engines, `sql!(postgres: …, sqlite: …)`, or one
/// of these for a single engine. `sql!("… WHERE uuid", any "$2", …)` is run for each of several
/// objects. SQLite would parse `$1` as a name, so it gets `?1`.
macro_rules! sql {
    (sqlite: $sqlite:expr $(,)?) => {
        $crate::database::sql::sql!(postgres: "", sqlite: $sqlite)
    };
    (postgres: $postgres:expr $(,)?) => {
        $crate::database::sql::sql!(postgres: $postgres, sqlite: "")
    };
    (postgres: $postgres:expr, sqlite: $sqlite:expr $(,)?) => {
        $crate::database::sql::Sql {
            postgres: $postgres,
            sqlite: $crate::database::sql::sql!($sqlite).sqlite,
        }
    };
    ($before:expr, any $parameter:literal $(, $after:expr)? $(,)?) => {
        $crate::database::sql::sql!(
            postgres: concat!($before, " = ANY(", $parameter, ")" $(, $after)?),
            sqlite: concat!($before, " = ", $parameter $(, $after)?)
        )
    };
    ($($part:expr),+ $(,)?) => {{
        const TEXT: &str = concat!($($part),+);
        const NUMBERED: &[u8] = &$crate::database::sql::numbered::<{ TEXT.len() }>(TEXT);
        const SQL: $crate::database::sql::Sql = $crate::database::sql::Sql {
            postgres: TEXT,
            sqlite: match str::from_utf8(NUMBERED) {
                Ok(text) => text,
                Err(_) => TEXT,
            },
        };
        SQL
    }};
}
pub(super) use sql;

/// Replaces each `$` with `?`.
pub(super) const fn numbered<const LENGTH: usize>(text: &str) -> [u8; LENGTH] {
    let mut numbered = [0; LENGTH];
    let mut at = 0;
    while at < LENGTH {
        let byte = text.as_bytes()[at];
        numbered[at] = if byte == b'$' { b'?' } else { byte };
        at += 1;
    }
    numbered
}

/// A parameter's value.
pub(super) trait SqlValue: Sync {
    fn sqlite(&self) -> &dyn rusqlite::ToSql;
    fn postgres(&self) -> &(dyn types::ToSql + Sync);
    fn postgres_type(&self) -> Type;
}

impl<T: rusqlite::ToSql + types::ToSql + Sync> SqlValue for T {
    fn sqlite(&self) -> &dyn rusqlite::ToSql {
        self
    }

    fn postgres(&self) -> &(dyn types::ToSql + Sync) {
        self
    }

    fn postgres_type(&self) -> Type {
        type_of::<T>()
    }
}

/// Returns the type of a parameter with such a value.
fn type_of<T: types::ToSql>() -> Type {
    const TYPES: [Type; 14] = [
        Type::INT8,
        Type::UUID,
        Type::TEXT,
        Type::BYTEA,
        Type::BOOL,
        Type::INT4,
        Type::INT2,
        Type::INT8_ARRAY,
        Type::UUID_ARRAY,
        Type::TEXT_ARRAY,
        Type::BYTEA_ARRAY,
        Type::BOOL_ARRAY,
        Type::INT4_ARRAY,
        Type::INT2_ARRAY,
    ];
    TYPES.into_iter().find(T::accepts).unwrap_or(Type::UNKNOWN)
}

/// The values of `$1`, `$2`, ….
pub(super) type SqlValues<'a> = &'a [&'a dyn SqlValue];

/// A value for each of several objects: an array for PostgreSQL. SQLite runs the statement once per
/// object, with the first value.
#[derive(Debug)]
pub(super) struct Array<T>(pub(super) Vec<T>);

impl<T: rusqlite::ToSql + Sync> SqlValue for Array<T>
where
    Vec<T>: types::ToSql,
{
    fn sqlite(&self) -> &dyn rusqlite::ToSql {
        self.0.first().map_or(&Null, |first| first)
    }

    fn postgres(&self) -> &(dyn types::ToSql + Sync) {
        &self.0
    }

    fn postgres_type(&self) -> Type {
        type_of::<Vec<T>>()
    }
}

/// The values of a parameter, one for each written row: an array for PostgreSQL.
pub(super) trait SqlColumn: types::ToSql + Sync {
    fn value(&self, row: usize) -> Option<&dyn rusqlite::ToSql>;
    fn postgres_type(&self) -> Type;
}

impl<T: rusqlite::ToSql + types::ToSql + Sync> SqlColumn for Vec<T> {
    fn value(&self, row: usize) -> Option<&dyn rusqlite::ToSql> {
        self.get(row).map(|value| value as &dyn rusqlite::ToSql)
    }

    fn postgres_type(&self) -> Type {
        type_of::<Self>()
    }
}

/// Collects a value of each object.
pub(super) fn column<'a, A, T>(of: &'a [A], value: impl Fn(&'a A) -> T) -> Vec<T> {
    of.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_statement_numbers_its_parameters_for_both_engines() {
        let both = sql!("SELECT name FROM account ", "WHERE id = $1");
        assert_eq!(both.postgres, "SELECT name FROM account WHERE id = $1");
        assert_eq!(both.sqlite, "SELECT name FROM account WHERE id = ?1");
        let each = sql!(postgres: "SELECT $1::bigint", sqlite: "SELECT $1");
        assert_eq!(
            (each.postgres, each.sqlite),
            ("SELECT $1::bigint", "SELECT ?1")
        );
        let any = sql!("SELECT name FROM account WHERE id", any "$1", " LIMIT 1");
        assert_eq!(
            any.postgres,
            "SELECT name FROM account WHERE id = ANY($1) LIMIT 1"
        );
        assert_eq!(any.sqlite, "SELECT name FROM account WHERE id = ?1 LIMIT 1");
    }
}
