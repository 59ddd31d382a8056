//! The parts of a change that can be accepted by themselves.

use tdg_engine::report::quoted;

use crate::record::ComparedChange;
use crate::terminal::style::STRONG;

/// A line for each part, with its number.
pub(super) fn text(test: &str, compared: &ComparedChange) -> String {
    let parts = compared.parts();
    if parts.is_empty() {
        return String::new();
    }
    let test = quoted(test);
    let mut text = format!(
        "\nParts, each of which `cargo tdg accept {test} --rule NUMBER` accepts by itself:\n"
    );
    for (index, offered) in parts.iter().enumerate() {
        let number = index + 1;
        let offered = offered.sentence();
        text.push_str(&format!("  {STRONG}{number}{STRONG:#}  {offered}\n"));
    }
    text
}
