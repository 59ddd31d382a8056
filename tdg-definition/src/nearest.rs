//! "Did you mean …?"

/// Returns the candidate closest to `name`, if any is close enough.
///
/// Candidates are close if they are equal except for case and separators, or differ by few edits
/// (Levenshtein with transpositions) for the length of the name.
///
/// ```
/// use tdg_definition::nearest;
/// assert_eq!(nearest("sigam", ["mu", "sigma"]), Some("sigma"));
/// assert_eq!(nearest("colour", ["mu", "sigma"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(name, &mut candidates.into_iter())
}

/// Not generic, to be compiled once.
fn nearest_of<'a>(name: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = folded(name);
    let allowed = match wanted.len() {
        0 => return None,
        1..=3 => 1,
        4..=8 => 2,
        _ => 3,
    };
    candidates
        .map(|candidate| (distance(&wanted, &folded(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of edits, where the rest of a longer word with the same start counts as two: `nulls`
/// is close to `null_probability`.
fn distance(wanted: &[char], candidate: &[char]) -> usize {
    let alike = wanted.iter().zip(candidate).take_while(|(a, b)| a == b);
    let is_short_form = alike.count() >= 4.max(wanted.len() - 1);
    let edits = edits(wanted, candidate);
    if is_short_form { edits.min(2) } else { edits }
}

fn folded(name: &str) -> Vec<char> {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        // A name of megabytes isn't a typo, and the table below is quadratic.
        .take(64)
        .collect()
}

/// Optimal string alignment distance: insertions, deletions, replacements, swaps of adjacent
/// characters.
fn edits(left: &[char], right: &[char]) -> usize {
    let width = right.len() + 1;
    let mut table: Vec<usize> = (0..width).collect();
    for i in 1..=left.len() {
        table.push(i);
        for j in 1..width {
            let at = |row: usize, column: usize| table[row * width + column];
            let replace = at(i - 1, j - 1) + usize::from(left[i - 1] != right[j - 1]);
            let mut best = replace.min(at(i - 1, j) + 1).min(at(i, j - 1) + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(at(i - 2, j - 2) + 1);
            }
            table.push(best);
        }
    }
    table[left.len() * width + right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_a_slip_and_another_case_are_near() {
        let names = ["amount", "quantity", "coupon"];
        assert_eq!(nearest("amuont", names), Some("amount"));
        assert_eq!(nearest("quantiy", names), Some("quantity"));
        assert_eq!(nearest("COUPON", names), Some("coupon"));
    }

    #[test]
    fn short_names_need_more_than_one_letter_in_common() {
        assert_eq!(nearest("x", ["n", "p"]), None);
        assert_eq!(nearest("", ["n"]), None);
    }
}
