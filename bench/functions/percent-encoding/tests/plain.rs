use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use tdg::ensemble_test;

#[ensemble_test]
fn decode_utf8_lossy(
    #[define(pattern(regex = "([a-zé%+]|%[0-9A-Fa-f]{2}|%C3%[89AB][0-9A-F]){0,6}"))] input: &str,
) -> Cow<'_, str> {
    percent_decode_str(input).decode_utf8_lossy()
}
