//! A trivial function of ten features, on many rows and on a few.

#[tdg::ensemble_test(definition = "definitions/ten.json", size = 10_000)]
fn many(
    float_0: f64,
    float_1: f64,
    float_2: f64,
    float_3: f64,
    integer_0: i64,
    integer_1: i64,
    integer_2: i64,
    category_0: &str,
    category_1: &str,
    category_2: &str,
) -> f64 {
    trivial(
        (float_0, float_1, float_2, float_3),
        (integer_0, integer_1, integer_2),
        (category_0, category_1, category_2),
    )
}

#[tdg::ensemble_test(definition = "definitions/ten.json", size = 100)]
fn few(
    float_0: f64,
    float_1: f64,
    float_2: f64,
    float_3: f64,
    integer_0: i64,
    integer_1: i64,
    integer_2: i64,
    category_0: &str,
    category_1: &str,
    category_2: &str,
) -> f64 {
    trivial(
        (float_0, float_1, float_2, float_3),
        (integer_0, integer_1, integer_2),
        (category_0, category_1, category_2),
    )
}

fn trivial(
    floats: (f64, f64, f64, f64),
    integers: (i64, i64, i64),
    categories: (&str, &str, &str),
) -> f64 {
    let _ = (integers, categories);
    floats.0
}
