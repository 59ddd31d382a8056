//! The commands at the end of a report, each with a copy button.

use maud::{Markup, html};

/// Splits a report into the text and the lines of its last section, if that has commands.
pub(super) fn split(report: &str) -> (&str, Vec<&str>) {
    let report = report.trim_end();
    let Some((before, last)) = report.rsplit_once("\n\n") else {
        return (report, Vec::new());
    };
    let lines: Vec<&str> = last.lines().map(str::trim).collect();
    match lines.iter().any(|line| parts(line).1.is_some()) {
        true => (before, lines),
        false => (report, Vec::new()),
    }
}

/// Returns a line with a label and a command that can be copied.
pub(super) fn command(line: &str) -> Markup {
    let (label, command, note) = parts(line);
    html! {
        li {
            @if !label.is_empty() { span.faint { (label) } " " }
            @if let Some(command) = command {
                code { (command) }
                " " button type="button" data-copy hidden { "Copy" }
                " "
            }
            span.faint { (note) }
        }
    }
}

/// Splits a line into its label, its command and the rest.
fn parts(line: &str) -> (&str, Option<&str>, &str) {
    let (label, text) = line.split_once(": ").unwrap_or(("", line));
    let text = text.trim_start();
    let is_command = ["cargo ", "TDG_"].iter().any(|it| text.starts_with(it));
    match (is_command, text.split_once("    ")) {
        (false, _) => (label, None, text),
        (true, Some((command, note))) => (label, Some(command), note),
        (true, None) => (label, Some(text), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_can_be_copied() {
        let report = "total: changed\n\n  all\n\n  see all:  cargo tdg show total --changed\n  \
            run one:  TDG_CASES=3 cargo test total\n  accept:   cargo tdg review    (or another)\n  \
            record:   panics = \"record\" in the attribute\n";
        let (before, lines) = split(report);
        assert_eq!(before, "total: changed\n\n  all");
        let parts: Vec<_> = lines.into_iter().map(parts).collect();
        assert_eq!(
            parts,
            [
                ("see all", Some("cargo tdg show total --changed"), ""),
                ("run one", Some("TDG_CASES=3 cargo test total"), ""),
                ("accept", Some("cargo tdg review"), "(or another)"),
                ("record", None, "panics = \"record\" in the attribute"),
            ]
        );
    }

    #[test]
    fn a_report_without_commands_stays_whole() {
        let report = "total: invalid\n\n  The file: tests/a.snap is damaged.\n";
        assert_eq!(split(report), (report.trim_end(), Vec::new()));
    }
}
