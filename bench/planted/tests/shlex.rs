//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use shlex::QuoteError;

#[tdg::ensemble_test(size = 1000)]
fn split(
    #[define(pattern(regex = "([a-z]{1,3}| {1,2}|\\t|\"[a-z $\\\\]{0,3}\"|'[a-z #\\\\]{0,3}'|\\\\|#|\\n|'){0,6}"))] text: &str,
) -> Option<Vec<String>> {
    shlex::split(text)
}

#[tdg::ensemble_test(size = 500)]
fn quote(
    #[define(pattern(regex = "([a-zA-Z0-9]{1,3}|[-+./:@_]| |'|\"|!|\\^|\\$|`|=|~|,|\\{|\\}|\\x00?é?){0,5}"))] text: &str,
) -> Result<String, QuoteError> {
    shlex::try_quote(text).map(Into::into)
}

#[tdg::ensemble_test(size = 500)]
fn join(
    #[define([pattern(regex = "[a-z]{0,3}|[a-z]{1,2}[ !'=]{1,2}[a-z]{0,2}|-[a-z]"); 0..=5])] words: &[String],
) -> Result<String, QuoteError> {
    shlex::try_join(words.iter().map(String::as_str))
}
