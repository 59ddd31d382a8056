//! Approving a command line that shows a code (RFC 8628). Only the session that typed the code may
//! answer: a link must not trick users into approving the sender's device.

use std::time::Duration;

use maud::html;
use tdg_definition::Faults;
use tdg_definition::json::Pointer;
use tdg_service::{ServiceError, Timestamp};

use super::table::{fact, facts};
use super::{PageError, PageRequest, WebChange, WebPage, format, links};
use crate::database::{DeviceLogin, LoginAnswer};
use crate::keys::{KeyHash, UserCode};

/// The validity of a code.
pub(crate) const VALID: Duration = Duration::from_secs(10 * 60);

/// Returns the time before which codes have expired.
pub(crate) fn oldest() -> Timestamp {
    let micros = Timestamp::now().as_micros();
    Timestamp::from_micros(micros.saturating_sub(VALID.as_micros() as i64))
}

pub(super) async fn show(_: &PageRequest<'_>) -> Result<WebPage, PageError> {
    Ok(WebPage {
        title: "Authorize a command-line login".to_owned(),
        above: vec![links::above_projects()],
        body: html! {
            form.sign-in method="post" action=(links::LOGIN) {
                label for="code" { "The code that " code { "cargo tdg login --browser" } " shows" }
                input id="code" type="text" name="code" required autofocus autocomplete="off"
                    spellcheck="false" maxlength="20" placeholder="WDJB-MJHT";
                button type="submit" { "Continue" }
            }
        },
    })
}

/// Returns the remaining validity of a code.
pub(crate) fn left(begun: Timestamp) -> Duration {
    let micros = begun.as_micros().saturating_sub(oldest().as_micros());
    Duration::from_micros(micros.max(0).unsigned_abs())
}

/// Finds the device that shows the code that a user typed.
pub(super) async fn find(request: &PageRequest<'_>) -> Result<WebChange, PageError> {
    let (database, session) = (request.database(), session(request)?);
    let code = request.query.get("code").and_then(UserCode::parse);
    let found = match code {
        Some(code) => database.take_login(code, oldest(), session).await?,
        None => None,
    };
    let Some(login) = found else {
        let place = Pointer::root().child("code");
        let message = "is not waiting for an answer: check it, or start again with a new one";
        return Err(ServiceError::from(Faults::at(place, message)).into());
    };
    Ok(WebChange {
        path: links::login(login),
        ..WebChange::default()
    })
}

fn session(request: &PageRequest<'_>) -> Result<KeyHash, PageError> {
    request.visitor.session.ok_or(PageError::Nothing)
}

async fn waiting(request: &PageRequest<'_>) -> Result<DeviceLogin, PageError> {
    let [login] = request.ids()?;
    let session = session(request)?;
    let found = request.database().login(login, session, oldest()).await?;
    found.ok_or(PageError::Nothing)
}

pub(super) async fn show_one(request: &PageRequest<'_>) -> Result<WebPage, PageError> {
    let login = waiting(request).await?;
    let key = &request.visitor.key;
    let asker = html! {
        (fact("client", &login.client))
        (fact("from", login.address.as_deref().unwrap_or_default()))
        (fact("since", format::time(login.begun)))
    };
    Ok(WebPage {
        title: "Authorize this login?".to_owned(),
        above: vec![(links::LOGIN.to_owned(), "Enter another code".to_owned())],
        body: html! {
            (facts("Requested by", &asker))
            p {
                "It gets a separate key of the account " (request.visitor.account_name)
                " with the permissions of yours: " (key.scopes) ". "
                a href=(links::KEYS) { "Keys" } " lists it."
            }
            form.decide method="post" action=(links::login(login.uuid)) {
                p {
                    button type="submit" name="answer" value="allow" { "Authorize" } " "
                    button type="submit" name="answer" value="deny" { "Deny" }
                }
            }
        },
    })
}

pub(super) async fn answer(request: &PageRequest<'_>) -> Result<WebChange, PageError> {
    let login = waiting(request).await?;
    let prefix = request.visitor.key.prefix.clone();
    let (answer, action) = match request.query.get("answer") {
        Some("allow") => (LoginAnswer::Allowed(prefix.clone()), "authorized"),
        Some("deny") => (LoginAnswer::Denied, "refused"),
        _ => {
            let place = Pointer::root().child("answer");
            return Err(ServiceError::from(Faults::at(place, "must be allow or deny")).into());
        }
    };
    let database = request.database();
    let answered = database.answer_login(login.uuid, session(request)?, answer);
    if !answered.await? {
        return Err(PageError::Nothing);
    }
    let action = format!("{action} {}", login.client);
    Ok(WebChange {
        path: links::KEYS.to_owned(),
        of_keys: vec![(action, prefix)],
        ..WebChange::default()
    })
}
