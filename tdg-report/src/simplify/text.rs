//! Characters by plainness.

use tdg_definition::json::Value;
use tdg_definition::{Feature, FeatureType, bytes};

/// The plainest comes first.
const PLAIN: [char; 4] = ['a', '0', 'A', ' '];

/// Returns the rank of a character; the plainest is 0.
pub(super) fn rank(character: char) -> u32 {
    /// Ranks above all letters, digits and spaces.
    const OTHER: u32 = 100;
    let place = |first: char| u32::from(character) - u32::from(first);
    match character {
        'a'..='z' => place('a'),
        '0'..='9' => 26 + place('0'),
        'A'..='Z' => 36 + place('A'),
        ' ' => 62,
        _ => OTHER + u32::from(character),
    }
}

/// Returns the plainest letter or digit of the same kind, or the character itself if it is neither.
pub(super) fn plain(character: char) -> char {
    match character {
        'a'..='z' => 'a',
        '0'..='9' => '0',
        'A'..='Z' => 'A',
        _ => character,
    }
}

/// Returns the plainer characters to try instead, the plainest first.
pub(super) fn plainer(character: char) -> impl Iterator<Item = char> {
    let is_plainer = move |plain: &char| rank(*plain) < rank(character);
    PLAIN.into_iter().filter(is_plainer)
}

/// Returns the characters of a text, or for bytes, the characters with their numbers.
pub(super) fn characters(feature: &Feature, value: &Value) -> Vec<char> {
    let text = value.as_str().unwrap_or_default();
    match feature.feature_type() {
        FeatureType::Bytes => {
            let bytes = bytes::unescape(text).unwrap_or_default();
            bytes.into_iter().map(char::from).collect()
        }
        _ => text.chars().collect(),
    }
}

/// Returns the text or bytes made of these characters.
pub(super) fn of_characters(feature: &Feature, characters: Vec<char>) -> Value {
    let mut text = String::new();
    match feature.feature_type() {
        FeatureType::Bytes => {
            let bytes: Vec<u8> = characters.into_iter().map(|it| it as u8).collect();
            bytes::escape(&bytes, &mut text);
        }
        _ => text.extend(characters),
    }
    text.into()
}
