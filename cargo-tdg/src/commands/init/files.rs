//! The files that `init` writes.

/// The files, with their paths in the package's directory.
pub(super) fn of(package: &str) -> [(&'static str, String); 2] {
    let test = include_str!("ensembles.rs.in").replace("{crate}", &package.replace('-', "_"));
    [
        (
            "definitions/orders.json",
            include_str!("orders.json").to_owned(),
        ),
        ("tests/ensembles.rs", test),
    ]
}
