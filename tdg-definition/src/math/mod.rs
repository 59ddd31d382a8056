//! Elementary functions with the same bits on every platform, in every build.
//!
//! IEEE 754 fixes the result of `+ − × ÷` and the square root to the last bit. It does not fix `ln` and `exp`: `std`
//! calls the platform's, and they differ. The functions here are made of the former and of bit operations alone, each
//! in one stated order of evaluation, and are within one unit in the last place (ULP) of the true value.

mod exp;
mod ln;
pub mod normal;

pub use exp::exp;
pub use ln::ln;
