//! Deletion: objects disappear at once, and large or numerous data is removed in parts.

use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::support::{Client, Schema, Server};

/// A database of either kind, on which servers are started and stopped.
pub(crate) struct Database<'d> {
    pub(crate) url: &'d str,
    pub(crate) run: &'d dyn Fn(&str),
    pub(crate) count: &'d dyn Fn(&str) -> String,
    /// Makes the deletion of a row of a table fail.
    refuse: fn(&str) -> String,
    allow: fn(&str) -> String,
    /// Gives every benchmark a long history.
    pub(crate) long_history: &'d str,
    /// Makes the deletion of too many assertions at once fail, on databases that can detect it.
    only_parts: &'d str,
    /// The maximum number of servers on it at once.
    servers: usize,
}

impl Database<'_> {
    fn servers(&self) -> Vec<Server> {
        (0..self.servers).map(|_| Server::on(self.url)).collect()
    }

    /// Starts a server with the retention set to zero, and without waiting for late assertions.
    pub(crate) fn purged(&self) -> Server {
        let server = Server::on_with(self.url, &["--keep-deleted", "0"]);
        self.wait_until("deletion", "0");
        (self.run)("UPDATE garbage SET deleted = 0");
        server
    }

    pub(crate) fn wait_until(&self, table: &str, rows: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while (self.count)(table) != rows {
            assert!(
                Instant::now() < deadline,
                "{table}: {}",
                (self.count)(table)
            );
        }
    }
}

pub(crate) fn on_each(look: impl Fn(&Database<'_>)) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tdg.db");
    let connect = || {
        let connection = Connection::open(&file).unwrap();
        connection.busy_timeout(Duration::from_secs(10)).unwrap();
        connection
    };
    look(&Database {
        url: &format!("sqlite:{}", file.display()),
        run: &|sql| connect().execute_batch(sql).unwrap(),
        count: &|table| {
            let sql = format!("SELECT count(*) FROM {table}");
            let count: i64 = connect().query_row(&sql, [], |row| row.get(0)).unwrap();
            count.to_string()
        },
        refuse: |table| {
            format!(
                "CREATE TRIGGER keep_{table} BEFORE DELETE ON {table}
                 BEGIN SELECT RAISE(ABORT, 'not now'); END"
            )
        },
        allow: |table| format!("DROP TRIGGER keep_{table}"),
        long_history: "WITH RECURSIVE number (n) AS (
                 SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 25000
             )
             INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted)
                 SELECT account, uuid, n, randomblob(16), 1 FROM benchmark, number",
        only_parts: "",
        servers: 1,
    });

    let schema = Schema::new();
    look(&Database {
        url: &schema.url,
        run: &|sql| schema.execute(sql),
        count: &|table| schema.query(&format!("SELECT count(*) FROM {table}")),
        refuse: |table| {
            format!(
                "CREATE FUNCTION keep_{table}() RETURNS trigger LANGUAGE plpgsql
                     AS $$ BEGIN RAISE 'not now'; END $$;
                 CREATE TRIGGER keep BEFORE DELETE ON {table}
                     FOR EACH ROW EXECUTE FUNCTION keep_{table}()"
            )
        },
        allow: |table| format!("DROP TRIGGER keep ON {table}"),
        long_history: "INSERT INTO assertion
             SELECT account, uuid, n, gen_random_uuid(), true
             FROM benchmark, generate_series(1, 25000) n",
        only_parts: "CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 IF (SELECT count(*) FROM gone) > 10000 THEN
                     RAISE 'canceling statement due to statement timeout' USING ERRCODE = '57014';
                 END IF;
                 RETURN NULL;
             END $$;
             CREATE TRIGGER late AFTER DELETE ON assertion REFERENCING OLD TABLE AS gone
                 FOR EACH STATEMENT EXECUTE FUNCTION late()",
        servers: 2,
    });
}

/// The tables of large or numerous data.
const LARGE: [&str; 3] = ["assertion", "outputs", "packed_rows"];

/// Deletes the project of a benchmark.
fn delete_project(client: &Client, benchmark: &str) {
    let definition = client.get(benchmark).string("definition_uuid");
    let definition = client.get(&format!("/v1/definition/{definition}"));
    let project = definition.string("project_uuid");
    let deleted = client.delete(&format!("/v1/project/{project}/delete"));
    assert_eq!(deleted.status, 200, "{}", deleted.text());
}

#[test]
fn a_project_is_deleted_before_its_assertions() {
    on_each(|database| {
        let server = Server::on(database.url);
        let client = server.client();
        let benchmark = client.benchmark();
        let output = r#"{"output_to_assert":[1]}"#;
        assert_eq!(
            client.post(&format!("{benchmark}/assert"), output).status,
            200
        );
        for table in LARGE {
            (database.run)(&(database.refuse)(table));
        }
        delete_project(&client, &benchmark);
        for path in [&benchmark, &format!("{benchmark}/history")] {
            client.get(path).problem(404);
        }
        drop(server);
        for table in LARGE {
            (database.run)(&(database.allow)(table));
        }
    });
}

#[test]
fn the_remains_of_a_deletion_are_removed_in_parts_whichever_server_is_killed() {
    on_each(|database| {
        let server = Server::on(database.url);
        let client = server.client();
        let [gone, kept] = [(); 2].map(|()| client.benchmark());
        (database.run)(database.long_history);
        delete_project(&client, &gone);
        (database.run)(database.only_parts);
        drop(server);
        drop(database.purged());
        // Each is killed at some moment, unless it has removed everything before.
        for _ in 0..3 {
            drop(database.servers());
        }
        let servers = database.servers();
        database.wait_until("garbage", "0");
        let counts = LARGE.map(|table| (database.count)(table));
        assert_eq!(counts, ["25000", "1", "1"]);
        let client = Client::new(&servers[0].url, &client.key);
        client.get(&gone).problem(404);
        assert_eq!(client.get(&kept).status, 200);
    });
}
