//! Environment variables of the server.

use anyhow::{Result, bail};
use clap::CommandFactory;
use tdg_definition::nearest;

const PREFIX: &str = "TDG_SERVER_";

/// Refuses unknown variables that are named like settings.
///
/// # Errors
///
/// The name, and the setting that was probably meant.
pub(crate) fn check<C: CommandFactory>(names: impl Iterator<Item = String>) -> Result<()> {
    let command = C::command();
    let known: Vec<_> = command
        .get_arguments()
        .filter_map(|argument| argument.get_env()?.to_str())
        .collect();
    for name in names.filter(|name| name.starts_with(PREFIX)) {
        if !known.contains(&name.as_str()) {
            let hint = match nearest(&name, known.iter().copied()) {
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("the settings are {}", known.join(", ")),
            };
            bail!("the environment variable {name} is not a setting: {hint}");
        }
    }
    Ok(())
}
