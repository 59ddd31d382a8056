use shakmaty::Piece;
use tdg::ensemble_test;

#[ensemble_test]
fn unicode_char(#[define(pattern(regex = "[pnbrqkPNBRQKx]"))] letter: char) -> Option<char> {
    Piece::from_char(letter).map(Piece::unicode_char)
}
