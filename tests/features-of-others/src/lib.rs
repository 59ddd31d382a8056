//! Only has dependencies:
//! `cargo test -p tdg -p features-of-others --features features-of-others/on`.
