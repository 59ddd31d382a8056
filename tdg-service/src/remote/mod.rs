//! A client for the service of a server, over HTTP.
//!
//! The key is only sent over https or to this machine. Redirects are not followed. If the server
//! can't be reached, requests that are safe to repeat are retried. Requests that create an object
//! carry an idempotency key, so a retry doesn't create a second one.

mod api_key;
mod base_url;
mod browser_login;
mod contact;
mod find;
mod find_or_create;
mod operations;
mod paging;
mod parts;
mod problem;
mod replica;
#[cfg(test)]
mod tests;
mod transport;

use std::collections::HashSet;
use std::fmt;

use tdg_definition::json::Value;
use uuid::Uuid;

pub use self::api_key::ApiKey;
pub use self::browser_login::BrowserLogin;
pub use self::find::Found;
use self::paging::{query, read_list};
use self::parts::PagedObject;
pub use self::replica::RemoteReplica;
pub use self::transport::Patience;
use self::transport::{Method, RESPONSE_BYTES, Transport};
use super::{
    IdempotencyKey, JsonForm, List, Malformed, Message, ObjectKind, Page, Result, ServiceError,
};

/// The maximum number of pages read of a list, each of a thousand objects or megabytes.
const PAGES: usize = 256;

/// The service of a server, used by one account. Objects of other accounts are not found.
///
/// Every operation is atomic. Deleting an object deletes everything that belongs to it. Lists and
/// arrays within objects are in the order of creation, but a benchmark's history is newest first.
///
/// Every operation that creates an object accepts an [`IdempotencyKey`]. A repetition with the same
/// key and the same request returns the object created the first time, or creates it again if it
/// was deleted. The same key with a different request is a [conflict](ServiceError::Conflict). A
/// key can be reused after [a day](IdempotencyKey::LIFETIME).
///
/// # Errors
///
/// Every operation returns [`NotFound`](ServiceError::NotFound) for an identifier that the account
/// does not have, and [`Unavailable`](ServiceError::Unavailable) if the server or its database
/// can't be reached. Operations that create an object also return
/// [`Invalid`](ServiceError::Invalid) with all faults, and `Conflict`.
///
/// ```no_run
/// use tdg_service::{ApiKey, Page, RemoteService};
///
/// let key = ApiKey::new(&std::env::var("TDG_API_KEY")?)?;
/// let service = RemoteService::new("https://tdg.example.org", key)?;
/// for project in service.projects(&Page::default())?.items {
///     println!("{}", project.project_name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RemoteService {
    transport: Transport,
}

impl RemoteService {
    /// Creates a client for the server at a URL. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// If the URL is invalid, or if the key would be sent over an unencrypted network.
    pub fn new(url: &str, key: ApiKey) -> std::result::Result<Self, SetupError> {
        Self::with_patience(url, key, Patience::default())
    }

    /// Checks a URL before there is a key for it.
    ///
    /// # Errors
    ///
    /// See [`new`](Self::new).
    pub fn check_url(url: &str) -> std::result::Result<(), SetupError> {
        base_url::BaseUrl::parse(url).map(drop)
    }

    /// Like [`new`](Self::new), with other timeouts.
    ///
    /// # Errors
    ///
    /// See [`new`](Self::new).
    pub fn with_patience(
        url: &str,
        key: ApiKey,
        patience: Patience,
    ) -> std::result::Result<Self, SetupError> {
        Ok(Self {
            transport: Transport::new(url, key, patience)?,
        })
    }

    /// Returns the URL of the server.
    pub fn url(&self) -> &str {
        self.transport.url()
    }

    fn get<T: JsonForm>(&self, path: &str, object: (ObjectKind, Uuid)) -> Result<T> {
        let response = self.transport.send(Method::Get, path, Some(object))?;
        self.read(&response.body)
    }

    fn list<T: JsonForm>(
        &self,
        path: &str,
        page: &Page,
        object: Option<(ObjectKind, Uuid)>,
    ) -> Result<List<T>> {
        let path = format!("{path}{}", query(page));
        let response = self.transport.send(Method::Get, &path, object)?;
        Ok(read_list(self.read(&response.body)?, &response.headers))
    }

    /// Reads a page of a list, and the rest of its last element if that is incomplete.
    fn list_of_parts<T: PagedObject>(
        &self,
        path: &str,
        page: &Page,
        object: Option<(ObjectKind, Uuid)>,
    ) -> Result<List<T>> {
        let mut list = self.list(path, page, object)?;
        if let Some(rest) = list.rest.take()
            && let Some(last) = list.items.pop()
        {
            match self.complete(last, Some(rest)) {
                Ok(last) => list.items.push(last),
                // It was deleted in the meantime.
                Err(ServiceError::NotFound(..)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(list)
    }

    /// Reads an object that may come in several parts.
    fn get_parts<T: PagedObject>(&self, uuid: Uuid) -> Result<T> {
        let (object, next) = self.part(uuid, &Page::default())?.0;
        self.complete(object, next)
    }

    /// Reads the remaining parts of an object, starting at the cursor `next`.
    fn complete<T: PagedObject>(&self, mut object: T, next: Option<String>) -> Result<T> {
        let Some(next) = next else {
            return Ok(object);
        };
        let mut left = RESPONSE_BYTES;
        let uuid = object.uuid();
        self.parts(uuid, Page::after(next), |part, goes_on, bytes| {
            left = left.checked_sub(bytes).ok_or_else(|| {
                let (kind, most) = (T::KIND.name(), RESPONSE_BYTES >> 20);
                ServiceError::unexpected(format!(
                    "the {kind} {uuid} has more than {most} MiB: delete what it no longer needs"
                ))
            })?;
            let is_new = object.extend(part);
            if goes_on && !is_new {
                let expected = "something new in the next part of an object";
                return Err(self.malformed(Malformed::new(expected)));
            }
            Ok(false)
        })?;
        Ok(object)
    }

    /// Reads the parts of an object from a page on, until `is_enough` returns true. It is called
    /// with each part, a flag that is true if more parts follow, and the part's length in bytes.
    fn parts<T: PagedObject>(
        &self,
        uuid: Uuid,
        mut page: Page,
        mut is_enough: impl FnMut(T, bool, u64) -> Result<bool>,
    ) -> Result<()> {
        let mut read: HashSet<String> = page.cursor.iter().cloned().collect();
        loop {
            let ((part, next), bytes) = self.part(uuid, &page)?;
            let is_enough = is_enough(part, next.is_some(), bytes)?;
            let Some(next) = next.filter(|_| !is_enough) else {
                return Ok(());
            };
            let kind = T::KIND.name();
            self.check_next(&mut read, &next, &format!("part of the {kind} {uuid}"))?;
            page = Page::after(next);
        }
    }

    /// Reads a part of an object, with the cursor of the next part and the length in bytes.
    fn part<T: PagedObject>(&self, uuid: Uuid, page: &Page) -> Result<((T, Option<String>), u64)> {
        let path = format!("/v1/{}/{uuid}{}", T::KIND.name(), query(page));
        let object = Some((T::KIND, uuid));
        let response = self.transport.send(Method::Get, &path, object)?;
        let next = read_list(Vec::<T>::new(), &response.headers).next;
        Ok(((self.read(&response.body)?, next), response.bytes))
    }

    fn post<T: JsonForm>(
        &self,
        path: &str,
        body: &str,
        key: Option<&IdempotencyKey>,
        object: Option<(ObjectKind, Uuid)>,
    ) -> Result<T> {
        let random;
        let key = match key {
            Some(key) => key,
            None => {
                random = IdempotencyKey::random();
                &random
            }
        };
        let response = self.transport.send(Method::Post(body, key), path, object)?;
        self.read(&response.body)
    }

    fn delete(&self, path: &str, object: (ObjectKind, Uuid)) -> Result<()> {
        self.transport
            .send(Method::Delete, path, Some(object))
            .map(drop)
    }

    /// Returns the only member of a response as JSON text.
    fn data(&self, path: &str, name: &str, object: (ObjectKind, Uuid)) -> Result<String> {
        let response = self.transport.send(Method::Get, path, Some(object))?;
        match response.body.get(name) {
            Some(rows @ Value::Array(_)) => Ok(rows.to_string()),
            _ => Err(self.malformed(Malformed::new(format_args!("a list as `{name}`")))),
        }
    }

    fn read<T: JsonForm>(&self, body: &Value) -> Result<T> {
        T::from_json(body).map_err(|error| self.malformed(error))
    }

    /// Refuses an endless list: its next page was read before, or it has too many pages.
    fn check_next(&self, read: &mut HashSet<String>, next: &str, to: &str) -> Result<()> {
        let (what, _) = to.split_once(' ').unwrap_or((to, ""));
        if !read.insert(next.to_owned()) {
            return Err(self.malformed(Malformed::new(format_args!(
                "a next {to}, but its `Link` leads back to a {what} already read"
            ))));
        }
        if read.len() >= PAGES {
            return Err(ServiceError::unexpected(format!(
                "the server at {} names a next {to} after {PAGES} of them, the maximum: delete \
                 what the account no longer needs, or check the server",
                self.url()
            )));
        }
        Ok(())
    }

    fn malformed(&self, error: Malformed) -> ServiceError {
        let message = format!(
            "the server at {} sent a response that this version of tdg does not understand \
             ({error}): use a version that matches the server",
            self.url()
        );
        ServiceError::unexpected(message).caused_by(error)
    }
}

/// An error for an invalid API key or server URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(Message);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for SetupError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}
