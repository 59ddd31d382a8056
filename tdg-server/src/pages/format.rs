//! Formatting that pages share: times, verdicts, commits, counts.

use maud::{Markup, html};
use tdg_engine::Verdict;
use tdg_engine::checkout::Checkout;
use tdg_service::Timestamp;

/// Formats a time: `2026-11-23 04:43:31`, UTC.
pub(super) fn time(time: Timestamp) -> Markup {
    let text = text_of(time);
    html! { time datetime=(format!("{}Z", text.replace(' ', "T"))) { (text) } }
}

pub(super) fn text_of(time: Timestamp) -> String {
    const SECONDS: usize = "2026-11-23 04:43:31".len();
    let mut text = time.to_precise();
    text.truncate(SECONDS);
    text
}

pub(super) fn verdict(verdict: Verdict) -> Markup {
    badge(
        verdict.as_str(),
        if verdict.passes() { "good" } else { "bad" },
    )
}

/// Renders a word in the color of its class: `good`, `bad` or `near`.
pub(super) fn badge(word: &str, class: &str) -> Markup {
    html! { span class=(format!("verdict {class}")) { (word) } }
}

/// Links to the parts before and after one of `shown` elements, if any.
pub(super) fn neighbours(
    link: impl Fn(usize) -> String,
    from: usize,
    shown: usize,
    all: usize,
) -> Markup {
    let next = from.saturating_add(shown);
    pages(
        (from > 0).then(|| link(from.saturating_sub(shown))),
        (next < all).then(|| link(next)),
    )
}

/// Links to the parts before and after, if any.
pub(super) fn pages(previous: Option<String>, next: Option<String>) -> Markup {
    html! {
        p.pages {
            @if let Some(previous) = &previous { a rel="prev" href=(previous) { "Previous" } }
            @if previous.is_some() && next.is_some() { " · " }
            @if let Some(next) = &next { a rel="next" href=(next) { "Next" } }
        }
    }
}

/// Formats `main 1f3a9c0d21`, with a `+` if the sources differ from the commit.
pub(super) fn checkout(checkout: &Checkout, dirty: Option<bool>) -> Markup {
    html! {
        @if let Some(branch) = &checkout.branch { (branch) }
        @if let Some(commit) = &checkout.commit {
            " " code title=(commit) { (short(commit)) @if dirty == Some(true) { "+" } }
        }
    }
}

/// Returns the beginning of a commit.
pub(super) fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_whose_sources_were_not_all_has_a_plus() {
        let one = Checkout {
            commit: Some("1f3a9c0d21b4".to_owned()),
            branch: Some("main".to_owned()),
        };
        let of = |dirty| checkout(&one, dirty).into_string();
        let clean = r#"main <code title="1f3a9c0d21b4">1f3a9c0d21</code>"#;
        assert_eq!(of(None), clean);
        assert_eq!(of(Some(false)), clean);
        assert_eq!(of(Some(true)), clean.replace("21</code>", "21+</code>"));
    }
}
