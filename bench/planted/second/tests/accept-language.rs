//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

#[derive(tdg::Define, serde::Deserialize)]
struct Choice {
    #[define(categorical("de" = 0.2, "en" = 0.2, "en-US" = 0.15, "fr" = 0.15, "nl" = 0.1, "pt-BR" = 0.15, "*" = 0.05))]
    tag: String,
    #[define(bernoulli(0.1))]
    level: bool,
    #[define(categorical("1.0" = 0.12, "0.9" = 0.3, "0.8" = 0.2, "0.5" = 0.2, "0.1" = 0.12, "0" = 0.05, "high" = 0.01), null_probability = 0.35)]
    quality: Option<String>,
}

/// The languages of the site, in alphabetical order.
const SITE: [&str; 5] = ["de", "en", "en-US", "fr", "nl"];

fn header(choices: &[Choice], blanks: bool) -> String {
    let texts: Vec<String> = choices
        .iter()
        .map(|it| {
            let level = if it.level { ";level=1" } else { "" };
            let quality = it.quality.as_ref().map(|it| format!(";q={it}")).unwrap_or_default();
            format!("{}{level}{quality}", it.tag)
        })
        .collect();
    texts.join(if blanks { ", " } else { "," })
}

#[tdg::ensemble_test(size = 500)]
fn accepted(
    #[define(length(0..=4))] choices: &[Choice],
    #[define(bernoulli(0.6))] blanks: bool,
) -> Vec<(String, f32)> {
    accept_language::intersection_with_quality(&header(choices, blanks), &SITE)
}

/// The language of the page, of the request or else of the profile.
#[tdg::ensemble_test(size = 500)]
fn page(
    #[define(length(0..=4))] choices: &[Choice],
    #[define(bernoulli(0.6))] blanks: bool,
    #[define(categorical("de", "en"), null_probability = 0.7)] profile: Option<&str>,
    #[define(uniform(16..=80))] age: u32,
) -> Option<String> {
    let _ = age;
    let found = accept_language::intersection_ordered(&header(choices, blanks), &SITE);
    found.into_iter().next().or(profile.map(String::from))
}
