use hexx::Hex;
use tdg::ensemble_test;

#[ensemble_test]
fn cached_rings(
    #[define(uniform(-99..=99))] x: i32,
    #[define(uniform(-99..=99))] y: i32,
) -> [Vec<Hex>; 3] {
    Hex::new(x, y).cached_rings::<3>()
}
