//! The state of a project's tests as an image for other pages.

use maud::{Markup, html};

use super::test_status::TestStanding;
use super::{PageError, PageRequest, WebFile, project};
use crate::database::TestSummary;

pub(super) async fn show(request: &PageRequest<'_>) -> Result<WebFile, PageError> {
    let [project] = request.ids()?;
    let tests = project::tests(request, project).await?;
    Ok(WebFile {
        name: None,
        media_type: "image/svg+xml",
        text: badge(&tests).into_string(),
    })
}

/// Shows the most severe state, and the number of tests in it.
fn badge(tests: &[TestSummary]) -> Markup {
    let worst = [
        (TestStanding::Failing, "#b3261e"),
        (TestStanding::Pending, "#8a5a00"),
        (TestStanding::Passing, "#1b6e3c"),
    ];
    let counted = worst.map(|(standing, colour)| (standing, colour, standing.count(tests)));
    let found = counted.iter().find(|(_, _, count)| *count > 0);
    match found {
        Some((standing, colour, count)) => drawn(&format!("{count} {}", standing.name()), colour),
        None => drawn("no runs", "#5f6a75"),
    }
}

fn drawn(text: &str, colour: &str) -> Markup {
    /// The approximate width of a letter.
    const WIDTH: usize = 7;
    const NAME: usize = 32;
    let width = WIDTH * text.chars().count();
    let whole = NAME + width + 12;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(whole) height="20" role="img"
            aria-label=(format!("tdg: {text}")) {
            title { "tdg: " (text) }
            rect width=(whole) height="20" rx="3" fill="#3b434b" {}
            rect x=(NAME) width=(whole - NAME) height="20" rx="3" fill=(colour) {}
            rect x=(NAME) width="4" height="20" fill=(colour) {}
            g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11" {
                text x="6" y="14" textLength=(NAME - 12) { "tdg" }
                text x=(NAME + 6) y="14" textLength=(width) { (text) }
            }
        }
    }
}
