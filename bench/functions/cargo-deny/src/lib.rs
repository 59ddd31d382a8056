//! `match_req` of cargo-deny.
