//! Shares in percent.

/// Formats a share, such as `12 %`, `< 1 %`, `0 %`.
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
    fn a_share_above_zero_is_never_shown_as_zero() {
        let texts = [(0, 10), (1, 1000), (1, 3), (3, 3)].map(|(part, whole)| percent(part, whole));
        assert_eq!(texts, ["0 %", "< 1 %", "33 %", "100 %"]);
    }
}
