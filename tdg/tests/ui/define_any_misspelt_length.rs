#[tdg::ensemble_test]
fn longest(#[define(any(max_lenght = 20))] comment: &str) -> usize {
    comment.len()
}

fn main() {}
