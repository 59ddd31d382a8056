use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::*;

/// Returns the settings with this `tdg.toml` and environment, or the error.
fn settings(toml: &str, environment: &[(&str, &str)]) -> Result<Settings, String> {
    let root = tempfile::tempdir().unwrap();
    if !toml.is_empty() {
        fs::write(root.path().join("tdg.toml"), toml).unwrap();
    }
    let environment: HashMap<_, _> = environment.iter().copied().collect();
    let lookup = |name: &str| environment.get(name).map(OsString::from);
    Settings::load(root.path(), &lookup).map_err(|error| {
        let root = root.path().display().to_string();
        error.to_string().replace(&root, "<root>")
    })
}

fn update(toml: &str, environment: &[(&str, &str)]) -> (Update, String) {
    let update = settings(toml, environment).unwrap().update;
    (update.mode, update.because)
}

#[test]
fn by_default_new_benchmarks_are_recorded_into_files() {
    let settings = settings("", &[]).unwrap();
    assert_eq!(settings.update.mode, Update::Auto);
    assert!(settings.snapshots);
    assert_eq!(settings.store, StoreKind::Local);
    assert!(settings.directory.ends_with(".tdg"));
    assert_eq!(settings.cases, None);
}

#[test]
fn on_ci_a_variable_that_a_file_of_cargo_sets_accepts_nothing() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join(".cargo");
    fs::create_dir(&directory).unwrap();
    let update = |text: &str, variables: &[(&str, &str)]| {
        fs::write(directory.join("config.toml"), text).unwrap();
        let lookup = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        Settings::load(root.path(), &lookup).unwrap().update
    };
    let (always, ci) = (("TDG_UPDATE", "always"), ("CI", "true"));
    let sets = "[env]\nTDG_UPDATE = \"always\"\n";
    let refused = update(sets, &[always, ci]);
    assert_eq!(refused.mode, Update::No);
    insta::assert_snapshot!(refused.notice.unwrap(), @"CI is set, so nothing is recorded or accepted, although .cargo/config.toml sets TDG_UPDATE=always");
    assert_eq!(update(sets, &[always]).mode, Update::Always);
    assert_eq!(
        update("[build]\njobs = 2\n", &[always, ci]).mode,
        Update::Always
    );
}

#[test]
fn the_environment_overrides_the_detected_ci_which_overrides_the_file() {
    let file = "update = \"new\"";
    let no = (Update::No, "CI is set".to_owned());
    assert_eq!(update("", &[("CI", "true")]), no);
    assert_eq!(update(file, &[]).0, Update::New);
    assert_eq!(update(file, &[("CI", "true")]), no);
    let always = settings("update = \"always\"", &[("CI", "true")]).unwrap();
    insta::assert_snapshot!(always.update.notice.unwrap(), @r#"CI is set, so nothing is recorded or accepted, although tdg.toml says update = "always""#);
    assert_eq!(update(file, &[("TDG_UPDATE", "always")]).0, Update::Always);
    assert_eq!(
        update("", &[("CI", "1"), ("TDG_UPDATE", "auto")]).0,
        Update::Auto
    );
    assert_eq!(
        update("update = \"no\"", &[]).1,
        "tdg.toml says update = \"no\""
    );
}

#[test]
fn decisions_name_the_user_of_git_or_whom_they_should() {
    let author = |toml: &str, environment: &[(&str, &str)]| {
        settings(toml, environment).map(|settings| settings.author)
    };
    let off = "author = false";
    let ada = [("TDG_AUTHOR", "Ada Lovelace")];
    let named = Author::Named("Ada Lovelace".to_owned());
    assert_eq!(author("", &[]), Ok(Author::Git));
    assert_eq!(author("", &ada), Ok(named.clone()));
    assert_eq!(author("", &[("TDG_AUTHOR", "")]), Ok(Author::Nobody));
    assert_eq!(author(off, &[]), Ok(Author::Nobody));
    assert_eq!(author(off, &ada), Ok(named));
    for address in ["ada@example.org", "Ada <ada@example.org>", "\u{1b}[31mAda"] {
        assert!(author("", &[("TDG_AUTHOR", address)]).is_err(), "{address}");
    }
    let error = author("", &[("TDG_AUTHOR", "ada@example.org")]).unwrap_err();
    insta::assert_snapshot!(error, @r#"TDG_AUTHOR must be a name without an e-mail address, but is "ada@example.org""#);
}

#[test]
fn ci_is_detected_by_its_variables() {
    for name in [
        "CI",
        "JENKINS_URL",
        "TEAMCITY_VERSION",
        "TF_BUILD",
        "BITBUCKET_BUILD_NUMBER",
    ] {
        assert_eq!(update("", &[(name, "x")]).0, Update::No, "{name}");
    }
    for value in ["", "0", "false", "FALSE"] {
        assert_eq!(update("", &[("CI", value)]).0, Update::Auto, "CI={value}");
    }
}

#[test]
fn cargo_insta_overrides_the_file_and_is_overridden_by_tdg_update() {
    let insta = ("INSTA_CARGO_INSTA", "1");
    let asked = |more: &[(&str, &str)]| {
        let environment = [&[insta, ("INSTA_UPDATE", "new")], more].concat();
        update("update = \"always\"", &environment).0
    };
    assert_eq!(asked(&[]), Update::New);
    assert_eq!(asked(&[("TDG_UPDATE", "no")]), Update::No);
}

#[test]
fn a_variable_of_insta_that_forbids_overrides_everything() {
    let forbidden = |toml, more: &[(&str, &str)]| {
        let environment = [&[("INSTA_UPDATE", "no"), ("INSTA_FORCE_PASS", "0")], more].concat();
        let update = settings(toml, &environment).unwrap().update;
        assert_eq!(update.mode, Update::No);
        update.notice
    };
    let notice = "INSTA_UPDATE=no is set, so nothing is recorded or accepted";
    assert_eq!(forbidden("", &[]).as_deref(), Some(notice));
    assert_eq!(
        forbidden("update = \"always\"", &[]),
        Some(format!(
            "{notice}, although tdg.toml says update = \"always\""
        ))
    );
    assert_eq!(
        forbidden("", &[("TDG_UPDATE", "always")]),
        Some(format!("{notice}, although TDG_UPDATE=always"))
    );
    // The chosen mode is the same anyway.
    assert_eq!(forbidden("update = \"no\"", &[]), None);
    assert_eq!(forbidden("", &[("CI", "1")]), None);

    let force_pass = settings("", &[("INSTA_FORCE_PASS", "0")]).unwrap().update;
    assert_eq!(force_pass.mode, Update::No);
    assert_eq!(force_pass.because, "INSTA_FORCE_PASS=0 is set");
}

#[test]
fn the_store_can_be_elsewhere_and_of_another_kind() {
    let directory = |toml, environment: &[_]| settings(toml, environment).unwrap().directory;
    assert!(directory("dir = \"kept/here\"", &[]).ends_with("kept/here"));
    assert_eq!(
        directory("dir = \"a\"", &[("TDG_DIR", "/b")]),
        Path::new("/b")
    );
    let store = |toml, environment: &[_]| settings(toml, environment).unwrap().store;
    assert_eq!(store("store = \"remote\"", &[]), StoreKind::Remote);
    assert_eq!(
        store("store = \"remote\"", &[("TDG_STORE", "local")]),
        StoreKind::Local
    );
    let snapshots = |toml, environment: &[_]| settings(toml, environment).unwrap().snapshots;
    assert!(!snapshots("", &[("TDG_SNAPSHOTS", "false")]));
    assert!(snapshots("snapshots = false", &[("TDG_SNAPSHOTS", "true")]));
}

#[test]
fn only_the_environment_names_a_store_outside_of_the_root() {
    let directory = |toml: &str, environment: &[(&str, &str)]| {
        settings(toml, environment).map(|it| it.directory)
    };
    for path in ["../ml", "/ml", "a/../../ml", "a/.."] {
        let error = directory(&format!("dir = \"{path}\""), &[]).unwrap_err();
        let expected = format!(
            "<root>/tdg.toml: `dir` must be a path in <root> without `..`, but is \"{path}\"; to have \
             the store elsewhere, set TDG_DIR"
        );
        assert_eq!(error, expected);
        assert!(
            directory("", &[("TDG_DIR", path)])
                .unwrap()
                .ends_with(path.trim_start_matches('/'))
        );
    }
    // The last part may be a link and has to be checked as one.
    let within = directory("dir = \"./a/b/.\"", &[]).unwrap();
    assert!(within.ends_with("a/b") && !within.to_str().unwrap().ends_with('.'));
}

#[cfg(unix)]
#[test]
fn a_store_is_not_where_a_link_leads_unless_the_environment_names_the_link() {
    use std::os::unix::fs::symlink;

    let root = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let elsewhere = elsewhere.path().canonicalize().unwrap();
    symlink(&elsewhere, root.path().join("link")).unwrap();
    fs::write(root.path().join("tdg.toml"), "dir = \"link/store\"").unwrap();
    let load = |variable: Option<&str>| {
        let lookup = |name: &str| variable.filter(|_| name == "TDG_DIR").map(OsString::from);
        Settings::load(root.path(), &lookup).map(|it| it.directory)
    };
    let error = load(None).unwrap_err().to_string();
    let error = error.replace(root.path().to_str().unwrap(), "<root>");
    insta::assert_snapshot!(error, @"<root>/tdg.toml: `dir` must be a path in <root> without symbolic links, but <root>/link is one; to have the store elsewhere, set TDG_DIR");
    assert_eq!(load(Some("link")).unwrap(), elsewhere);
    assert_eq!(
        load(Some("link/store")).unwrap(),
        root.path().join("link/store")
    );
}

#[test]
fn the_identity_of_a_project_is_a_uuid() {
    let project_uuid = |text| {
        let toml = format!("project_uuid = \"{text}\"");
        settings(&toml, &[]).map(|settings| settings.project_uuid)
    };
    let uuid = "d2b59dc1-6a4d-46d5-b387-05c64c5ed92f";
    assert_eq!(project_uuid(uuid), Ok(Some(uuid.to_owned())));
    assert_eq!(settings("", &[]).unwrap().project_uuid, None);
    for other in [
        "",
        "d2b59dc16a4d46d5b38705c64c5ed92f",
        "d2b59dc1-6a4d-46d5-b387-05c64c5ed92g",
        "d2b59dc1-6a4d-46d5-b387-05c64c5ed92f0",
    ] {
        assert!(project_uuid(other).is_err(), "{other}");
    }
    insta::assert_snapshot!(project_uuid("shop").unwrap_err(), @r#"<root>/tdg.toml: `project_uuid` must be a UUID as `cargo tdg push` writes it, but is "shop""#);
}

#[test]
fn a_slow_row_is_one_of_ten_seconds_unless_set_or_off() {
    let slow_row = |toml: &str, environment: &[(&str, &str)]| {
        settings(toml, environment).map(|settings| settings.slow_row)
    };
    let milliseconds = |count| Ok(Some(Duration::from_millis(count)));
    let toml = "slow_row = \"2m\"";
    assert_eq!(slow_row("", &[]), milliseconds(10_000));
    assert_eq!(slow_row(toml, &[]), milliseconds(120_000));
    assert_eq!(
        slow_row(toml, &[("TDG_SLOW_ROW", "500ms")]),
        milliseconds(500)
    );
    for off in ["off", "0", "0s"] {
        assert_eq!(slow_row(toml, &[("TDG_SLOW_ROW", off)]), Ok(None));
    }
    assert_eq!(slow_row("slow_row = \"20\"", &[]), milliseconds(20_000));
    for invalid in ["s", "1.5s", "-1s", "99999999999999999999s", "1d"] {
        assert!(slow_row("", &[("TDG_SLOW_ROW", invalid)]).is_err());
    }
    insta::assert_snapshot!(slow_row("slow_row = \"1 s\"", &[]).unwrap_err(), @r#"<root>/tdg.toml: `slow_row` must be a time such as 500ms, 10s or 2m, or off, but is "1 s""#);
}

#[test]
fn an_error_lists_the_valid_values() {
    let error = |toml, environment: &[_]| settings(toml, environment).unwrap_err();
    insta::assert_snapshot!(error("", &[("TDG_UPDATE", "yes")]), @r#"TDG_UPDATE must be one of auto, always, new, no, but is "yes""#);
    insta::assert_snapshot!(error("", &[("TDG_STORE", "cloud")]), @r#"TDG_STORE must be one of local, remote, but is "cloud""#);
    insta::assert_snapshot!(error("", &[("TDG_SNAPSHOTS", "no")]), @r#"TDG_SNAPSHOTS must be one of true, false, but is "no""#);
    insta::assert_snapshot!(error("update = \"yes\"", &[]), @r#"<root>/tdg.toml: `update` must be one of auto, always, new, no, but is "yes""#);
    insta::assert_snapshot!(error("update = true", &[]), @"<root>/tdg.toml: `update` must be a string");
    insta::assert_snapshot!(error("snapshots = \"no\"", &[]), @"<root>/tdg.toml: `snapshots` must be true or false");
    insta::assert_snapshot!(error("store = \"cloud\"", &[]), @r#"<root>/tdg.toml: `store` must be one of local, remote, but is "cloud""#);
    insta::assert_snapshot!(error("updat = \"no\"", &[]), @"<root>/tdg.toml: unknown key `updat`; did you mean `update`?");
    insta::assert_snapshot!(error("colour = \"red\"", &[]), @"<root>/tdg.toml: unknown key `colour`; the keys are update, snapshots, inputs, store, url, project, project_uuid, dir, author, slow_row");
    insta::assert_snapshot!(error("api_key = \"abc\"", &[]), @"<root>/tdg.toml: `api_key` must not be in a committed file; set TDG_API_KEY instead");
    insta::assert_snapshot!(error("update = ", &[]), @"<root>/tdg.toml: line 1: `update` has no value");
    insta::assert_snapshot!(error("update = 7", &[]), @"<root>/tdg.toml: line 1: `update` must be a string in quotes, true or false, but is `7`");
}

#[test]
fn the_root_is_where_tdg_toml_is_else_where_the_compiler_was_started() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("workspace");
    let package = workspace.join("crates/shop");
    fs::create_dir_all(package.join("src")).unwrap();
    fs::write(package.join("src/lib.rs"), "").unwrap();

    let member = find_place(&package, "crates/shop/src/lib.rs").unwrap();
    assert_eq!(member.root, workspace);
    assert_eq!(member.source, package.join("src/lib.rs"));
    let alone = find_place(&package, "src/lib.rs").unwrap();
    assert_eq!(alone.root, package);

    fs::write(workspace.join("tdg.toml"), "").unwrap();
    assert_eq!(find_place(&package, "src/lib.rs").unwrap().root, workspace);
    fs::create_dir(workspace.join("shared")).unwrap();
    fs::write(workspace.join("shared/a.rs"), "").unwrap();
    let outside = find_place(&package, "crates/shop/../../shared/a.rs").unwrap();
    assert_eq!(outside.source, workspace.join("shared/a.rs"));
    assert!(outside.is_outside() && !member.is_outside());
    let error = find_place(&package, "src/gone.rs").unwrap_err().to_string();
    assert!(error.starts_with("src/gone.rs is neither in"), "{error}");
}

#[test]
fn the_documentation_names_every_key_and_variable() {
    let page = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../docs/reference/configuration.md"
    );
    let page = fs::read_to_string(page).unwrap();
    let read = RefCell::new(BTreeSet::new());
    let lookup = |name: &str| {
        read.borrow_mut().insert(name.to_owned());
        // cargo-insta's variables are only read if it runs the tests.
        (name == "INSTA_CARGO_INSTA").then(|| OsString::from("1"))
    };
    Settings::load(Path::new("nowhere"), &lookup).unwrap();
    find_key("https://tdg.example.org", &lookup).unwrap();

    let read = read.into_inner();
    assert!(read.contains("TDG_UPDATE") && read.contains("INSTA_UPDATE") && read.contains("CI"));
    for name in read.iter().map(String::as_str).chain(file::KEYS) {
        assert!(
            page.contains(&format!("`{name}`")),
            "{name} is not in docs/reference/configuration.md"
        );
    }
}

#[test]
fn other_rows_have_a_seed_or_a_size_or_both() {
    let explore =
        |environment: &[(&str, &str)]| settings("", environment).map(|settings| settings.explore);
    let rows = |seed, size| Ok(Some(Exploration { seed, size }));
    assert_eq!(explore(&[]), Ok(None));
    assert_eq!(explore(&[("TDG_SEED", ""), ("TDG_SIZE", "")]), Ok(None));
    assert_eq!(explore(&[("TDG_SEED", "7")]), rows(Some(7), None));
    let size = |text| explore(&[("TDG_SIZE", text)]);
    assert_eq!(size("10000"), rows(None, Some(ExploreSize::Rows(10_000))));
    assert_eq!(size("max"), rows(None, Some(ExploreSize::Most)));
    let random = explore(&[("TDG_SEED", "random")]).unwrap().unwrap();
    assert_eq!(random.seed, Some(random_seed()));
    insta::assert_snapshot!(size("10001").unwrap_err(), @r#"TDG_SIZE must be max or a whole number from 1 to 10000, but is "10001""#);
    insta::assert_snapshot!(explore(&[("TDG_SEED", "-1")]).unwrap_err(), @r#"TDG_SEED must be random or a whole number from 0 to 18446744073709551615, but is "-1""#);
}
