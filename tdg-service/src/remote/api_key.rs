//! The key, which is shown nowhere.

use std::fmt;

use ureq::http::HeaderValue;

use super::SetupError;

/// An API key. It can be sent, and not be shown: not even `Debug` has it.
#[derive(Clone)]
pub struct ApiKey(HeaderValue);

impl ApiKey {
    /// The key as the server has given it.
    ///
    /// # Errors
    ///
    /// If no server can have given it: it is empty, or has other characters than visible ASCII.
    pub fn new(key: &str) -> Result<Self, SetupError> {
        let visible = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        match HeaderValue::from_str(key) {
            Ok(mut value) if visible => {
                value.set_sensitive(true);
                Ok(Self(value))
            }
            _ => Err(SetupError::new(
                "the API key is none: it has visible ASCII characters, without spaces".to_owned(),
            )),
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
