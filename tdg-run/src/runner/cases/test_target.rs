//! The test whose function is called, as cargo and libtest know it.

use std::path::Path;
use std::thread::Thread;

use tdg_engine::{Site, Takes};

/// The test whose function is called.
#[derive(Clone, Debug)]
pub(crate) struct TestedTarget {
    pub(crate) name: String,
    pub(crate) site: Site,
    /// The thread that the test began in.
    pub(crate) thread: Thread,
    pub(crate) takes: Takes,
}

/// Returns the command that runs only the test that began in that thread.
pub(crate) fn command(site: &Site, thread: &Thread) -> String {
    // At the root of a workspace, cargo needs the member's name.
    let is_member =
        !site.package.is_empty() && !Path::new(site.manifest_dir).join(site.file).is_file();
    let package = if is_member {
        format!("-p {} ", site.package)
    } else {
        String::new()
    };
    let filter = if site.function.is_empty() {
        // libtest names its threads after the tests.
        let name = thread.name().map(str::to_owned);
        name.filter(|name| name != "main").unwrap_or_default()
    } else {
        path_in_crate(site)
    };
    format!("cargo test {package}{filter}")
        .trim_end()
        .to_owned()
}

/// Returns `pricing::total` for the function `total` in the module `shop::pricing`.
pub(crate) fn path_in_crate(site: &Site) -> String {
    match site.module_path.split_once("::") {
        Some((_, modules)) => format!("{modules}::{}", site.function),
        None => site.function.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn command_of(manifest_dir: &'static str, file: &'static str) -> String {
        let site = Site {
            package: "shop",
            manifest_dir,
            file,
            line: 1,
            module_path: "pricing",
            function: "total",
        };
        command(&site, &thread::current())
    }

    #[test]
    fn the_command_names_the_package_where_cargo_starts_in_a_workspace() {
        let member = env!("CARGO_MANIFEST_DIR");
        assert_eq!(
            command_of(member, "tdg/src/lib.rs"),
            "cargo test -p shop total"
        );
        assert_eq!(command_of(member, "src/lib.rs"), "cargo test total");
    }
}
