//! Helpers for tests of pages.

use tdg_definition::control;

/// A text that would act on a page or on a terminal.
pub const HOSTILE: &str = "</td><script>alert(1)</script><i>\u{202e}\u{9b}31m\u{200b}\"'&";

/// Fails if the page contains a [`HOSTILE`] text as anything but text.
///
/// # Panics
/// If it does.
#[track_caller]
pub fn assert_obeys_nothing(page: &str) {
    assert_eq!(page.matches("<script").count(), 1);
    assert!(!page.contains("<i>"));
    assert_eq!(control::escape_lines(page), page);
    assert!(page.contains("\\u202e\\u009b31m\\u200b&quot;'&amp;"));
}

/// Returns the visible text, without tooltips, styles and scripts.
pub fn seen(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        let hidden = ["title", "style", "script"].into_iter().find(|name| {
            let tag = after.strip_prefix(name);
            tag.is_some_and(|rest| rest.starts_with(['>', ' ']))
        });
        let end = hidden.map(|name| format!("</{name}"));
        let after = end.map_or(after, |end| after.split_once(&end).map_or("", |it| it.1));
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
    }
    text.replace("&quot;", "\"")
}

/// Returns the texts of these elements.
pub fn texts(page: &str, element: &str) -> Vec<String> {
    let start = format!("<{element}");
    let parts = page.split(start.as_str()).skip(1);
    let text = |part: &str| {
        let (_, text) = part.split_once('>').unwrap();
        text.split_once('<').unwrap().0.to_owned()
    };
    parts.map(text).collect()
}
