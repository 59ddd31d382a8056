//! The command line's arguments.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::command_groups::grouped;
use crate::commands::{
    Accept, Check, Compare, Completions, Constants, Explain, Explore, Fit, Generate, GitDiff,
    History, Init, Login, Logout, Man, Pending, PruneOutputs, Pull, Push, Reject, Rename, Report,
    Resolve, Review, Show, Sync, Test, Whoami, Why,
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
    Why(Why),
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
            Command::Why(why) => why.run(),
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
    use crate::command_groups::GROUPS;

    #[test]
    fn the_description_of_the_arguments_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = CommandLine::command();
        let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
        let mut shown: Vec<&str> = shown.map(clap::Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, shown);
    }

    #[test]
    fn the_help_lists_the_commands_by_group() {
        let mut command = grouped(CommandLine::command()).term_width(100);
        let help = command.render_help().to_string();
        let long: Vec<&str> = help.lines().filter(|it| it.chars().count() > 100).collect();
        assert!(long.is_empty(), "{long:?}");
        insta::assert_snapshot!(help, @"
        Review changed benchmarks, inspect ensembles, generate rows

        Usage: cargo tdg [OPTIONS] <COMMAND>

        Run and review:
          test         Run `cargo test`, then print a table of the ensembles
          review       Review pending changes one by one, in a terminal
          pending      List pending changes
          accept       Accept pending changes: their outputs become the benchmark
          reject       Reject pending changes: their outputs are discarded, the benchmark stays
          rename       Give a renamed test the benchmark and history of its former name
          resolve      Resolve the merge conflicts of snapshot files

        Inspect:
          show         Show the features, outputs, rows and pending changes of an ensemble
          history      Show the runs of a test and the decisions about it, newest first
          report       Report the last `cargo tdg test`, or the benchmarks that differ from a revision

        Write tests:
          init         Add tdg to a package, with a first test
          check        Check definitions and list all their faults
          generate     Generate the rows that a test with this seed and size gets from a definition
          fit          Infer a definition from real data, and report how well rows drawn from it match
          constants    Show constants of the code under test that none of a test's rows contain
          explore      Run tests on other rows, until a row fails or time runs out

        See what changed:
          why          Explain a change by running the test's function as it was and as it is
          compare      Show what a change did to the public functions of a library, without a test
          explain      Explain what the failing rows of a table have in common

        Share through a server:
          login        Save the API key for a server, for runs on it and for synchronising
          logout       Forget the API key for a server
          whoami       Show the account that the API key belongs to, and the key's permissions
          push         Upload what the server doesn't have yet
          pull         Download what the local store doesn't have yet
          sync         Upload and download, so that the server and the local store are the same

        Maintain:
          prune        Remove the outputs of former benchmarks from the local store
          completions  Print a shell completion script for cargo-tdg
          man          Print the manual page of cargo-tdg, or write a page for each command

        Options:
          -h, --help     Print help (see more with '--help')
          -V, --version  Print version

        `cargo tdg help COMMAND` explains a command.

        Exits with 0 if all is well, 1 if something needs attention (faults, failing tests, pending
        changes), 2 if the command failed.
        ");
    }
}
