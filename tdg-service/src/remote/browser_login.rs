//! Signs in through a browser, by the device authorization grant (RFC 8628).

use std::fmt;
use std::time::{Duration, Instant};

use tdg_definition::Faults;
use tdg_definition::json::{self, Pointer, Value};
use ureq::Agent;

use super::Patience;
use super::base_url::BaseUrl;
use super::transport::agent;
use crate::{Result, ServiceError};

/// The maximum length of an answer that is read.
const RESPONSE_BYTES: u64 = 64 << 10;

/// A login that waits for its code to be entered on a page of the server.
///
/// ```no_run
/// use tdg_service::BrowserLogin;
///
/// let login = BrowserLogin::begin("https://tdg.example.org", "cargo tdg on ada's laptop")?;
/// println!("type {} at {}", login.user_code, login.page);
/// let key = login.key(std::thread::sleep)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BrowserLogin {
    /// The code to enter, such as `WDJB-MJHT`.
    pub user_code: String,
    /// The address of the page to enter it on.
    pub page: String,
    /// The time after which the code expires.
    lifetime: Duration,
    /// The pause before each poll.
    interval: Duration,
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
    /// Begins a login at a server. `client` is the name that the page shows for this program.
    ///
    /// # Errors
    ///
    /// [`Invalid`](ServiceError::Invalid) if the URL is invalid, or if the key would be sent over
    /// an unencrypted network; [`Forbidden`](ServiceError::Forbidden) if the server has no pages;
    /// and an error if it can't be reached.
    pub fn begin(url: &str, client: &str) -> Result<Self> {
        let url = BaseUrl::parse(url)
            .map_err(|error| Faults::at(Pointer::root().child("url"), error.to_string()))?;
        let agent = agent(&url, Patience::default());
        let form = [("client_id", "cargo-tdg"), ("client_name", client)];
        let (status, answer) = ask(&agent, &url, "/login/device", &form)?;
        if status == 404 {
            let message = format!(
                "the server at {url} has no pages to sign in on; use `cargo tdg login` with a key"
            );
            return Err(ServiceError::Forbidden(message.into()));
        }
        let text = |name: &str| answer.get(name)?.as_str().map(str::to_owned);
        let seconds = |name: &str, default: u64, most: u64| {
            let stated = answer.get(name).and_then(Value::as_u64);
            Duration::from_secs(stated.unwrap_or(default).clamp(1, most))
        };
        let begun = || {
            Some(Self {
                user_code: text("user_code")?,
                page: text("verification_uri")?,
                device_code: text("device_code")?,
                lifetime: seconds("expires_in", 600, 3600),
                interval: seconds("interval", 5, 60),
                url: url.clone(),
                agent: agent.clone(),
            })
        };
        let begun = begun().filter(|_| status == 200);
        begun.ok_or_else(|| unexpected(&url, status, &answer))
    }

    /// Polls for the key, a secret, until the login is approved. `pause` waits before each poll.
    ///
    /// A poll without an answer, or with a temporary error, is repeated until the code expires.
    ///
    /// # Errors
    ///
    /// [`Forbidden`](ServiceError::Forbidden) if the login was refused, or was not approved before
    /// it expired; [`Unavailable`](ServiceError::Unavailable) if the last poll failed.
    pub fn key(&self, mut pause: impl FnMut(Duration)) -> Result<String> {
        let (mut left, mut interval) = (self.lifetime, self.interval);
        let mut last = Ok(Poll::Pending);
        loop {
            let Some(rest) = left.checked_sub(interval) else {
                return Err(last.err().unwrap_or_else(|| refused(EXPIRED)));
            };
            pause(interval);
            let asked = Instant::now();
            last = self.poll();
            match last {
                Ok(Poll::Key(key)) => return Ok(key),
                Ok(Poll::SlowDown) => interval += SLOWER,
                Ok(Poll::Pending) | Err(ServiceError::Unavailable(_)) => {}
                Err(error) => return Err(error),
            }
            left = rest.saturating_sub(asked.elapsed());
        }
    }

    fn poll(&self) -> Result<Poll> {
        let form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
            ("client_id", "cargo-tdg"),
            ("device_code", &self.device_code),
        ];
        let (status, answer) = ask(&self.agent, &self.url, "/login/token", &form)?;
        if let Some(key) = answer.get("access_token").and_then(Value::as_str) {
            return Ok(Poll::Key(key.to_owned()));
        }
        match answer.get("error").and_then(Value::as_str) {
            Some("authorization_pending") => Ok(Poll::Pending),
            Some("slow_down") => Ok(Poll::SlowDown),
            Some("access_denied") => Err(refused("the login was refused")),
            Some("expired_token") => Err(refused(EXPIRED)),
            _ if status >= 500 || status == 429 => Err(ServiceError::unavailable(answered(
                &self.url, status, &answer,
            ))),
            _ => Err(unexpected(&self.url, status, &answer)),
        }
    }
}

/// The answer to a poll.
enum Poll {
    Key(String),
    Pending,
    SlowDown,
}

/// The time by which `slow_down` lengthens the pauses (RFC 8628, section 3.5).
const SLOWER: Duration = Duration::from_secs(5);

const EXPIRED: &str = "the login expired before anyone approved it; start again";

fn refused(message: &str) -> ServiceError {
    ServiceError::Forbidden(message.into())
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
    ServiceError::unexpected(answered(url, status, answer))
}

fn answered(url: &BaseUrl, status: u16, answer: &Value) -> String {
    let detail = answer.get("detail").and_then(Value::as_str);
    let detail = detail.map(|detail| format!(": {detail}"));
    format!(
        "the server at {url} answered with {status}{}",
        detail.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    const PENDING: &str = r#"400 {"error":"authorization_pending"}"#;
    const KEY: &str = r#"200 {"access_token":"tdg_key"}"#;

    /// Returns the key or the error of a login, and the seconds before each poll. The server sends
    /// these answers, each a status and a body, and repeats the last one. For an empty answer it
    /// hangs up.
    fn log_in(begun: &str, answers: &'static [&str]) -> (String, Vec<u64>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let begun = format!(
            r#"200 {{"user_code":"WDJB-MJHT","verification_uri":"{url}/login","device_code":"x",{begun}}}"#
        );
        thread::spawn(move || {
            let last = answers.last().into_iter().cycle();
            let all = [begun.as_str()].into_iter().chain(answers.iter().copied());
            for (answer, stream) in all.chain(last.copied()).zip(listener.incoming()) {
                let mut stream = BufReader::new(stream.unwrap());
                let (mut length, mut line) = (0, String::new());
                while stream.read_line(&mut line).unwrap() > 2 {
                    if let Some(stated) = line.to_lowercase().strip_prefix("content-length:") {
                        length = stated.trim().parse().unwrap();
                    }
                    line.clear();
                }
                stream.read_exact(&mut vec![0; length]).unwrap();
                if let Some((status, body)) = answer.split_once(' ') {
                    let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n");
                    let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
                    stream.get_mut().write_all(answer.as_bytes()).unwrap();
                }
            }
        });
        let mut pauses = Vec::new();
        let key = BrowserLogin::begin(&url, "x")
            .and_then(|login| login.key(|pause| pauses.push(pause.as_secs())));
        let told = key.unwrap_or_else(|error| error.to_string());
        (told.replace(&url, "<url>"), pauses)
    }

    #[test]
    fn a_question_that_fails_is_asked_again() {
        let answers = &[
            PENDING,
            "",
            "502 <html>",
            r#"503 {"detail":"busy"}"#,
            "429 -",
            KEY,
        ];
        let (key, pauses) = log_in(r#""interval":2,"expires_in":600"#, answers);
        assert_eq!((key.as_str(), pauses), ("tdg_key", vec![2; 6]));
    }

    #[test]
    fn a_server_that_asks_for_longer_pauses_gets_them() {
        let answers = &[r#"400 {"error":"slow_down"}"#, PENDING, KEY];
        let (key, pauses) = log_in(r#""interval":2,"expires_in":600"#, answers);
        assert_eq!((key.as_str(), pauses), ("tdg_key", vec![2, 7, 7]));
        let (_, pauses) = log_in(r#""expires_in":600"#, &[KEY]);
        assert_eq!(pauses, [5]);
    }

    #[test]
    fn no_question_is_asked_after_the_code_has_expired() {
        let (told, pauses) = log_in(r#""interval":2,"expires_in":9"#, &[PENDING]);
        assert_eq!(
            told,
            "the login expired before anyone approved it; start again"
        );
        assert!(pauses.len() <= 4, "{pauses:?}");
        let (told, _) = log_in(
            r#""interval":2,"expires_in":9"#,
            &[r#"503 {"detail":"busy"}"#],
        );
        assert_eq!(told, "the server at <url> answered with 503: busy");
        let (told, pauses) = log_in(r#""interval":2"#, &["404 {}"]);
        assert_eq!(told, "the server at <url> answered with 404");
        assert_eq!(pauses, [2]);
    }
}
