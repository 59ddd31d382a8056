//! Characters by plainness.

/// From the plainest.
const PLAIN: [char; 4] = ['a', '0', 'A', ' '];

/// How plain a character is; the plainest is 0.
pub(super) fn rank(character: char) -> u32 {
    /// Above all letters, digits and spaces.
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

/// The plainest letter or digit of the same kind; other characters stay.
pub(super) fn plain(character: char) -> char {
    match character {
        'a'..='z' => 'a',
        '0'..='9' => '0',
        'A'..='Z' => 'A',
        _ => character,
    }
}

/// The characters to try in its place, from the plainest.
pub(super) fn plainer(character: char) -> impl Iterator<Item = char> {
    let is_plainer = move |plain: &char| rank(*plain) < rank(character);
    PLAIN.into_iter().filter(is_plainer)
}
