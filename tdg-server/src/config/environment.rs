//! The variables that are ours.

use clap::CommandFactory;
use tdg_definition::nearest;

const PREFIX: &str = "TDG_SERVER_";

/// Refuses a variable that is named like a setting and is none: it would be overlooked.
///
/// # Errors
///
/// The name, and the one that was probably meant.
pub(crate) fn check<C: CommandFactory>(names: impl Iterator<Item = String>) -> Result<(), String> {
    let command = C::command();
    let known: Vec<_> = command
        .get_arguments()
        .filter_map(|argument| argument.get_env()?.to_str())
        .collect();
    for name in names.filter(|name| name.starts_with(PREFIX)) {
        if !known.contains(&name.as_str()) {
            let hint = match nearest(&name, known.iter().copied()) {
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("there are {}", known.join(", ")),
            };
            return Err(format!(
                "the environment has {name}, which is no setting: {hint}"
            ));
        }
    }
    Ok(())
}
