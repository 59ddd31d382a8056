//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use aqi::AirQuality;

#[derive(tdg::Define, serde::Deserialize)]
enum Reading {
    Ozone {
        #[define(uniform(0.01..0.21), decimals = 3)]
        ppm: f64,
    },
    OzoneHour {
        #[define(uniform(0.12..0.45), decimals = 3)]
        ppm: f64,
    },
    FineDust {
        #[define(uniform(0.0..260.0), decimals = 1)]
        micrograms: f64,
    },
    CarbonMonoxide {
        #[define(uniform(0.0..51.0), decimals = 1)]
        ppm: f64,
    },
    NitrogenDioxide {
        #[define(uniform(0.0..1_300.0), decimals = 1)]
        ppb: f64,
    },
}

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Correction {
    Plain,
    Epa,
    Lrapa,
    Aqandu,
}

#[derive(serde::Serialize)]
struct Air {
    index: u32,
    level: String,
}

fn air(found: aqi::Result<AirQuality>) -> Result<Air, String> {
    found
        .map(|it| Air { index: it.aqi(), level: it.level().to_string() })
        .map_err(|it| it.to_string())
}

#[tdg::ensemble_test(size = 800)]
fn station(reading: Reading) -> Result<Air, String> {
    air(match reading {
        Reading::Ozone { ppm } => aqi::ozone8(ppm),
        Reading::OzoneHour { ppm } => aqi::ozone1(ppm),
        Reading::FineDust { micrograms } => aqi::pm2_5(micrograms),
        Reading::CarbonMonoxide { ppm } => aqi::co(ppm),
        Reading::NitrogenDioxide { ppb } => aqi::no2(ppb),
    })
}

/// A cheap sensor measures too much, so its values are corrected.
#[tdg::ensemble_test(size = 800)]
fn sensor(
    #[define(uniform(2.0..64.0), decimals = 1)] micrograms: f64,
    #[define(uniform(15..=100), edge_cases(probability = 0.03, values = [100]))] humidity: u32,
    correction: Correction,
) -> Result<Air, String> {
    air(match correction {
        Correction::Plain => aqi::pm2_5(micrograms),
        Correction::Epa => aqi::pm2_5_epa(micrograms, f64::from(humidity) / 100.0),
        Correction::Lrapa => aqi::pm2_5_lrapa(micrograms),
        Correction::Aqandu => aqi::pm2_5_aqandu(micrograms),
    })
}

/// The levels of some days, of coarse dust; null is a day off the scale.
#[tdg::ensemble_test(size = 300)]
fn week(#[define([uniform(0.0..560.0), decimals = 1; 2..=7])] days: Vec<f64>) -> Vec<Option<String>> {
    days.iter().map(|it| aqi::pm10(*it).ok().map(|it| it.level().to_string())).collect()
}
