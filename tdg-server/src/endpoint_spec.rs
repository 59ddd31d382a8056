//! Endpoints as described by the OpenAPI document.

use axum::http::Method;

use crate::keys::Scope;

/// An endpoint without its handler.
pub(crate) struct EndpointSpec {
    pub(crate) method: Method,
    /// The path, such as `/v1/project/{project_uuid}`.
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    /// The scope that the key needs, or `None` if it depends on the body.
    pub(crate) scope: Option<Scope>,
    /// The schema of the body, if any.
    pub(crate) request: Option<&'static str>,
    pub(crate) response: ResponseSpec,
}

/// The successful response of an endpoint, with the name of its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponseSpec {
    Object(&'static str),
    /// An object with a nested list, or a part of it.
    Part(&'static str),
    /// A page of a list.
    List(&'static str),
    /// An object with the newest elements of a list, which continues at another path.
    Newest(&'static str),
    /// A body that never changes, with an entity tag.
    Immutable(&'static str),
}

impl EndpointSpec {
    /// Returns true if a response may be partial, with a cursor that continues it.
    pub(crate) fn has_cursor(&self) -> bool {
        !self.query().is_empty()
    }

    /// Returns the parameters of the query.
    pub(crate) fn query(&self) -> &'static [&'static str] {
        match self.response {
            ResponseSpec::List(_) => &["limit", "cursor"],
            ResponseSpec::Part(_) => &["cursor"],
            _ => &[],
        }
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.response, ResponseSpec::List(_))
    }
}
