//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use email_address::{EmailAddress, Options};

#[tdg::ensemble_test(size = 1000)]
fn parsed(
    #[define(pattern(regex = "([A-Z][a-z]{2} )?<?([a-z]{1,4}(\\.[a-z+!]{1,3}){0,2}|\"[a-z ]{1,3}\"|)@?([a-z-]{1,4}(\\.[a-z0-9-]{2,4}){0,2}|\\[127\\.0\\.0\\.[0-9]\\]|)>?"))]
    text: &str,
    #[define(uniform(0..=3))] domains: usize,
    #[define(bernoulli(0.5))] literal: bool,
    #[define(bernoulli(0.5))] display: bool,
) -> Result<String, String> {
    let mut options = Options::default().with_minimum_sub_domains(domains);
    options = if literal { options.with_domain_literal() } else { options.without_domain_literal() };
    options = if display { options.with_display_text() } else { options.without_display_text() };
    let parsed = EmailAddress::parse_with_options(text, options);
    parsed.map(|it| it.email()).map_err(|it| format!("{it:?}"))
}

#[tdg::ensemble_test(size = 500)]
fn parts(
    #[define(pattern(regex = "([A-Z][a-z]{2} <[a-z.]{1,6}@[a-z]{1,4}\\.org>|[a-z+]{1,6}@[a-z]{1,4}(\\.com)?|@x|[a-z])"))] text: &str,
) -> Option<(String, String, String)> {
    let address: EmailAddress = text.parse().ok()?;
    Some((address.display_part().to_owned(), address.local_part().to_owned(), address.domain().to_owned()))
}

#[tdg::ensemble_test(size = 500)]
fn uri(#[define(pattern(regex = "[a-z+&%#]{1,5}@[a-z]{1,4}\\.org"))] text: &str, #[define(pattern(regex = "[A-Z][a-z]{0,3}"))] name: &str) -> Option<(String, String)> {
    let address: EmailAddress = text.parse().ok()?;
    Some((address.to_uri(), address.to_display(name)))
}

#[tdg::ensemble_test(size = 500)]
fn domain(#[define(pattern(regex = "[a-z]{0,3}(-?[a-z0-9]{0,3}|\\.){0,3}|\\[(IPv6:)?[0-9:.]{2,8}\\]"))] text: &str) -> bool {
    EmailAddress::is_valid_domain(text)
}
