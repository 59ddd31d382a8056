//! `Ratio::from_integer` of num-rational.
