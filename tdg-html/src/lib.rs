//! The HTML of tdg: the frame of pages, light and dark, and the pictures of rows that changed.
//!
//! A page is complete without its script, which only sorts, filters and copies. One that is a file
//! stays within [`LIMIT`].
//!
//! Markup is escaped where it is made, by maud. Characters that are hidden or turn the text around
//! are escaped once, in the whole page, so none is forgotten.
//!
//! **Exempt from semver.** Every version may change everything here.

#![forbid(unsafe_code)]

pub mod cases;
pub mod chart;
mod compared_rows;
#[cfg(test)]
mod contrast;
pub mod feature;
mod finding;
mod long;
pub mod output;
mod part;
mod percent;
mod room;
mod subjects;
pub mod summary;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use tdg_definition::control;

pub use self::compared_rows::ComparedRows;
pub use self::finding::Finding;
pub use self::part::{FINDINGS, NamedPart};
use self::percent::percent;
pub use self::room::PageRoom;

/// The styles of all pages.
pub const STYLE: &str = include_str!("style.css");
/// The script of all pages.
pub const SCRIPT: &str = include_str!("script.js");

/// The most bytes of a page.
pub const LIMIT: usize = 2_000_000;
/// Bytes for the head of a page.
const FRAME: usize = 20_000;

/// The room of a page for what it tells.
#[must_use]
pub fn room() -> PageRoom {
    PageRoom::new(LIMIT - FRAME - STYLE.len() - SCRIPT.len())
}

/// A page with nothing from elsewhere.
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

/// A whole page as text, in which nothing is hidden or turned around.
#[must_use]
pub fn visible(page: Markup) -> String {
    control::escape_lines(&page.into_string()).into_owned() + "\n"
}
