//! The attribution of requests, in the log and elsewhere.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use axum::http::{HeaderMap, Request};
use tdg_service::Uuid;

use super::App;
use crate::account::Account;
use crate::accounts::CachedAccount;
use crate::database::AuditRecord;
use crate::keys::Prefix;

/// The peer of a connection, set on each of its requests.
#[derive(Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// Facts about a request, collected while it is handled.
pub(super) struct Attribution {
    /// The identifier of the request, in its response and in the log.
    pub(super) request: String,
    pub(super) address: Option<IpAddr>,
    /// The person whom a trusted proxy names.
    pub(super) person: Option<String>,
    key: OnceLock<Prefix>,
    account: OnceLock<(Account, Arc<CachedAccount>)>,
    /// The object that the request deletes, or `None` if it creates one.
    change: OnceLock<Option<Uuid>>,
    /// The used share of the account's rate.
    rate: OnceLock<f64>,
}

/// An object that a request has created or deleted.
#[derive(Clone, Copy)]
pub(super) struct ChangedObject {
    /// The kind, or `None` for an assertion.
    pub(super) kind: Option<&'static str>,
    pub(super) uuid: Uuid,
    pub(super) is_deleted: bool,
}

/// All changes of a request, as an extension of its response.
#[derive(Clone, Default)]
pub(super) struct Changes(pub(super) Vec<ChangedObject>);

impl Attribution {
    pub(super) fn new<B>(app: &App, request: &Request<B>) -> Self {
        let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
        let headers = request.headers();
        let trusted = peer.is_some_and(|peer| app.proxies.trust(peer.to_canonical()));
        let told = trusted.then(|| told_id(headers)).flatten();
        Attribution {
            request: told.unwrap_or_else(|| app.requests.next().to_string()),
            address: peer.map(|peer| app.proxies.client(peer, headers)),
            person: peer.and_then(|peer| app.proxies.person(peer, headers)),
            key: OnceLock::new(),
            account: OnceLock::new(),
            change: OnceLock::new(),
            rate: OnceLock::new(),
        }
    }

    /// Returns the prefix of the presented key, valid or not.
    pub(super) fn key(&self) -> Option<&Prefix> {
        self.key.get()
    }

    /// Returns the name of the account, once the key is admitted.
    pub(super) fn account(&self) -> Option<&str> {
        self.account.get().map(|(_, known)| &*known.name)
    }

    pub(super) fn account_id(&self) -> Option<Account> {
        self.account.get().map(|(account, _)| *account)
    }

    /// Returns the quotas of the account that are nearly used up.
    pub(super) fn nearly_used(&self) -> Option<String> {
        let (_, known) = self.account.get()?;
        known.nearly_used(self.rate.get().copied())
    }

    pub(super) fn presented(&self, key: Prefix) {
        let _ = self.key.set(key);
    }

    pub(super) fn admitted(&self, account: Account, known: Arc<CachedAccount>) {
        let _ = self.account.set((account, known));
    }

    /// Notes that from now on the request may create something, or delete this object.
    pub(super) fn intend_change(&self, to_delete: Option<Uuid>) {
        let _ = self.change.set(to_delete);
    }

    pub(super) fn intends_change(&self) -> bool {
        self.change.get().is_some()
    }

    pub(super) fn to_delete(&self) -> Option<Uuid> {
        self.change.get().copied().flatten()
    }

    /// Builds a record of an action of the request on a key.
    pub(super) fn audit_record(
        &self,
        action: String,
        account: Account,
        key: &Prefix,
    ) -> AuditRecord {
        AuditRecord {
            address: self.address.map(|address| address.to_string()),
            request: Some(self.request.clone()),
            ..AuditRecord::of_command(action, Some(account), Some(key.to_string()))
        }
    }

    pub(super) fn used_rate(&self, share: f64) {
        let _ = self.rate.set(share);
    }
}

/// Returns the identifier that a proxy gave the request: its own, or its trace's.
fn told_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get("x-request-id").and_then(|id| id.to_str().ok());
    if let Some(id) = id.filter(|id| is_id(id)) {
        return Some(id.to_owned());
    }
    let parent = headers.get("traceparent")?.to_str().ok()?;
    trace_id(parent).map(str::to_owned)
}

/// Returns true if the text is safe in a log and a header.
fn is_id(text: &str) -> bool {
    let may_be = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(&byte);
    (1..=128).contains(&text.len()) && text.bytes().all(may_be)
}

/// Returns the trace of a W3C `traceparent`, such as `00-0af76519…319c-b7ad6b71…3331-01`.
fn trace_id(parent: &str) -> Option<&str> {
    let hex = |text: &str, digits: usize| {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        text.len() == digits && text.bytes().all(is_digit)
    };
    let mut parts = parent.split('-');
    let (version, trace) = (parts.next()?, parts.next()?);
    let (span, flags) = (parts.next()?, parts.next()?);
    let is_known = hex(version, 2) && version != "ff" && hex(flags, 2);
    let is_set = |text: &str| text.bytes().any(|byte| byte != b'0');
    let is_whole = version != "00" || parts.next().is_none();
    let valid = is_known && is_whole && hex(trace, 32) && hex(span, 16);
    (valid && is_set(trace) && is_set(span)).then_some(trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

    fn told(fields: &[(&'static str, &str)]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.insert(*name, value.parse().unwrap());
        }
        told_id(&headers)
    }

    #[test]
    fn an_identifier_is_taken_if_it_is_one() {
        let parent = format!("00-{TRACE}-b7ad6b7169203331-01");
        let id = ("x-request-id", "4bf92f-35_77.b:1/2+3=");
        assert_eq!(told(&[id, ("traceparent", &parent)]).unwrap(), id.1);
        assert_eq!(told(&[("traceparent", &parent)]).unwrap(), TRACE);
        for id in ["", "two words", "a\"b", "<script>", &"x".repeat(129)] {
            assert_eq!(told(&[("x-request-id", id)]), None, "{id}");
        }
        assert_eq!(
            told(&[("x-request-id", ""), ("traceparent", &parent)]).unwrap(),
            TRACE
        );
    }

    #[test]
    fn a_malformed_trace_is_ignored() {
        let later_version = format!("01-{TRACE}-b7ad6b7169203331-01-more");
        assert_eq!(trace_id(&later_version), Some(TRACE));
        for parent in [
            String::new(),
            TRACE.to_owned(),
            format!("00-{TRACE}-b7ad6b7169203331"),
            format!("00-{TRACE}-b7ad6b7169203331-01-more"),
            format!("ff-{TRACE}-b7ad6b7169203331-01"),
            format!("00-{}-b7ad6b7169203331-01", TRACE.to_uppercase()),
            format!("00-{}-b7ad6b7169203331-01", "0".repeat(32)),
            format!("00-{TRACE}-0000000000000000-01"),
        ] {
            assert_eq!(trace_id(&parent), None, "{parent}");
        }
    }
}
