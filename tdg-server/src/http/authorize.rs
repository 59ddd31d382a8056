//! API keys of requests.

use axum::http::{HeaderMap, StatusCode, header};
use tdg_service::Timestamp;

use super::App;
use super::problem::Problem;
use crate::database::Account;
use crate::keys::{Key, Prefix, Refusal, Scope};

/// The sender of a request.
pub(super) struct Caller {
    pub(super) account: Account,
    pub(super) key: Prefix,
}

impl App {
    /// The sender, if the request has a valid key with that scope.
    pub(super) async fn authorize(
        &self,
        headers: &HeaderMap,
        scope: Scope,
    ) -> Result<Caller, Problem> {
        let key = presented(headers)?;
        let record = self.operations.database.key(&key.prefix()).await?;
        let record = record.ok_or_else(unknown)?;
        record
            .admit(&key, Timestamp::now())
            .map_err(|refusal| match refusal {
                Refusal::Wrong => unknown(),
                Refusal::Expired => unauthorized("the API key has expired; ask for another"),
                Refusal::Revoked => unauthorized("the API key was revoked; ask for another"),
            })?;
        if let Some(rate) = &self.rate {
            rate.take(&record.prefix)?;
        }
        if !record.scopes.allow(scope) {
            let scope = scope.name();
            let detail = format!("the API key may not do this: it needs the scope `{scope}`");
            return Err(Problem::new(StatusCode::FORBIDDEN, detail));
        }
        Ok(Caller {
            account: record.account,
            key: record.prefix,
        })
    }
}

fn presented(headers: &HeaderMap) -> Result<Key, Problem> {
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
    let missing = || unauthorized("an API key is needed, in the header `x-api-key`");
    let text = text.ok_or_else(missing)?.map_err(|_| unknown())?;
    Key::parse(text.trim()).ok_or_else(unknown)
}

fn unknown() -> Problem {
    unauthorized("the API key is not known here")
}

fn unauthorized(detail: &str) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, detail)
}
