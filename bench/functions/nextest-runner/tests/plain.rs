use nextest_runner::test_output::ChildSingleOutput;
use tdg::ensemble_test;

#[ensemble_test]
fn lines(
    #[define(pattern(regex = "([a-zé]{0,3}\r?\n){0,4}[a-z]{0,3}"))] text: String,
) -> Vec<String> {
    let output = ChildSingleOutput::from(bytes::Bytes::from(text));
    output
        .lines()
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect()
}
