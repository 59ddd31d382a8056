//! Logins of command lines that a user approves in a browser, by the device authorization grant
//! (RFC 8628).

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use serde_json::{Value, json};
use tdg_definition::limits::NAME_BYTES;
use tdg_service::{Timestamp, Uuid};

use super::sign_in;
use crate::database::{DeviceLogin, LoginAnswer};
use crate::http::attribution::Attribution;
use crate::http::limits::invalid_keys::network;
use crate::http::problem::Problem;
use crate::http::{App, observe, response};
use crate::keys::{IssuedKey, KeyRecord, SecretToken, UserCode};
use crate::pages::{LOGIN, Query, login};

/// The endpoints' names in logs and metrics.
pub(super) const NAMES: [&str; 2] = [BEGIN, POLL];
const BEGIN: &str = "POST /login/device";
const POLL: &str = "POST /login/token";

/// The maximum size of a request in bytes.
const FORM: usize = 8 << 10;
/// The number of logins that a network may begin per second. Most of them find no place.
const RATE: u64 = 50;
/// The maximum number of waiting logins, per network and in total.
const PLACES: [i64; 2] = [20, 1000];
/// The minimum pause in seconds between two polls of a device.
const INTERVAL: u64 = 2;

pub(crate) fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    router
        .route("/login/device", post(begin))
        .route("/login/token", post(poll))
}

async fn begin(State(app): State<Arc<App>>, request: Request) -> Response {
    let answer = async |request: Request, attribution: Arc<Attribution>| {
        let (head, body) = request.into_parts();
        let form = form(body).await?;
        let network = attribution.address.map(network);
        if let Some(network) = network {
            app.logins.take(network, RATE).map_err(too_many)?;
        }
        let random = SecretToken::generate().and_then(|device| Ok((device, UserCode::generate()?)));
        let (device, code) = random.map_err(sign_in::no_random_numbers)?;
        let client = form.get("client_name").unwrap_or("a device without a name");
        let client: String = client.chars().take(NAME_BYTES / 4).collect();
        let asking = DeviceLogin {
            uuid: Uuid::new_v4(),
            client,
            address: attribution.address.map(|address| address.to_string()),
            begun: Timestamp::now(),
        };
        let database = &app.operations.database;
        database.forget_logins(login::oldest()).await?;
        let secrets = (device.hash(), code.clone());
        let network = network.map_or_else(String::new, |network| network.to_string());
        let added = database.add_login(secrets, asking, network, PLACES);
        added.await?.map_err(|begun| too_many(login::left(begun)))?;
        let origin = sign_in::origin(&head.headers, &attribution);
        let body = json!({
            "device_code": device.reveal(),
            "user_code": code.to_string(),
            "verification_uri": format!("{origin}{LOGIN}"),
            "expires_in": login::VALID.as_secs(),
            "interval": INTERVAL,
        });
        Ok(response::json(body.to_string()))
    };
    observe::observed(&app, BEGIN, request, answer).await
}

async fn poll(State(app): State<Arc<App>>, request: Request) -> Response {
    let answer = async |request: Request, attribution: Arc<Attribution>| {
        let form = form(request.into_body()).await?;
        let device = form.get("device_code").and_then(SecretToken::parse);
        Ok(match app.key_of_device(device, &attribution).await? {
            Ok(key) => response::json(key.to_string()),
            Err(error) => {
                let mut response = response::json(json!({"error": error}).to_string());
                *response.status_mut() = StatusCode::BAD_REQUEST;
                response
            }
        })
    };
    observe::observed(&app, POLL, request, answer).await
}

fn too_many(wait: Duration) -> Problem {
    let detail = "too many logins are waiting for an answer; try again later, or use `cargo tdg \
                  login` with a key";
    Problem::new(StatusCode::TOO_MANY_REQUESTS, detail).retry_after(wait)
}

async fn form(body: Body) -> Result<Query, Problem> {
    let bytes = to_bytes(body, FORM).await;
    let bytes = bytes.map_err(|_| {
        let detail = "the request is too large or incomplete";
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
    })?;
    Ok(Query::parse(&String::from_utf8_lossy(&bytes)))
}

impl App {
    /// Returns the key of an approved device, or the error of RFC 8628.
    async fn key_of_device(
        &self,
        device: Option<SecretToken>,
        attribution: &Attribution,
    ) -> Result<Result<Value, &'static str>, Problem> {
        let database = &self.operations.database;
        let Some(device) = device else {
            return Ok(Err("invalid_grant"));
        };
        let address = attribution.address;
        let too_many = address.and_then(|address| self.bad_devices.check(address).err());
        let turn = match too_many {
            Some(_) => self.bad_devices.turn().await,
            None => None,
        };
        let login = database.own_login(device.hash()).await?;
        drop(turn);
        let Some(login) = login else {
            if let Some(address) = address {
                self.bad_devices.count(address);
            }
            return too_many.map_or(Ok(Err("expired_token")), Err);
        };
        let by = match login.answer {
            Some(LoginAnswer::Denied) => return Ok(Err("access_denied")),
            _ if login.begun < login::oldest() => return Ok(Err("expired_token")),
            None => return Ok(Err("authorization_pending")),
            Some(LoginAnswer::Allowed(by)) => by,
        };
        let by = database.key(&by).await?;
        // The key that approved it may have expired in the meantime.
        let Some(by) = by.filter(|key| key.is_valid(Timestamp::now())) else {
            return Ok(Err("access_denied"));
        };
        let key = IssuedKey::generate().map_err(sign_in::no_random_numbers)?;
        let record = KeyRecord {
            expires: by.expires,
            projects: by.projects.clone(),
            let_in_by: Some(by.prefix.clone()),
            ..KeyRecord::new(&key, by.account, &login.client, by.scopes)
        };
        if !database.end_login(device.hash(), record).await? {
            return Ok(Err("expired_token"));
        }
        let action = format!("{POLL}, authorized by {}", by.prefix);
        let made = attribution.audit_record(action, by.account, &key.prefix());
        database.add_audit(vec![made]).await?;
        Ok(Ok(
            json!({"access_token": key.reveal(), "token_type": "Bearer"}),
        ))
    }
}
