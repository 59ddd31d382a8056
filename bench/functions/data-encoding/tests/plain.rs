use data_encoding::BASE64;
use tdg::ensemble_test;

#[ensemble_test]
fn encode_append(
    #[define(type = STRING, any)] input: &[u8],
    #[define(any)] before: &str,
) -> String {
    let mut output = before.to_owned();
    BASE64.encode_append(input, &mut output);
    output
}
