//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use chrono::{DateTime, Utc};
use suncalc::Timestamp;

#[derive(serde::Serialize)]
struct Day {
    noon: Option<DateTime<Utc>>,
    sunrise: Option<DateTime<Utc>>,
    sunset: Option<DateTime<Utc>>,
    dawn: Option<DateTime<Utc>>,
    dusk: Option<DateTime<Utc>>,
    night_end: Option<DateTime<Utc>>,
    night: Option<DateTime<Utc>>,
}

#[derive(serde::Serialize)]
struct Moon {
    fraction: f64,
    phase: f64,
    altitude: f64,
    distance: Option<f64>,
}

fn time(it: Timestamp) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(it.0 / 1_000, 0).filter(|_| it.0 != 0)
}

#[tdg::ensemble_test(size = 500)]
fn day(
    #[define(type = DATETIME, uniform("2023-01-01T00:00:00Z"..="2024-12-31T23:59:59Z"), parse)] moment: DateTime<Utc>,
    #[define(uniform(-66.0..66.0), decimals = 1)] latitude: f64,
    #[define(uniform(-180.0..180.0), decimals = 1)] longitude: f64,
    #[define(uniform(5.0..900.0), decimals = 0, null_probability = 0.6)] height: Option<f64>,
) -> Day {
    let found = suncalc::get_times(Timestamp(moment.timestamp_millis()), latitude, longitude, height);
    Day {
        noon: time(found.solar_noon),
        sunrise: time(found.sunrise),
        sunset: time(found.sunset),
        dawn: time(found.dawn),
        dusk: time(found.dusk),
        night_end: time(found.night_end),
        night: time(found.night),
    }
}

#[tdg::ensemble_test(size = 500, tolerance(rel = 1e-9))]
fn moon(
    #[define(type = DATETIME, uniform("2023-01-01T00:00:00Z"..="2024-12-31T23:59:59Z"), parse)] moment: DateTime<Utc>,
    #[define(uniform(-66.0..66.0), decimals = 1)] latitude: f64,
    #[define(uniform(-180.0..180.0), decimals = 1)] longitude: f64,
) -> Moon {
    let moment = Timestamp(moment.timestamp_millis());
    let light = suncalc::moon_illumination(moment);
    let position = suncalc::moon_pos(moment, latitude, longitude);
    Moon { fraction: light.fraction, phase: light.phase, altitude: position.altitude, distance: position.distance }
}
