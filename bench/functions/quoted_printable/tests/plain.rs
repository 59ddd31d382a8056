use tdg::ensemble_test;

#[ensemble_test]
fn encode_to_str(#[define(type = STRING, any)] input: &[u8]) -> String {
    quoted_printable::encode_to_str(input)
}
