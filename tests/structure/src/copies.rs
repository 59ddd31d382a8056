//! Code that appears in two functions.

use std::collections::{HashMap, HashSet};

use crate::hold;
use crate::source::MODULES;

/// The number of common lines, in the same order, that counts as a copy.
const LINES: usize = 10;

#[test]
fn few_pairs_of_functions_share_ten_lines() {
    let functions: Vec<_> = MODULES
        .iter()
        .flat_map(|module| module.functions.iter().map(move |it| (&module.file, it)))
        .map(|(file, it)| (format!("{file}:{} {}", it.line, it.name), telling(&it.code)))
        .filter(|(_, lines)| lines.len() >= LINES)
        .collect();
    let mut users: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, (_, lines)) in functions.iter().enumerate() {
        for line in lines.iter().copied().collect::<HashSet<_>>() {
            users.entry(line).or_default().push(index);
        }
    }
    let mut in_common: HashMap<(usize, usize), usize> = HashMap::new();
    for users in users.values() {
        for (at, first) in users.iter().enumerate() {
            for second in &users[at + 1..] {
                *in_common.entry((*first, *second)).or_default() += 1;
            }
        }
    }
    let mut pairs = Vec::new();
    for ((first, second), in_common) in in_common {
        let (first, second) = (&functions[first], &functions[second]);
        // Some lines may repeat within each function.
        if in_common > LINES / 2 {
            let shared = longest_common(&first.1, &second.1);
            if shared >= LINES {
                pairs.push(format!("{shared} lines: {}, {}", first.0, second.0));
            }
        }
    }
    pairs.sort();
    hold(15, "pairs of functions that share ten lines", &pairs);
}

/// Returns the meaningful lines, without lines of only brackets.
fn telling(code: &[String]) -> Vec<&str> {
    let says = |line: &&str| line.chars().filter(|it| it.is_alphanumeric()).count() >= 5;
    code.iter().map(String::as_str).filter(says).collect()
}

/// Returns the length of the longest common subsequence of lines.
fn longest_common(first: &[&str], second: &[&str]) -> usize {
    let mut above = vec![0; second.len() + 1];
    for line in first {
        let mut row = vec![0];
        for (at, other) in second.iter().enumerate() {
            row.push(if line == other {
                above[at] + 1
            } else {
                above[at + 1].max(row[at])
            });
        }
        above = row;
    }
    above[second.len()]
}
