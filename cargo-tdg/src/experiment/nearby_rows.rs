//! Rows near others, with one changed value each, and rows with nearly equal values.

use tdg_definition::calendar::{parse_date, parse_datetime, write_date, write_datetime};
use tdg_definition::json::{Number, Value};
use tdg_definition::random::{Purpose, RowStream, Stream};

/// Returns rows near the chosen ones. In one place, each has another row's value or a variation of
/// its own.
pub(super) fn near(rows: &[Value], chosen: &[usize], size: usize, seed: u64) -> Vec<Value> {
    let mut choices = Choices::new(seed, "near", &[]);
    let numbers = (0..size).zip(chosen.iter().cycle());
    let near = numbers.map(|(_, chosen)| {
        let mut row = rows[*chosen].clone();
        let other = &rows[choices.below(rows.len())];
        if let Value::Array(row) = &mut row {
            choices.change_element(row, other);
        }
        row
    });
    near.collect()
}

/// One in this many rows has nearly equal values.
const ALIKE: usize = 8;
/// How often a change is tried that the definition may not admit.
const TRIES: usize = 8;

/// Makes the second column of each pair nearly equal to the first one in some rows: drawn apart,
/// two long texts, lists or dates never are. Numbers, dates and times may differ by the distances,
/// which the code may compare with.
pub(crate) fn make_alike(
    rows: &mut [Value],
    pairs: &[[usize; 2]],
    distances: &[i128],
    is_admitted: impl Fn(&Value) -> bool,
) {
    let mut choices = Choices::new(0, "alike", distances);
    for at in (0..rows.len()).step_by(ALIKE) {
        for pair in pairs {
            let other = &rows[choices.below(rows.len())];
            let mut tried = (0..TRIES).filter_map(|_| choices.alike(&rows[at], other, *pair));
            if let Some(alike) = tried.find(&is_admitted) {
                rows[at] = alike;
            }
        }
    }
}

/// Deterministic random choices.
struct Choices<'d> {
    words: RowStream,
    distances: &'d [i128],
}

/// The days that calendars have room for.
const DAYS: i64 = 3_000_000;
/// The units of the distance of two times, in seconds.
const UNITS: [i64; 4] = [1, 60, 3600, 86_400];

impl<'d> Choices<'d> {
    fn new(seed: u64, name: &str, distances: &'d [i128]) -> Self {
        Self {
            words: Stream::new(seed, name).row(Purpose::Value, 0),
            distances,
        }
    }

    fn below(&mut self, count: usize) -> usize {
        (self.words.next_word() % count.max(1) as u64) as usize
    }

    fn distance(&mut self) -> i128 {
        let choice = self.below(self.distances.len());
        let distance = self.distances.get(choice).copied().unwrap_or(1);
        [distance, -distance][self.below(2)]
    }

    /// Returns the row with one value in place of another one of its type, mostly with a change.
    fn alike(&mut self, row: &Value, other: &Value, [from, to]: [usize; 2]) -> Option<Value> {
        let mut values = row.as_array()?.to_vec();
        values[to] = values.get(from)?.clone();
        if self.below(4) > 0 {
            self.change(&mut values[to], other.as_array()?.get(to)?);
        }
        Some(Value::Array(values))
    }

    fn change(&mut self, value: &mut Value, other: &Value) {
        if self.below(3) == 0 {
            value.clone_from(other);
            return;
        }
        match value {
            Value::Array(list) if !list.is_empty() => match self.below(4) {
                0 => drop(list.remove(self.below(list.len()))),
                1 => list.push(list[self.below(list.len())].clone()),
                _ => self.change_element(list, other),
            },
            Value::Object(object) if !object.is_empty() => {
                let name = object.keys().nth(self.below(object.len())).cloned();
                let name = name.unwrap_or_default();
                let other = other.get(&name).cloned().unwrap_or_default();
                if let Some(member) = object.get_mut(&name) {
                    self.change(member, &other);
                }
            }
            Value::String(text) => {
                let near = self.near_time(text);
                *text = near.unwrap_or_else(|| self.changed_text(text, other));
            }
            Value::Number(number) => {
                if let Some(near) = self.near_number(*number) {
                    *value = near;
                }
            }
            value => value.clone_from(other),
        }
    }

    fn change_element(&mut self, list: &mut [Value], other: &Value) {
        let at = self.below(list.len());
        let others = other.as_array().unwrap_or_default();
        if let Some(element) = list.get_mut(at) {
            let other = others.get(at).unwrap_or(element).clone();
            self.change(element, &other);
        }
    }

    fn near_number(&mut self, number: Number) -> Option<Value> {
        if number.is_float() {
            let number = number.as_f64();
            let near = [number.next_up(), number.next_down(), number / 2.0, -number];
            return Some(near[self.below(4)].into());
        }
        let number = number.as_i128()?;
        let near = match self.below(if self.distances.is_empty() { 4 } else { 6 }) {
            0 => number.checked_add(1),
            1 => number.checked_sub(1),
            2 => Some(number / 2),
            3 => number.checked_neg(),
            _ => number.checked_add(self.distance()),
        };
        near.map(Value::from)
    }

    /// Returns an earlier or later date or time, if the text is one.
    fn near_time(&mut self, text: &str) -> Option<String> {
        let distance = |choices: &mut Self| {
            let distance = i64::try_from(choices.distance()).ok()?;
            (distance.abs() < DAYS).then_some(distance)
        };
        let mut near = String::new();
        if let Ok(days) = parse_date(text) {
            write_date(&mut near, days + distance(self)?);
        } else {
            let seconds = parse_datetime(text).ok()?;
            let unit = UNITS[self.below(UNITS.len())];
            write_datetime(&mut near, seconds + unit * distance(self)?);
        }
        Some(near)
    }

    /// Removes, replaces or inserts a character, or truncates the text.
    fn changed_text(&mut self, text: &str, other: &Value) -> String {
        let mut text: Vec<char> = text.chars().collect();
        let letters: Vec<char> = other.as_str().unwrap_or_default().chars().collect();
        let letter = letters
            .get(self.below(letters.len()))
            .copied()
            .unwrap_or('0');
        let at = self.below(text.len());
        match self.below(4) {
            0 if at < text.len() => drop(text.remove(at)),
            1 if at < text.len() => text[at] = letter,
            2 => text.truncate(at),
            _ => text.insert(at, letter),
        }
        text.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use tdg_definition::json;

    use super::*;

    #[test]
    fn each_row_differs_in_one_place_from_one_that_was_chosen() {
        let rows = r#"[[1, "a", [7, 8]], [500, "chosen", [1, 2, 3]], [30, "b", []]]"#;
        let rows = json::parse(rows).unwrap();
        let rows = rows.as_array().unwrap();
        let near = near(rows, &[1], 200, 0);
        assert_eq!(near, super::near(rows, &[1], 200, 0));
        let mut changed = [false; 3];
        for row in &near {
            let row = row.as_array().unwrap();
            let chosen = rows[1].as_array().unwrap();
            let differing: Vec<usize> = (0..3).filter(|it| row[*it] != chosen[*it]).collect();
            assert!(differing.len() <= 1, "{row:?}");
            differing.iter().for_each(|it| changed[*it] = true);
        }
        assert_eq!(changed, [true; 3]);
        let numbers: Vec<i64> = near
            .iter()
            .filter_map(|it| it.as_array()?[0].as_i64())
            .collect();
        assert!(
            [1, 30, 250, 499, 501].iter().all(|it| numbers.contains(it)),
            "{numbers:?}"
        );
    }

    #[test]
    fn some_rows_have_nearly_equal_values() {
        let rows = (0..400).map(|it| Value::Array(vec![(it * 1000).into(), it.into(), "a".into()]));
        let mut rows: Vec<Value> = rows.collect();
        let drawn = rows.clone();
        let is_even = |row: &Value| row.as_array().unwrap()[1].as_i64().unwrap() % 2 == 0;
        make_alike(&mut rows, &[[0, 1]], &[60], is_even);
        let of = |row: &Value, at: usize| row.as_array().unwrap()[at].as_i64().unwrap();
        let changed: Vec<&Value> = rows.iter().filter(|it| !drawn.contains(it)).collect();
        assert!((40..=50).contains(&changed.len()), "{}", changed.len());
        assert!(changed.iter().all(|it| is_even(it)));
        let near = |distance: i64| {
            let is_near = |it: &&&Value| (of(it, 0) - of(it, 1)).abs() == distance;
            changed.iter().filter(is_near).count()
        };
        for distance in [0, 60] {
            assert!(near(distance) > 5, "{distance}: {}", near(distance));
        }
    }

    #[test]
    fn dates_and_times_are_apart_by_the_distances() {
        let drawn = json::parse(
            r#"["2024-01-31", "2030-01-01", "2024-01-31T00:00:00Z", "2030-01-01T00:00:00Z"]"#,
        );
        let mut rows = vec![drawn.unwrap(); 2000];
        make_alike(&mut rows, &[[0, 1], [2, 3]], &[30], |_| true);
        let is_somewhere = |at: usize, text: &str| {
            let mut rows = rows.iter().filter_map(Value::as_array);
            rows.any(|it| it[at].as_str() == Some(text))
        };
        assert!(is_somewhere(1, "2024-03-01") && is_somewhere(1, "2024-01-01"));
        assert!(is_somewhere(3, "2024-01-31T00:00:30Z"));
    }
}
