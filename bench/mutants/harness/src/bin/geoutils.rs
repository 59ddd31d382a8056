#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

use geoutils::{Distance, Location};
use harness::number;

fn main() {
    harness::run(&[
        ("distance", |row| distance(harness::read(row))),
        ("centre", |row| centre(harness::read(row))),
    ]);
}

#[derive(Deserialize)]
struct Between {
    from_latitude: f64,
    from_longitude: f64,
    to_latitude: f64,
    to_longitude: f64,
    radius: f64,
}

/// Returns a distance in metres, rounded to the centimetre.
fn distance(row: Between) -> Value {
    let from = Location::new(row.from_latitude, row.from_longitude);
    let to = Location::new(row.to_latitude, row.to_longitude);
    let metres = |distance: Distance| number((distance.meters() * 100.0).round() / 100.0);
    let within = to.is_in_circle(&from, Distance::from_meters(row.radius));
    json!({
        "exact": harness::result(from.distance_to(&to), metres, |error| json!(error)),
        "rough": metres(from.haversine_distance_to(&to)),
        "within": harness::result(within, |within| json!(within), |error| json!(error)),
    })
}

#[derive(Deserialize)]
struct Centre {
    latitude_1: f64,
    longitude_1: f64,
    latitude_2: f64,
    longitude_2: f64,
    latitude_3: f64,
    longitude_3: f64,
}

/// Returns the centre of three places.
fn centre(row: Centre) -> Value {
    let places = [
        Location::new(row.latitude_1, row.longitude_1),
        Location::new(row.latitude_2, row.longitude_2),
        Location::new(row.latitude_3, row.longitude_3),
    ];
    let centre = Location::center(&places.each_ref());
    let degrees = |value: f64| number((value * 1e6).round() / 1e6);
    json!({"latitude": degrees(centre.latitude()), "longitude": degrees(centre.longitude())})
}
