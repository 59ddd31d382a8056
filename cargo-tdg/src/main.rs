//! `cargo tdg`: the command line of tdg.
//!
//! `command_line` says what can be typed, `commands` has one file for each command; the rest is what
//! they share.

#![forbid(unsafe_code)]

mod command_line;
mod commands;
mod definition;
mod error;
mod exit;
mod record;
mod results;
mod summary;
mod terminal;
mod workspace;

use std::process::ExitCode;

use command_line::CommandLine;
use error::Error;
use exit::Exit;

fn main() -> ExitCode {
    let exit = CommandLine::read().run().or_else(Error::print);
    // Whoever read the output and closed it has seen enough.
    exit.unwrap_or(Exit::Fine).into()
}
