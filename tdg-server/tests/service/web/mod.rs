//! Pages, feeds and logins, as browsers see them.

mod decisions;
mod feeds;
mod logins;
mod pages;
