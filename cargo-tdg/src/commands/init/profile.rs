//! Cargo profiles that build tdg for quick edits and large ensembles.

/// All profiles, for the workspace's `Cargo.toml`: cargo ignores the profiles of members.
const PROFILES: &str = include_str!("profiles.toml");

/// Returns the profiles; without SQLite, only those for dev builds.
pub(super) fn profiles(has_sqlite: bool) -> &'static str {
    let of_release = PROFILES
        .find("\n[profile.release")
        .unwrap_or(PROFILES.len());
    match has_sqlite {
        true => PROFILES,
        false => &PROFILES[..of_release],
    }
}

/// Appends the profiles to a manifest.
///
/// Returns `None` if the manifest sets the optimization of dev builds, which would be overridden,
/// or has profiles in a form that can't be extended.
pub(super) fn with_profiles(manifest: &str, has_sqlite: bool) -> Option<String> {
    let table = parse(manifest)?;
    let profile = |name: &str| table.get("profile")?.get(name);
    // Tests use the profile `test`, which inherits from `dev`.
    let mut own = ["dev", "test"].into_iter().filter_map(profile);
    if own.any(|it| it.get("package").is_some() || it.get("opt-level").is_some()) {
        return None;
    }
    let end = match manifest.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    };
    let profiles = profiles(has_sqlite).replace('\n', end);
    let with = format!("{}{end}{end}{profiles}", manifest.trim_end());
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
            let with = with_profiles(manifest, true).unwrap();
            assert_eq!(with, format!("{}\n\n{PROFILES}", manifest.trim_end()));
            assert_eq!(with_profiles(&with, true), None);
            let windows = with_profiles(&manifest.replace('\n', "\r\n"), true).unwrap();
            assert_eq!(windows, with.replace('\n', "\r\n"));
        }
    }

    #[test]
    fn without_sqlite_nothing_is_said_of_it() {
        let with = with_profiles("[package]\n", false).unwrap();
        assert!(with.ends_with("tdg-run = { opt-level = 1 }\n"), "{with}");
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
            assert_eq!(with_profiles(manifest, true), None, "{manifest}");
        }
    }
}
