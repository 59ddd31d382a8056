//! The commands, each with its arguments.

mod accept;
mod check;
mod chosen;
mod completions;
mod explain;
mod fit;
mod generate;
mod history;
mod init;
mod man;
mod pending;
mod reject;
mod rename;
mod report;
mod resolve;
mod review;
mod show;
mod test;

pub(crate) use accept::Accept;
pub(crate) use check::Check;
pub(crate) use completions::Completions;
pub(crate) use explain::Explain;
pub(crate) use fit::Fit;
pub(crate) use generate::Generate;
pub(crate) use history::History;
pub(crate) use init::Init;
pub(crate) use man::Man;
pub(crate) use pending::Pending;
pub(crate) use reject::Reject;
pub(crate) use rename::Rename;
pub(crate) use report::Report;
pub(crate) use resolve::Resolve;
pub(crate) use review::Review;
pub(crate) use show::Show;
pub(crate) use test::Test;
