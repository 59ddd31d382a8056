use measurements::Data;
use tdg::ensemble_test;

#[ensemble_test]
fn as_megaoctets(#[define(type = FLOAT, any, via = Data::from_octets)] data: &Data) -> f64 {
    data.as_megaoctets()
}
