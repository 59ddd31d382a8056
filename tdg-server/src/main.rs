//! The server of tdg: rows and expected outputs for a team, and for clients in every language,
//! through the `/v1` interface.

#![forbid(unsafe_code)]

mod account;
mod accounts;
mod background;
mod cache;
mod command;
mod config;
mod database;
mod demo;
mod endpoint_spec;
mod error_causes;
mod fair_queue;
mod http;
mod journal;
mod keys;
mod lock;
mod memory;
mod metrics;
mod openapi;
mod operations;
mod packed_rows;
mod pages;
mod traces;
mod upkeep;
mod webhook;
mod webhook_delivery;

use std::process::ExitCode;

use error_causes::with_causes;
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match command::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tdg-server: {}", with_causes(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}
