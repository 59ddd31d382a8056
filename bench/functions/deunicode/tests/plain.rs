use tdg::ensemble_test;

#[ensemble_test(size = 1000)]
fn deunicode_char(#[define(any)] ch: char) -> Option<&'static str> {
    deunicode::deunicode_char(ch)
}
