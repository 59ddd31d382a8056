//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

#[tdg::ensemble_test(size = 1000)]
fn matches(
    #[define(pattern(regex = "!?([ab]{1,2}|\\*{1,2}|/|\\?|\\[!?[a-b]\\]|\\{a,b[bc]\\}|\\\\[ab*]){1,4}"))] glob: &str,
    #[define(pattern(regex = "([abc]{0,2}/?){1,3}"))] path: &str,
) -> bool {
    glob_match::glob_match(glob, path)
}

#[tdg::ensemble_test(size = 1000)]
fn captures(
    #[define(pattern(regex = "(\\*\\*/|[ab]/|)(\\*|\\?|[ab]|\\[ab\\]|\\{a,b\\}){1,3}"))] glob: &str,
    #[define(pattern(regex = "([ab]{1,2}/){0,2}[ab]{1,3}"))] path: &str,
) -> Option<Vec<(usize, usize)>> {
    let captures = glob_match::glob_match_with_captures(glob, path)?;
    Some(captures.into_iter().map(|it| (it.start, it.end)).collect())
}
