#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

use color_space::{
    Cmyk, CompareCie1976, CompareCie2000, CompareCmc, CompareEuclidean, FromColor, Hsl, Hsv,
    HunterLab, Lab, Lch, Luv, Rgb, ToRgb, Xyz, Yxy,
};
use harness::number;

fn main() {
    harness::run(&[
        ("from_rgb", |row| from_rgb(harness::read(row))),
        ("to_rgb", |row| to_rgb(harness::read(row))),
        ("distance", |row| distance(harness::read(row))),
    ]);
}

#[derive(Deserialize)]
struct FromRow {
    space: String,
    red: u8,
    green: u8,
    blue: u8,
}

/// Converts a colour to the spaces of a paint program.
fn from_rgb(row: FromRow) -> Value {
    let rgb = Rgb::new(row.red.into(), row.green.into(), row.blue.into());
    let parts = match row.space.as_str() {
        "hsl" => {
            let colour = Hsl::from_color(&rgb);
            vec![colour.h, colour.s, colour.l]
        }
        "hsv" => {
            let colour = Hsv::from_color(&rgb);
            vec![colour.h, colour.s, colour.v]
        }
        "cmyk" => {
            let colour = Cmyk::from_color(&rgb);
            vec![colour.c, colour.m, colour.y, colour.k]
        }
        "lab" => {
            let colour = Lab::from_color(&rgb);
            vec![colour.l, colour.a, colour.b]
        }
        "hunter" => {
            let colour = HunterLab::from_color(&rgb);
            vec![colour.l, colour.a, colour.b]
        }
        "lch" => {
            let colour = Lch::from_color(&rgb);
            vec![colour.l, colour.c, colour.h]
        }
        "luv" => {
            let colour = Luv::from_color(&rgb);
            vec![colour.l, colour.u, colour.v]
        }
        _ => {
            let colour = Yxy::from_color(&rgb);
            vec![colour.y1, colour.x, colour.y2]
        }
    };
    parts.into_iter().map(number).collect()
}

#[derive(Deserialize)]
struct ToRow {
    space: String,
    hue: f64,
    saturation: f64,
    lightness: f64,
}

/// Converts a colour to screen channels.
fn to_rgb(row: ToRow) -> Value {
    let ToRow {
        hue,
        saturation,
        lightness,
        ..
    } = row;
    let rgb = match row.space.as_str() {
        "hsl" => Hsl::new(hue, saturation, lightness).to_rgb(),
        "hsv" => Hsv::new(hue, saturation, lightness).to_rgb(),
        "cmyk" => Cmyk::new(hue / 360.0, saturation, lightness, 0.2).to_rgb(),
        "lch" => Lch::new(lightness * 100.0, saturation * 100.0, hue).to_rgb(),
        "luv" => Luv::new(lightness * 100.0, saturation * 100.0, hue / 4.0).to_rgb(),
        _ => Xyz::new(saturation, lightness, hue / 360.0).to_rgb(),
    };
    json!({"red": number(rgb.r.round()), "green": number(rgb.g.round()), "blue": number(rgb.b.round())})
}

#[derive(Deserialize)]
struct Distance {
    measure: String,
    red: u8,
    green: u8,
    blue: u8,
    other_red: u8,
    other_green: u8,
    other_blue: u8,
}

fn distance(row: Distance) -> Value {
    let one = Rgb::new(row.red.into(), row.green.into(), row.blue.into());
    let other = Rgb::new(
        row.other_red.into(),
        row.other_green.into(),
        row.other_blue.into(),
    );
    number(match row.measure.as_str() {
        "euclidean" => one.compare_euclidean(&other),
        "cie1976" => one.compare_cie1976(&other),
        "cie2000" => one.compare_cie2000(&other),
        _ => one.compare_cmc(&other),
    })
}
