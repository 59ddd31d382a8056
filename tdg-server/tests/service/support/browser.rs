//! A browser without a script: it keeps a cookie, sends forms, and parses pages.

use std::collections::BTreeMap;

use scraper::{Html, Selector};

use super::{Answer, Client, Server};

pub(crate) struct Browser {
    client: Client,
    /// The cookie as `name=value`.
    pub(crate) cookie: String,
}

impl Browser {
    pub(crate) fn new(server: &Server) -> Browser {
        Browser {
            client: Client::new(&server.url, ""),
            cookie: String::new(),
        }
    }

    /// Returns a browser that has signed in.
    pub(crate) fn signed_in(server: &Server, key: &str) -> Browser {
        let mut browser = Browser::new(server);
        let answer = browser.sign_in(key);
        assert_eq!(answer.status, 303, "{}", answer.text());
        browser
    }

    pub(crate) fn sign_in(&mut self, key: &str) -> Answer {
        let answer = self.post("/sign-in", &format!("username=tdg&key={key}"));
        if let Some(cookie) = answer.header("set-cookie") {
            self.cookie = cookie.split(';').next().unwrap().to_owned();
        }
        answer
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    /// Gets a page with additional header fields.
    pub(crate) fn get_with(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let fields = [&[("cookie", self.cookie.as_str())], fields].concat();
        self.client.ask("GET", path, &fields, b"")
    }

    /// Gets all pages and files that can be reached by links. Each kind must be among them.
    pub(crate) fn crawl(&self) -> BTreeMap<String, Answer> {
        let (mut found, mut left) = (BTreeMap::new(), vec!["/".to_owned()]);
        while let Some(path) = left.pop() {
            if found.contains_key(&path) || path.starts_with("/assets/") {
                continue;
            }
            let answer = self.get(&path);
            assert_eq!(answer.status, 200, "{path}");
            let is_page = !path.contains("/cases.") && !path.contains("?token=");
            if is_page {
                let links = ParsedPage::parse(&answer).attributes("href");
                left.extend(links.into_iter().filter(|it| it.starts_with('/')));
            }
            found.insert(path, answer);
        }
        for kind in [
            "/project/",
            "/test/",
            "/run/",
            "/cases.csv",
            "/cases.json",
            "/definition/",
            "/ensemble/",
            "/benchmark/",
            "/against/",
        ] {
            let has_kind = found.keys().any(|path| path.contains(kind));
            assert!(has_kind, "no {kind} in {:?}", found.keys());
        }
        found
    }

    /// Posts a form as from a page of the server.
    pub(crate) fn post(&self, path: &str, form: &str) -> Answer {
        let from = [
            ("sec-fetch-site", "same-origin"),
            ("origin", "https://test"),
        ];
        self.post_from(&from, path, form)
    }

    /// Posts a form from elsewhere.
    pub(crate) fn post_from(&self, from: &[(&str, &str)], path: &str, form: &str) -> Answer {
        let form_type = ("content-type", "application/x-www-form-urlencoded");
        let fields = [&[("cookie", self.cookie.as_str()), form_type], from].concat();
        self.client.ask("POST", path, &fields, form.as_bytes())
    }
}

/// A page as a browser parses it.
pub(crate) struct ParsedPage(Html);

impl ParsedPage {
    pub(crate) fn parse(answer: &Answer) -> ParsedPage {
        assert_eq!(
            answer.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        ParsedPage(Html::parse_document(answer.text()))
    }

    /// Returns an attribute of all elements that have it.
    pub(crate) fn attributes(&self, name: &str) -> Vec<String> {
        let all = self.0.root_element().descendent_elements();
        all.filter_map(|element| element.attr(name))
            .map(str::to_owned)
            .collect()
    }

    /// Returns the names of all attributes, each with its element's.
    pub(crate) fn all_attributes(&self) -> Vec<(String, String)> {
        let all = self.0.root_element().descendent_elements();
        let of = all.flat_map(|element| {
            let names = element.value().attrs().map(|(name, _)| name.to_owned());
            names
                .map(|it| (element.value().name().to_owned(), it))
                .collect::<Vec<_>>()
        });
        of.collect()
    }

    /// Returns the text of the elements that a selector finds.
    pub(crate) fn texts(&self, selector: &str) -> Vec<String> {
        let selector = Selector::parse(selector).unwrap();
        let found = self.0.select(&selector);
        let texts = found.map(|element| element.text().collect::<Vec<_>>().join(" "));
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        texts.map(words).collect()
    }

    /// Returns the targets of the links that a selector finds.
    pub(crate) fn links(&self, selector: &str) -> Vec<String> {
        self.of_each(selector, "href")
    }

    /// Returns the values of the fields that a selector finds.
    pub(crate) fn values(&self, selector: &str) -> Vec<String> {
        self.of_each(selector, "value")
    }

    fn of_each(&self, selector: &str, attribute: &str) -> Vec<String> {
        let selector = Selector::parse(selector).unwrap();
        let found = self.0.select(&selector);
        found
            .filter_map(|element| element.attr(attribute))
            .map(str::to_owned)
            .collect()
    }

    pub(crate) fn count(&self, selector: &str) -> usize {
        self.texts(selector).len()
    }
}
