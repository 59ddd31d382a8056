//! Runs a test on both databases.

use rusqlite::Connection;

use super::{Schema, Server};

/// Calls `look` with a server on each database, and with a function that runs statements there.
pub(crate) fn on_each(look: impl Fn(&Server, &dyn Fn(&str))) {
    on_each_with(&[], look);
}

/// Like `on_each`, with other settings.
pub(crate) fn on_each_with(arguments: &[&str], look: impl Fn(&Server, &dyn Fn(&str))) {
    let server = Server::with(arguments);
    let run = |sql: &str| {
        let connection = Connection::open(server.database_file()).unwrap();
        connection.execute_batch(sql).unwrap();
    };
    look(&server, &run);

    let schema = Schema::new();
    let server = Server::on_with(&schema.url, arguments);
    look(&server, &|sql| schema.execute(sql));
}
