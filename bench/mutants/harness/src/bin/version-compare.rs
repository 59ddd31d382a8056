#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

use version_compare::{Cmp, Manifest, Version};

fn main() {
    harness::run(&[
        ("compare", |row| compare(harness::read(row))),
        ("sign", |row| sign(harness::read(row))),
    ]);
}

#[derive(Deserialize)]
struct Compare {
    version: String,
    other: String,
    operator: String,
    max_depth: Option<usize>,
    ignore_text: bool,
    gnu_ordering: bool,
}

fn compare(row: Compare) -> Value {
    let mut manifest = Manifest::default();
    manifest.max_depth = row.max_depth;
    manifest.ignore_text = row.ignore_text;
    manifest.gnu_ordering = row.gnu_ordering;
    let (Some(version), Some(other)) = (
        Version::from_manifest(&row.version, &manifest),
        Version::from_manifest(&row.other, &manifest),
    ) else {
        return json!({"Err": "not a version"});
    };
    let operator = Cmp::from_sign(&row.operator).expect("an operator");
    json!({"Ok": {
        "order": version.compare(&other).sign(),
        "holds": version.compare_to(&other, operator),
        "parts": version.parts().len(),
    }})
}

#[derive(Deserialize)]
struct Sign {
    sign: String,
    name: String,
    version: String,
    other: String,
}

fn sign(row: Sign) -> Value {
    let describe = |operator: Cmp| {
        json!({
            "sign": operator.sign(),
            "name": operator.name(),
            "inverted": operator.invert().sign(),
            "opposite": operator.opposite().sign(),
            "flipped": operator.flip().sign(),
            "factor": operator.factor(),
            "order": operator.ord().map(|order| format!("{order:?}")),
        })
    };
    let order = version_compare::compare(&row.version, &row.other);
    json!({
        "of_sign": harness::result(Cmp::from_sign(&row.sign), describe, |()| Value::Null),
        "of_name": harness::result(Cmp::from_name(&row.name), describe, |()| Value::Null),
        "order": harness::result(order, |order| json!(order.sign()), |()| Value::Null),
    })
}
