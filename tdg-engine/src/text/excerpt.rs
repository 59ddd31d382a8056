//! Parts of texts that are too wide.

use super::{char_width, width};
use crate::common_prefix;

/// Cuts out the middle of a text that is wider than `max` terminal columns.
#[must_use]
pub fn shorten(text: &str, max: usize) -> String {
    if width(text) <= max {
        return text.to_owned();
    }
    let room = max.saturating_sub(1);
    let head = fitting(text.chars(), room.div_ceil(2));
    let tail: Vec<char> = fitting(text.chars().rev(), room / 2).chars().collect();
    let mut short = head;
    short.push('…');
    short.extend(tail.iter().rev());
    short
}

/// Returns the longest prefix of at most `max` columns.
pub fn fitting(characters: impl Iterator<Item = char>, max: usize) -> String {
    let mut fitting = String::new();
    let mut taken = 0;
    for character in characters {
        taken += char_width(character);
        if taken > max {
            break;
        }
        fitting.push(character);
    }
    fitting
}

/// Shortens a value: a list or a struct after a whole element, anything else in the middle.
///
/// ```
/// # use tdg_engine::text::shorten_value;
/// let parcels = "[3] {id: 1, fragile: false}, {id: 2, fragile: true}, {id: 3, fragile: false}";
/// assert_eq!(shorten_value(parcels, 40), "[3] {id: 1, fragile: false}, …");
/// assert_eq!(shorten_value(parcels, 20), "[3] {id: 1, …}");
/// assert_eq!(shorten_value("\"2021-03-08T22:14:28Z\"", 14), "\"2021-0…4:28Z\"");
/// ```
#[must_use]
pub fn shorten_value(value: &str, max: usize) -> String {
    let is_nested = value.starts_with(['[', '{']);
    let cut = (is_nested && width(value) > max).then(|| after_element(value, max));
    cut.flatten().unwrap_or_else(|| shorten(value, max))
}

/// Returns the longest part that ends after an element, of the outermost level that has one.
fn after_element(value: &str, max: usize) -> Option<String> {
    let mut open: Vec<char> = Vec::new();
    let (mut is_text, mut is_escaped) = (false, false);
    let mut best: Option<(usize, String)> = None;
    let mut taken = 0;
    for (index, character) in value.char_indices() {
        taken += char_width(character);
        if taken > max {
            break;
        }
        let was_escaped = std::mem::replace(&mut is_escaped, false);
        match character {
            '\\' => is_escaped = is_text && !was_escaped,
            '"' if !was_escaped => is_text = !is_text,
            _ if is_text => {}
            '[' => open.push(']'),
            '{' => open.push('}'),
            '(' => open.push(')'),
            ']' | '}' | ')' => drop(open.pop()),
            ',' => {
                let space = if value[index + 1..].starts_with(' ') {
                    " "
                } else {
                    ""
                };
                let close: String = open.iter().rev().collect();
                let cut = format!("{},{space}…{close}", &value[..index]);
                let is_outer = best.as_ref().is_none_or(|(depth, _)| open.len() <= *depth);
                if is_outer && width(&cut) <= max {
                    best = Some((open.len(), cut));
                }
            }
            _ => {}
        }
    }
    best.map(|(_, cut)| cut)
}

/// Shortens two texts to these widths so that both show where they part. Both are cut off at the
/// same place, so their characters stay aligned.
///
/// ```
/// # use tdg_engine::text::shorten_apart;
/// let times = ["\"2021-03-08T22:14:28Z\"", "\"2021-03-08T23:14:28Z\""];
/// assert_eq!(shorten_apart(times, [14, 14]), ["…08T22:14:28Z\"", "…08T23:14:28Z\""]);
/// ```
pub fn shorten_apart(texts: [&str; 2], widths: [usize; 2]) -> [String; 2] {
    if (0..2).all(|side| width(texts[side]) <= widths[side]) {
        return texts.map(str::to_owned);
    }
    let [left, right] = texts;
    let common = common_prefix(left, right);
    if common == 0 {
        return [0, 1].map(|side| match texts[side].starts_with(['[', '{']) {
            true => shorten_value(texts[side], widths[side]),
            false => cut_off(texts[side], widths[side]),
        });
    }
    let start = start_of_excerpt(texts, common, widths[0].min(widths[1]));
    let cut = |side: usize| {
        let end = &texts[side][start..];
        match start {
            0 => cut_off(end, widths[side]),
            _ => cut_off(&format!("…{end}"), widths[side]),
        }
    };
    [cut(0), cut(1)]
}

/// Returns the start, if all characters that differ fit into `room` from there, or else a place
/// shortly before the first of them: so close that both texts fit to their ends, if possible, but
/// at most a third of the room.
fn start_of_excerpt(texts: [&str; 2], common: usize, room: usize) -> usize {
    let reversed = texts.map(|text| text[common..].chars().rev().collect::<String>());
    let alike = common_prefix(&reversed[0], &reversed[1]);
    let room = room.saturating_sub(1);
    let differing = |text: &&str| width(&text[..text.len() - alike]);
    if texts.iter().all(|text| differing(text) <= room) {
        return 0;
    }
    let rest = texts.iter().map(|text| width(&text[common..])).max();
    let before = match room.saturating_sub(rest.unwrap_or_default()) {
        0 => room / 3,
        spare => spare.min(room / 3),
    };
    let mut start = common;
    let mut taken = 0;
    for (index, character) in texts[0][..common].char_indices().rev() {
        taken += char_width(character).max(1);
        if taken > before {
            break;
        }
        start = index;
    }
    start
}

/// Cuts off the end of a text that is wider than `max` columns.
fn cut_off(text: &str, max: usize) -> String {
    match width(text) <= max {
        true => text.to_owned(),
        false => fitting(text.chars(), max.saturating_sub(1)) + "…",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_loses_its_middle() {
        assert_eq!(shorten("abcdefghij", 10), "abcdefghij");
        assert_eq!(shorten("abcdefghijk", 10), "abcde…hijk");
        assert_eq!(shorten("日本語日本語", 7), "日…語");
        assert_eq!(shorten("abc", 1), "…");
    }

    #[test]
    fn a_list_is_cut_after_an_element() {
        let cut = |value, max| shorten_value(value, max);
        assert_eq!(cut("[4] 17, 4, 99, 1000", 15), "[4] 17, 4, …");
        assert_eq!(cut(r#"{"a":[1,2,3],"b":null}"#, 15), r#"{"a":[1,2,3],…}"#);
        assert_eq!(cut(r#"{"a":[1,2,3],"b":null}"#, 12), r#"{"a":[1,…]}"#);
        // A comma in a text doesn't separate elements.
        assert_eq!(
            cut(r#"[2] "a, \", b", "c, d, e""#, 18),
            r#"[2] "a, \", b", …"#
        );
        assert_eq!(cut(r#"[1] "a, b, c, d, e""#, 12), r#"[1] "a…d, e""#);
    }

    #[test]
    fn texts_are_cut_where_they_are_alike() {
        let cut = |left, right, max| shorten_apart([left, right], [max; 2]).join(" ");
        let day = ["\"2021-03-10T08:00:00Z\"", "\"2021-03-11T08:00:00Z\""];
        assert_eq!(cut(day[0], day[1], 14), "\"2021-03-10T0… \"2021-03-11T0…");
        let hour = ["\"2021-03-10T08:00:00Z\"", "\"2021-03-10T09:00:00Z\""];
        assert_eq!(cut(hour[0], hour[1], 14), "…10T08:00:00Z\" …10T09:00:00Z\"");
        assert_eq!(cut(hour[0], hour[1], 22), hour.join(" "));
        let middle = [
            "aaaaaaaaaaaaaaaa1bbbbbbbbbbbbbbbb",
            "aaaaaaaaaaaaaaaa2bbbbbbbbbbbbbbbb",
        ];
        assert_eq!(cut(middle[0], middle[1], 12), "…aaa1bbbbbb… …aaa2bbbbbb…");
        // One text ends where the other goes on.
        assert_eq!(cut("abcdefgh", "abcdefghijklmnop", 10), "…h …hijklmnop");
        assert_eq!(cut("–", "abcdefghijklmnop", 10), "– abcdefghi…");
    }
}
