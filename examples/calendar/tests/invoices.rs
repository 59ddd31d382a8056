//! The due dates of invoices, with a struct for a row and a struct for an output.

use bdays::HolidayCalendar;
use bdays::calendars::us::USSettlement;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use tdg::ensemble_test;

#[derive(Deserialize)]
struct Invoice {
    issued: NaiveDate,
    months: i32,
    due_day: Option<u32>,
    business_days: i32,
}

#[derive(Serialize)]
struct Dates {
    renewed: NaiveDate,
    /// `null` if the month has no such day.
    due: Option<NaiveDate>,
    reminded: NaiveDate,
}

#[ensemble_test(definition = "definitions/invoices.json", size = 300)]
fn dates(invoice: Invoice) -> Dates {
    let renewed = chronoutil::shift_months(invoice.issued, invoice.months);
    let due = match invoice.due_day {
        Some(day) => chronoutil::with_day(renewed, day),
        None => Some(renewed),
    };
    Dates {
        renewed,
        due,
        reminded: USSettlement.advance_bdays(renewed, invoice.business_days),
    }
}
