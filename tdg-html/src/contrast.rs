//! Checks the contrast of text, computed from the stylesheet (WCAG 2.2, 1.4.3 and 1.4.11).

use std::collections::BTreeMap;

use tdg_definition::math;

use crate::STYLE;

/// Returns the colours by name, of the light theme and of the dark one.
fn themes() -> [BTreeMap<&'static str, [f64; 3]>; 2] {
    let (light, dark) = STYLE
        .split_once("@media (prefers-color-scheme: dark)")
        .unwrap();
    [light, dark].map(|text| {
        let (_, block) = text.split_once(":root {").unwrap();
        let (block, _) = block.split_once('}').unwrap();
        let names = block
            .split(';')
            .filter_map(|line| line.trim().split_once(": #"));
        names
            .map(|(name, digits)| (name.trim_start_matches('-'), channels(digits)))
            .collect()
    })
}

fn channels(digits: &str) -> [f64; 3] {
    [0, 2, 4].map(|at| {
        let channel = u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        let share = f64::from(channel) / 255.0;
        match share <= 0.040_45 {
            true => share / 12.92,
            false => math::pow((share + 0.055) / 1.055, 2.4),
        }
    })
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let luminance = |[red, green, blue]: [f64; 3]| 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns the names of text colours.
fn of_text() -> impl Iterator<Item = &'static str> {
    let uses = STYLE.split(" color: var(--").skip(1);
    uses.filter_map(|rest| rest.split(')').next())
}

#[test]
fn text_has_contrast_on_every_ground() {
    for theme in themes() {
        let ratio = |text: &str, ground: &str| contrast(theme[text], theme[ground]);
        for text in of_text() {
            for ground in ["paper", "card"] {
                let ratio = ratio(text, ground);
                assert!(ratio >= 4.5, "{text} on {ground}: {ratio:.2}");
            }
        }
        for (text, ground) in [
            ("good", "good-soft"),
            ("bad", "bad-soft"),
            ("ink", "near-soft"),
        ] {
            let ratio = ratio(text, ground);
            assert!(ratio >= 4.5, "{text} on {ground}: {ratio:.2}");
        }
        // Marks that aren't text but carry meaning.
        for ground in ["paper", "card"] {
            for mark in ["ink", "changed", "good", "bad", "faint"] {
                assert!(ratio(mark, ground) >= 3.0, "{mark} on {ground}");
            }
        }
    }
}

#[test]
fn every_colour_of_text_is_one_of_the_theme() {
    let used: Vec<&str> = of_text().collect();
    assert!(
        used.contains(&"faint") && used.contains(&"good"),
        "{used:?}"
    );
    for theme in themes() {
        for name in &used {
            assert!(theme.contains_key(name), "{name}");
        }
    }
}
