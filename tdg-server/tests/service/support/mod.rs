//! Servers, databases and clients for the tests.

mod authority;
mod browser;
mod client;
mod history;
mod on_each;
mod pgbouncer;
mod postgres;
mod schema;
mod server;
mod soon;
mod webhook_receiver;

pub(crate) use self::authority::Authority;
pub(crate) use self::browser::{Browser, ParsedPage};
pub(crate) use self::client::{Answer, Client, receive};
pub(crate) use self::history::{History, checkout, minutes};
pub(crate) use self::on_each::{on_each, on_each_with};
pub(crate) use self::pgbouncer::PgBouncer;
pub(crate) use self::postgres::{PASSWORD, Postgres};
pub(crate) use self::schema::Schema;
pub(crate) use self::server::{Server, command};
pub(crate) use self::soon::soon;
pub(crate) use self::webhook_receiver::{Received, WebhookReceiver};
