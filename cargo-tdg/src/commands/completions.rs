//! `cargo tdg completions`: a script that completes arguments in a shell.

use clap::{Args, ValueEnum as _};
use clap_complete::Shell;

use crate::error::Result;
use crate::exit::Exit;
use crate::terminal::print_raw;

/// Print a shell completion script for cargo-tdg
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell: bash, elvish, fish, powershell or zsh
    #[arg(value_parser = shell)]
    shell: Shell,
}

/// Parses the name of a shell. Errors list all shells, since a similar name doesn't help.
fn shell(name: &str) -> Result<Shell, String> {
    let known: Vec<String> = Shell::value_variants()
        .iter()
        .map(Shell::to_string)
        .collect();
    Shell::from_str(name, false).map_err(|_| format!("expected one of {}", known.join(", ")))
}

impl Completions {
    pub(crate) fn run(self, mut program: clap::Command) -> Result<Exit> {
        let mut script = Vec::new();
        let name = program.get_name().to_owned();
        clap_complete::generate(self.shell, &mut program, name, &mut script);
        // The Bash script spells a program with a hyphen in two ways, and then completes nothing
        // after the subcommand (clap-rs/clap#6421).
        let script = String::from_utf8(script)?.replace("cargo__subcmd__tdg", "cargo__tdg");
        print_raw(script.as_bytes())?;
        Ok(Exit::Fine)
    }
}
