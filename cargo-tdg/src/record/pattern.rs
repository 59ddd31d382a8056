//! Patterns of test names.

/// Returns true if a name matches a pattern, in which `*` stands for any text.
pub(super) fn is_like(name: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return name == pattern;
    };
    let Some(name) = name.strip_prefix(start) else {
        return false;
    };
    // The first match of each middle part leaves the most text for the parts after it.
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    let mut left = name;
    for part in middle.split('*') {
        match left.find(part) {
            Some(position) => left = &left[position + part.len()..],
            None => return false,
        }
    }
    left.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, like, unlike) in [
            ("*", &["", "total", "a::b"][..], &[][..]),
            (
                "pricing::*",
                &["pricing::", "pricing::a::total"],
                &["pricing", "a::pricing::b"],
            ),
            (
                "*::total",
                &["a::total", "a::b::total"],
                &["total", "a::total2"],
            ),
            (
                "a*b*c",
                &["abc", "axbxbxc", "abcc"],
                &["ab", "acb", "abcd", "ac"],
            ),
            ("a*a", &["aa", "aba"], &["a"]),
            ("*ö*", &["größe", "ö"], &["grosse"]),
            ("total", &["total"], &["totals"]),
        ] {
            for name in like {
                assert!(is_like(name, pattern), "{name} is like {pattern}");
            }
            for name in unlike {
                assert!(!is_like(name, pattern), "{name} is not like {pattern}");
            }
        }
    }
}
