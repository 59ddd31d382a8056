use measurements::Data;
use tdg::ensemble_test;

#[ensemble_test]
fn as_megaoctets(#[define(any)] octets: f64) -> f64 {
    Data::from_octets(octets).as_megaoctets()
}
