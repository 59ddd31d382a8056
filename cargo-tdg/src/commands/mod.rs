//! The commands, each with its arguments and what it does.

mod check;
mod generate;

pub(crate) use check::Check;
pub(crate) use generate::Generate;
