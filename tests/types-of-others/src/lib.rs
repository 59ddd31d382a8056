//! A function per type of the table, which returns the `Debug` text of its value, and functions of
//! lists of these types.

pub fn chrono_naive_date(value: chrono::NaiveDate) -> String {
    format!("{value:?}")
}

pub fn chrono_date_time(value: chrono::DateTime<chrono::Utc>) -> String {
    format!("{value:?}")
}

pub fn chrono_naive_date_time(value: chrono::NaiveDateTime) -> String {
    format!("{value:?}")
}

pub fn chrono_naive_time(value: chrono::NaiveTime) -> String {
    format!("{value:?}")
}

pub fn chrono_time_delta(value: chrono::TimeDelta) -> String {
    format!("{value:?}")
}

pub fn chrono_duration(value: chrono::Duration) -> String {
    format!("{value:?}")
}

pub fn chrono_weekday(value: chrono::Weekday) -> String {
    format!("{value:?}")
}

pub fn chrono_month(value: chrono::Month) -> String {
    format!("{value:?}")
}

pub fn jiff_timestamp(value: jiff::Timestamp) -> String {
    format!("{value:?}")
}

pub fn jiff_date(value: jiff::civil::Date) -> String {
    format!("{value:?}")
}

pub fn jiff_date_time(value: jiff::civil::DateTime) -> String {
    format!("{value:?}")
}

pub fn jiff_time(value: jiff::civil::Time) -> String {
    format!("{value:?}")
}

pub fn jiff_weekday(value: jiff::civil::Weekday) -> String {
    format!("{value:?}")
}

pub fn jiff_signed_duration(value: jiff::SignedDuration) -> String {
    format!("{value:?}")
}

pub fn jiff_span(value: &jiff::Span) -> String {
    format!("{value:?}")
}

pub fn jiff_zoned_date_time(value: jiff::ZonedDateTime) -> String {
    format!("{value:?}")
}

pub fn time_date(value: time::Date) -> String {
    format!("{value:?}")
}

pub fn time_time(value: time::Time) -> String {
    format!("{value:?}")
}

pub fn time_offset_date_time(value: time::OffsetDateTime) -> String {
    format!("{value:?}")
}

pub fn time_utc_offset(value: time::UtcOffset) -> String {
    format!("{value:?}")
}

pub fn time_duration(value: time::Duration) -> String {
    format!("{value:?}")
}

pub fn uuid_uuid(value: uuid::Uuid) -> String {
    format!("{value:?}")
}

pub fn url_url(value: &url::Url) -> String {
    format!("{value:?}")
}

pub fn rust_decimal_decimal(value: rust_decimal::Decimal) -> String {
    format!("{value:?}")
}

pub fn semver_version(value: &semver::Version) -> String {
    format!("{value:?}")
}

pub fn semver_version_req(value: semver::VersionReq) -> String {
    format!("{value:?}")
}

pub fn num_bigint_big_int(value: num_bigint::BigInt) -> String {
    format!("{value:?}")
}

pub fn num_bigint_big_uint(value: num_bigint::BigUint) -> String {
    format!("{value:?}")
}

pub fn num_rational_ratio(value: num_rational::Ratio<i64>) -> String {
    format!("{value:?}")
}

pub fn num_rational_rational64(value: num_rational::Rational64) -> String {
    format!("{value:?}")
}

pub fn num_complex_complex(value: num_complex::Complex<f64>) -> String {
    format!("{value:?}")
}

pub fn num_complex_complex64(value: num_complex::Complex64) -> String {
    format!("{value:?}")
}

pub fn std_duration(value: std::time::Duration) -> String {
    format!("{value:?}")
}

pub fn std_path_buf(value: std::path::PathBuf) -> String {
    format!("{value:?}")
}

pub fn std_ipv4_addr(value: std::net::Ipv4Addr) -> String {
    format!("{value:?}")
}

pub fn std_ip_addr(value: std::net::IpAddr) -> String {
    format!("{value:?}")
}

pub fn list_of_slice(values: &[f64]) -> usize {
    values.len()
}

pub fn list_of_texts(values: Vec<String>) -> String {
    values.concat()
}

pub fn list_of_array(values: [u8; 3]) -> u8 {
    values[0]
}

pub fn list_of_dates(values: &Vec<chrono::NaiveDate>) -> Option<String> {
    values.first().map(ToString::to_string)
}

pub fn list_of_pairs(values: &[(uuid::Uuid, bool)]) -> usize {
    values.iter().filter(|it| it.1).count()
}

pub fn list_of_lists(values: &[Vec<Option<u8>>]) -> usize {
    values.iter().flatten().flatten().count()
}

pub fn list_or_none(values: Option<Vec<num_rational::Ratio<i64>>>) -> Option<usize> {
    values.map(|values| values.len())
}

pub fn tuple_of_times(values: (chrono::NaiveTime, u8)) -> String {
    format!("{values:?}")
}

pub fn set_of_numbers(values: std::collections::HashSet<u8>) -> Option<u8> {
    values.into_iter().max()
}
