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
mod fit;
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
    let exit = match CommandLine::read().run() {
        Ok(exit) => exit,
        // Whoever read the output has seen enough.
        Err(Error::OutputClosed) => Exit::Fine,
        Err(Error::Message(message)) => {
            terminal::complain(&message);
            Exit::Failed
        }
    };
    exit.into()
}
