//! `Piece::unicode_char` of shakmaty.
