//! Checks the public items of `tdg` against the committed lists, one for each set of features. They
//! are read from rustdoc's JSON, including hidden items.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::process::Command;

use serde_json::Value;
use tdg_tests::workspace;

/// The items without features are listed completely, and the others as differences from these. So a
/// common item is in only one list.
#[test]
#[ignore = "compiles what the features need; part of `./test all`"]
fn the_public_items_are_the_listed_ones() {
    let definition = Crate::document("tdg-definition", &[]);
    let engine = Crate::document("tdg-engine", &[]);
    let crates = HashMap::from([("tdg_definition", definition), ("tdg_engine", engine)]);
    let list = |krate: &Crate| {
        let mut items = BTreeSet::new();
        let root = krate.json["root"].to_string();
        krate.list_module(&root, "tdg", &crates, &mut items);
        items
    };
    // The facade's items are the run's under the same names.
    let items = |features: &[&str]| {
        let of_run = match features {
            [] => vec!["--features=explain,sqlite"],
            ["--all-features"] => features.to_vec(),
            _ => Vec::new(),
        };
        let run = list(&Crate::document("tdg-run", &of_run));
        let mut items = BTreeSet::new();
        for item in list(&Crate::document("tdg", features)) {
            let Some((path, _)) = item.split_once(" = tdg_run::") else {
                items.insert(item);
                continue;
            };
            let path = path.trim_start_matches("use ");
            let is_part = |item: &&String| {
                let of = item.split_once(" for ").or(item.split_once(' '));
                let rest = of.and_then(|(_, it)| it.strip_prefix(path));
                rest.is_some_and(|it| !it.starts_with(|it: char| it.is_alphanumeric() || it == '_'))
            };
            items.extend(run.iter().filter(is_part).cloned());
        }
        items
    };
    let base = items(&["--no-default-features"]);
    let list: Vec<&str> = base.iter().map(String::as_str).collect();
    insta::assert_snapshot!("no_features", list.join("\n"));
    for (name, feature) in [("default", None), ("all_features", Some("--all-features"))] {
        let others = items(feature.as_slice());
        let gone = base.difference(&others).map(|item| format!("- {item}"));
        let new = others.difference(&base).map(|item| format!("+ {item}"));
        let list: Vec<String> = gone.chain(new).collect();
        insta::assert_snapshot!(name, list.join("\n"));
    }
}

/// A crate as described by rustdoc.
struct Crate {
    json: Value,
}

impl Crate {
    fn document(package: &str, features: &[&str]) -> Self {
        // A separate target directory, because the variable makes build scripts run again.
        let target = workspace().join("target/public-items");
        let status = Command::new(env!("CARGO"))
            .current_dir(workspace())
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_DIR", &target)
            .args(["rustdoc", "-q", "--lib", "-p", package])
            .args(features)
            .args(["--", "-Zunstable-options", "--output-format=json"])
            .args(["--document-hidden-items", "--cap-lints=allow"])
            .status()
            .unwrap();
        assert!(status.success());
        let file = target.join(format!("doc/{}.json", package.replace('-', "_")));
        let json = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        Self { json }
    }

    fn item(&self, id: &str) -> Option<&Value> {
        self.json["index"].get(id.trim_matches('"'))
    }

    fn list_module(
        &self,
        id: &str,
        path: &str,
        others: &HashMap<&str, Crate>,
        items: &mut BTreeSet<String>,
    ) {
        let module = self.item(id).unwrap();
        for child in array(&module["inner"]["module"]["items"]) {
            let Some(item) = self.item(&child.to_string()) else {
                continue;
            };
            if item["visibility"] == "public" {
                self.list(item, path, others, items);
            }
        }
    }

    /// Lists an item of a module, with everything that belongs to it.
    fn list(
        &self,
        item: &Value,
        path: &str,
        others: &HashMap<&str, Crate>,
        items: &mut BTreeSet<String>,
    ) {
        let (kind, inner) = kind(item);
        if kind == "use" {
            return self.list_use(inner, path, others, items);
        }
        let path = format!("{path}::{}", item["name"].as_str().unwrap());
        if kind == "module" {
            items.insert(format!("mod {path}"));
            return self.list_module(&item["id"].to_string(), &path, others, items);
        }
        items.insert(format!("{kind} {path}"));
        self.list_members(inner, &path, items);
    }

    /// Lists an item under its re-exported name.
    fn list_use(
        &self,
        inner: &Value,
        path: &str,
        others: &HashMap<&str, Crate>,
        items: &mut BTreeSet<String>,
    ) {
        let (source, name) = (inner["source"].as_str().unwrap(), &inner["name"]);
        if inner["is_glob"] == true {
            return self.list_module(&inner["id"].to_string(), path, others, items);
        }
        let path = format!("{path}::{}", name.as_str().unwrap());
        if let Some(item) = self.item(&inner["id"].to_string()) {
            let (kind, inner) = kind(item);
            items.insert(format!("{kind} {path}"));
            return self.list_members(inner, &path, items);
        }
        let origin = source.split("::").next().unwrap();
        if origin == "tdg_macros" {
            items.insert(format!("macro {path}"));
            return;
        }
        let Some(other) = others.get(origin) else {
            items.insert(format!("use {path} = {source}"));
            return;
        };
        let item = other.exported(source.rsplit("::").next().unwrap());
        let (kind, inner) = kind(item);
        items.insert(format!("{kind} {path}"));
        other.list_members(inner, &path, items);
    }

    /// Returns the item that the crate exports under a name.
    fn exported(&self, name: &str) -> &Value {
        let index = self.json["index"].as_object().unwrap();
        let is_it = |item: &&Value| {
            item["name"] == name
                && item["visibility"] == "public"
                && !matches!(kind(item).0, "use" | "module" | "struct_field" | "variant")
                && self.json["paths"].get(item["id"].to_string()).is_some()
        };
        index
            .values()
            .find(is_it)
            .unwrap_or_else(|| panic!("{name}"))
    }

    /// Lists fields, variants, methods and implemented traits.
    fn list_members(&self, inner: &Value, path: &str, items: &mut BTreeSet<String>) {
        let fields = array(&inner["kind"]["plain"]["fields"]);
        let members = array(&inner["variants"]).chain(array(&inner["items"]));
        for id in fields.chain(members) {
            self.list_member(id, path, items);
        }
        for id in array(&inner["impls"]).chain(array(&inner["implementations"])) {
            let Some(block) = self.item(&id.to_string()) else {
                continue;
            };
            let block = &block["inner"]["impl"];
            if block["is_synthetic"] == true || !block["blanket_impl"].is_null() {
                continue;
            }
            match block["trait"]["path"].as_str() {
                // Implementations of a re-exported trait aren't tdg's own.
                Some(_) if inner.get("implementations").is_some() => {}
                Some(name) => {
                    let name = name.rsplit("::").next().unwrap();
                    // These are the compiler's own, and vary between its versions.
                    if matches!(name, "StructuralPartialEq" | "TrivialClone") {
                        continue;
                    }
                    items.insert(format!("impl {name} for {path}"));
                }
                None => array(&block["items"]).for_each(|id| self.list_member(id, path, items)),
            }
        }
    }

    fn list_member(&self, id: &Value, path: &str, items: &mut BTreeSet<String>) {
        let Some(item) = self.item(&id.to_string()) else {
            return;
        };
        let (kind, inner) = kind(item);
        let is_open = item["visibility"] == "public" || item["visibility"] == "default";
        if !is_open {
            return;
        }
        let path = format!("{path}::{}", item["name"].as_str().unwrap());
        items.insert(format!("{} {path}", kind.replace("struct_field", "field")));
        for field in array(&inner["kind"]["struct"]["fields"]) {
            self.list_member(field, &path, items);
        }
    }
}

/// Returns the kind of an item, and rustdoc's description of it.
fn kind(item: &Value) -> (&str, &Value) {
    let inner = item["inner"].as_object().unwrap();
    let (kind, inner) = inner.iter().next().unwrap();
    (kind, inner)
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
