//! Servers, databases and clients for the tests.

mod client;
mod postgres;
mod server;

pub(crate) use self::{
    client::{Answer, Client, receive},
    postgres::Postgres,
    server::{Server, command},
};
