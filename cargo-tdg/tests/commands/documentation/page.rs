//! The blocks of a page.

/// A part of a page.
#[derive(Debug)]
pub(super) enum Part<'t> {
    /// Text, and blocks that are not run.
    Text(&'t str),
    /// Commands with their outputs.
    Console(Vec<Step<'t>>),
    /// An edit that replaces a line of a file.
    Edit {
        text: &'t str,
        file: &'t str,
        from: &'t str,
        to: &'t str,
    },
    /// A file with its content.
    File {
        text: &'t str,
        file: &'t str,
        content: String,
    },
}

/// A command and its output.
#[derive(Debug)]
pub(super) struct Step<'t> {
    pub(super) command: &'t str,
    pub(super) output: Vec<&'t str>,
}

/// Splits a page into its parts.
pub(super) fn parts(page: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find("```") {
        let (before, block) = rest.split_at(start);
        let end = 3 + block[3..].find("\n```").expect("the block ends") + "\n```\n".len();
        parts.push(Part::Text(before));
        parts.push(part(&block[..end]));
        rest = &block[end..];
    }
    parts.push(Part::Text(rest));
    parts
}

fn part(text: &str) -> Part<'_> {
    let mut lines = text.lines();
    let info = lines.next().unwrap().trim_start_matches('`');
    let body: Vec<&str> = lines.take_while(|line| *line != "```").collect();
    if let Some((_, file)) = info.split_once(" file=") {
        let content = body.join("\n") + "\n";
        return Part::File {
            text,
            file,
            content,
        };
    }
    match (info, body.as_slice()) {
        ("console", body) => Part::Console(steps(body)),
        ("diff", [file, from, to]) => Part::Edit {
            text,
            file: file.strip_prefix("--- ").unwrap(),
            from: from.strip_prefix('-').unwrap(),
            to: to.strip_prefix('+').unwrap(),
        },
        _ => Part::Text(text),
    }
}

fn steps<'t>(lines: &[&'t str]) -> Vec<Step<'t>> {
    let mut steps: Vec<Step<'t>> = Vec::new();
    for line in lines {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step {
                command,
                output: Vec::new(),
            }),
            (None, Some(step)) => step.output.push(line),
            (None, None) => panic!("{line:?} is before the first command"),
        }
    }
    steps
}
