use tdg::ensemble_test;

#[ensemble_test]
fn encode_upper(#[define(any)] data: &[u8]) -> String {
    hex::encode_upper(data)
}
