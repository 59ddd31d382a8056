//! URLs of databases.

use std::path::PathBuf;
use std::str::FromStr;

use super::postgres::Address;

/// A URL such as `sqlite:tdg.db` or `postgres://user@host/name`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DatabaseUrl {
    Sqlite(PathBuf),
    Postgres(Box<Address>),
}

impl FromStr for DatabaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let scheme = text.split_once(':');
        match scheme {
            Some(("sqlite", file)) => sqlite(file),
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => {
                Ok(DatabaseUrl::Postgres(Box::new(text.parse()?)))
            }
            Some((scheme, _)) if !scheme.contains(['/', '\\', '.']) => Err(format!(
                "unknown database `{scheme}`: expected `sqlite:tdg.db` or `postgres://user@host/name`"
            )),
            _ => Err(
                "invalid database URL: expected `sqlite:tdg.db` or `postgres://user@host/name`"
                    .to_owned(),
            ),
        }
    }
}

fn sqlite(file: &str) -> Result<DatabaseUrl, String> {
    if let Some((_, options)) = file.split_once('?') {
        return Err(format!(
            "`sqlite:` takes a file without options, but has `{options}`"
        ));
    }
    let file = file.strip_prefix("//").unwrap_or(file);
    if file.is_empty() || file == ":memory:" {
        return Err("`sqlite:` needs a file, as in `sqlite:tdg.db`".to_owned());
    }
    Ok(DatabaseUrl::Sqlite(file.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        text.parse::<DatabaseUrl>().unwrap_err()
    }

    #[test]
    fn sqlite_files_and_postgres_are_supported() {
        let file = |text: &str| match text.parse().unwrap() {
            DatabaseUrl::Sqlite(file) => file.display().to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(file("sqlite:tdg.db"), "tdg.db");
        assert_eq!(file("sqlite:///var/lib/tdg.db"), "/var/lib/tdg.db");
        for url in [
            "postgres://tdg@db/tdg",
            "postgresql://tdg:secret@db:5433/tdg?connect_timeout=3",
        ] {
            assert!(matches!(url.parse(), Ok(DatabaseUrl::Postgres(_))), "{url}");
        }
    }

    #[test]
    fn other_urls_are_refused_with_an_example() {
        assert_eq!(
            refusal("mysql://db/tdg"),
            "unknown database `mysql`: expected `sqlite:tdg.db` or `postgres://user@host/name`"
        );
        assert_eq!(
            refusal("sqlite:tdg.db?mode=rw"),
            "`sqlite:` takes a file without options, but has `mode=rw`"
        );
        assert_eq!(
            refusal("sqlite:"),
            "`sqlite:` needs a file, as in `sqlite:tdg.db`"
        );
        assert!(refusal("tdg.db").starts_with("invalid database URL"));
    }
}
