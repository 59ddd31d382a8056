//! The profile by which cargo optimises tdg in dev builds.

/// For the `Cargo.toml` of the workspace; cargo ignores the profiles of its members.
pub(super) const PROFILE: &str = "[profile.dev.package]
tdg = { opt-level = 1 }
tdg-definition = { opt-level = 1 }
tdg-engine = { opt-level = 1 }
";

/// The manifest with that profile at its end.
///
/// `None` if the manifest says by itself how far dev builds are optimised, which would be
/// overridden, or has profiles in a form to which none can be added.
pub(super) fn with_profile(manifest: &str) -> Option<String> {
    let table = parse(manifest)?;
    let profile = |name: &str| table.get("profile")?.get(name);
    // Tests have the profile `test`, which inherits `dev`.
    let mut own = ["dev", "test"].into_iter().filter_map(profile);
    if own.any(|it| it.get("package").is_some() || it.get("opt-level").is_some()) {
        return None;
    }
    let end = match manifest.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    };
    let profile = PROFILE.replace('\n', end);
    let with = format!("{}{end}{end}{profile}", manifest.trim_end());
    parse(&with).is_some().then_some(with)
}

fn parse(manifest: &str) -> Option<toml::Table> {
    manifest.trim_start_matches('\u{feff}').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_is_added_at_the_end_and_the_rest_stays() {
        for manifest in [
            "[package]\nname = \"shop\"",
            "\u{feff}[workspace]\nmembers = [\n  \"one\",\n  \"two\",\n]\n",
            "[profile.dev]\ndebug = 0\n\n[profile.release]\nopt-level = 3\n",
            "[profile.release.package.image]\nopt-level = 3\n",
            "# [profile.dev.package]\n[package.metadata.profile]\ndev = { opt-level = 1 }\n",
            "[profile]\nrelease.lto = true\n",
            "profile.dev.debug = 0\n[package]\n",
            "[[bin]]\nname = \"profile\" # dev.package\n",
        ] {
            let with = with_profile(manifest).unwrap();
            assert_eq!(with, format!("{}\n\n{PROFILE}", manifest.trim_end()));
            assert_eq!(with_profile(&with), None);
            let windows = with_profile(&manifest.replace('\n', "\r\n")).unwrap();
            assert_eq!(windows, with.replace('\n', "\r\n"));
        }
    }

    #[test]
    fn what_a_manifest_says_of_profiles_is_left_to_its_author() {
        for manifest in [
            "[profile.dev.package]\nimage = { opt-level = 3 }\n",
            "[profile.dev.package.\"*\"]\nopt-level = 2\n",
            "[ profile . 'dev' . \"package\" . tdg ]\nopt-level = 3\n",
            "\u{feff}[profile.dev]\n\"opt-level\" = 1\n",
            "[profile.test]\r\nopt-level = 2\r\n",
            "[profile.dev]\npackage.image.opt-level = 3\n",
            "[profile.dev]\npackage = { image = { opt-level = 3 } }\n",
            "[profile]\n\ndev = { debug = 0 }\n",
            "\"profile\" = { dev = { debug = 0 } }\n",
        ] {
            assert_eq!(with_profile(manifest), None, "{manifest}");
        }
    }
}
