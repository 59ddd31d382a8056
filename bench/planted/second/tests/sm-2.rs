//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use chrono::{DateTime, Duration, Utc};
use sm_2::{Card, ReviewLog, Scheduler};

#[tdg::ensemble_test(size = 500)]
fn review(
    #[define(uniform(0..=5))] streak: u32,
    #[define(uniform(1.3..2.8), decimals = 2)] ease: f64,
    #[define(uniform(1..=40))] interval: u32,
    #[define(type = DATETIME, uniform("2024-01-01T00:00:00Z"..="2024-12-31T23:59:59Z"), parse)] due: DateTime<Utc>,
    #[define(uniform(-8..=90))] hours_late: i64,
    #[define(uniform(0..=5))] rating: u8,
    #[define(bernoulli(0.2))] extra: bool,
    #[define(uniform(1..=120), null_probability = 0.3)] seconds: Option<u32>,
) -> Result<(Card, ReviewLog), String> {
    let card = Card { card_id: 7, n: streak, ef: ease as f32, i: interval, due, needs_extra_review: extra };
    Scheduler::review_card(&card, rating, Some(due + Duration::hours(hours_late)), seconds)
        .map_err(|it| format!("{it:?}"))
}
