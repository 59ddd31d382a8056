use tdg::ensemble_test;

#[ensemble_test]
fn from_index(#[define(any)] i: usize) -> usize {
    chess::File::from_index(i).to_index()
}
