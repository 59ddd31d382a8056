//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use rpm_version::{Evr, Nevra, ReqOperator, Requirement};
use std::cmp::Ordering;

#[derive(tdg::Define, serde::Deserialize)]
struct Version {
    #[define(categorical(0 = 0.12, 1 = 0.68, 2 = 0.2), null_probability = 0.88)]
    epoch: Option<u32>,
    #[define(pattern(regex = "[12]\\.0?[0-3](~rc[12]|\\^git[12])?"))]
    version: String,
    #[define(categorical("1" = 0.5, "2" = 0.3, "2.fc41" = 0.2))]
    release: String,
}

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Operator {
    Less,
    LessOrEqual,
    Equal,
    GreaterOrEqual,
    Greater,
}

#[derive(serde::Serialize)]
struct Package {
    name: String,
    epoch: String,
    version: String,
    release: String,
    arch: String,
}

#[tdg::ensemble_test(size = 600, output = "debug")]
fn order(left: Version, right: Version) -> Ordering {
    let text = |it: &Version| {
        let epoch = it.epoch.map(|it| format!("{it}:")).unwrap_or_default();
        format!("{epoch}{}-{}", it.version, it.release)
    };
    rpm_version::rpm_evr_compare(&text(&left), &text(&right))
}

#[tdg::ensemble_test(size = 400)]
fn package(
    #[define(pattern(regex = "[a-z]{3,8}[0-9]?(-[a-z]{3,5})?"))] name: &str,
    #[define(uniform(0..=3), null_probability = 0.6)] epoch: Option<u32>,
    #[define(pattern(regex = "[0-9]{1,2}\\.[0-9]{1,2}(\\.[0-9])?"))] version: &str,
    #[define(pattern(regex = "[1-9](\\.fc4[01])?"))] release: &str,
    #[define(categorical("x86_64" = 0.5, "noarch" = 0.3, "aarch64" = 0.2))] arch: &str,
) -> Package {
    let epoch = epoch.map(|it| format!("{it}:")).unwrap_or_default();
    let text = format!("{name}-{epoch}{version}-{release}.{arch}");
    let found = Nevra::parse(&text);
    Package {
        name: found.name().to_owned(),
        epoch: found.epoch().to_owned(),
        version: found.version().to_owned(),
        release: found.release().to_owned(),
        arch: found.arch().to_owned(),
    }
}

#[tdg::ensemble_test(size = 800)]
fn allowed(
    #[define(categorical("glibc" = 0.9, "musl" = 0.1))] name: &str,
    #[define(null_probability = 0.1)] operator: Option<Operator>,
    #[define(categorical("1.9", "1.10", "1.10~rc1", "1.10^2", "2.0"))] required: &str,
    #[define(categorical("1.9", "1.10", "1.10~rc1", "1.10^2", "2.0"))] installed: &str,
    #[define(uniform(1..=2))] required_release: u32,
    #[define(uniform(1..=2))] installed_release: u32,
) -> (String, bool) {
    let (required_release, installed_release) = (required_release.to_string(), installed_release.to_string());
    let requirement = match operator {
        None => Requirement::new("glibc"),
        Some(operator) => {
            let operator = match operator {
                Operator::Less => ReqOperator::LT,
                Operator::LessOrEqual => ReqOperator::LE,
                Operator::Equal => ReqOperator::EQ,
                Operator::GreaterOrEqual => ReqOperator::GE,
                Operator::Greater => ReqOperator::GT,
            };
            Requirement::with_constraint("glibc", operator, Evr::new("", required, &required_release))
        }
    };
    let is_allowed = requirement.satisfies(name, &Evr::new("", installed, &installed_release));
    (requirement.to_string(), is_allowed)
}
