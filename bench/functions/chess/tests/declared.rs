use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn from_index(#[define(any)] i: usize) -> chess::File {
    chess::File::from_index(i)
}
