//! The groups in which `cargo tdg --help` lists the commands. Clap has headings for options only.

use clap::Command;

/// The headings, each with its commands.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Run and review",
        &[
            "test", "review", "pending", "accept", "reject", "rename", "resolve",
        ],
    ),
    ("Inspect", &["show", "history", "report"]),
    (
        "Write tests",
        &["init", "check", "generate", "fit", "constants", "explore"],
    ),
    ("See what changed", &["compare", "explain"]),
    (
        "Share through a server",
        &["login", "logout", "whoami", "push", "pull", "sync"],
    ),
    ("Maintain", &["prune", "completions", "man"]),
];

/// Returns the command with a help text that groups its subcommands.
pub(crate) fn grouped(command: Command) -> Command {
    let styles = command.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let names = GROUPS.iter().flat_map(|(_, names)| names.iter());
    let width = names.map(|name| name.len()).max().unwrap_or(0);
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (heading, names) in GROUPS {
        text += &format!("\n{header}{heading}:{header:#}\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or_else(String::new, ToString::to_string);
            text += &format!("  {literal}{name:width$}{literal:#}  {about}\n");
        }
    }
    text += &format!("\n{header}Options:{header:#}\n{{options}}\n\n");
    text += "`cargo tdg help COMMAND` explains a command.{after-help}";
    command.help_template(text)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::command_line::CommandLine;

    #[test]
    fn every_command_is_in_one_group() {
        let command = CommandLine::command();
        let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
        let mut shown: Vec<&str> = shown.map(Command::get_name).collect();
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
        let help = grouped(CommandLine::command()).render_help().to_string();
        let long: Vec<&str> = help.lines().filter(|it| it.chars().count() > 100).collect();
        assert!(long.is_empty(), "{long:?}");
        insta::assert_snapshot!(help, @r"
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

        Exits with 0 if all is well, 1 if something needs attention (faults, failing tests, pending changes), 2 if the command failed.
        ");
    }
}
