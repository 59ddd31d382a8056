//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use nmea0183::{ParseResult, Parser, RMC};

#[derive(serde::Serialize)]
struct Fix {
    latitude: f64,
    longitude: f64,
    quality: String,
    satellites: u8,
    altitude: Option<f32>,
    separation: Option<f32>,
    age: Option<f64>,
    station: Option<u16>,
}

fn sentence(body: &str) -> Option<Result<ParseResult, &'static str>> {
    let sum = body.bytes().fold(0, |sum, it| sum ^ it);
    let mut parser = Parser::new();
    let text = format!("${body}*{sum:02X}\r\n");
    text.bytes().find_map(|it| parser.parse_from_byte(it))
}

/// Degrees and minutes, and the hemisphere, as a receiver sends them.
fn angle(degrees: f64, width: usize, hemispheres: [&str; 2]) -> String {
    let whole = degrees.abs().trunc();
    let minutes = (degrees.abs() - whole) * 60.0;
    format!("{whole:0width$.0}{minutes:06.3},{}", hemispheres[usize::from(degrees < 0.0)])
}

fn text<T: ToString>(value: Option<T>) -> String {
    value.map(|it| it.to_string()).unwrap_or_default()
}

#[tdg::ensemble_test(size = 500, tolerance(rel = 1e-6))]
fn position(
    #[define(uniform(0..=23))] hour: u32,
    #[define(uniform(-89.0..89.0), decimals = 2)] latitude: f64,
    #[define(uniform(-179.0..179.0), decimals = 2)] longitude: f64,
    #[define(categorical(0 = 0.08, 1 = 0.5, 2 = 0.3, 4 = 0.08, 9 = 0.04))] quality: u8,
    #[define(uniform(3..=12), null_probability = 0.05)] satellites: Option<u8>,
    #[define(uniform(0.6..4.0), decimals = 1)] hdop: f64,
    #[define(gaussian(mu = 240.0, sigma = 120.0), decimals = 1, null_probability = 0.25)] altitude: Option<f64>,
    #[define(uniform(-50.0..50.0), decimals = 1, null_probability = 0.2)] separation: Option<f64>,
    #[define(uniform(0.5..30.0), decimals = 1, null_probability = 0.7)] age: Option<f64>,
    #[define(uniform(0..=1_023), null_probability = 0.6)] station: Option<u16>,
) -> Result<Option<Fix>, String> {
    let body = format!(
        "GPGGA,{hour:02}3519,{},{},{quality},{},{hdop},{},M,{},M,{},{}",
        angle(latitude, 2, ["N", "S"]),
        angle(longitude, 3, ["E", "W"]),
        text(satellites),
        text(altitude),
        text(separation),
        text(age),
        text(station),
    );
    let ParseResult::GGA(fix) = sentence(&body).ok_or("incomplete")?? else {
        return Err(String::from("another sentence"));
    };
    Ok(fix.map(|it| Fix {
        latitude: it.latitude.as_f64(),
        longitude: it.longitude.as_f64(),
        quality: format!("{:?}", it.gps_quality),
        satellites: it.sat_in_use,
        altitude: it.altitude.map(|it| it.meters),
        separation: it.geoidal_separation,
        age: it.age_dgps.map(|it| it.as_secs_f64()),
        station: it.dgps_station_id,
    }))
}

#[tdg::ensemble_test(size = 500, output = "debug")]
fn leg(
    #[define(categorical("GP" = 0.6, "GL" = 0.2, "GN" = 0.16, "XX" = 0.04))] source: &str,
    #[define(uniform(0..=23))] hour: u32,
    #[define(uniform(0..=59))] minute: u32,
    #[define(bernoulli(0.8))] valid: bool,
    #[define(uniform(0.0..30.0), decimals = 1, null_probability = 0.06)] speed: Option<f64>,
    #[define(uniform(0.0..360.0), decimals = 1, null_probability = 0.15)] course: Option<f64>,
    #[define(uniform(1..=31))] day: u32,
    #[define(uniform(1..=12))] month: u32,
    #[define(uniform(0..=99))] year: u32,
    #[define(uniform(0.0..20.0), decimals = 1, null_probability = 0.3)] variation: Option<f64>,
    #[define(bernoulli(0.5))] east: bool,
    #[define(categorical("A" = 0.6, "D" = 0.2, "E" = 0.1, "N" = 0.1), null_probability = 0.3)] mode: Option<&str>,
) -> Result<Option<RMC>, &'static str> {
    let direction = match (variation, east) {
        (None, _) => "",
        (_, true) => "E",
        (_, false) => "W",
    };
    let body = format!(
        "{source}RMC,{hour:02}{minute:02}08,{},4807.038,N,01131.000,E,{},{},{day:02}{month:02}{year:02},{},{direction}{}",
        if valid { "A" } else { "V" },
        text(speed),
        text(course),
        text(variation),
        mode.map(|it| format!(",{it}")).unwrap_or_default(),
    );
    match sentence(&body).ok_or("incomplete")?? {
        ParseResult::RMC(leg) => Ok(leg),
        _ => Err("another sentence"),
    }
}
