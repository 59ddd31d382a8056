//! `cargo tdg login`: stores the key for a server.

use std::io::{self, IsTerminal as _};
use std::{env, fs, thread};

use clap::Args;
use tdg_definition::control::escape;
use tdg_service::{BrowserLogin, RemoteService};

use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::server::{self, Credentials, KnownServer};
use crate::terminal::style::{GOOD, STRONG};
use crate::terminal::{confirm, is_interactive, note, read_secret};

/// Save the API key for a server, for runs on it and for synchronising
///
/// Reads the key from the terminal, without showing it, or from standard input, or gets one
/// through a browser. It is saved if the server accepts it, in a file that only you can read.
#[derive(Args, Debug)]
pub(crate) struct Login {
    /// The server (default: TDG_URL, or else `url` in tdg.toml)
    url: Option<String>,
    /// Sign in through a browser
    #[arg(long)]
    browser: bool,
}

impl Login {
    pub(crate) fn run(self) -> Result<Exit> {
        let url = server::url(self.url)?;
        // Checked before asking for the key, which would be lost otherwise.
        RemoteService::check_url(&url)?;
        let credentials = Credentials::check()?;
        let key = match self.browser {
            true => key_by_browser(&url)?,
            false => read_key(&url)?,
        };
        let server = KnownServer::with_key(&url, &key).context("the key was not saved")?;
        credentials.keep(&url, &key)?;
        let facts = &server.facts;
        let until = match facts.key.expires {
            Some(expires) => format!(", until {} UTC", server::time(expires)),
            None => String::new(),
        };
        confirm(&format!(
            "{GOOD}logged in{GOOD:#} to {url} as {STRONG}{}{STRONG:#}, key {}: {}{until}\n",
            escape(&facts.account),
            escape(&server.key()),
            facts.key.scopes.join(", "),
        ))?;
        if server::has_key_of_variable(&url)? {
            note(&format!(
                "TDG_API_KEY is set, and takes precedence over the key in {}",
                credentials.place()
            ));
        }
        Ok(Exit::Fine)
    }
}

/// Returns the key that a user grants to this command on a page of the server.
fn key_by_browser(url: &str) -> Result<String> {
    let login = BrowserLogin::begin(url, &client())?;
    confirm(&format!(
        "type {STRONG}{}{STRONG:#} at {}\n",
        escape(&login.user_code),
        escape(&login.page)
    ))?;
    Ok(login.key(thread::sleep)?)
}

/// Returns the description of this command for the page.
fn client() -> String {
    let variables = ["HOSTNAME", "COMPUTERNAME"];
    let named = variables.into_iter().find_map(|name| env::var(name).ok());
    let host = named.or_else(|| fs::read_to_string("/etc/hostname").ok());
    match host
        .as_deref()
        .map(str::trim)
        .filter(|host| !host.is_empty())
    {
        Some(host) => format!("cargo tdg on {host}"),
        None => format!("cargo tdg on {}", env::consts::OS),
    }
}

/// Reads the key from the user or from another program.
fn read_key(url: &str) -> Result<String> {
    let key = if is_interactive() {
        match read_secret(&format!("API key for {url}: "))? {
            Some(key) => key,
            None => return Err(Error::new("no key was entered")),
        }
    } else if io::stdin().is_terminal() {
        // The key would be visible.
        return Err(Error::new(
            "can't ask for the key, because standard output is not a terminal; pass it on standard \
             input: `cargo tdg login < FILE`",
        ));
    } else {
        io::read_to_string(io::stdin()).context("standard input")?
    };
    match key.trim() {
        "" => Err(Error::new(
            "no key on standard input; pass one with `cargo tdg login < FILE`",
        )),
        key => Ok(key.to_owned()),
    }
}
