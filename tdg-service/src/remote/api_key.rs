//! The API key, which is never printed.

use std::fmt;

use ureq::http::HeaderValue;

use super::SetupError;

/// An API key. It can be sent but not printed: `Debug` omits it.
#[derive(Clone)]
pub struct ApiKey(HeaderValue);

impl ApiKey {
    /// Creates a key from the text that the server printed.
    ///
    /// # Errors
    ///
    /// If it is empty, or contains characters other than visible ASCII.
    pub fn new(key: &str) -> Result<Self, SetupError> {
        let visible = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        match HeaderValue::from_str(key) {
            Ok(mut value) if visible => {
                value.set_sensitive(true);
                Ok(Self(value))
            }
            _ => {
                let message = "invalid API key: it must be visible ASCII without spaces";
                Err(SetupError(message.into()))
            }
        }
    }

    pub(super) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}
