use shakmaty::Piece;
use tdg::ensemble_test;

#[ensemble_test]
fn unicode_char(
    #[define(pattern(regex = "[pnbrqkPNBRQKx]"), via = Piece::from_char)] piece: Piece,
) -> char {
    piece.unicode_char()
}
