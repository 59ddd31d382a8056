//! `File::from_index` of chess.
