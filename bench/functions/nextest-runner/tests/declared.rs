use nextest_runner::test_output::ChildSingleOutput;
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn lines(
    #[define(pattern(regex = "(?-u)([a-z\\xc3\\xa9]{0,3}\r?\n){0,4}[a-z\\xff]{0,3}"), via = output)]
    output: ChildSingleOutput,
) -> Vec<Vec<u8>> {
    output.lines().map(<[u8]>::to_vec).collect()
}

fn output(bytes: Vec<u8>) -> ChildSingleOutput {
    bytes::Bytes::from(bytes).into()
}
