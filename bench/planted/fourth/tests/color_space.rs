//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use color_space::{Cmyk, Hsl, Hsv, Rgb, ToRgb};
use color_space::{CompareCie1976, CompareCie2000, CompareCmc, CompareEuclidean};

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
struct Colour {
    #[define(mixture(uniform(0..=255) = 0.7, categorical(0, 128, 255) = 0.3))]
    red: u8,
    #[define(mixture(uniform(0..=255) = 0.7, categorical(0, 128, 255) = 0.3))]
    green: u8,
    #[define(mixture(uniform(0..=255) = 0.7, categorical(0, 128, 255) = 0.3))]
    blue: u8,
}

impl Colour {
    fn rgb(self) -> Rgb {
        Rgb::new(self.red.into(), self.green.into(), self.blue.into())
    }
}

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Model {
    Hsl,
    Hsv,
    Cmyk,
}

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Wheel {
    Hsl,
    Hsv,
}

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Measure {
    Euclidean,
    Cie1976,
    Cie2000,
    Cmc,
}

fn rounded(it: f64) -> f64 {
    (it * 10_000.0).round() / 10_000.0
}

#[tdg::ensemble_test(size = 600)]
fn described(colour: Colour, model: Model) -> Vec<f64> {
    let values = match model {
        Model::Hsl => {
            let it = Hsl::from(colour.rgb());
            vec![it.h, it.s, it.l]
        }
        Model::Hsv => {
            let it = Hsv::from(colour.rgb());
            vec![it.h, it.s, it.v]
        }
        Model::Cmyk => {
            let it = Cmyk::from(colour.rgb());
            vec![it.c, it.m, it.y, it.k]
        }
    };
    values.into_iter().map(rounded).collect()
}

/// A point of a colour picker; saturation and brightness are percentages.
#[tdg::ensemble_test(size = 500)]
fn painted(
    wheel: Wheel,
    #[define(uniform(0..=359))] hue: u32,
    #[define(uniform(0..=100))] saturation: u32,
    #[define(uniform(0..=100))] brightness: u32,
) -> (u8, u8, u8) {
    let (hue, saturation, brightness) = (hue.into(), f64::from(saturation) / 100.0, f64::from(brightness) / 100.0);
    let it = match wheel {
        Wheel::Hsl => Hsl::new(hue, saturation, brightness).to_rgb(),
        Wheel::Hsv => Hsv::new(hue, saturation, brightness).to_rgb(),
    };
    (it.r.round() as u8, it.g.round() as u8, it.b.round() as u8)
}

#[tdg::ensemble_test(size = 500)]
fn difference(first: Colour, second: Colour, measure: Measure) -> f64 {
    let (first, second) = (first.rgb(), second.rgb());
    rounded(match measure {
        Measure::Euclidean => first.compare_euclidean(&second),
        Measure::Cie1976 => first.compare_cie1976(&second),
        Measure::Cie2000 => first.compare_cie2000(&second),
        Measure::Cmc => first.compare_cmc(&second),
    })
}
