//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use icao_units::si::{Kelvin, Metres, MetresPerSecond, Pascals};

#[derive(serde::Serialize)]
struct Air {
    pressure: f64,
    temperature: f64,
    density: f64,
    true_speed: f64,
}

/// The air at a height, and the true speed there: of a Mach number if there is one.
#[tdg::ensemble_test(size = 500, tolerance(rel = 1e-9))]
fn air(
    #[define(uniform(-1_000..=45_000))] feet: i32,
    #[define(uniform(-25..=25))] deviation: i32,
    #[define(uniform(90..=350))] knots: u32,
    #[define(uniform(0.3..1.2), decimals = 2, null_probability = 0.5)] mach: Option<f64>,
) -> Air {
    let altitude = Metres(f64::from(feet) * 0.3048);
    let pressure = icao_isa::calculate_isa_pressure(altitude);
    let temperature = icao_isa::calculate_isa_temperature(altitude, Kelvin(f64::from(deviation)));
    let speed = match mach {
        Some(mach) => icao_isa::mach_true_air_speed(mach, temperature),
        None => {
            let calibrated = MetresPerSecond(f64::from(knots) * 1852.0 / 3600.0);
            icao_isa::calculate_true_air_speed(calibrated, pressure, temperature)
        }
    };
    Air {
        pressure: pressure.0,
        temperature: temperature.0,
        density: icao_isa::calculate_density(pressure, temperature).0,
        true_speed: speed.0,
    }
}

/// The height that an altimeter shows.
#[tdg::ensemble_test(size = 500, tolerance(rel = 1e-9))]
fn altimeter(
    #[define(uniform(150..=1_050))] hectopascals: u32,
    #[define(uniform(980..=1_040))] setting: u32,
    #[define(bernoulli(0.5))] feet: bool,
) -> f64 {
    let height = |it: u32| icao_isa::calculate_isa_altitude(Pascals(f64::from(it) * 100.0)).0;
    let meters = height(hectopascals) - height(setting);
    if feet { meters / 0.3048 } else { meters }
}
