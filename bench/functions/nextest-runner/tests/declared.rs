use bytes::Bytes;
use nextest_runner::test_output::ChildSingleOutput;
use tdg::ensemble_test;

#[ensemble_test]
fn lines(
    #[define(
        pattern(regex = r"(?-u)([a-z\xe9\xff]{0,3}\r?\n){0,4}[a-z\xff]{0,3}"),
        via = |bytes: Vec<u8>| ChildSingleOutput::from(Bytes::from(bytes))
    )]
    output: ChildSingleOutput,
) -> Vec<Vec<u8>> {
    output.lines().map(<[u8]>::to_vec).collect()
}
