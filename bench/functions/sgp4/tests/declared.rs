use chrono::NaiveDateTime;
use sgp4::Elements;
use tdg::ensemble_test;

#[ensemble_test(tolerance(rel = 1e-12))]
fn epoch_afspc_compatibility_mode(
    #[define(pattern(regex = "20[0-4][0-9]-(0[1-9]|1[0-2])-[0-3][0-9]T[01][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?"), via = at)]
    elements: &Elements,
) -> f64 {
    elements.epoch_afspc_compatibility_mode()
}

fn at(datetime: &str) -> Result<Elements, chrono::ParseError> {
    let lines: [&[u8]; 2] = [
        b"1 25544U 98067A   20194.88612269 -.00002218  00000-0 -31515-4 0  9992",
        b"2 25544  51.6461 221.2784 0001413  89.1723 280.4612 15.49507896236008",
    ];
    let mut elements = Elements::from_tle(None, lines[0], lines[1]).unwrap();
    elements.datetime = datetime.parse::<NaiveDateTime>()?;
    Ok(elements)
}
