use hexx::Hex;
use tdg::ensemble_test;

#[ensemble_test]
fn cached_rings(
    #[define((uniform(-99..=99), uniform(-99..=99)), via = Hex::new)] center: Hex,
) -> [Vec<Hex>; 3] {
    center.cached_rings::<3>()
}
