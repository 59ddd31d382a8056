//! The HTML of tdg: the frame of pages, light and dark, and charts of changed rows.
//!
//! A page is complete without its script, which only sorts, filters and copies. A page in a file
//! stays within [`LIMIT`].
//!
//! maud escapes markup as it is built. Hidden characters and characters that change the direction
//! of text are escaped once, in the whole page, so that none is missed.
//!
//! **Exempt from semver.** Everything may change in any version.

#![forbid(unsafe_code)]

pub mod cases;
pub mod chart;
mod compared_rows;
#[cfg(test)]
mod contrast;
pub mod feature;
mod finding;
mod long_values;
pub mod output;
mod page_budget;
mod part;
mod percent;
mod subjects;
pub mod summary;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use tdg_definition::control;

pub use self::compared_rows::ComparedRows;
pub use self::finding::Finding;
pub use self::page_budget::PageRoom;
pub use self::part::{NamedPart, Round, SectionParts};
use self::percent::percent;

/// The styles shared by all pages.
pub const STYLE: &str = include_str!("style.css");
/// The script shared by all pages.
pub const SCRIPT: &str = include_str!("script.js");

/// The maximum size of a page, in bytes.
pub const LIMIT: usize = 2_000_000;
/// The bytes reserved for the head of a page.
const FRAME: usize = 20_000;

/// Returns the room for a page's content.
#[must_use]
pub fn room() -> PageRoom {
    PageRoom::new(LIMIT - FRAME - STYLE.len() - SCRIPT.len())
}

/// Renders a self-contained page.
#[must_use]
pub fn document(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "tdg: " (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    visible(page)
}

/// Returns a whole page as text, with hidden and direction-changing characters escaped.
#[must_use]
pub fn visible(page: Markup) -> String {
    control::escape_lines(&page.into_string()).into_owned() + "\n"
}
