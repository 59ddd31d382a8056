//! Users' keys next to reserved ones.

/// Doubles a `$` at the start of a user's key, because such keys are reserved.
pub fn users_key(key: &str) -> String {
    match key.starts_with('$') {
        true => format!("${key}"),
        false => key.to_owned(),
    }
}
