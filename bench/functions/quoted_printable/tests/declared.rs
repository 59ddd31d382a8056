use tdg::ensemble_test;

#[ensemble_test]
fn encode_to_str(#[define(any, length(0..=200))] input: &[u8]) -> String {
    quoted_printable::encode_to_str(input)
}
