//! The functions and tests that changed, of all calls that both sides made.

use std::collections::{BTreeMap, BTreeSet};

use syn::LitByteStr;
use tdg_definition::json::Value;
use tdg_engine::Vectors;

use super::causes::Causes;
use super::functions::SourceFunction;
use super::pairs::{CallPairs, PairedCall};
use super::shapes::kind;
use crate::commands::compare::calls::{CallVerdict, ComparedFunction, Example, Runs};
use crate::commands::explain::inferred_features;

/// The most calls of a function that are explained, and the most changed ones among these.
const EXPLAINED: usize = 2_000;
const CHANGED: usize = 1_000;

/// The comparison of all calls.
#[derive(Default)]
pub(super) struct ComparedCalls {
    /// Functions with their own changes, the innermost first.
    pub(super) changed: Vec<ComparedFunction>,
    /// Callers of these without other changes, with the numbers of their changed calls.
    pub(super) callers: Vec<(String, usize)>,
    /// Private functions whose callers gave the same.
    pub(super) internal: Vec<String>,
    /// Functions that return another type, and true if a public one does.
    pub(super) resigned: Vec<String>,
    pub(super) is_public_resigned: bool,
    /// True if the code of a function differs that compared calls run.
    pub(super) runs_changed_code: bool,
    /// The other functions whose code differs.
    pub(super) unreached: Vec<String>,
    /// All compared functions, and the number of their calls.
    pub(super) seen: Vec<String>,
    pub(super) calls: usize,
}

/// The standing of a changed function, best first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum ChangeRank {
    Innermost,
    OtherCode,
    Caller,
}

/// The functions of both sides.
pub(super) struct FunctionsOfSides<'f> {
    by_name: [BTreeMap<&'f str, &'f SourceFunction>; 2],
    /// Today's functions that other crates can call.
    public: &'f BTreeSet<String>,
    /// The numbers and texts in today's code, in order.
    constants: &'f [Value],
}

impl<'f> FunctionsOfSides<'f> {
    pub(super) fn new(
        sides: [&'f [SourceFunction]; 2],
        public: &'f BTreeSet<String>,
        constants: &'f [Value],
    ) -> Self {
        Self {
            by_name: sides.map(|it| it.iter().map(|it| (it.name.as_str(), it)).collect()),
            public,
            constants,
        }
    }

    fn differ<P: PartialEq>(&self, name: &str, part: impl Fn(&'f SourceFunction) -> P) -> bool {
        let [then, now] = self
            .by_name
            .each_ref()
            .map(|it| it.get(name).map(|it| part(it)));
        then != now
    }

    /// Returns the functions of both sides whose code differs: the ones that compared calls run,
    /// and the others.
    fn reached(&self, mut run: BTreeSet<&'f str>) -> (Vec<&'f str>, Vec<&'f str>) {
        self.add_unrecorded(&mut run);
        let names = self.by_name[1].keys().copied();
        let changed = names.filter(|it| {
            self.by_name[0].contains_key(it) && self.differ(it, |function| &function.code)
        });
        changed.partition(|it| run.contains(it))
    }

    /// Adds the functions that record nothing and that the others name.
    fn add_unrecorded(&self, run: &mut BTreeSet<&'f str>) {
        let now = &self.by_name[1];
        let words = |name: &str| {
            now.get(name)
                .map_or_else(Vec::new, |it| it.words().collect())
        };
        let mut named: BTreeSet<&str> = run.iter().flat_map(|it| words(it)).collect();
        loop {
            let new = now.values().filter(|it| {
                !it.is_recorded && !run.contains(&*it.name) && named.contains(it.short_name())
            });
            let new: Vec<&'f str> = new.map(|it| it.name.as_str()).collect();
            if new.is_empty() {
                break;
            }
            named.extend(new.iter().flat_map(|it| words(it)));
            run.extend(new);
        }
    }
}

impl ComparedCalls {
    pub(super) fn new(
        pairs: &CallPairs<'_>,
        causes: &Causes<'_>,
        functions: &FunctionsOfSides<'_>,
        is_asked: impl Fn(&str) -> bool,
    ) -> Self {
        let (run, unreached) = functions.reached(causes.run());
        let unreached = unreached.into_iter().filter(|it| is_asked(it));
        let mut compared = Self {
            runs_changed_code: !run.is_empty(),
            unreached: unreached.map(str::to_owned).collect(),
            ..Self::default()
        };
        let mut changed = Vec::new();
        for (name, calls) in pairs.iter().filter(|(name, _)| is_asked(name)) {
            let seen = calls
                .iter()
                .filter(|it| it.is_changed || it.is_whole)
                .count();
            compared.seen.extend((seen > 0).then(|| (*name).to_owned()));
            compared.calls += seen;
            let of_function = || calls.iter().filter(|it| it.is_changed);
            let count = of_function().count();
            let is_public = functions.public.contains(*name);
            if count == 0 {
                continue;
            }
            let output = |it: &'_ SourceFunction| it.output.clone().unwrap_or_default();
            if functions.differ(name, output) && is_other_type(calls) {
                compared.resigned.push((*name).to_owned());
                compared.is_public_resigned |= is_public;
            } else if !is_public && of_function().all(|it| causes.is_internal(it)) {
                compared.internal.push((*name).to_owned());
            } else {
                let standing = match of_function().any(|it| causes.is_innermost(it)) {
                    true => ChangeRank::Innermost,
                    false if functions.differ(name, |it| &it.code) => ChangeRank::OtherCode,
                    false => ChangeRank::Caller,
                };
                changed.push((standing, !is_public, usize::MAX - count, *name, calls));
            }
        }
        changed.sort_by(|one, other| {
            (&one.0, one.1, one.2, one.3).cmp(&(&other.0, other.1, other.2, other.3))
        });
        for (standing, _, rest, name, calls) in changed {
            match standing {
                ChangeRank::Caller => compared.callers.push((name.to_owned(), usize::MAX - rest)),
                _ => compared
                    .changed
                    .extend(explained(name, calls, (causes, functions.constants))),
            }
        }
        compared
    }
}

/// Returns true if the sides return values of two kinds.
fn is_other_type(calls: &[PairedCall<'_>]) -> bool {
    let [then, now] = [0, 1].map(|side| {
        let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for call in calls {
            if let Some((around, kind)) = kind(&call.outcomes[side].value()) {
                kinds.entry(around).or_default().insert(kind);
            }
        }
        kinds
    });
    let mut both = then
        .iter()
        .filter_map(|(around, then)| Some((then, now.get(around)?)));
    both.any(|(then, now)| then.len() == 1 && now.len() == 1 && then != now)
}

/// Explains the changed calls of a function; `None` if only the last digits differ.
fn explained(
    name: &str,
    calls: &[PairedCall<'_>],
    (causes, constants): (&Causes<'_>, &[Value]),
) -> Option<ComparedFunction> {
    let (changed, same): (Vec<_>, Vec<_>) = calls.iter().partition(|it| it.is_changed);
    let length = |it: &&&PairedCall<'_>| {
        let length = it
            .arguments
            .iter()
            .map(|(_, text)| text.len())
            .sum::<usize>();
        (!causes.is_innermost(it), length)
    };
    let example = *changed.iter().min_by_key(length)?;
    let rows = changed.iter().take(CHANGED).chain(&same).take(EXPLAINED);
    let rows: Vec<&PairedCall<'_>> = rows.copied().collect();
    let side = |side: usize| Runs {
        first: rows
            .iter()
            .map(|it| it.outcomes[if it.is_changed { side } else { 0 }].clone())
            .collect(),
        second: None,
    };
    // A value may be nested too deeply for a feature.
    let vectors = vectors(&rows, true).or_else(|| vectors(&rows, false))?;
    let mut compared = ComparedFunction::new(name, &vectors, constants, &[side(0), side(1)]);
    let types = example.types.iter();
    let types = types.map(|(name, text)| format!("{name} = {text}"));
    let texts = example.arguments.iter().map(|(_, text)| text.clone());
    let texts = types.chain(texts).collect::<Vec<_>>().join(", ");
    let CallVerdict::Changed(shown) = &mut compared.verdict else {
        return None;
    };
    if example.arguments.is_empty() && example.types.is_empty() {
        shown.without_inputs();
    }
    shown.differing = changed.len();
    shown.example = Example::new(&texts, example.outcomes.each_ref());
    compared.rows = calls.len();
    Some(compared)
}

/// Returns the arguments as features, unless some value is too long to be read.
fn vectors(rows: &[&PairedCall<'_>], has_arguments: bool) -> Option<Vectors> {
    let arguments = rows.iter().flat_map(|it| it.arguments);
    let cut = arguments.filter(|(_, text)| is_cut(text));
    let cut: BTreeSet<&str> = cut.map(|(name, _)| name.as_str()).collect();
    let row = |it: &&PairedCall<'_>| {
        let types = it.types.iter();
        let types = types.map(|(name, text)| (name.clone(), text.as_str().into()));
        let names = it.arguments.iter().map(|(name, _)| name);
        let values = names.zip(it.values);
        let values = values.filter(|(name, _)| !cut.contains(&***name));
        let values = values.map(|(name, it)| (name.clone(), feature(it)));
        let mut members: Vec<(String, Value)> = types.chain(values).collect();
        if members.is_empty() || !has_arguments {
            members.clear();
            members.push(("call".to_owned(), true.into()));
        }
        Value::object(members)
    };
    let rows = Value::Array(rows.iter().map(row).collect());
    inferred_features(&rows.to_string()).ok()
}

/// Returns true for a cut value other than a string.
fn is_cut(text: &str) -> bool {
    let is_digest = |it: &str| it.bytes().all(|it| it.is_ascii_hexdigit());
    let end = text.rsplit_once("…#");
    end.is_some_and(|(start, end)| {
        is_digest(end) && !start.starts_with('"') && !start.starts_with("b\"")
    })
}

/// Returns the bytes of a literal as a text, each as the character with its number.
fn bytes(literal: &str) -> Option<Value> {
    let bytes = syn::parse_str::<LitByteStr>(literal).ok()?.value();
    let text: String = bytes.into_iter().map(char::from).collect();
    Some(text.into())
}

/// Returns the value of a feature, without the marks of `Debug`.
fn feature(value: &Value) -> Value {
    let name = value.get("$name").and_then(Value::as_str);
    let mut marks = ["$char", "$set", "$text"].into_iter();
    if let Some(inner) = marks.find_map(|it| value.get(it)) {
        return feature(inner);
    }
    match value {
        Value::String(text) if text.starts_with("b\"") => {
            bytes(text).unwrap_or_else(|| value.clone())
        }
        Value::Array(list) => Value::Array(list.iter().map(feature).collect()),
        Value::Number(it) if !it.as_f64().is_finite() => it.to_string().into(),
        Value::Object(object) => match (name, object.len()) {
            (Some("None"), 1) => Value::Null,
            (Some(name), 1) => name.into(),
            (Some("Some"), 2) => value.get("0").map_or(Value::Null, feature),
            _ => Value::object(object.iter().map(|(name, it)| {
                let name = name.strip_prefix('$').unwrap_or(name);
                (name.to_owned(), feature(it))
            })),
        },
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::compare::test_calls::functions::{functions, public_names};
    use crate::commands::compare::test_calls::pairs::{pairs, shape_changes};
    use crate::commands::compare::test_calls::recording::{Recording, recorded};
    use crate::sources::Sources;

    const SOURCE: &str = "pub fn parse(text: &str) -> Item { read(text) }\n\
                          fn read(text: &str) -> Item { part(text) }\n\
                          fn part(text: &str) -> u8 { 1 }\npub fn other(n: u8) -> u8 { part(n) }\n\
                          fn trimmed(text: &str) -> u8 { 1 }\n";

    fn compared(then: &str, now: &str, code: [&str; 2]) -> (ComparedCalls, Vec<String>) {
        let sides = [then, now].map(recorded);
        let sides: [&Recording; 2] = sides.each_ref();
        let shapes = shape_changes(sides, &BTreeSet::new());
        let pairs = pairs(sides, None, &shapes);
        let causes = Causes::new(sides, &pairs);
        let public = public_names(&Sources::of_code(code[1]));
        let code = code.map(|it| {
            let functions = functions(it, "");
            let all = functions.others.into_iter().chain(functions.recorded);
            all.collect::<Vec<_>>()
        });
        let functions = FunctionsOfSides::new(code.each_ref().map(|it| &**it), &public, &[]);
        let compared = ComparedCalls::new(&pairs, &causes, &functions, |_| true);
        let tests = causes.tests().into_iter().map(str::to_owned);
        (compared, tests.collect())
    }

    #[test]
    fn the_innermost_function_is_first_and_its_callers_are_folded() {
        let then = "
            t > 1 | parse | text=\"a\" | Ok(1)
            1 > 2 | read | text=\"a\" | 1
            2 > 3 | part | text=\"a\" | 1
            t > 4 | parse | text=\"bb\" | Ok(1)
            4 > 5 | read | text=\"bb\" | 1
            5 > 6 | part | text=\"bb\" | 1
            t > 7 | parse | text=\"c\" | Ok(3)
            u > 8 | other | n=1 | 1
            8 > 9 | trimmed | text=\"x\" | 1
        ";
        let now = then
            .replace("bb\" | Ok(1)", "bb\" | panicked=none")
            .replace("\"a\" | 1", "\"a\" | 2")
            .replace("\"a\" | Ok(1)", "\"a\" | Err(2)")
            .replace("\"x\" | 1", "\"x\" | 2");
        let (found, tests) = compared(
            then,
            &now,
            [SOURCE, &SOURCE.replace("read(text)", "read(&text)")],
        );
        let changed: Vec<_> = found
            .changed
            .iter()
            .map(|it| it.function.as_str())
            .collect();
        // `parse` panics without a changed call within.
        assert_eq!(changed, ["parse", "part"]);
        assert_eq!(found.callers, [("read".to_owned(), 1)]);
        assert_eq!(found.internal, ["trimmed"]);
        assert_eq!((found.seen.len(), found.calls), (5, 9));
        assert_eq!(tests, ["t (src/lib.rs)"]);
        let CallVerdict::Changed(parse) = &found.changed[0].verdict else {
            panic!("{:?}", found.changed[0].verdict);
        };
        let Example {
            inputs,
            before,
            after,
        } = &parse.example;
        assert_eq!([inputs, before, after], ["\"bb\"", "Ok(1)", "panic: none"]);
    }

    #[test]
    fn calls_that_differ_within_a_side_or_have_unshown_arguments_are_left_out() {
        let then = "
            t > 1 | part | text=\"a\" | 1
            t > 1 | part | text=\"a\" | 2
            t > 2 | part | text=? | 1
            t > 3 | part | text=\"b\" | 1
        ";
        let now = then
            .replace("\"a\" | 2", "\"a\" | 3")
            .replace("? | 1", "? | 2");
        let (found, _) = compared(then, &now, [SOURCE; 2]);
        assert!(found.changed.is_empty());
        assert_eq!(found.calls, 1);
    }

    #[test]
    fn changed_code_that_no_compared_call_runs_is_named() {
        let source = "fn parse(text: &str) -> u8 { read(text) }\nfn read(text: &dyn Text) -> u8 { digit(1) }\n\
                      const fn digit(n: u8) -> u8 { n }\nasync fn load() -> u8 { 1 }\n\
                      fn main() { 1; }\nfn usage() { 1; }\n";
        let calls = "t > 1 | parse | text=\"a\" | 1\n1 > 2 | read | text=? | 1";
        let reached = |changes: &[(&str, &str)]| {
            let now = changes
                .iter()
                .fold(source.to_owned(), |now, (from, to)| now.replace(from, to));
            let (found, _) = compared(calls, calls, [source, &now]);
            (found.runs_changed_code, found.unreached.join(" "))
        };
        assert_eq!(reached(&[]), (false, String::new()));
        // Its arguments can't be shown, but its caller is compared. So is the caller of `digit`.
        for change in [("digit(1)", "digit(2)"), ("{ n }", "{ n + 1 }")] {
            assert_eq!(reached(&[change]), (true, String::new()), "{change:?}");
        }
        let others = [("8 { 1", "8 { 2"), ("() { 1", "() { 2")];
        assert_eq!(reached(&others), (false, "load main usage".to_owned()));
    }

    #[test]
    fn calls_with_other_types_are_other_calls() {
        let then = "
            t > 1 | part | n=1 | 1 | T=u8
            t > 2 | part | n=1 | 2 | T=a::U
            t > 3 | parse | text=\"a\" | 1
        ";
        let now = then
            .replace("| 1 | T", "| 3 | T")
            .replace("parse | text=\"a\" | 1", "parse | text=\"a\" | 2 | S=b::S");
        let (found, _) = compared(then, &now, [SOURCE; 2]);
        // A function that has become generic takes the same arguments.
        let inputs = found.changed.iter().map(|it| match &it.verdict {
            CallVerdict::Changed(changed) => changed.example.inputs.as_str(),
            other => panic!("{other:?}"),
        });
        assert_eq!(inputs.collect::<Vec<_>>(), ["S = S, \"a\"", "T = u8, 1"]);
        assert_eq!(found.calls, 3);
    }

    #[test]
    fn last_digits_are_no_change_and_a_hidden_outcome_is_no_proof() {
        let then = "
            t > 1 | parse | text=\"a\" | ?
            1 > 2 | part | text=\"a\" | 1
            t > 3 | other | n=1 | 0.3
        ";
        let now = then
            .replace("\"a\" | 1", "\"a\" | 2")
            .replace("0.3", "0.30000000000000004");
        let (found, _) = compared(then, &now, [SOURCE; 2]);
        let changed: Vec<_> = found.changed.iter().map(|it| &*it.function).collect();
        assert_eq!(changed, ["part"]);
        assert!(found.internal.is_empty() && found.callers.is_empty());
        assert_eq!((found.seen.len(), found.calls), (2, 2));
    }

    #[test]
    fn a_function_that_no_other_crate_can_call_may_change_inside() {
        let source = |token: &str, read: &str| {
            let token = format!("{token} fn token(text: &str) -> u8 {{ 1 }}");
            format!("mod lexer {{ {token} }}\n{read}\npub fn parse(text: &str) -> u8 {{ 1 }}\n")
        };
        let then = "t > 1 | parse | text=\"a\" | 1\n1 > 2 | lexer::token | text=\"a\" | 1";
        let now = then.replace("token | text=\"a\" | 1", "token | text=\"a\" | 2");
        let internal = |source: &str| compared(then, &now, [source; 2]).0.internal;
        assert_eq!(internal(&source("pub", "")), ["lexer::token"]);
        assert!(internal(&source("pub", "pub use lexer::token;")).is_empty());
    }

    #[test]
    fn bytes_are_a_text_and_long_values_no_feature() {
        let calls = |raised: usize| {
            let call = |n: usize| {
                let (part, output) = match n {
                    30.. => ("_", n + raised),
                    _ => ("", n),
                };
                format!("t > {n} | part | text=b\"\\xe9{part}{n}\", state=S(1…#{n:x} | {output}")
            };
            (0..40).map(call).collect::<Vec<_>>().join("\n")
        };
        let (found, _) = compared(&calls(0), &calls(1), [SOURCE; 2]);
        let CallVerdict::Changed(changed) = &found.changed[0].verdict else {
            panic!("{:?}", found.changed[0].verdict);
        };
        insta::assert_snapshot!(changed.findings.join("\n"), @"
        perhaps: all 10 have length of text > 3   (10 of 10 such cases changed, 0 of the other 30)
        actual = expected + 1 in all 10
        ");
        assert_eq!(changed.example.inputs, r#"b"\xe9_30", S(1…#1e"#);
    }

    #[test]
    fn another_type_of_the_output_is_no_changed_value() {
        let then = "t > 1 | part | text=\"a\" | 1\nt > 2 | part | text=\"b\" | 2";
        let now = "t > 1 | part | text=\"a\" | Count(1)\nt > 2 | part | text=\"b\" | Count(2)";
        let other = SOURCE.replace("fn part(text: &str) -> u8", "fn part(text: &str) -> Count");
        let (found, _) = compared(then, now, [SOURCE, &other]);
        assert_eq!(found.resigned, ["part"]);
        assert!(found.changed.is_empty());
    }
}
