//! Servers, databases and clients for the tests.

mod authority;
mod client;
mod postgres;
mod server;

pub(crate) use self::{
    authority::Authority,
    client::{Answer, Client, receive},
    postgres::{PASSWORD, Postgres},
    server::{Server, command},
};
