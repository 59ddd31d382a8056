//! The commands, each with its arguments.

mod accept;
mod check;
mod chosen;
mod fit;
mod generate;
mod history;
mod init;
mod pending;
mod reject;
mod report;
mod review;
mod show;
mod test;

pub(crate) use accept::Accept;
pub(crate) use check::Check;
pub(crate) use fit::Fit;
pub(crate) use generate::Generate;
pub(crate) use history::History;
pub(crate) use init::Init;
pub(crate) use pending::Pending;
pub(crate) use reject::Reject;
pub(crate) use report::Report;
pub(crate) use review::Review;
pub(crate) use show::Show;
pub(crate) use test::Test;
