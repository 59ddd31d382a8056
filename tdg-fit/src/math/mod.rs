//! Special functions and numerical methods.

mod gamma;
mod peak;
mod shares;

pub(super) use gamma::{digamma, ln_choose, ln_gamma, trigamma};
pub(super) use peak::peak;
pub(super) use shares::shares;
