//! Self-contained pages, light and dark, and the pictures of rows that changed.
//!
//! A page is complete without its script, which only sorts and filters, and stays within [`LIMIT`].
//!
//! Markup is escaped where it is made, by maud. Characters that are hidden or turn the text around
//! are escaped once, in the whole page, so none is forgotten.

pub(crate) mod cases;
pub(crate) mod chart;
pub(crate) mod feature;
mod finding;
mod long;
pub(crate) mod output;
mod room;
mod subjects;
#[cfg(test)]
pub(crate) mod testing;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use tdg_definition::control;

pub(crate) use self::finding::Finding;
pub(crate) use self::room::PageRoom;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The most bytes of a page.
pub(crate) const LIMIT: usize = 2_000_000;
/// Bytes for the head of a page.
const FRAME: usize = 20_000;

/// The room of a page for what it tells.
pub(crate) fn room() -> PageRoom {
    PageRoom::new(LIMIT - FRAME - STYLE.len() - SCRIPT.len())
}

/// A page with nothing from elsewhere.
pub(crate) fn document(title: &str, body: &Markup) -> String {
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
    control::escape_lines(&page.into_string()).into_owned() + "\n"
}
