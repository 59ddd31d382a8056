//! `encode_upper` of hex.
