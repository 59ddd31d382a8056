//! PostgreSQL's tables on their way from an earlier version.

use std::thread;

use crate::support::{Postgres, Server, command};

/// As version 1 wrote them, and the same as version 2 has them.
const VERSION_1: &str = include_str!("../../../tests/fixtures/written-by/0.1.0/server.sql");
const VERSION_2: &str = include_str!("../../../tests/fixtures/written-by/0.1.0/server-2.sql");

/// The year 2100, as the time of an idempotency key.
const NEVER_TOO_OLD: i64 = 4_102_444_800_000_000;

/// Everything in the tables except for what is made anew each time, and their columns and keys.
fn contents(postgres: &Postgres, schema: &str) -> String {
    let tables = postgres.query(&format!(
        "SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'
             AND tablename NOT IN ('tdg_migration_step', 'server', 'tdg_migration') ORDER BY 1"
    ));
    let rows = tables.lines().map(|table| {
        let sql = format!(
            "SELECT to_jsonb({table}) FROM {schema}.{table} ORDER BY to_jsonb({table})::text"
        );
        format!("{table}\n{}\n", postgres.query(&sql))
    });
    let rows: String = rows.collect();
    let columns = postgres.query(&format!(
        "SELECT table_name, column_name, data_type, is_nullable
         FROM information_schema.columns WHERE table_schema = '{schema}' ORDER BY 1, 2"
    ));
    let keys = postgres.query(&format!(
        "SELECT replace(regexp_replace(indexdef, 'INDEX \\S+ ', ''), '{schema}.', '')
         FROM pg_indexes WHERE schemaname = '{schema}' ORDER BY 1"
    ));
    let foreign = postgres.query(&format!(
        "SELECT replace(conrelid::regclass::text, '{schema}.', ''),
             replace(pg_get_constraintdef(oid), '{schema}.', '')
         FROM pg_constraint
         WHERE contype = 'f' AND connamespace = '{schema}'::regnamespace ORDER BY 1, 2"
    ));
    let versions = postgres.query(&format!("SELECT max(version) FROM {schema}.tdg_migration"));
    let server = postgres.query(&format!("SELECT count(epoch) FROM {schema}.server"));
    [rows, columns, keys, foreign, versions, server].join("\n")
}

/// A schema with these tables, and its name. Its idempotency keys don't expire: a server would
/// remove those of a database that was written more than a day ago.
fn schema_with(postgres: &Postgres, tables: &str) -> (String, String) {
    let database = postgres.schema();
    let (_, name) = database.rsplit_once("%3D").unwrap();
    postgres.run_script(&format!(
        "SET search_path TO {name};\n{tables}\nUPDATE {name}.idempotency SET added = {NEVER_TOO_OLD};"
    ));
    let name = name.to_owned();
    (database, name)
}

fn migrate(database: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let mut program = command(folder.path(), database);
    let output = program.arg("migrate").output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    output.status.success().then_some(()).ok_or(message)
}

#[test]
fn a_migration_goes_on_where_it_died() {
    let postgres = Postgres::start();
    let (straight, of_straight) = schema_with(&postgres, VERSION_1);
    let (cut_1, of_cut_1) = schema_with(&postgres, VERSION_1);
    let (cut_2, of_cut_2) = schema_with(&postgres, VERSION_2);
    let empty = postgres.schema();
    let rows = "SELECT count(*) FROM s0.assertion";
    let assertions = postgres.query(rows);
    migrate(&straight).unwrap();
    assert_eq!(postgres.query(rows), assertions);
    // Each statement that changes tables is done and on the disk at once, by another connection,
    // but the transaction that it belongs to is lost.
    postgres.execute(
        "CREATE SCHEMA cut;
         CREATE EXTENSION dblink SCHEMA cut;
         CREATE TABLE cut.done (path text, statement text, PRIMARY KEY (path, statement));
         CREATE FUNCTION cut.off() RETURNS event_trigger LANGUAGE plpgsql AS $$ DECLARE
             tables text := current_setting('search_path');
             address text := format(
                 'host=%s dbname=postgres user=tdg options=''-csession_replication_role=replica -csearch_path=%s''',
                 current_setting('unix_socket_directories'), tables);
         BEGIN
             IF EXISTS (SELECT FROM cut.done
                 WHERE path = tables AND statement = current_query()) THEN
                 RETURN;
             END IF;
             PERFORM cut.dblink_exec(address, current_query());
             PERFORM cut.dblink_exec(address,
                 format('INSERT INTO cut.done VALUES (%L, %L)', tables, current_query()));
             RAISE 'the power failed';
         END $$;
         CREATE EVENT TRIGGER cut ON ddl_command_start EXECUTE FUNCTION cut.off();",
    );
    for (database, changes) in [(&cut_1, 20), (&cut_2, 9), (&empty, 20)] {
        let mut deaths = 0;
        while let Err(message) = migrate(database) {
            assert!(message.contains("the power failed"), "{message}");
            deaths += 1;
        }
        let statements = "SELECT count(*) FROM cut.done
             WHERE path = (SELECT max(path) FROM cut.done)";
        assert!(deaths >= changes, "{deaths} {}", postgres.query(statements));
    }
    for of_cut in [of_cut_1, of_cut_2] {
        assert_eq!(
            contents(&postgres, &of_cut),
            contents(&postgres, &of_straight)
        );
    }
}

#[test]
fn eight_servers_start_at_once_on_tables_of_an_earlier_version() {
    let postgres = Postgres::start();
    let (straight, of_straight) = schema_with(&postgres, VERSION_1);
    migrate(&straight).unwrap();
    for earlier in [VERSION_1, VERSION_2] {
        let (database, name) = schema_with(&postgres, earlier);
        let servers: Vec<_> = thread::scope(|scope| {
            let starting = [(); 8].map(|()| scope.spawn(|| Server::on(&database)));
            starting.map(|server| server.join().unwrap()).into()
        });
        drop(servers);
        assert_eq!(
            contents(&postgres, &name),
            contents(&postgres, &of_straight)
        );
    }
}

#[test]
fn tables_that_were_migrated_are_those_of_a_new_database() {
    let postgres = Postgres::start();
    let (database, name) = schema_with(&postgres, VERSION_1);
    let new = postgres.schema();
    for database in [&database, &new] {
        migrate(database).unwrap();
    }
    postgres.execute(&format!(
        "SET search_path TO {name};
         TRUNCATE account, api_key, project, definition, ensemble, packed_rows, benchmark, outputs,
             assertion, idempotency"
    ));
    assert_eq!(contents(&postgres, &name), contents(&postgres, "s1"));
}
