//! The command line's arguments.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::command_groups::grouped;
use crate::commands::{
    Accept, Check, Compare, Completions, Constants, Explain, Explore, Fit, Generate, GitDiff,
    History, Init, Login, Logout, Man, Pending, PruneOutputs, Pull, Push, Reject, Rename, Report,
    Resolve, Review, Show, Sync, Test, Whoami,
};
use crate::error::Result;
use crate::exit::Exit;
use crate::terminal::{self, Color};
use crate::workspace;

/// The program behind `cargo tdg`.
const PROGRAM: &str = "cargo-tdg";

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
    /// The Cargo.toml to use instead of the one around the current directory
    #[arg(
        long,
        global = true,
        value_name = "PATH",
        hide_short_help = true,
        help_heading = "Options of all commands"
    )]
    manifest_path: Option<PathBuf>,
    /// When to use colours
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        hide_short_help = true,
        help_heading = "Options of all commands"
    )]
    color: Option<Color>,
    /// Print results and errors, but no confirmations and notes
    #[arg(
        long,
        short,
        global = true,
        hide_short_help = true,
        help_heading = "Options of all commands"
    )]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(Init),
    #[command(alias = "run")]
    Test(Test),
    Explore(Explore),
    Review(Review),
    Pending(Pending),
    Accept(Accept),
    Reject(Reject),
    Rename(Rename),
    Resolve(Resolve),
    #[command(alias = "list")]
    Show(Show),
    History(History),
    Report(Report),
    Check(Check),
    Compare(Compare),
    Constants(Constants),
    Generate(Generate),
    Fit(Fit),
    Explain(Explain),
    Login(Login),
    Logout(Logout),
    Whoami(Whoami),
    Push(Push),
    Pull(Pull),
    Sync(Sync),
    Prune(PruneOutputs),
    Completions(Completions),
    Man(Man),
    #[command(hide = true)]
    GitDiff(GitDiff),
}

impl CommandLine {
    /// Parses the arguments of this process; exits if they are invalid or ask for help.
    pub(crate) fn read() -> Self {
        // Cargo passes its own name for the command: `cargo-tdg tdg check`.
        let is_name =
            |(position, argument): &(usize, OsString)| *position == 1 && argument == "tdg";
        let arguments = env::args_os().enumerate().filter(|it| !is_name(it));
        let mut arguments: Vec<OsString> = arguments.map(|(_, argument)| argument).collect();
        // `cargo tdg diff`, the name that other tools use.
        if arguments.get(1).is_some_and(|command| command == "diff") {
            arguments.splice(1..2, ["show", "--changed"].map(OsString::from));
        }
        let matches = grouped(Self::command()).get_matches_from(arguments);
        Self::from_arg_matches(&matches)
            .unwrap_or_else(|error| error.format(&mut Self::command()).exit())
    }

    /// The command under its own name, without a space, for shells and manual pages.
    fn of_program() -> clap::Command {
        Self::command().name(PROGRAM).bin_name(PROGRAM)
    }

    pub(crate) fn run(self) -> Result<Exit> {
        terminal::configure(self.color, self.quiet);
        if let Some(path) = self.manifest_path {
            workspace::use_manifest(path);
        }
        match self.command {
            Command::Init(init) => init.run(),
            Command::Test(test) => test.run(),
            Command::Explore(explore) => explore.run(),
            Command::Review(review) => review.run(),
            Command::Pending(pending) => pending.run(),
            Command::Accept(accept) => accept.run(),
            Command::Reject(reject) => reject.run(),
            Command::Rename(rename) => rename.run(),
            Command::Resolve(resolve) => resolve.run(),
            Command::Show(show) => show.run(),
            Command::History(history) => history.run(),
            Command::Report(report) => report.run(),
            Command::Check(check) => check.run(),
            Command::Compare(compare) => compare.run(),
            Command::Constants(constants) => constants.run(),
            Command::Generate(generate) => generate.run(),
            Command::Fit(fit) => fit.run(),
            Command::Explain(explain) => explain.run(),
            Command::Login(login) => login.run(),
            Command::Logout(logout) => logout.run(),
            Command::Whoami(whoami) => whoami.run(),
            Command::Push(push) => push.run(),
            Command::Pull(pull) => pull.run(),
            Command::Sync(sync) => sync.run(),
            Command::Prune(prune) => prune.run(),
            Command::Completions(completions) => completions.run(Self::of_program()),
            Command::GitDiff(diff) => diff.run(),
            Command::Man(man) => man.run(Self::of_program()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_of_the_arguments_is_consistent() {
        CommandLine::command().debug_assert();
    }
}
