//! `cargo tdg logout`: removes the key for a server.

use clap::Args;

use crate::error::Result;
use crate::exit::Exit;
use crate::server::{self, Credentials};
use crate::terminal::style::GOOD;
use crate::terminal::{confirm, note};

/// Forget the API key for a server
///
/// The server accepts it until it is revoked there with `tdg-server keys revoke`.
#[derive(Args, Debug)]
pub(crate) struct Logout {
    /// The server (default: TDG_URL, or else `url` in tdg.toml)
    url: Option<String>,
}

impl Logout {
    pub(crate) fn run(self) -> Result<Exit> {
        let url = server::url(self.url)?;
        let credentials = Credentials::check()?;
        if credentials.remove(&url)? {
            confirm(&format!("{GOOD}logged out{GOOD:#} of {url}\n"))?;
        } else {
            let place = credentials.place();
            confirm(&format!("{place} has no key for {url}\n"))?;
        }
        if server::has_key_of_variable(&url)? {
            note("TDG_API_KEY is set, and its key is still used");
        }
        Ok(Exit::Fine)
    }
}
