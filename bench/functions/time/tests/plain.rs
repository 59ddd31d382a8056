use tdg::ensemble_test;
use time::{Duration, OffsetDateTime};

#[ensemble_test]
fn checked_add(
    #[define(uniform(-377_705_116_800..=253_402_300_799))] start: i64,
    #[define(any(-1e12..=1e12))] seconds: f64,
) -> Option<i128> {
    let start = OffsetDateTime::from_unix_timestamp(start).unwrap();
    start
        .checked_add(Duration::seconds_f64(seconds))
        .map(OffsetDateTime::unix_timestamp_nanos)
}
