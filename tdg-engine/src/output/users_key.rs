//! Keys of the user's beside those of ours.

/// A key of the user's: what begins with `$` has a meaning of its own.
pub fn users_key(key: &str) -> String {
    match key.starts_with('$') {
        true => format!("${key}"),
        false => key.to_owned(),
    }
}
