use data_encoding::BASE64;
use tdg::ensemble_test;

#[ensemble_test]
fn encode_append(
    #[define(any, length(0..=64))] input: &[u8],
    #[define(any)] mut output: String,
) -> String {
    BASE64.encode_append(input, &mut output);
    output
}
