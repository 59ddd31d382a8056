//! The real cargo-insta reviews snapshot files, and keeps them when it deletes unreferenced ones.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tdg_engine::Ensemble;
use tdg_engine::config::Insta;
use tdg_engine::config::Update;
use tdg_engine::snapshot::{Snapshot, named_snapshot_file, pending_file, render, save};
use tempfile::TempDir;

const OUTPUTS: [&str; 4] = [
    r#"{"$float":"NaN"}"#,
    "-0.0",
    "18446744073709551615",
    "0.30000000000000004",
];

/// Returns a snapshot of hard-to-preserve values; `last` is the output of the last case.
fn snapshot_text(last: &str) -> String {
    let ensemble = Ensemble {
        name: "pricing::total".to_owned(),
        size: OUTPUTS.len() + 1,
        seed: 7,
        sampler_version: 1,
        digest: "52fdfc072182654f163f5f0f9a621d72".to_owned(),
        definition: r#"{"features":[]}"#.to_owned(),
        rows: None,
    };
    let row = "[\"---\",\"\\n---\\n\",\"𝄞\u{2028}\",\"<<<<<<< HEAD\",null,5e-324]";
    render(
        "pricing::total",
        "5 cases of definitions/orders.json: \"100 %\", größer",
        &ensemble,
        |_, text| text.push_str(row),
        |case, text| text.push_str(OUTPUTS.get(case).unwrap_or(&last)),
    )
}

/// A crate with a test that calls back into this program, like a test that uses tdg.
struct Shop {
    folder: TempDir,
}

impl Shop {
    fn new() -> Self {
        let shop = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        shop.write(
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
        );
        shop.write("src/lib.rs", "");
        shop.write(
            "tests/pricing.rs",
            r#"
            #[test]
            fn total() {
                let callback = std::env::var_os("SHOP_CALLBACK").unwrap();
                let arguments = ["--exact", "cargo_insta::callback_of_the_shop", "--ignored"];
                assert!(std::process::Command::new(callback).args(arguments).status().unwrap().success());
            }
            "#,
        );
        shop
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn snapshot(&self) -> PathBuf {
        named_snapshot_file(&self.path("tests/pricing.rs"), "total")
    }

    fn write(&self, path: &str, text: &str) {
        save(&self.path(path), text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo_insta());
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("INSTA_") {
                command.env_remove(name);
            }
        }
        command
            .arg("insta")
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("CI")
            .env_remove("TF_BUILD")
            .env("CARGO_TARGET_DIR", self.path("target"))
            .env("SHOP_CALLBACK", env::current_exe().unwrap())
            .env("SHOP_SNAPSHOT", self.snapshot())
            .env("SHOP_OBSERVED", self.path("observed"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn run_well(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = text_of(&output);
        assert!(output.status.success(), "{text}");
        text
    }
}

fn text_of(output: &Output) -> String {
    String::from_utf8_lossy(&[&*output.stdout, &*output.stderr].concat()).into_owned()
}

fn cargo_insta() -> PathBuf {
    let program = format!("cargo-insta{}", env::consts::EXE_SUFFIX);
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> = env::var_os("PATH")
        .iter()
        .flat_map(|path| env::split_paths(path))
        .collect();
    folders.push(workspace.join("target/tools/bin"));
    folders
        .into_iter()
        .map(|folder| folder.join(&program))
        .find(|path| path.is_file())
        .expect(
            "not run: needs cargo-insta: run `cargo install cargo-insta --root target/tools --locked` \
         in the workspace",
        )
}

/// Runs in the shop's test under `cargo insta test`: records the snapshot and prints the requests.
#[test]
#[ignore = "the other end of the tests below"]
fn callback_of_the_shop() {
    let (Some(snapshot), Some(observed)) =
        (env::var_os("SHOP_SNAPSHOT"), env::var_os("SHOP_OBSERVED"))
    else {
        return;
    };
    let insta = Insta::from_environment(&|name| env::var_os(name)).unwrap();
    insta.note_use(Path::new(&snapshot)).unwrap();
    let asked_for = format!("{:?} {}", insta.update(), insta.force_pass());
    fs::write(observed, asked_for).unwrap();
}

#[test]
fn a_pending_snapshot_is_listed_and_accepted_byte_for_byte() {
    let shop = Shop::new();
    let (snapshot, pending) = (shop.snapshot(), pending_file(&shop.snapshot()));
    save(&snapshot, &snapshot_text("1")).unwrap();
    save(&pending, &snapshot_text("2")).unwrap();

    let listed = shop.run_well(&["pending-snapshots"]);
    assert!(
        listed.contains("  tests/snapshots/pricing__total.snap\n"),
        "{listed}"
    );

    shop.run_well(&["accept"]);
    assert!(!pending.exists());
    let accepted = Snapshot::read(&snapshot).unwrap().unwrap();
    assert_eq!(accepted.text(), snapshot_text("2"));
    assert!(accepted.output_is(OUTPUTS.len(), "2"));
}

#[test]
fn the_first_snapshot_of_a_test_is_accepted_too() {
    let shop = Shop::new();
    save(&pending_file(&shop.snapshot()), &snapshot_text("1")).unwrap();
    shop.run_well(&["accept"]);
    let accepted = Snapshot::read(&shop.snapshot()).unwrap().unwrap();
    assert_eq!(accepted.text(), snapshot_text("1"));
}

#[test]
fn a_rejected_change_leaves_the_snapshot_as_it_was() {
    let shop = Shop::new();
    let (snapshot, pending) = (shop.snapshot(), pending_file(&shop.snapshot()));
    save(&snapshot, &snapshot_text("1")).unwrap();
    save(&pending, &snapshot_text("2")).unwrap();
    shop.run_well(&["reject"]);
    assert!(!pending.exists());
    assert_eq!(fs::read_to_string(&snapshot).unwrap(), snapshot_text("1"));
}

#[test]
fn a_killed_process_leaves_no_pending_snapshot() {
    let shop = Shop::new();
    shop.write("tests/snapshots/.tdg-1-0.tmp", "---\nhalf");
    let listed = shop.run_well(&["pending-snapshots"]);
    assert!(listed.contains("No pending snapshots."), "{listed}");
}

#[test]
fn a_snapshot_in_the_pending_directory_is_accepted_into_its_place() {
    let shop = Shop::new();
    let out = tempfile::tempdir().unwrap();
    let insta = Insta::from_environment(&|name| {
        (name == "INSTA_PENDING_DIR").then(|| out.path().as_os_str().to_owned())
    })
    .unwrap();
    let pending = insta
        .pending_file(&shop.snapshot(), shop.folder.path())
        .unwrap();
    save(&pending, &snapshot_text("1")).unwrap();

    let output = shop
        .command(&["accept"])
        .env("INSTA_PENDING_DIR", out.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text_of(&output));
    assert!(!pending.exists());
    let accepted = Snapshot::read(&shop.snapshot()).unwrap().unwrap();
    assert_eq!(accepted.text(), snapshot_text("1"));
}

#[test]
fn unreferenced_snapshots_of_tdg_are_neither_deleted_nor_complained_about() {
    let shop = Shop::new();
    let unused = named_snapshot_file(&shop.path("tests/pricing.rs"), "unused");
    save(&unused, &snapshot_text("1")).unwrap();
    shop.run_well(&["test", "--unreferenced=reject"]);
    shop.run_well(&["test", "--unreferenced=delete"]);
    assert_eq!(fs::read_to_string(&unused).unwrap(), snapshot_text("1"));
}

#[test]
fn a_snapshot_with_a_source_survives_because_its_test_notes_it() {
    let shop = Shop::new();
    let with_source = snapshot_text("1").replacen("---\n", "---\nsource: tests/pricing.rs\n", 1);
    let unused = named_snapshot_file(&shop.path("tests/pricing.rs"), "unused");
    for path in [&shop.snapshot(), &unused] {
        save(path, &with_source).unwrap();
    }
    shop.run_well(&["test", "--unreferenced=delete"]);
    assert!(shop.snapshot().exists());
    assert!(
        !unused.exists(),
        "cargo-insta no longer deletes anything: this test proves nothing"
    );
}

#[test]
fn the_requests_of_cargo_insta_reach_the_test() {
    let shop = Shop::new();
    for (arguments, update, force_pass) in [
        (&["test"][..], Some(Update::New), true),
        (&["test", "--accept"], Some(Update::New), true),
        (&["test", "--check"], Some(Update::No), false),
        (&["test", "--accept-unseen"], Some(Update::Auto), true),
        (
            &["test", "--force-update-snapshots"],
            Some(Update::Always),
            true,
        ),
    ] {
        shop.run_well(arguments);
        let observed = fs::read_to_string(shop.path("observed")).unwrap();
        assert_eq!(
            observed,
            format!("{update:?} {force_pass}"),
            "{arguments:?}"
        );
    }
}
