//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use chrono::NaiveDate;
use sunrise::{Coordinates, DawnType, SolarDay, SolarEvent};

#[tdg::ensemble_test(size = 500)]
fn event(
    #[define(uniform(-60.0..60.0), decimals = 1)] lat: f64,
    #[define(uniform(-180.0..180.0), decimals = 1)] lon: f64,
    #[define(uniform(1..=365))] day: u32,
    #[define(uniform(0..=4_000))] altitude: u32,
    #[define(categorical("rise", "set", "dawn", "dusk", "nautical", "night", "morning", "evening"))] event: &str,
) -> i64 {
    let event = match event {
        "rise" => SolarEvent::Sunrise,
        "set" => SolarEvent::Sunset,
        "dawn" => SolarEvent::Dawn(DawnType::Civil),
        "dusk" => SolarEvent::Dusk(DawnType::Civil),
        "nautical" => SolarEvent::Dawn(DawnType::Nautical),
        "night" => SolarEvent::Dusk(DawnType::Astronomical),
        _ => SolarEvent::Elevation { elevation: 0.1, morning: event == "morning" },
    };
    let date = NaiveDate::from_yo_opt(2024, day).unwrap();
    let day = SolarDay::new(Coordinates::new(lat, lon).unwrap(), date);
    day.with_altitude(f64::from(altitude)).event_time(event).timestamp()
}

#[tdg::ensemble_test(size = 500)]
fn coordinates(
    #[define(uniform(-120..=120))] lat: i32,
    #[define(uniform(-240..=240))] lon: i32,
) -> Option<(f64, f64)> {
    let at = Coordinates::new(f64::from(lat), f64::from(lon))?;
    Some((at.lat(), at.lon()))
}
