//! The packages of a lock file whose versions differ.

use std::collections::BTreeMap;
use std::ops::Range;

/// The lines of two files.
type BothRanges = (Range<usize>, Range<usize>);

/// Returns the lines of each package with other versions. The lines of a package are next to each
/// other, since a lock file is sorted.
pub(super) fn differing_packages(before: &[&str], after: &[&str]) -> Vec<BothRanges> {
    let (then, now) = (packages(before), packages(after));
    let names = then
        .keys()
        .chain(now.keys().filter(|it| !then.contains_key(*it)));
    let mut differing: Vec<BothRanges> = names
        .filter_map(|name| {
            let ranges = (place(&then, name), place(&now, name));
            let versions = [
                versions(&before[ranges.0.clone()]),
                versions(&after[ranges.1.clone()]),
            ];
            (versions[0] != versions[1]).then_some(ranges)
        })
        .collect();
    differing.sort_by_key(|(_, now)| (now.start, now.end));
    differing
}

/// Returns the lines of each package by name.
fn packages<'l>(lines: &[&'l str]) -> BTreeMap<&'l str, Range<usize>> {
    let mut packages: BTreeMap<&str, Range<usize>> = BTreeMap::new();
    let starts = (0..lines.len()).filter(|it| lines[*it] == "[[package]]");
    for start in starts {
        let rest = &lines[start + 1..];
        let length = rest
            .iter()
            .position(|it| it.starts_with('['))
            .unwrap_or(rest.len());
        let end = start + 1 + length;
        let name = rest.iter().find_map(|it| it.strip_prefix("name = "));
        let range = packages
            .entry(name.unwrap_or_default())
            .or_insert(start..end);
        range.end = end;
    }
    packages
}

/// Returns the lines of a package, or the place where it would be.
fn place(packages: &BTreeMap<&str, Range<usize>>, name: &str) -> Range<usize> {
    let own = || packages.get(name).cloned();
    let next = || {
        packages
            .range(name..)
            .next()
            .map(|(_, it)| it.start..it.start)
    };
    let last = || packages.values().next_back().map(|it| it.end..it.end);
    own().or_else(next).or_else(last).unwrap_or_default()
}

/// Returns the versions, sources and checksums of packages that aren't of the workspace.
fn versions<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    let is_one = |it: &&&str| {
        ["version = ", "source = ", "checksum = "]
            .iter()
            .any(|key| it.starts_with(key))
    };
    match lines.iter().any(|it| it.starts_with("source = ")) {
        true => lines.iter().filter(is_one).copied().collect(),
        false => Vec::new(),
    }
}
