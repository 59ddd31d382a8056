//! The groups in which `cargo tdg --help` lists the commands. Clap has headings for options only.

use clap::Command;

/// The headings, each with its commands.
pub(crate) const GROUPS: [(&str, &[&str]); 6] = [
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
    ("See what changed", &["why", "compare", "explain"]),
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
