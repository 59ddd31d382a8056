use tdg::ensemble_test;

#[ensemble_test]
fn encode_unquoted_attribute_to_vec(
    #[define(any)] text: &str,
    #[define(any)] before: String,
) -> String {
    let mut output = before.into_bytes();
    html_escape::encode_unquoted_attribute_to_vec(text, &mut output);
    String::from_utf8(output).unwrap()
}
