//! A bank's savings plans, computed by the crate `financial`.

/// Returns the final value of a savings plan, in euros.
///
/// `opening` is paid once at the beginning, `monthly` on that `day` of every month. A payment made
/// by the 15th earns interest for the whole month, a later one from the next month on. The interest
/// is `percent` a year, credited monthly.
#[must_use]
pub fn balance(opening: Option<u32>, monthly: u32, years: u32, percent: f64, day: u32) -> f64 {
    let months = f64::from(years) * 12.0;
    let rate = percent / 100.0 / 12.0;
    let whole_month = day <= 15;
    // As in a spreadsheet, payments and receipts have opposite signs.
    let value = -financial::fv(
        rate,
        months,
        Some(f64::from(monthly)),
        opening.map(f64::from),
        Some(whole_month),
    );
    (value * 100.0).round() / 100.0
}
