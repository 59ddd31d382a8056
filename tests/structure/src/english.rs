//! Phrases that native writers of this field hardly use, in comments, in prose and in snapshots of
//! messages, and the width of prose.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use regex::Regex;

use crate::hold;
use crate::source::workspace;

/// Each phrase with the highest count per 1,000 comment lines among insta, jiff, nextest, janus,
/// cargo-mutants and proptest.
const PHRASES: [(&str, f64); 17] = [
    (r"\b(?:those|that) of\b", 0.1),
    (r"\b(?:told|tells?|telling)\b", 0.6),
    (r"\bbeside\b", 0.25),
    (r"\b(?:some|no|any)body\b", 0.6),
    (r"\bso (?:many|much)\b", 0.2),
    (r"\b(?:whoever|whatever|whichever)\b", 1.0),
    (r"\bas far as\b", 0.3),
    (r"\bbeyond\b", 0.4),
    (r"\b(?:is|are) (?:no|none)\b", 2.5),
    (r"\bof (?:which|whom)\b", 0.6),
    (r"\bnothing (?:if|where|unless)\b", 0.5),
    (r"(?:^|[.:] )What\b", 3.5),
    (r"(?:^|[.:] )Whether\b", 5.6),
    (r"\bstands?\b", 0.5),
    (r"\bof (?:its|their|our|one's) own\b", 0.5),
    (r"\bby (?:itself|themselves)\b", 0.5),
    (r"\band so (?:on|is|are|does|do)\b", 0.5),
];

/// Phrases that messages may have: `there is no benchmark`, and the parameter `beyond`.
const ORDINARY: [&str; 2] = [r"\b(?:is|are) (?:no|none)\b", r"\bbeyond\b"];

/// A line of text: its place and its words without code.
struct Line {
    place: String,
    text: String,
}

#[test]
fn comments_are_native_english() {
    holds_native(58, "comments", &lines(".rs", comment_lines));
}

#[test]
fn prose_is_native_english() {
    holds_native(45, "prose", &lines(".md", prose_lines));
}

#[test]
fn messages_are_native_english() {
    let whole = |text: &str| text.lines().map(str::to_owned).enumerate().collect();
    let lines = lines(".snap", whole);
    let mut found = Vec::new();
    for (phrase, _) in PHRASES.iter().filter(|(it, _)| !ORDINARY.contains(it)) {
        found.extend(places(phrase, &lines));
    }
    hold(0, "phrases in snapshots of messages", &found);
}

#[test]
fn prose_is_at_most_100_columns_wide() {
    let wide = lines(".md", |text| {
        let is_wide = |line: &str| {
            let is_prose = !line.trim_start().starts_with('|') && !line.starts_with("    ");
            line.chars().count() > 100 && is_prose && !line.contains("](") && !line.contains("://")
        };
        let mut lines = prose_lines(text);
        lines.retain(|(_, line)| is_wide(line));
        lines
    });
    let wide: Vec<String> = wide.into_iter().map(|line| line.place).collect();
    hold(0, "lines of prose that are wider than 100 columns", &wide);
}

/// Holds the count of all phrases, and each to twice the most among the other projects.
fn holds_native(ceiling: usize, what: &str, lines: &[Line]) {
    let mut found = Vec::new();
    let mut frequent = Vec::new();
    for (phrase, most) in PHRASES {
        let places = places(phrase, lines);
        if places.len() as f64 > 2.0 * most * lines.len() as f64 / 1000.0 + 1.0 {
            frequent.push(format!("{phrase} in {} {what}", places.len()));
        }
        found.extend(places);
    }
    hold(ceiling, &format!("phrases in {what}"), &found);
    hold(0, "phrases more frequent than in other projects", &frequent);
}

fn places(phrase: &str, lines: &[Line]) -> Vec<String> {
    let phrase = Regex::new(phrase).unwrap();
    let found = lines.iter().flat_map(|line| {
        let count = phrase.find_iter(&line.text).count();
        std::iter::repeat_n(format!("{}: {}", line.place, line.text), count)
    });
    found.collect()
}

/// The lines of the files with that extension, as `read` numbers them.
fn lines(extension: &str, read: impl Fn(&str) -> Vec<(usize, String)>) -> Vec<Line> {
    let code = Regex::new("`[^`]*`").unwrap();
    let mut command = Command::new("git");
    let listed = command.args(["ls-files", "-z"]).current_dir(workspace());
    let listed = String::from_utf8(listed.output().unwrap().stdout).unwrap();
    let is_read = |file: &&str| {
        let exempt = [
            "CHANGELOG.md",
            "CODE_OF_CONDUCT.md",
            "mutants/sample.md",
            "sampling.md",
        ];
        file.ends_with(extension)
            && !file.contains("/fixtures/")
            && !exempt.iter().any(|it| file.ends_with(it))
    };
    let texts: BTreeMap<&str, String> = listed
        .split('\0')
        .filter(is_read)
        .filter_map(|file| Some((file, fs::read_to_string(workspace().join(file)).ok()?)))
        .collect();
    let mut lines = Vec::new();
    for (file, text) in &texts {
        lines.extend(read(text).into_iter().map(|(index, line)| Line {
            place: format!("{file}:{}", index + 1),
            text: code.replace_all(line.trim(), "`x`").into_owned(),
        }));
    }
    lines
}

fn comment_lines(text: &str) -> Vec<(usize, String)> {
    let comment = |line: &str| {
        let text = line.trim_start().strip_prefix("//")?;
        let text = text.strip_prefix(['/', '!']).unwrap_or(text);
        (!text.trim_start().starts_with("```")).then(|| text.trim().to_owned())
    };
    let lines = text.lines().enumerate();
    lines
        .filter_map(|(index, line)| Some((index, comment(line)?)))
        .collect()
}

fn prose_lines(text: &str) -> Vec<(usize, String)> {
    let mut is_code = false;
    let mut prose = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && !line.trim().is_empty() {
            prose.push((index, line.to_owned()));
        }
    }
    prose
}
