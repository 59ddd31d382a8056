//! A relay to the server that names a test's requests.

use std::cell::Cell;

use tdg_tests::{Exchange, Fate};

pub(crate) struct Relay {
    pub(crate) url: String,
    relay: tdg_tests::Relay,
    named: Cell<usize>,
}

impl Relay {
    pub(crate) fn to(url: &str) -> Self {
        let relay = tdg_tests::Relay::to(url, |_, _| Fate::Passed);
        Self {
            url: relay.url.clone(),
            relay,
            named: Cell::new(0),
        }
    }

    /// Returns the method and kind of each request since the last call: `POST assert`, `GET data`.
    pub(crate) fn requests(&self) -> Vec<String> {
        let exchanges = self.relay.exchanges();
        let since = self.named.replace(exchanges.len());
        let request = |exchange: &Exchange| {
            let (method, path) = exchange.asked.split_once(" /v1/")?;
            let kinds = path.split('/').filter(|part| part.len() < 36);
            Some(format!("{method} {}", kinds.collect::<Vec<_>>().join("/")))
        };
        exchanges[since..].iter().filter_map(request).collect()
    }
}
