//! What the OpenAPI document says of an endpoint.

use axum::http::Method;

use crate::keys::Scope;

/// An endpoint without what it does.
pub(crate) struct EndpointSpec {
    pub(crate) method: Method,
    /// `/v1/project/{project_uuid}`.
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    /// The scope that the key needs, unless that depends on the body.
    pub(crate) scope: Option<Scope>,
    /// The schema of the body, if there is one.
    pub(crate) request: Option<&'static str>,
    pub(crate) response: ResponseSpec,
}

/// The successful response of an endpoint, with the name of its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponseSpec {
    Object(&'static str),
    /// An object with a list in it, or a part of that.
    Part(&'static str),
    /// A page of a list.
    List(&'static str),
    /// An object with the newest of a list, which goes on at another path.
    Newest(&'static str),
    /// A body that never changes, with an entity tag.
    Immutable(&'static str),
}

impl EndpointSpec {
    /// Whether a response may be a part of the whole, which a cursor continues.
    pub(crate) fn has_cursor(&self) -> bool {
        !self.query().is_empty()
    }

    /// The parameters of its query.
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
