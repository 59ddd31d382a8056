//! The lines of a journal: JSON with a checksum, so that torn ones are detected.

use std::fmt::Write as _;

use tdg_definition::json::{self, Value};

use super::hash::TextHash;

/// Renders a line. It starts with a line break, so a torn line doesn't damage the next.
pub(super) fn render(value: &Value) -> String {
    let mut line = format!("\n{value}");
    let checksum = checksum(&line[1..]);
    let _ = write!(line, " {checksum:016x}");
    line
}

/// Parses the lines of a journal and skips torn ones.
pub(super) fn parse(journal: &[u8]) -> impl DoubleEndedIterator<Item = Value> + '_ {
    let lines = journal.split(|byte| *byte == b'\n');
    lines.filter_map(|line| {
        let (text, found) = std::str::from_utf8(line).ok()?.rsplit_once(' ')?;
        let expected = u64::from_str_radix(found, 16).ok()?;
        (expected == checksum(text)).then(|| json::parse(text).ok())?
    })
}

fn checksum(text: &str) -> u64 {
    TextHash::default().with(text).value()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(number: u64) -> Value {
        Value::object([("n", Value::from(number)), ("text", "a\nb".into())])
    }

    proptest! {
        #[test]
        fn whole_lines_are_read_despite_torn_ones_between(
            torn in proptest::collection::vec(any::<prop::sample::Index>(), 0..5)
        ) {
            let mut journal = Vec::new();
            for (number, torn) in (0..).zip(&torn) {
                let line = render(&value(number));
                journal.extend(&line.as_bytes()[..torn.index(line.len())]);
                journal.extend(render(&value(100 + number)).bytes());
            }
            let found: Vec<Value> = parse(&journal).collect();
            let whole: Vec<Value> = (0..torn.len() as u64).map(|it| value(100 + it)).collect();
            prop_assert_eq!(found, whole);
        }
    }

    #[test]
    fn a_line_has_one_form() {
        assert_eq!(
            render(&value(7)),
            "\n{\"n\":7,\"text\":\"a\\nb\"} 9e5a5376e64d3c9f"
        );
        assert_eq!(parse(b"\0\0\0\n\xff 12\n{} 1\n{}").count(), 0);
    }
}
