//! Encrypted connections to PostgreSQL, and insecure ones that are refused.

use std::path::Path;

use crate::support::{Authority, PASSWORD, Postgres, Server, command};

const MODES: [&str; 3] = ["require", "verify-ca", "verify-full"];
const NAME_IT: &str =
    "name the authority that issued the server's certificate with `sslrootcert=FILE`";

/// Runs `migrate` on a database, on a machine that trusts the authorities of a file.
fn migrate(database: &str, trusted: &Path) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let output = command(folder.path(), database)
        .env_remove("SSL_CERT_DIR")
        .env("SSL_CERT_FILE", trusted)
        .arg("migrate")
        .output()
        .unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(!err.contains(PASSWORD), "{err}");
    if output.status.success() {
        Ok(out)
    } else {
        Err(err)
    }
}

fn roots(authority: &Authority) -> String {
    format!("sslrootcert={}", authority.file().display())
}

#[test]
fn a_database_that_takes_nothing_in_clear_serves() {
    let authority = Authority::new("ours");
    let postgres = Postgres::on_a_port(Some(&authority.issue("localhost")));
    let clear = migrate(
        &postgres.url("localhost", "sslmode=disable"),
        authority.file(),
    )
    .unwrap_err();
    assert!(clear.contains("no encryption"), "{clear}");
    let default = postgres.url("localhost", &roots(&authority));
    migrate(&default, Authority::new("theirs").file()).unwrap();
    for mode in MODES {
        let options = format!(
            "sslmode={mode}&{}&channel_binding=require",
            roots(&authority)
        );
        let server = Server::on(&postgres.url("localhost", &options));
        let made = server.client().post("/v1/project/new", "");
        assert_eq!(made.string("project_name"), "New project");
        assert!(!server.log().contains(PASSWORD));
    }
}

#[test]
fn whom_the_machine_trusts_may_have_issued_the_certificate() {
    let authority = Authority::new("ours");
    let postgres = Postgres::on_a_port(Some(&authority.issue("localhost")));
    for options in ["sslmode=require", "sslrootcert=system"] {
        let url = postgres.url("localhost", options);
        migrate(&url, authority.file()).unwrap();
        let refused = migrate(&url, Authority::new("theirs").file()).unwrap_err();
        assert!(refused.contains(NAME_IT), "{refused}");
    }
}

#[test]
fn a_certificate_of_another_authority_or_host_is_refused() {
    let (authority, other) = (Authority::new("ours"), Authority::new("theirs"));
    let namesake = Authority::new("ours");
    let postgres = Postgres::on_a_port(Some(&authority.issue("localhost")));
    for mode in MODES {
        let url =
            |host, authority| postgres.url(host, &format!("sslmode={mode}&{}", roots(authority)));
        for (wrong, said) in [(&other, "UnknownIssuer"), (&namesake, "BadSignature")] {
            let issuer = migrate(&url("localhost", wrong), authority.file()).unwrap_err();
            assert!(issuer.contains(&format!("{said}; {NAME_IT}")), "{issuer}");
        }
        let host = migrate(&url("127.0.0.1", &authority), other.file()).unwrap_err();
        assert!(
            host.contains("certificate not valid for name \"127.0.0.1\"")
                && host.contains("; write the host as in the subjectAltName"),
            "{host}"
        );
    }
}

#[test]
fn an_authority_that_shows_its_own_certificate_is_refused() {
    let authority = Authority::new("ours");
    let postgres = Postgres::on_a_port(Some(&authority.own()));
    let url = postgres.url("localhost", &roots(&authority));
    let refused = migrate(&url, authority.file()).unwrap_err();
    assert!(
        refused.contains("; the server needs a certificate that an authority issued"),
        "{refused}"
    );
}

#[test]
fn a_server_without_tls_is_refused_where_it_is_required() {
    let authority = Authority::new("ours");
    let postgres = Postgres::on_a_port(None);
    for mode in MODES {
        let url = postgres.url("localhost", &format!("sslmode={mode}"));
        let refused = migrate(&url, authority.file()).unwrap_err();
        assert!(
            refused.contains("server does not support TLS; set `ssl = on` on the server"),
            "{refused}"
        );
    }
    for options in ["", "sslmode=prefer", "sslmode=disable"] {
        migrate(&postgres.url("localhost", options), authority.file()).unwrap();
    }
}

#[test]
fn a_server_elsewhere_is_verified_if_it_encrypts() {
    // The name isn't one of this machine's.
    const ELSEWHERE: &str = "hostaddr=127.0.0.1";
    let authority = Authority::new("ours");
    let encrypts = Postgres::on_a_port(Some(&authority.issue("db.example")));
    let url = encrypts.url("db.example", ELSEWHERE);
    migrate(&url, authority.file()).unwrap();
    let refused = migrate(&url, Authority::new("theirs").file()).unwrap_err();
    assert!(refused.contains(NAME_IT), "{refused}");
    let clear = Postgres::on_a_port(None);
    migrate(&clear.url("db.example", ELSEWHERE), authority.file()).unwrap();
}

#[test]
fn a_machine_without_authorities_connects_without_encryption() {
    let nobody = Path::new("/nonexistent/authorities.pem");
    let postgres = Postgres::on_a_port(None);
    let elsewhere =
        |mode: &str| postgres.url("db.example", &format!("hostaddr=127.0.0.1&sslmode={mode}"));
    migrate(&elsewhere("prefer"), nobody).unwrap();
    let refused = migrate(&elsewhere("require"), nobody).unwrap_err();
    assert!(
        refused.contains("/nonexistent/authorities.pem")
            && refused.contains("install ca-certificates, or name a PEM file"),
        "{refused}"
    );
}

#[test]
fn a_file_without_authorities_is_refused() {
    let authority = Authority::new("ours");
    let folder = tempfile::tempdir().unwrap();
    let refused = |text: Option<&str>| {
        let file = folder.path().join("ca.pem");
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        let url = format!(
            "postgres://tdg:{PASSWORD}@db/tdg?sslrootcert={}",
            file.display()
        );
        migrate(&url, authority.file()).unwrap_err()
    };
    let missing = refused(None);
    assert!(missing.contains("ca.pem: No such file"), "{missing}");
    let key = refused(Some(&authority.own().key));
    assert!(key.contains("ca.pem: the file has no certificate"), "{key}");
    let damaged = authority.own().shown.replacen("MII", "MI!", 1);
    let damaged = refused(Some(&damaged));
    assert!(damaged.contains("ca.pem: base64 decode error"), "{damaged}");
}
