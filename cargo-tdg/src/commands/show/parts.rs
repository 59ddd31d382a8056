//! The separately acceptable parts of a change.

use tdg_report::{Extent, quoted};

use crate::record::ComparedChange;
use crate::terminal::style::STRONG;

/// Returns a line for each part, with its number. Narrow terminals may wrap lines.
pub(super) fn text(test: &str, compared: &ComparedChange, extent: Extent) -> String {
    let parts = compared.parts();
    if parts.is_empty() {
        return String::new();
    }
    let test = quoted(test);
    let mut text = extent.fitted(&format!(
        "\nParts, accepted one at a time with `cargo tdg accept {test} --rule NUMBER`:"
    ));
    for (index, offered) in parts.iter().enumerate() {
        let number = (index + 1).to_string();
        let line = extent.fitted(&format!("  {number}  {}", offered.sentence()));
        text.push_str(&line.replacen(&number, &format!("{STRONG}{number}{STRONG:#}"), 1));
    }
    text
}
