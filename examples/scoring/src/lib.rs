//! A season of matches, rated by Glicko-2 and Elo.
//!
//! A rating depends on all matches before it, so the function under test takes all rows at once:
//! `batch`. The formulas are those of the crate skillratings; they use the platform's `exp` and
//! `ln`, so floats are compared within a tolerance.
