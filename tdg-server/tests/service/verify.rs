//! `tdg-server verify`, on both databases.

use tdg_engine::Verdict;

use crate::support::{History, Postgres, command, on_each};

#[test]
fn what_is_not_as_it_was_stored_is_named() {
    on_each(|server, run| {
        let verify = || {
            let output = server.run(&["verify"]);
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            (
                output.status.success(),
                text(output.stdout) + &text(output.stderr),
            )
        };
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &[Verdict::Same]);
        server.client().benchmark();
        let (is_well, said) = verify();
        assert!(is_well, "{said}");
        assert_eq!(
            said,
            "the database has 2 accounts and 2 projects; the newest assertion is of \
             2026-09-21 14:14:20.000000\n\
             3 benchmarks and the rows of 1 ensemble are intact\n"
        );

        run("UPDATE ensemble SET digest = 'x'; UPDATE outputs SET text = '[2]' WHERE text = '[1]'");
        let (is_well, said) = verify();
        assert!(!is_well, "{said}");
        assert!(
            said.contains(": its outputs don't match its digest\n"),
            "{said}"
        );
        // Its rows were never drawn.
        assert!(!said.contains(&shop.ensemble.to_string()), "{said}");
        assert!(said.ends_with(": restore a backup\n"), "{said}");
    });
}

#[test]
fn a_database_without_tables_is_neither_checked_nor_made() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = |database: &str, arguments: &[&str]| {
        let output = command(folder.path(), database).args(arguments).output();
        let output = output.unwrap();
        assert!(!output.status.success(), "{database}");
        String::from_utf8(output.stderr).unwrap().trim().to_owned()
    };
    std::fs::write(folder.path().join("empty.db"), "").unwrap();
    for command in ["verify", "restored"] {
        let absent = refusal("sqlite:absent.db", &[command]);
        assert_eq!(absent, "tdg-server: there is no database absent.db");
        assert!(!folder.path().join("absent.db").exists());
        let empty = refusal("sqlite:empty.db", &[command]);
        assert_eq!(
            empty,
            "tdg-server: empty.db is empty, without a table of tdg-server: name another file"
        );
        assert_eq!(std::fs::read(folder.path().join("empty.db")).unwrap(), b"");
    }
    let postgres = Postgres::start();
    let database = postgres.schema();
    for command in ["verify", "restored"] {
        assert_eq!(
            refusal(&database, &[command]),
            "tdg-server: the schema has no tables of tdg-server: name the database that the \
             servers use, or restore a dump first"
        );
    }
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 's0'";
    assert_eq!(postgres.query(tables), "0");
}
