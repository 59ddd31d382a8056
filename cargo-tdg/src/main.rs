//! `cargo tdg`: the command line of tdg.
//!
//! `command_line` has the arguments and `commands` a file or directory per command. The other
//! modules are shared by commands.

#![forbid(unsafe_code)]

mod command_groups;
mod command_line;
mod commands;
mod confine;
mod definition;
mod error;
mod exit;
mod experiment;
mod git;
mod output;
mod plan;
mod record;
mod results;
mod server;
mod sides;
mod sources;
mod store;
mod table_file;
mod terminal;
mod test_group;
mod workspace;

use std::process::ExitCode;

use command_line::CommandLine;
use exit::Exit;
use terminal::print_error;

fn main() -> ExitCode {
    if let Some(code) = confine::launch_if_asked() {
        return code;
    }
    let exit = CommandLine::read().run().or_else(print_error);
    // Only a closed output leaves an error.
    exit.unwrap_or(Exit::Fine).into()
}
