//! The values passed to the function in a case, if they are made from the row.

use super::{Extent, WIDTH};
use tdg_engine::text::{escape, shorten};

/// The values made from the row of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeInputs {
    /// The case, counted from 0.
    pub case: usize,
    /// The values as written by `Debug`, such as `total = Money(5)`.
    pub values: Vec<String>,
}

impl MadeInputs {
    pub(super) fn line(&self, extent: Extent) -> String {
        let values = escape(&self.values.join(", "));
        let line = format!("made of case {}: {values}", self.case);
        match extent.are_values_whole() {
            true => line,
            false => shorten(&line, WIDTH),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_line_of_the_report_for_all_values() {
        let made = MadeInputs {
            case: 7,
            values: vec![
                "a = \"x\ny\"".to_owned(),
                format!("b = {}", "z".repeat(200)),
            ],
        };
        let line = made.line(Extent::SCREEN);
        assert!(
            line.starts_with("made of case 7: a = \"x\\ny\", b = zz"),
            "{line}"
        );
        assert_eq!(line.chars().count(), WIDTH);
        assert!(made.line(Extent::FILE).ends_with('z'));
    }
}
