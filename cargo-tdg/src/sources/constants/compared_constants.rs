//! The constants that a value is compared with, in code and in the functions it is passed to.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{CodeConstants, FunctionConstants};
use crate::sources::tokens::{is_punct, names};
use crate::sources::{CallGraph, is_called, plain};

/// The maximum depth of calls that a value is followed into.
const DEPTH: usize = 3;
/// Words before an expression.
const KEYWORDS: [&str; 9] = [
    "if", "match", "while", "return", "else", "for", "in", "let", "move",
];
/// Prefixes of methods that compare a value with an argument.
const COMPARING: [&str; 22] = [
    "starts_with",
    "ends_with",
    "contains",
    "split",
    "rsplit",
    "strip_",
    "find",
    "rfind",
    "trim",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "cmp",
    "min",
    "max",
    "clamp",
    "div",
    "rem",
    "is_multiple",
];

impl FunctionConstants<'_> {
    /// Returns the constants that code compares a variable with.
    pub(crate) fn compared(&self, code: &TokenStream, variable: &str) -> CodeConstants {
        self.compared_within(code, variable, DEPTH)
    }

    /// Returns the constants that a function compares a parameter with.
    pub(crate) fn compared_by(&self, function: usize, parameter: &str) -> CodeConstants {
        self.compared_in(function, parameter, DEPTH)
    }

    fn compared_in(&self, function: usize, parameter: &str, depth: usize) -> CodeConstants {
        let key = (function, parameter.to_owned(), depth);
        if let Some(found) = self.compared.borrow().get(&key) {
            return found.clone();
        }
        let found = self.compared_within(self.calls.body(function), parameter, depth);
        self.compared.borrow_mut().insert(key, found.clone());
        found
    }

    fn compared_within(&self, code: &TokenStream, variable: &str, depth: usize) -> CodeConstants {
        let mut search = ConstantSearch {
            of: self,
            known: [variable.to_owned()].into(),
            found: CodeConstants::default(),
            depth,
        };
        search.walk(&trees(code), false);
        search.found
    }
}

/// A search through the code of a function.
struct ConstantSearch<'c, 's> {
    of: &'c FunctionConstants<'s>,
    /// The names of the value and of values made from it.
    known: BTreeSet<String>,
    found: CodeConstants,
    /// The depth of calls to follow.
    depth: usize,
}

/// An expression or a pattern between separators.
pub(super) struct CodeWindow<'t> {
    /// The keyword before it.
    pub(super) keyword: Option<String>,
    pub(super) tokens: &'t [TokenTree],
    pub(super) end: WindowEnd<'t>,
}

#[derive(Clone, Copy)]
pub(super) enum WindowEnd<'t> {
    Arrow,
    Block(&'t TokenTree),
    Other,
}

impl ConstantSearch<'_, '_> {
    /// Searches tokens of one level; `is_about` says that the value is passed into it.
    fn walk(&mut self, tokens: &[TokenTree], is_about: bool) {
        if is_about {
            self.bind_closures(tokens);
        }
        let mut pattern: &[TokenTree] = &[];
        for window in windows(tokens) {
            let keyword = window.keyword.as_deref();
            if let Some("let" | "for") = keyword {
                pattern = window.tokens;
                continue;
            }
            let is_about_it = window.tokens.iter().any(|it| self.is_about(it));
            if is_about_it {
                self.bind(pattern);
                self.read(pattern);
                self.compare(window.tokens);
            }
            pattern = &[];
            self.follow(window.tokens);
            for token in window.tokens {
                self.enter(token, is_about_it);
            }
            if let WindowEnd::Block(block) = window.end {
                if keyword == Some("match") && is_about_it {
                    self.arms(block);
                }
                self.enter(block, false);
            }
        }
    }

    fn enter(&mut self, token: &TokenTree, is_about: bool) {
        if let TokenTree::Group(group) = token {
            self.walk(&trees(&group.stream()), is_about);
        }
    }

    fn is_about(&self, token: &TokenTree) -> bool {
        self.known.iter().any(|name| names(token, name))
    }

    /// Reads the patterns of a `match`.
    fn arms(&mut self, block: &TokenTree) {
        let TokenTree::Group(group) = block else {
            return;
        };
        let tokens = trees(&group.stream());
        let mut windows = windows(&tokens).into_iter().peekable();
        while let Some(window) = windows.next() {
            let next = windows.peek().and_then(|it| it.keyword.as_deref());
            let is_arm = matches!(window.end, WindowEnd::Arrow) || next == Some("if");
            if is_arm && window.keyword.is_none() {
                self.bind(window.tokens);
                self.read(window.tokens);
            }
        }
    }

    fn read(&mut self, tokens: &[TokenTree]) {
        self.of
            .read(&mut self.found, &tokens.iter().cloned().collect());
    }

    /// Adds the variables of a pattern.
    fn bind(&mut self, pattern: &[TokenTree]) {
        add_variables(&mut self.known, pattern);
    }

    /// Adds the parameters of closures.
    fn bind_closures(&mut self, tokens: &[TokenTree]) {
        let is_bar = |at: usize| {
            let others = [at.checked_sub(1), Some(at + 1)];
            is_punct(tokens, Some(at), '|') && !others.iter().any(|it| is_punct(tokens, *it, '|'))
        };
        let bars: Vec<usize> = (0..tokens.len()).filter(|at| is_bar(*at)).collect();
        if let [first, second, ..] = bars[..] {
            self.bind(&tokens[first + 1..second]);
        }
    }

    /// Reads what an expression about the value compares it with.
    fn compare(&mut self, tokens: &[TokenTree]) {
        if is_comparison(tokens) {
            return self.read(tokens);
        }
        for (at, token) in tokens.iter().enumerate() {
            let next = tokens.get(at + 1);
            match token {
                TokenTree::Punct(it) if matches!(it.as_char(), '%' | '/') => {
                    let is_of_it = tokens[..at].last().is_some_and(|it| self.is_about(it));
                    // A quotient of floats has no steps.
                    let next = next.filter(|by| !by.to_string().contains('.'));
                    if let (true, Some(by)) = (is_of_it, next) {
                        self.read(std::slice::from_ref(by));
                    }
                }
                TokenTree::Ident(method)
                    if is_punct(tokens, at.checked_sub(1), '.') && is_called(tokens, at) =>
                {
                    let method = plain(method);
                    let is_comparing = COMPARING.iter().any(|it| method.starts_with(it));
                    if let (true, Some(arguments)) = (is_comparing, next) {
                        let start = tokens[..at].iter().rposition(is_arithmetic);
                        let receiver = &tokens[start.map_or(0, |it| it + 1)..at];
                        // The value may be an argument: `(1..=9).contains(&x)`.
                        if self.is_about(arguments) {
                            self.read(receiver);
                        } else if receiver.iter().any(|it| self.is_about(it)) {
                            self.read(std::slice::from_ref(arguments));
                        }
                    }
                }
                TokenTree::Ident(it) if it == "matches" && is_punct(tokens, Some(at + 1), '!') => {
                    self.read(&tokens[at..]);
                }
                _ => {}
            }
        }
    }

    /// Searches the functions that the value is passed to.
    fn follow(&mut self, tokens: &[TokenTree]) {
        let Some(depth) = self.depth.checked_sub(1) else {
            return;
        };
        for (function, arguments) in calls_in(self.of.calls, tokens) {
            for (argument, name) in arguments {
                if argument.iter().any(|it| self.is_about(it)) {
                    let within = self.of.compared_in(function, name, depth);
                    self.found.extend(within);
                }
            }
        }
    }
}

/// The arguments of a call, each with the parameter's name.
type Arguments<'c> = Vec<(Vec<TokenTree>, &'c String)>;

/// Returns the calls of functions of the crate in tokens of one level.
pub(super) fn calls_in<'c>(
    calls: &'c CallGraph,
    tokens: &[TokenTree],
) -> Vec<(usize, Arguments<'c>)> {
    let called = (0..tokens.len()).filter_map(|at| {
        let Some(TokenTree::Group(arguments)) = tokens.get(at + 1) else {
            return None;
        };
        let parameters = calls.parameters_at(tokens, at);
        let (function, parameters) = parameters.filter(|_| is_called(tokens, at))?;
        let arguments = trees(&arguments.stream());
        let arguments = arguments.split(is_separator).map(<[_]>::to_vec);
        let is_method = is_punct(tokens, at.checked_sub(1), '.');
        let receiver = is_method.then(|| tokens[..at].to_vec());
        let passed = receiver.into_iter().chain(arguments).zip(parameters);
        Some((function, passed.collect()))
    });
    called.collect()
}

fn is_separator(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(it) if it.as_char() == ',')
}

/// Adds the variables of a pattern.
pub(super) fn add_variables(known: &mut BTreeSet<String>, pattern: &[TokenTree]) {
    for token in pattern {
        match token {
            TokenTree::Ident(name) if !KEYWORDS.contains(&plain(name).as_str()) => {
                let name = plain(name);
                let is_variable = name.starts_with(|it: char| it.is_lowercase() || it == '_');
                if is_variable && !["ref", "mut", "_", "self"].contains(&name.as_str()) {
                    known.insert(name);
                }
            }
            TokenTree::Group(group) => add_variables(known, &trees(&group.stream())),
            _ => {}
        }
    }
}

pub(super) fn trees(tokens: &TokenStream) -> Vec<TokenTree> {
    tokens.clone().into_iter().collect()
}

/// Splits tokens of one level at separators.
pub(super) fn windows(tokens: &[TokenTree]) -> Vec<CodeWindow<'_>> {
    let mut windows = Vec::new();
    let (mut keyword, mut start) = (None, 0);
    let mut at = 0;
    while at <= tokens.len() {
        let (length, end, next) = match tokens.get(at) {
            None => (1, WindowEnd::Other, None),
            Some(TokenTree::Ident(it)) if KEYWORDS.contains(&plain(it).as_str()) => {
                (1, WindowEnd::Other, Some(plain(it)))
            }
            Some(it @ TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                (1, WindowEnd::Block(it), None)
            }
            Some(TokenTree::Punct(_)) => match separator(tokens, at) {
                Some((length, end)) => (length, end, None),
                None => {
                    at += operator(tokens, at);
                    continue;
                }
            },
            Some(_) => {
                at += 1;
                continue;
            }
        };
        let is_binding = keyword.as_deref() == Some("let");
        if at > start || matches!(end, WindowEnd::Block(_)) || is_binding {
            windows.push(CodeWindow {
                keyword: keyword.take(),
                tokens: &tokens[start..at],
                end,
            });
        }
        keyword = next;
        (at, start) = (at + length, at + length);
    }
    windows
}

/// Returns the length of a separator and how a window ends there.
fn separator(tokens: &[TokenTree], at: usize) -> Option<(usize, WindowEnd<'static>)> {
    let is = |offset: usize, letter| is_punct(tokens, Some(at + offset), letter);
    match () {
        () if is(0, ';') || is(0, ',') => Some((1, WindowEnd::Other)),
        () if is(0, '&') && is(1, '&') || is(0, '|') && is(1, '|') => Some((2, WindowEnd::Other)),
        () if is(0, '=') && is(1, '>') => Some((2, WindowEnd::Arrow)),
        () if is(0, '=') && !is(1, '=') => Some((1, WindowEnd::Other)),
        () => None,
    }
}

/// Returns the length of an operator.
fn operator(tokens: &[TokenTree], at: usize) -> usize {
    let is = |offset: usize, letter| is_punct(tokens, Some(at + offset), letter);
    let is_range = is(0, '.') && is(1, '.') && is(2, '=');
    let has_equal = is(1, '=') && !is(2, '>') && !is(0, '.');
    match () {
        () if is_range => 3,
        () if has_equal => 2,
        () => 1,
    }
}

fn is_arithmetic(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(it) if "+-*/%^".contains(it.as_char()))
}

/// Returns true for `<`, `>`, `==` and others, outside of groups.
pub(super) fn is_comparison(tokens: &[TokenTree]) -> bool {
    (0..tokens.len()).any(|at| {
        let is = |at: Option<usize>, letter| is_punct(tokens, at, letter);
        let (before, next) = (at.checked_sub(1), Some(at + 1));
        let is_order = is(Some(at), '<') && !is(before, ':') && !is(next, '<')
            || is(Some(at), '>') && !"-=>".contains(|it| is(before, it)) && !is(next, '>');
        let is_equal = is(next, '=') && (is(Some(at), '=') || is(Some(at), '!'));
        is_equal || is_order && !is(before, '<')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{CallGraph, Sources};

    /// Returns the integers and the texts that the function `f` compares `x` with.
    fn compared(library: &str) -> (Vec<i128>, Vec<String>) {
        let sources = Sources::of_code(library);
        let calls = CallGraph::new(&sources, false);
        let constants = FunctionConstants::of_sources(&sources, &calls);
        let function = calls.position(None, "f").unwrap();
        let found = constants.compared_by(function, "x");
        let integers = found.integers(-1000, 1_000_000).into_iter();
        (integers.step_by(3).collect(), found.texts())
    }

    #[test]
    fn a_parameter_is_compared_with_some_of_the_constants() {
        let code = "const LIMIT: u32 = 900; pub fn f(x: u32, y: u32) -> u32 {
            let heavy = if x > 100 && y < 7 { 350 } else { 0 };
            let part = x % 12;
            if part == 3 || LIMIT <= x { return 55; }
            49 + x.div_ceil(20) * 40 + y.min(8) + heavy
        }";
        assert_eq!(compared(code).0, [100, 12, 3, 900, 20]);
    }

    #[test]
    fn patterns_ranges_and_methods_compare() {
        let code = r#"pub fn f(x: &str, n: u32) -> u32 {
            let first = match x { "OVERSEAS" | "ISLAND" => 4, it if it.len() > 30 => 5, _ => 6 };
            if x.starts_with("DE") { return 7; }
            if let Some((a, b)) = x.split_once('-') { if a == "left" { return 8; } }
            let all = x.chars().all(|c| c == '%' || matches!(c, '#'));
            let parsed: u32 = x.parse().unwrap_or(1);
            if (60..=70).contains(&parsed) { println!("seen"); }
            match n { 80 => 9, _ => first }
        }"#;
        let (integers, texts) = compared(code);
        assert_eq!(integers, [30, 60, 70]);
        assert_eq!(texts, ["OVERSEAS", "ISLAND", "DE", "-", "left", "%", "#"]);
    }

    #[test]
    fn a_value_is_followed_into_functions() {
        let code = "pub struct Cart { n: u32 }
            impl Cart { fn add(&mut self, by: u32) { if by > 5 { self.n += 6; } } fn size(&self) -> bool { self.n > 8 } }
            pub fn f(x: u32, cart: &mut Cart) -> u32 { cart.add(x); inner(99, &x) }
            fn inner(first: u32, second: &u32) -> u32 { if first > 1 { 2 } else if *second == 3 { 4 } else { 7 } }";
        assert_eq!(compared(code).0, [5, 3]);
    }

    #[test]
    fn a_function_that_is_called_in_many_ways_is_searched_once() {
        let calls = |name: &str| format!("{name}(x); ").repeat(300);
        let code = format!(
            "pub fn f(x: u32) {{ {} }} fn a(x: u32) {{ {} }} fn b(x: u32) {{ {} }}
             fn c(x: u32) {{ if x > 5 {{ c(x) }} }}",
            calls("a"),
            calls("b"),
            calls("c")
        );
        assert_eq!(compared(&code).0, [5]);
    }
}
