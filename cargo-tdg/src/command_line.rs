//! The command line's arguments.

use std::env;

use clap::{Parser, Subcommand};

use crate::commands::{
    Accept, Check, Fit, Generate, History, Init, Pending, Reject, Rename, Report, Review, Show,
    Test,
};
use crate::error::Result;
use crate::exit::Exit;

/// Review changed benchmarks, inspect ensembles, generate rows
#[derive(Debug, Parser)]
#[command(
    name = "cargo tdg",
    bin_name = "cargo tdg",
    version,
    after_help = "Exits with 0 if all is well, 1 if something needs attention (faults, failing tests, \
                  pending changes), 2 if the command failed."
)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(Init),
    Test(Test),
    Review(Review),
    Pending(Pending),
    Accept(Accept),
    Reject(Reject),
    Rename(Rename),
    Show(Show),
    History(History),
    Report(Report),
    Check(Check),
    Generate(Generate),
    Fit(Fit),
}

impl CommandLine {
    /// The arguments of this process; exits if they are invalid or ask for help.
    pub(crate) fn read() -> Self {
        // Cargo passes its own name for the command: `cargo-tdg tdg check`.
        let is_name = |(position, argument): &(usize, std::ffi::OsString)| {
            *position == 1 && argument == "tdg"
        };
        let arguments = env::args_os().enumerate().filter(|it| !is_name(it));
        Self::parse_from(arguments.map(|(_, argument)| argument))
    }

    pub(crate) fn run(self) -> Result<Exit> {
        match self.command {
            Command::Init(init) => init.run(),
            Command::Test(test) => test.run(),
            Command::Review(review) => review.run(),
            Command::Pending(pending) => pending.run(),
            Command::Accept(accept) => accept.run(),
            Command::Reject(reject) => reject.run(),
            Command::Rename(rename) => rename.run(),
            Command::Show(show) => show.run(),
            Command::History(history) => history.run(),
            Command::Report(report) => report.run(),
            Command::Check(check) => check.run(),
            Command::Generate(generate) => generate.run(),
            Command::Fit(fit) => fit.run(),
        }
    }
}
