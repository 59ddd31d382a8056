//! API keys of requests.

use std::net::IpAddr;

use axum::http::{HeaderMap, StatusCode, header};
use tdg_service::Timestamp;

use super::App;
use super::attribution::Attribution;
use super::problem::Problem;
use crate::accounts::Quota;
use crate::keys::{IssuedKey, KeyHash, KeyRecord, Prefix, Refusal, Scope, hour_of};

impl App {
    /// Returns the key of a request, if it is valid and has the scope.
    pub(super) async fn authorize(
        &self,
        headers: &HeaderMap,
        scope: Option<Scope>,
        attribution: &Attribution,
    ) -> Result<KeyRecord, Problem> {
        let key = presented(headers)?;
        attribution.presented(key.prefix());
        let record = self.admit(&key, attribution.address).await?;
        self.let_in(&record, scope, attribution).await?;
        Ok(record)
    }

    /// Counts a request of the key's account, and checks that the key has the scope.
    pub(super) async fn let_in(
        &self,
        record: &KeyRecord,
        scope: Option<Scope>,
        attribution: &Attribution,
    ) -> Result<(), Problem> {
        let account = self.operations.accounts.get(record.account).await?;
        attribution.admitted(record.account, account.clone());
        if let Some(rate) = account.limits.limit(Quota::Requests) {
            let taken = self.rates.take(record.account, rate);
            let share = taken.map_err(|wait| {
                let detail = format!("more than {rate} requests per second of this account");
                Problem::new(StatusCode::TOO_MANY_REQUESTS, detail).retry_after(wait)
            })?;
            attribution.used_rate(share);
        }
        match scope {
            Some(scope) => Ok(record.scopes.require(scope)?),
            None => Ok(()),
        }
    }

    /// Returns the record of a valid key.
    pub(super) async fn admit(
        &self,
        key: &IssuedKey,
        address: Option<IpAddr>,
    ) -> Result<KeyRecord, Problem> {
        let hash = key.hash();
        let is_known = self.known_keys.contains(&hash);
        self.admit_by(&key.prefix(), is_known, address, |_| Some(hash))
            .await
    }

    /// Returns the record of the key with a prefix, if it is valid and has the presented hash.
    pub(super) async fn admit_by(
        &self,
        prefix: &Prefix,
        is_known: bool,
        address: Option<IpAddr>,
        presented: impl FnOnce(&KeyRecord) -> Option<KeyHash>,
    ) -> Result<KeyRecord, Problem> {
        let too_many = address.and_then(|address| self.bad_keys.check(address).err());
        let turn = match too_many {
            Some(_) if !is_known => self.bad_keys.turn().await,
            _ => None,
        };
        let record = self.operations.database.key(prefix).await?;
        drop(turn);
        let now = Timestamp::now();
        let admitted = match &record {
            Some(record) => {
                presented(record).map_or(Err(Refusal::Wrong), |hash| record.admit(&hash, now))
            }
            None => Err(Refusal::Wrong),
        };
        match (admitted, record) {
            (Ok(()), Some(record)) => {
                let hour = hour_of(now);
                let is_first = self.known_keys.add(&record.hash, hour);
                if is_first && record.used.is_none_or(|used| used < hour) {
                    self.journal.used(&record.prefix, hour);
                }
                Ok(record)
            }
            (refused, _) => {
                if let Some(address) = address {
                    self.bad_keys.count(address);
                }
                Err(too_many.unwrap_or_else(|| match refused {
                    Err(Refusal::Expired) => {
                        unauthorized("the API key has expired; ask for another")
                    }
                    Err(Refusal::Revoked) => {
                        unauthorized("the API key was revoked; ask for another")
                    }
                    _ => unknown(),
                }))
            }
        }
    }
}

fn presented(headers: &HeaderMap) -> Result<IssuedKey, Problem> {
    let text = match headers.get("x-api-key") {
        Some(key) => Some(key.to_str()),
        None => headers.get(header::AUTHORIZATION).map(|value| {
            let value = value.to_str()?;
            let (scheme, key) = value.split_once(' ').unwrap_or((value, ""));
            Ok(if scheme.eq_ignore_ascii_case("bearer") {
                key
            } else {
                ""
            })
        }),
    };
    let missing = || unauthorized("missing API key in the header `x-api-key`");
    let text = text.ok_or_else(missing)?.map_err(|_| unknown())?;
    IssuedKey::parse(text.trim()).ok_or_else(unknown)
}

fn unknown() -> Problem {
    unauthorized("unknown API key")
}

fn unauthorized(detail: &str) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, detail)
}
