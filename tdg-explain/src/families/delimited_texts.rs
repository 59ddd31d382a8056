//! Fields of texts with the same number of fields: `1.2.3`, `*/5 * * * 1`, `AB-12-C`.

use super::properties::TextProperties;

/// Possible separators. The first one that occurs equally often in all texts is used.
const SEPARATORS: [char; 9] = [' ', ',', ';', '|', '\t', ':', '/', '-', '.'];

const FIELDS: [&str; 6] = [
    "first field of {0}",
    "second field of {0}",
    "third field of {0}",
    "fourth field of {0}",
    "fifth field of {0}",
    "sixth field of {0}",
];

/// Adds each field, as a number if it is one in all texts, else as a text.
pub(super) fn fields<'t>(texts: &mut TextProperties<'_, 't, '_>, values: &[&'t str]) {
    let Some((separator, count)) = separator(values) else {
        return;
    };
    let mut rare = texts.rare();
    for (at, name) in FIELDS.iter().enumerate().take(count) {
        let field = move |text| nth(text, separator, at);
        let number = move |text| field(text)?.parse::<i64>().ok();
        match values.iter().all(|text| number(text).is_some()) {
            true => rare.number(name, number),
            false => rare.text(name, field),
        }
    }
}

fn nth(text: &str, separator: char, at: usize) -> Option<&str> {
    text.split(separator).nth(at)
}

/// Returns the separator of the fields, and their number.
fn separator(values: &[&str]) -> Option<(char, usize)> {
    SEPARATORS.into_iter().find_map(|separator| {
        let count = |text: &str| text.split(separator).count();
        let first = count(values.first()?);
        let is_same =
            (2..=FIELDS.len()).contains(&first) && values.iter().all(|text| count(text) == first);
        is_same.then_some((separator, first))
    })
}
