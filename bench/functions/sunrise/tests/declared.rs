use sunrise::Coordinates;
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn new(
    #[define(uniform(-120.0..120.0))] lat: f64,
    #[define(uniform(-240.0..240.0))] lon: f64,
) -> Option<Coordinates> {
    Coordinates::new(lat, lon)
}
