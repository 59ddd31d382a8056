//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use cribbage_core::{Card, Hand, Pegger};

#[derive(tdg::Define, serde::Deserialize)]
struct Drawn {
    #[define(categorical("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"))]
    rank: String,
    #[define(categorical("H" = 0.7, "C" = 0.1, "D" = 0.1, "S" = 0.1))]
    suit: String,
}

impl Drawn {
    fn card(&self) -> Card {
        format!("{}{}", self.rank, self.suit).parse().unwrap()
    }
}

#[derive(serde::Serialize)]
struct Play {
    points: Vec<u8>,
    count: u8,
}

#[tdg::ensemble_test(size = 600)]
fn hand(
    #[define(length(4..=4))] cards: &[Drawn],
    cut: Drawn,
    #[define(bernoulli(0.4))] crib: bool,
) -> u8 {
    let cards = [cards[0].card(), cards[1].card(), cards[2].card(), cards[3].card()];
    Hand::new(cards, cut.card(), crib).score()
}

/// Cards are played until one of them would exceed 31.
#[tdg::ensemble_test(size = 500)]
fn pegging(
    #[define([categorical("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"); 2..=8])] ranks: Vec<String>,
) -> Play {
    let mut pegger = Pegger::new();
    let mut points = Vec::new();
    for (rank, suit) in ranks.iter().zip("HCDSHCDS".chars()) {
        match pegger.play_card(format!("{rank}{suit}").parse().unwrap()) {
            Ok(found) => points.push(found),
            Err(_) => break,
        }
    }
    Play { points, count: pegger.count() }
}
