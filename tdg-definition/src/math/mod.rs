//! Elementary functions with the same bits on every platform, in every build.
//!
//! IEEE 754 fixes the result of `+ − × ÷` and the square root to the last bit. It does not fix `ln`
//! and `exp`: `std` calls the platform's, and they differ. The functions here are made of the
//! former and of bit operations alone, each in one stated order of evaluation. Each says how close
//! it is to the true value, in units in the last place (ULP).

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
