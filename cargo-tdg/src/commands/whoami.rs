//! `cargo tdg whoami`: shows the account that a key belongs to.

use clap::Args;
use tdg_definition::json::Value;

use crate::error::Result;
use crate::exit::Exit;
use crate::server::{self, KnownServer};
use crate::terminal::{TerminalTable, print};

/// Show the account that the API key belongs to, and the key's permissions
#[derive(Args, Debug)]
pub(crate) struct Whoami {
    /// The server (default: TDG_URL, or else `url` in tdg.toml)
    url: Option<String>,
    /// Print a line of JSON
    #[arg(long)]
    json: bool,
}

impl Whoami {
    pub(crate) fn run(self) -> Result<Exit> {
        let is_named = self.url.is_some();
        let url = server::url(self.url)?;
        let server = match is_named {
            true => KnownServer::named(&url)?,
            false => KnownServer::at(&url)?,
        };
        print(&if self.json {
            json_line(&url, &server)
        } else {
            text(&url, &server)
        })?;
        Ok(Exit::Fine)
    }
}

fn text(url: &str, server: &KnownServer) -> String {
    let facts = &server.facts;
    let expires = match facts.key.expires {
        Some(expires) => format!("{} UTC", server::time(expires)),
        None => "never".to_owned(),
    };
    let source = match server.has_key_of_variable {
        true => format!("{}, from TDG_API_KEY", server.key()),
        false => server.key(),
    };
    let mut table = TerminalTable::new(["", ""]);
    for (name, text) in [
        ("account", facts.account.clone()),
        ("key", source),
        ("may", facts.key.scopes.join(", ")),
        ("expires", expires),
        ("server", format!("{url}, tdg-server {}", facts.version)),
    ] {
        table.row([name.into(), text.into()]);
    }
    table.text("")
}

fn json_line(url: &str, server: &KnownServer) -> String {
    let facts = &server.facts;
    let key = &facts.key;
    let scopes = key.scopes.iter().map(|scope| Value::from(scope.as_str()));
    let expires = key.expires.map(server::iso);
    let members = [
        ("url", Value::from(url)),
        ("account", Value::from(facts.account.as_str())),
        (
            "key",
            Value::object([
                ("prefix", Value::from(key.prefix.as_str())),
                ("name", Value::from(key.name.as_str())),
            ]),
        ),
        ("scopes", scopes.collect()),
        ("expires", Value::from(expires)),
        ("version", Value::from(facts.version.as_str())),
        ("epoch", Value::from(facts.epoch.to_string())),
    ];
    format!("{}\n", Value::object(members))
}
