//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use porter_stemmer::stem;

#[tdg::ensemble_test(size = 500)]
fn word(
    #[define(categorical("adjust", "bold", "bus", "call", "connect", "depend", "electr", "fall", "fix", "form", "gas", "general", "good", "happi", "hop", "hope", "nation", "plaster", "relat", "sad", "sky", "tan", "trouble", "use"))]
    root: &str,
    #[define(categorical("" = 0.2, "s" = 0.1, "es" = 0.08, "ed" = 0.12, "ing" = 0.12, "er" = 0.08, "ful" = 0.06, "ness" = 0.08, "ization" = 0.06, "ational" = 0.04, "ement" = 0.06))]
    suffix: &str,
    #[define(categorical("" = 0.8, "re" = 0.1, "un" = 0.1))] prefix: &str,
) -> String {
    stem(&format!("{prefix}{root}{suffix}"))
}

/// The terms of a query, as the index of a search engine has them.
#[tdg::ensemble_test(size = 500)]
fn terms(
    #[define([pattern(regex = "(adjust|bold|bus|call|connect|depend|fall|fix|fly|form|gas|general|good|happi|hop|nation|plaster|relat|sad|sky|tan|trouble|use)(s|es|ed|ing|er|ful|ness|ement)?"); 0..=6])]
    words: &[String],
    #[define(uniform(1..=4))] shortest: usize,
    #[define(bernoulli(0.5))] unique: bool,
) -> Vec<String> {
    let mut terms: Vec<String> = words.iter().filter(|it| it.len() >= shortest).map(|it| stem(it)).collect();
    if unique {
        terms.sort();
        terms.dedup();
    }
    terms
}
