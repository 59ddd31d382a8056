//! Ratings after every match of a season.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::elo::{EloConfig, EloRating, elo};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, expected_score, glicko2};
use tdg::ensemble_test;

#[derive(Deserialize)]
struct Match {
    home: usize,
    away: usize,
    result: Winner,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    Home,
    Draw,
    Away,
}

impl From<&Winner> for Outcomes {
    fn from(winner: &Winner) -> Self {
        match winner {
            Winner::Home => Outcomes::WIN,
            Winner::Draw => Outcomes::DRAW,
            Winner::Away => Outcomes::LOSS,
        }
    }
}

/// The home team's rating after a match, or `None` if a team was drawn against itself.
#[derive(Serialize)]
struct Rated {
    chance: f64,
    rating: f64,
    deviation: f64,
    volatility: f64,
    elo: f64,
    nanoseconds: u128,
}

#[ensemble_test(
    definition = "definitions/matches.json",
    size = 200,
    tolerance(rel = 1e-9),
    tolerance("/chance", abs = 1e-6),
    ignore("/nanoseconds"),
    batch
)]
fn season(matches: &[Match]) -> Vec<Option<Rated>> {
    let mut teams = [(Glicko2Rating::new(), EloRating::new()); 8];
    matches.iter().map(|game| rate(&mut teams, game)).collect()
}

fn rate(teams: &mut [(Glicko2Rating, EloRating); 8], game: &Match) -> Option<Rated> {
    if game.home == game.away {
        return None;
    }
    let start = Instant::now();
    let (home, away) = (teams[game.home], teams[game.away]);
    let outcome = Outcomes::from(&game.result);
    let (chance, _) = expected_score(&home.0, &away.0);
    let glicko = glicko2(&home.0, &away.0, &outcome, &Glicko2Config::new());
    let elo = elo(&home.1, &away.1, &outcome, &EloConfig::new());
    teams[game.home] = (glicko.0, elo.0);
    teams[game.away] = (glicko.1, elo.1);
    Some(Rated {
        chance,
        rating: glicko.0.rating,
        deviation: glicko.0.deviation,
        volatility: glicko.0.volatility,
        elo: elo.0.rating,
        nanoseconds: start.elapsed().as_nanos(),
    })
}
