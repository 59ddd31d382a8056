//! The server that tests belong to, and its key.

mod credentials;
mod project;

use std::collections::BTreeSet;

use tdg_definition::control::escape;
use tdg_engine::config::{KeySearch, find_key, origin, process_environment};
use tdg_service::sync::ServerFacts;
use tdg_service::{ApiKey, RemoteService, ServiceError, Timestamp};

use crate::error::{Error, Result};
use crate::terminal::{self, PressedKey, ask, is_interactive};
use crate::workspace::Workspace;

pub(crate) use credentials::Credentials;
pub(crate) use project::{ProjectOrigin, ServerProject};

/// A server that has identified itself and the owner of the key.
pub(crate) struct KnownServer {
    pub(crate) service: RemoteService,
    pub(crate) facts: ServerFacts,
    /// Set if the key is from `TDG_API_KEY`.
    pub(crate) has_key_of_variable: bool,
}

impl KnownServer {
    /// Connects to a URL from the settings, with the key from the environment or from `login`. Asks
    /// the user if nothing says that the environment's key may be sent to it.
    pub(crate) fn at(url: &str) -> Result<Self> {
        RemoteService::check_url(url)?;
        let search = || find_key(url, &process_environment);
        let mut found = search()?;
        if found == KeySearch::Unbound
            && is_interactive()
            && let Some(origin) = origin(url)
        {
            let credentials = Credentials::check()?;
            let question =
                format!("Send the key in TDG_API_KEY to {origin}, which tdg.toml names? [y/n] ");
            if matches!(ask(&question)?, PressedKey::Character('y' | 'Y')) {
                credentials.allow(&origin)?;
                found = search()?;
            }
        }
        Self::with_found(url, found)
    }

    /// Connects to a URL that the user has named.
    pub(crate) fn named(url: &str) -> Result<Self> {
        RemoteService::check_url(url)?;
        // Treats the URL as `TDG_URL`, since the key comes from the environment.
        let found = find_key(url, &|name| {
            let value = process_environment(name).filter(|value| !value.is_empty());
            value.or_else(|| (name == "TDG_URL").then(|| url.into()))
        })?;
        Self::with_found(url, found)
    }

    fn with_found(url: &str, found: KeySearch) -> Result<Self> {
        let has_key_of_variable = matches!(found, KeySearch::InVariable(_));
        let Some(key) = found.key(url)? else {
            return Err(Error::new(format!(
                "no API key for {url}; run `cargo tdg login {url}`, or set \
                 TDG_API_KEY=\"{url}=<key>\""
            )));
        };
        Ok(Self {
            has_key_of_variable,
            ..Self::with_key(url, &key)?
        })
    }

    /// Connects to the server with a given key.
    pub(crate) fn with_key(url: &str, key: &str) -> Result<Self> {
        let service = RemoteService::new(url, ApiKey::new(key)?)?;
        let facts = service.server().map_err(|error| match error {
            ServiceError::Unauthorized(_) => Error::new(format!(
                "the server at {url} does not accept this API key, which may have expired or been \
                 revoked; run `cargo tdg login {url}` with another one, or set TDG_API_KEY to one"
            )),
            error => error.into(),
        })?;
        Ok(Self {
            service,
            facts,
            has_key_of_variable: false,
        })
    }

    /// Returns true if the key has a scope.
    pub(crate) fn may(&self, scope: &str) -> bool {
        self.facts.key.scopes.iter().any(|it| it == scope)
    }

    /// Returns an error about a missing scope.
    pub(crate) fn lacks(&self, scope: &str, what_for: &str) -> Error {
        Error::new(format!(
            "the key {} of {} lacks the scope `{scope}`, which is needed to {what_for}; use a key that has it",
            escape(&self.key()),
            escape(&self.facts.account),
        ))
    }

    /// Returns the key's name with its public prefix: `developers (tdg_0123456789ab)`.
    pub(crate) fn key(&self) -> String {
        let key = &self.facts.key;
        match key.name.as_str() {
            "" => key.prefix.clone(),
            name => format!("{name} ({})", key.prefix),
        }
    }
}

/// Returns the server's URL: the given one, or else the one in the packages' settings.
pub(crate) fn url(named: Option<String>) -> Result<String> {
    // The variable also works outside of a package.
    let of_environment = || process_environment("TDG_URL")?.into_string().ok();
    let given = named.or_else(of_environment);
    if let Some(url) = given.filter(|url| !url.is_empty()) {
        return Ok(url);
    }
    let workspace = Workspace::find()?;
    let urls = workspace.packages.iter();
    let urls: BTreeSet<&str> = urls
        .filter_map(|package| package.settings.url.as_deref())
        .collect();
    let mut urls = urls.into_iter();
    match (urls.next(), urls.next()) {
        (Some(url), None) => Ok(url.to_owned()),
        (None, _) => Err(Error::new(
            "no server is configured; name its URL, set TDG_URL, or add url = \"https://…\" to tdg.toml",
        )),
        (Some(one), Some(other)) => Err(Error::new(format!(
            "the packages have several servers, such as {one} and {other}; name the URL of one"
        ))),
    }
}

/// Returns true if the server at a URL gets the key in `TDG_API_KEY` rather than a stored one.
pub(crate) fn has_key_of_variable(url: &str) -> Result<bool> {
    let found = find_key(url, &process_environment)?;
    Ok(matches!(found, KeySearch::InVariable(_)))
}

/// Formats a time in UTC to the second: `2021-03-08 22:14:28`.
pub(crate) fn time(time: Timestamp) -> String {
    terminal::time(time.as_micros())
}

/// Formats a time for programs: `2021-03-08T22:14:28Z`.
pub(crate) fn iso(at: Timestamp) -> String {
    time(at).replace(' ', "T") + "Z"
}
