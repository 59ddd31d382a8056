//! The tables of the pages.

use maud::{Markup, Render, html};

/// A column, by its content.
#[derive(Clone, Copy)]
pub(super) enum TableColumn<'a> {
    Text(&'a str),
    Number(&'a str),
}

/// Renders a table with a row for each of several objects.
pub(super) fn overview(caption: impl Render, columns: &[TableColumn<'_>], rows: &Markup) -> Markup {
    table(&html! { caption { (caption) } }, columns, rows)
}

/// Renders such a table without a caption, for a page whose title says what it lists.
pub(super) fn list(columns: &[TableColumn<'_>], rows: &Markup) -> Markup {
    table(&html! {}, columns, rows)
}

fn table(caption: &Markup, columns: &[TableColumn<'_>], rows: &Markup) -> Markup {
    html! {
        div.wide {
            table.overview {
                (caption)
                (head(columns))
                tbody { (rows) }
            }
        }
    }
}

pub(super) fn head(columns: &[TableColumn<'_>]) -> Markup {
    html! {
        thead {
            tr {
                @for column in columns {
                    @match column {
                        TableColumn::Text(name) => th scope="col" { (name) },
                        TableColumn::Number(name) => th.number scope="col" { (name) },
                    }
                }
            }
        }
    }
}

/// Renders a table of an object's properties, a [`fact`] each.
pub(super) fn facts(caption: &str, facts: &Markup) -> Markup {
    html! {
        div.wide {
            table.facts {
                caption { (caption) }
                tbody { (facts) }
            }
        }
    }
}

pub(super) fn fact(name: &str, value: impl Render) -> Markup {
    html! { tr { th scope="row" { (name) } td { (value) } } }
}
