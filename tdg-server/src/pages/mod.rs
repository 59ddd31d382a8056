//! The pages, with one file for each, which reads the data for a session and renders it as HTML.
//!
//! A page has an address and no state. Permissions and transfer belong to `http`.

mod audit;
mod badge;
mod benchmark;
mod change;
mod comparison;
mod definition;
mod ensemble;
mod feed;
mod format;
mod frame;
mod keys;
mod links;
pub(crate) mod login;
mod page_error;
mod project;
mod projects;
mod query;
mod request;
mod run;
mod search;
mod sign_in;
mod table;
mod test;
mod test_status;

use futures_util::future::BoxFuture;
use maud::Markup;

use crate::keys::Prefix;
use crate::operations::sync::SyncEffect;

pub(crate) use self::frame::{ASSETS, document, refusal};
pub(crate) use self::links::{
    HOME, LOGIN, SIGN_IN, SIGN_OUT, TOKEN, is_own, sign_in as sign_in_path,
};
pub(crate) use self::page_error::PageError;
pub(crate) use self::query::Query;
pub(crate) use self::request::{PageRequest, Visitor};
pub(crate) use self::sign_in::form as sign_in_form;

/// The page at an address.
pub(crate) struct WebPage {
    title: String,
    /// The parent pages: their addresses and names.
    above: Vec<(String, String)>,
    body: Markup,
}

/// An answer that isn't a page.
pub(crate) struct WebFile {
    /// The name under which browsers save it, or `None` to show it.
    pub(crate) name: Option<String>,
    pub(crate) media_type: &'static str,
    pub(crate) text: String,
}

/// The result of a form.
#[derive(Default)]
pub(crate) struct WebChange {
    /// The page that shows it.
    pub(crate) path: String,
    pub(crate) changed: Vec<SyncEffect>,
    /// Actions on keys, for the audit log.
    pub(crate) of_keys: Vec<(String, Prefix)>,
}

/// The content at an address.
pub(crate) enum WebAnswer {
    Page(WebPage),
    File(WebFile),
    Change(WebChange),
}

/// An address and its handler.
#[derive(Clone, Copy)]
pub(crate) struct PageRoute {
    pub(crate) path: &'static str,
    show: AnswerMaker,
}

#[derive(Clone, Copy)]
enum AnswerMaker {
    Page(MakeAnswer<WebPage>),
    File(MakeAnswer<WebFile>),
    Feed(MakeAnswer<WebFile>),
    Change(MakeAnswer<WebChange>),
}

type MakeAnswer<T> = for<'r> fn(&'r PageRequest<'r>) -> BoxFuture<'r, Result<T, PageError>>;

impl PageRoute {
    pub(crate) async fn show(self, request: &PageRequest<'_>) -> Result<WebAnswer, PageError> {
        match self.show {
            AnswerMaker::Page(make) => make(request).await.map(WebAnswer::Page),
            AnswerMaker::File(make) | AnswerMaker::Feed(make) => {
                make(request).await.map(WebAnswer::File)
            }
            AnswerMaker::Change(make) => make(request).await.map(WebAnswer::Change),
        }
    }

    /// Returns true if a feed token in the address can replace a session.
    pub(crate) fn takes_token(self) -> bool {
        matches!(self.show, AnswerMaker::Feed(_))
    }

    /// Returns true if a form is sent there.
    pub(crate) fn takes_form(self) -> bool {
        matches!(self.show, AnswerMaker::Change(_))
    }
}

/// All pages.
pub(crate) fn routes() -> Vec<PageRoute> {
    fn route(path: &'static str, make: MakeAnswer<WebPage>) -> PageRoute {
        let show = AnswerMaker::Page(make);
        PageRoute { path, show }
    }
    fn file(path: &'static str, make: MakeAnswer<WebFile>) -> PageRoute {
        let show = AnswerMaker::File(make);
        PageRoute { path, show }
    }
    fn feed(path: &'static str, make: MakeAnswer<WebFile>) -> PageRoute {
        let show = AnswerMaker::Feed(make);
        PageRoute { path, show }
    }
    fn form(path: &'static str, make: MakeAnswer<WebChange>) -> PageRoute {
        let show = AnswerMaker::Change(make);
        PageRoute { path, show }
    }
    vec![
        route(HOME, |request| Box::pin(projects::show(request))),
        route(links::PROJECT, |request| Box::pin(project::show(request))),
        feed(links::FEED, |request| Box::pin(feed::show(request))),
        feed(links::BADGE, |request| Box::pin(badge::show(request))),
        route(links::TEST, |request| Box::pin(test::show(request))),
        route(links::RUN, |request| Box::pin(run::show(request))),
        form(links::RUN, |request| Box::pin(run::decide(request))),
        file(links::RUN_CSV, |request| Box::pin(run::csv(request))),
        file(links::RUN_JSON, |request| Box::pin(run::json(request))),
        route(links::DEFINITION, |request| {
            Box::pin(definition::show(request))
        }),
        route(links::ENSEMBLE, |request| Box::pin(ensemble::show(request))),
        route(links::BENCHMARK, |request| {
            Box::pin(benchmark::show(request))
        }),
        route(links::COMPARISON, |request| {
            Box::pin(comparison::show(request))
        }),
        route(links::SEARCH, |request| Box::pin(search::show(request))),
        route(links::LOGIN, |request| Box::pin(login::show(request))),
        form(links::LOGIN, |request| Box::pin(login::find(request))),
        route(links::LOGIN_ONE, |request| {
            Box::pin(login::show_one(request))
        }),
        form(links::LOGIN_ONE, |request| Box::pin(login::answer(request))),
        route(links::KEYS, |request| Box::pin(keys::show(request))),
        form(links::KEYS, |request| Box::pin(keys::revoke(request))),
        route(links::AUDIT, |request| Box::pin(audit::show(request))),
    ]
}
