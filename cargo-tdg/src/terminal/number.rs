//! Numbers as people read them.

/// About four digits, whatever the magnitude.
pub(crate) fn number(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e7).contains(&magnitude) {
        return format!("{value:.3e}").replace('-', "−");
    }
    let decimals: usize = match magnitude {
        1000.0.. => 0,
        100.0.. => 1,
        10.0.. => 2,
        1.0.. => 3,
        _ => 4,
    };
    let text = format!("{value:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    text.replace('-', "−")
}

/// `12 %`, `< 1 %`, `0 %`.
pub(crate) fn percent(part: usize, whole: usize) -> String {
    match (part, 100 * part / whole.max(1)) {
        (0, _) => "0 %".to_owned(),
        (_, 0) => "< 1 %".to_owned(),
        (_, percent) => format!("{percent} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_the_digits_that_tell_something() {
        let texts = [0.0, 20.0, 1.23456, -0.5, 123_456.7, 1e-9, -2.5e12].map(number);
        assert_eq!(
            texts,
            [
                "0",
                "20",
                "1.235",
                "−0.5",
                "123457",
                "1.000e−9",
                "−2.500e12"
            ]
        );
    }

    #[test]
    fn a_share_is_never_said_to_be_nothing_when_it_is_something() {
        let texts = [(0, 10), (1, 1000), (1, 3), (3, 3)].map(|(part, whole)| percent(part, whole));
        assert_eq!(texts, ["0 %", "< 1 %", "33 %", "100 %"]);
    }
}
