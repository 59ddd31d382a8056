#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

use inflector::cases::{
    camelcase, classcase, kebabcase, pascalcase, screamingsnakecase, sentencecase, snakecase,
    tablecase, titlecase, traincase,
};
use inflector::numbers::{deordinalize, ordinalize};
use inflector::string::{deconstantize, demodulize, pluralize, singularize};
use inflector::suffix::foreignkey;

fn main() {
    harness::run(&[
        ("case", |row| case(harness::read(row))),
        ("is", |row| is(harness::read(row))),
        ("name", |row| name(harness::read(row))),
    ]);
}

#[derive(Deserialize)]
struct Case {
    text: String,
    case: String,
}

fn case(row: Case) -> Value {
    let convert = match row.case.as_str() {
        "camel" => camelcase::to_camel_case,
        "class" => classcase::to_class_case,
        "kebab" => kebabcase::to_kebab_case,
        "pascal" => pascalcase::to_pascal_case,
        "screaming" => screamingsnakecase::to_screaming_snake_case,
        "sentence" => sentencecase::to_sentence_case,
        "snake" => snakecase::to_snake_case,
        "table" => tablecase::to_table_case,
        "title" => titlecase::to_title_case,
        _ => traincase::to_train_case,
    };
    json!(convert(&row.text))
}

fn is(row: Case) -> Value {
    let is = match row.case.as_str() {
        "camel" => camelcase::is_camel_case,
        "class" => classcase::is_class_case,
        "kebab" => kebabcase::is_kebab_case,
        "pascal" => pascalcase::is_pascal_case,
        "screaming" => screamingsnakecase::is_screaming_snake_case,
        "sentence" => sentencecase::is_sentence_case,
        "snake" => snakecase::is_snake_case,
        "table" => tablecase::is_table_case,
        "title" => titlecase::is_title_case,
        _ => traincase::is_train_case,
    };
    json!(is(&row.text))
}

#[derive(Deserialize)]
struct Name {
    place: i64,
    word: String,
    path: String,
}

fn name(row: Name) -> Value {
    let place = ordinalize::ordinalize(&row.place.to_string());
    json!({
        "number": deordinalize::deordinalize(&place),
        "place": place,
        "plural": pluralize::to_plural(&row.word),
        "singular": singularize::to_singular(&row.word),
        "module": deconstantize::deconstantize(&row.path),
        "item": demodulize::demodulize(&row.path),
        "key": foreignkey::to_foreign_key(&row.path),
        "is_key": foreignkey::is_foreign_key(&row.word),
    })
}
