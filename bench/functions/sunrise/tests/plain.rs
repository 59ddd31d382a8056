use sunrise::Coordinates;
use tdg::ensemble_test;

#[ensemble_test]
fn new(
    #[define(uniform(-120.0..120.0))] lat: f64,
    #[define(uniform(-240.0..240.0))] lon: f64,
) -> Option<(f64, f64)> {
    Coordinates::new(lat, lon).map(|place| (place.lat(), place.lon()))
}
