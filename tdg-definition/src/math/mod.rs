//! Elementary functions with the same bits on every platform, in every build.
//!
//! IEEE 754 defines `+ − × ÷` and the square root to the last bit, but not `ln` and `exp`: `std`
//! calls the platform's functions, which differ. The functions in this module use only those
//! operations and bit operations, each in one defined order of evaluation. Each states its accuracy
//! in units in the last place (ULP).

mod exp;
mod exp_m1;
mod ln;
mod ln_1p;
pub mod normal;
mod pow;
mod trigonometry;

pub use exp::exp;
pub use exp_m1::exp_m1;
pub use ln::ln;
pub use ln_1p::ln_1p;
pub use pow::pow;
pub use trigonometry::{cos_pi, tan_pi};
