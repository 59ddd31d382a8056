//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Letters {
    Lower,
    Title,
    Upper,
}

/// How many of a thing there are, as on a page.
#[tdg::ensemble_test(size = 500)]
fn counted(
    #[define(uniform(0..=9))] count: u32,
    #[define(categorical(
        "bus", "box", "city", "day", "key", "toy", "person", "child", "woman", "man", "foot", "tooth", "wolf",
        "knife", "quiz", "mouse", "house", "tomato", "photo", "analysis", "status", "index", "sheep", "time",
        "class", "church", "brush", "stadium", "order", "invoice", "parcel", "query"
    ))]
    noun: &str,
    letters: Letters,
) -> String {
    let noun = match letters {
        Letters::Lower => noun.to_owned(),
        Letters::Title => noun[..1].to_uppercase() + &noun[1..],
        Letters::Upper => noun.to_uppercase(),
    };
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {}", inflection::plural::<_, String>(noun.as_str())),
    }
}

/// The classes for the tables of a database.
#[tdg::ensemble_test(size = 400)]
fn classes(
    #[define([categorical(
        "orders" = 0.05, "buses" = 0.06, "boxes" = 0.06, "cities" = 0.06, "days" = 0.06, "people" = 0.06,
        "old_people" = 0.04, "children" = 0.06, "wolves" = 0.05, "shelves" = 0.05, "knives" = 0.05, "quizzes" = 0.05,
        "mice" = 0.05, "analyses" = 0.05, "statuses" = 0.05, "indices" = 0.05, "species" = 0.007, "news" = 0.043,
        "movies" = 0.05, "addresses" = 0.05
    ); 1..=4])]
    tables: Vec<String>,
) -> Vec<String> {
    tables.iter().map(|it| inflection::singular::<_, String>(it.as_str())).collect()
}
