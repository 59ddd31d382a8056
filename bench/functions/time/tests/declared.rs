use tdg::ensemble_test;
use time::{Duration, OffsetDateTime};

#[ensemble_test(output = "debug")]
fn checked_add(
    #[define(uniform(-377_705_116_800..=253_402_300_799), via = OffsetDateTime::from_unix_timestamp)]
    start: OffsetDateTime,
    #[define(any(-1e12..=1e12), via = Duration::seconds_f64)] duration: Duration,
) -> Option<OffsetDateTime> {
    start.checked_add(duration)
}
