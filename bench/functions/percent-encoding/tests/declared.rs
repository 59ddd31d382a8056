use percent_encoding::{PercentDecode, percent_decode_str};
use tdg::ensemble_test;

#[ensemble_test]
fn decode_utf8_lossy(
    #[define(pattern(regex = "([a-zé%+]|%[0-9A-Fa-f]{2}|%C3%[89AB][0-9A-F]){0,6}"), via = percent_decode_str)]
    input: PercentDecode<'_>,
) -> String {
    input.decode_utf8_lossy().into_owned()
}
