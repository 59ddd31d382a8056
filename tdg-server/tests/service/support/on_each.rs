//! The same on both databases.

use rusqlite::Connection;

use super::{Postgres, Server};

/// Looks at a server on each database, with a way to run statements there.
pub(crate) fn on_each(look: impl Fn(&Server, &dyn Fn(&str))) {
    on_each_with(&[], look);
}

/// The same with other settings.
pub(crate) fn on_each_with(arguments: &[&str], look: impl Fn(&Server, &dyn Fn(&str))) {
    let server = Server::with(arguments);
    let run = |sql: &str| {
        let connection = Connection::open(server.database_file()).unwrap();
        connection.execute_batch(sql).unwrap();
    };
    look(&server, &run);

    let postgres = Postgres::start();
    let server = Server::on_with(&postgres.schema(), arguments);
    let run = |sql: &str| postgres.execute(&format!("SET search_path TO s0; {sql}"));
    look(&server, &run);
}
