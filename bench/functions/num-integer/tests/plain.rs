use tdg::ensemble_test;

#[ensemble_test(panics = "record")]
fn mod_floor(#[define(any)] x: i64, #[define(uniform(-9..=9))] y: i64) -> i64 {
    num_integer::mod_floor(x, y)
}
