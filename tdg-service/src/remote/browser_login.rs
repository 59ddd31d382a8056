//! Signing in by a browser: the device authorization grant (RFC 8628).

use std::fmt;
use std::time::Duration;

use tdg_definition::Faults;
use tdg_definition::json::{self, Pointer, Value};
use ureq::Agent;

use super::Patience;
use super::base_url::BaseUrl;
use super::transport::agent;
use crate::{Result, ServiceError};

/// The longest answer that is read.
const RESPONSE_BYTES: u64 = 64 << 10;

/// A login that waits until somebody types its code into a page of the server.
///
/// ```no_run
/// use tdg_service::BrowserLogin;
///
/// let login = BrowserLogin::begin("https://tdg.example.org", "cargo tdg on ada's laptop")?;
/// println!("type {} at {}", login.user_code, login.page);
/// let key = loop {
///     std::thread::sleep(login.interval);
///     if let Some(key) = login.key()? {
///         break key;
///     }
/// };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BrowserLogin {
    /// What is typed: `WDJB-MJHT`.
    pub user_code: String,
    /// The address of the page where it is typed.
    pub page: String,
    /// How long to wait before each question for the key.
    pub interval: Duration,
    url: BaseUrl,
    agent: Agent,
    device_code: String,
}

impl fmt::Debug for BrowserLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BrowserLogin({}, …)", self.user_code)
    }
}

impl BrowserLogin {
    /// Begins a login at the server of a URL. `client` is what the page tells of whoever asks.
    ///
    /// # Errors
    ///
    /// [`Invalid`](ServiceError::Invalid) if the URL is, or the key would come over a network
    /// unencrypted; [`Forbidden`](ServiceError::Forbidden) if the server has no pages; and if it
    /// can't be reached.
    pub fn begin(url: &str, client: &str) -> Result<Self> {
        let url = BaseUrl::parse(url)
            .map_err(|error| Faults::at(Pointer::root().child("url"), error.to_string()))?;
        let agent = agent(&url, Patience::default());
        let form = [("client_id", "cargo-tdg"), ("client_name", client)];
        let (status, answer) = ask(&agent, &url, "/login/device", &form)?;
        if status == 404 {
            let message =
                format!("the server at {url} has no pages, by which somebody could let you in");
            return Err(ServiceError::Forbidden(message.into()));
        }
        let text = |name: &str| answer.get(name)?.as_str().map(str::to_owned);
        let interval = answer.get("interval").and_then(Value::as_u64).unwrap_or(5);
        let begun = || {
            Some(Self {
                user_code: text("user_code")?,
                page: text("verification_uri")?,
                device_code: text("device_code")?,
                interval: Duration::from_secs(interval.clamp(1, 60)),
                url: url.clone(),
                agent: agent.clone(),
            })
        };
        let begun = begun().filter(|_| status == 200);
        begun.ok_or_else(|| unexpected(&url, status, &answer))
    }

    /// The key, a secret, once somebody has let this login in.
    ///
    /// # Errors
    ///
    /// [`Forbidden`](ServiceError::Forbidden) if somebody refused, or nobody let it in within the
    /// time that the server gives; and if the server can't be reached.
    pub fn key(&self) -> Result<Option<String>> {
        let form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
            ("client_id", "cargo-tdg"),
            ("device_code", &self.device_code),
        ];
        let (status, answer) = ask(&self.agent, &self.url, "/login/token", &form)?;
        if let Some(key) = answer.get("access_token").and_then(Value::as_str) {
            return Ok(Some(key.to_owned()));
        }
        let refused = |message: &str| Err(ServiceError::Forbidden(message.into()));
        match answer.get("error").and_then(Value::as_str) {
            Some("authorization_pending" | "slow_down") => Ok(None),
            Some("access_denied") => refused("somebody refused the login"),
            Some("expired_token") => refused("nobody let the login in in time; begin again"),
            _ => Err(unexpected(&self.url, status, &answer)),
        }
    }
}

fn ask(agent: &Agent, url: &BaseUrl, path: &str, form: &[(&str, &str)]) -> Result<(u16, Value)> {
    let sent = agent
        .post(format!("{url}{path}"))
        .send_form(form.iter().copied());
    let received = sent.and_then(|mut response| {
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(RESPONSE_BYTES);
        Ok((status, body.read_to_string()?))
    });
    let (status, text) = received.map_err(|error| {
        let message = format!("the server at {url} can't be reached: {error}");
        ServiceError::unavailable(message).caused_by(error)
    })?;
    Ok((status, json::parse(&text).unwrap_or(Value::Null)))
}

fn unexpected(url: &BaseUrl, status: u16, answer: &Value) -> ServiceError {
    let detail = answer.get("detail").and_then(Value::as_str);
    let detail = detail
        .map(|detail| format!(": {detail}"))
        .unwrap_or_default();
    ServiceError::unexpected(format!(
        "the server at {url} answered with {status}{detail}"
    ))
}
