//! A season of matches, rated by Glicko-2 and Elo.
//!
//! A rating depends on all earlier matches, so the function under test takes all rows at once
//! (`batch`). The formulas come from the crate skillratings. They use the platform's `exp` and
//! `ln`, so floats are compared within a tolerance.
