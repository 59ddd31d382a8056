//! Requests and responses of all endpoints.

mod attribution;
mod faults;
mod paging;
mod security;
mod strictness;
mod transfer;
