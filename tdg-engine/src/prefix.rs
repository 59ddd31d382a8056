//! The common prefix of two strings.

/// Returns the length of the common prefix in bytes. It ends at a character boundary.
pub fn common_prefix(left: &str, right: &str) -> usize {
    let mut common = 0;
    for (left, right) in left.chars().zip(right.chars()) {
        if left != right {
            break;
        }
        common += left.len_utf8();
    }
    common
}

#[cfg(test)]
mod tests {
    use super::common_prefix;

    #[test]
    fn a_common_prefix_ends_between_characters() {
        assert_eq!(common_prefix("EU-north", "EU-south"), 3);
        assert_eq!(common_prefix("EU", "EU-south"), 2);
        // Both begin with the byte 0xC3.
        assert_eq!(common_prefix("né", "nè"), 1);
        assert_eq!(common_prefix("", "a"), 0);
    }
}
