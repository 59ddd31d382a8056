//! The same on both databases.

use rusqlite::Connection;

use super::{Postgres, Server};

/// Looks at a server on each database, with a way to run statements there.
pub(crate) fn on_each(look: impl Fn(&Server, &dyn Fn(&str))) {
    let server = Server::start();
    let run = |sql: &str| {
        let connection = Connection::open(server.database_file()).unwrap();
        connection.execute_batch(sql).unwrap();
    };
    look(&server, &run);

    let postgres = Postgres::start();
    let server = Server::on(&postgres.schema());
    let run = |sql: &str| postgres.execute(&format!("SET search_path TO s0; {sql}"));
    look(&server, &run);
}
