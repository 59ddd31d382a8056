//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use skillratings::{
    Outcomes,
    dwz::{DWZRating, GetFirstDWZError, dwz, get_first_dwz},
    fifa::{FifaConfig, FifaRating, fifa},
    uscf::{USCFConfig, USCFRating, uscf},
};

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Result_ {
    Win,
    Draw,
    Loss,
}

impl From<Result_> for Outcomes {
    fn from(it: Result_) -> Self {
        match it {
            Result_::Win => Outcomes::WIN,
            Result_::Draw => Outcomes::DRAW,
            Result_::Loss => Outcomes::LOSS,
        }
    }
}

#[derive(tdg::Define, serde::Deserialize)]
struct Game {
    #[define(uniform(600..=2400))]
    opponent: u32,
    result: Result_,
}

#[tdg::ensemble_test(size = 500)]
fn uscf_game(
    #[define(uniform(100..=2600))] rating: u32,
    #[define(uniform(1..=40))] games: usize,
    #[define(uniform(100..=2600))] opponent: u32,
    #[define(uniform(1..=40))] opponent_games: usize,
    result: Result_,
) -> (USCFRating, USCFRating) {
    let one = USCFRating { rating: f64::from(rating), games };
    let two = USCFRating { rating: f64::from(opponent), games: opponent_games };
    uscf(&one, &two, &result.into(), &USCFConfig::new())
}

#[tdg::ensemble_test(size = 500)]
fn fifa_game(
    #[define(uniform(800..=1900))] one: u32,
    #[define(uniform(800..=1900))] two: u32,
    result: Result_,
    #[define(categorical(5, 10, 15, 25, 35, 50, 60))] importance: u32,
    #[define(bernoulli(0.3))] knockout: bool,
    #[define(bernoulli(0.2))] penalties: bool,
) -> (FifaRating, FifaRating) {
    let config = FifaConfig { importance: f64::from(importance), knockout, penalties };
    fifa(&FifaRating { rating: f64::from(one) }, &FifaRating { rating: f64::from(two) }, &result.into(), &config)
}

#[tdg::ensemble_test(size = 500)]
fn dwz_game(
    #[define(uniform(700..=2400))] rating: u32,
    #[define(uniform(1..=12))] index: usize,
    #[define(uniform(8..=80))] age: usize,
    #[define(uniform(700..=2400))] opponent: u32,
    result: Result_,
) -> DWZRating {
    let one = DWZRating { rating: f64::from(rating), index, age };
    let two = DWZRating { rating: f64::from(opponent), index: 6, age: 30 };
    dwz(&one, &two, &result.into()).0
}

#[tdg::ensemble_test(size = 500)]
fn first_dwz(
    #[define(uniform(8..=80))] age: usize,
    #[define(length(3..=9))] games: &[Game],
) -> Result<DWZRating, GetFirstDWZError> {
    let games: Vec<_> = games
        .iter()
        .map(|it| (DWZRating::from((f64::from(it.opponent), 6)), Outcomes::from(it.result)))
        .collect();
    get_first_dwz(age, &games)
}
