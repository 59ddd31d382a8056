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

use mimalloc::MiMalloc;
use tdg_service::ServiceError;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match command::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tdg-server: {}", message(&error));
            ExitCode::FAILURE
        }
    }
}

/// Formats an error with its causes. A [`ServiceError`] names its cause itself.
fn message(error: &anyhow::Error) -> String {
    let mut messages = Vec::new();
    for cause in error.chain() {
        messages.push(cause.to_string());
        if cause.is::<ServiceError>() {
            break;
        }
    }
    messages.join(": ")
}
