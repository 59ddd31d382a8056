//! Values in cells: long ones shortened, and whole on a click.

use maud::{Markup, html};
use tdg_engine::text::shorten;

/// The most columns of a value in a table.
const WIDTH: usize = 32;
/// The most bytes of a value that the page has.
const WHOLE: usize = 4000;

/// A value, shortened if it is long.
pub(super) fn value(whole: &str) -> Markup {
    folded(whole, &shorten(whole, WIDTH))
}

/// A value with its short form.
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
