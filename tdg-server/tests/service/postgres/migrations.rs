//! Migrations of PostgreSQL's tables.

use std::thread;

use tdg_engine::Verdict;

use crate::support::{History, Postgres, Server, command};

/// Returns the contents of the tables, except for random values, and their columns and keys.
fn contents(postgres: &Postgres, schema: &str) -> String {
    let tables = postgres.query(&format!(
        "SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'
             AND tablename NOT IN ('tdg_version_step', 'server', 'tdg_version') ORDER BY 1"
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
    let versions = postgres.query(&format!("SELECT max(version) FROM {schema}.tdg_version"));
    let server = postgres.query(&format!("SELECT count(epoch) FROM {schema}.server"));
    [rows, columns, keys, foreign, versions, server].join("\n")
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
    let [straight, cut] = [(); 2].map(|()| postgres.schema());
    migrate(&straight).unwrap();
    // Each statement that changes tables runs on another connection, and is on the disk at once,
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
    let mut deaths = 0;
    while let Err(message) = migrate(&cut) {
        assert!(message.contains("the power failed"), "{message}");
        deaths += 1;
    }
    let statements = "SELECT count(*) FROM cut.done";
    assert!(deaths >= 25, "{deaths} {}", postgres.query(statements));
    assert_eq!(contents(&postgres, "s1"), contents(&postgres, "s0"));
}

#[test]
fn eight_servers_start_at_once_on_an_empty_schema() {
    let postgres = Postgres::start();
    let [straight, shared] = [(); 2].map(|()| postgres.schema());
    migrate(&straight).unwrap();
    let servers: Vec<_> = thread::scope(|scope| {
        let starting = [(); 8].map(|()| scope.spawn(|| Server::on(&shared)));
        starting.map(|server| server.join().unwrap()).into()
    });
    drop(servers);
    assert_eq!(contents(&postgres, "s1"), contents(&postgres, "s0"));
}

#[test]
fn tables_that_earlier_versions_wrote_match_a_new_database() {
    let postgres = Postgres::start();
    let [written, new] = [(); 2].map(|()| postgres.schema());
    let tables = include_str!("../../../../tests/fixtures/written-by/0.1.0/server.sql");
    postgres.run_script(&written, tables);
    for database in [&written, &new] {
        migrate(database).unwrap();
    }
    postgres.execute(
        "SET search_path TO s0;
         TRUNCATE account, api_key, project, definition, ensemble, packed_rows, benchmark, outputs,
             assertion, idempotency",
    );
    assert_eq!(contents(&postgres, "s0"), contents(&postgres, "s1"));
}

#[test]
fn runs_that_are_there_already_get_their_branches() {
    let postgres = Postgres::start();
    let schema = postgres.schema();
    let server = Server::on(&schema);
    let key = server.key("team");
    let shop = History::push(&server, &key, "shop", &[Verdict::Same]);
    shop.add(&server, &key, &[shop.run_on("release/1.0", 5, 0)]);
    drop(server);
    postgres.execute(
        "SET search_path TO s0;
         ALTER TABLE assertion DROP COLUMN branch;
         DELETE FROM tdg_version WHERE version = 3;
         DELETE FROM tdg_version_step WHERE version = 3",
    );
    migrate(&schema).unwrap();
    let branches = "SELECT string_agg(branch, ' ' ORDER BY timestamp) FROM s0.assertion";
    assert_eq!(postgres.query(branches).trim(), "shop release/1.0");
}
