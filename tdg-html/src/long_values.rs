//! Values in cells. Long ones are shortened, and shown in full on a click.

use maud::{Markup, html};
use tdg_engine::text::shorten;

/// The maximum width of a value in a table, in columns.
const WIDTH: usize = 32;
/// The maximum size of a value in the page, in bytes.
const WHOLE: usize = 4000;

/// Renders a value, shortened if it is long.
pub(super) fn value(whole: &str) -> Markup {
    folded(whole, &shorten(whole, WIDTH))
}

/// Renders a value with its short form.
pub(super) fn folded(whole: &str, short: &str) -> Markup {
    if whole.len() <= WIDTH || whole == short {
        return html! { (whole) };
    }
    let cut = (0..=WHOLE.min(whole.len())).rev();
    let end = cut.into_iter().find(|at| whole.is_char_boundary(*at));
    let (shown, rest) = whole.split_at(end.unwrap_or_default());
    html! {
        details.long {
            summary { (short) }
            div.whole {
                (shown)
                @if !rest.is_empty() { span.faint { " … and " (rest.len()) " more bytes" } }
            }
        }
    }
}
