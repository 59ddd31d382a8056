//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

/// The check digit of a code without one: double every second digit, from the right.
fn check_digit(code: &str) -> u32 {
    let digits: Vec<u32> = code
        .chars()
        .filter_map(|it| it.to_digit(36))
        .flat_map(|it| if it < 10 { vec![it] } else { vec![it / 10, it % 10] })
        .collect();
    let doubled = digits.iter().rev().enumerate().map(|(place, it)| if place % 2 == 0 { it * 2 } else { *it });
    (10 - doubled.map(|it| it / 10 + it % 10).sum::<u32>() % 10) % 10
}

#[tdg::ensemble_test(size = 600)]
fn read(
    #[define(categorical("US" = 0.4, "DE" = 0.3, "GB" = 0.2, "U1" = 0.1))] country: &str,
    #[define(pattern(regex = "[0-9A-Z]{2}[0-9]{7}"))] code: &str,
    #[define(categorical(0 = 0.9, 1 = 0.05, 5 = 0.05))] wrong_by: u32,
    #[define(bernoulli(0.85))] upper: bool,
    #[define(categorical("" = 0.9, " " = 0.1))] before: &str,
    #[define(categorical("" = 0.85, " " = 0.1, "\n" = 0.05))] after: &str,
    #[define(bernoulli(0.75))] loose: bool,
) -> Result<(String, String, char), String> {
    let code = format!("{country}{code}");
    let code = format!("{before}{code}{}{after}", (check_digit(&code) + wrong_by) % 10);
    let code = if upper { code } else { code.to_lowercase() };
    let found = if loose { isin::parse_loose(&code) } else { isin::parse(&code) };
    found
        .map(|it| (it.prefix().to_owned(), it.basic_code().to_owned(), it.check_digit()))
        .map_err(|it| it.to_string())
}

#[tdg::ensemble_test(size = 250)]
fn built(
    #[define(categorical("US" = 0.5, "XS" = 0.3, "FR" = 0.15, "F" = 0.05))] country: &str,
    #[define(pattern(regex = "[0-9A-Za-c]{2}[0-9A-Z][0-9]{6}"))] code: &str,
) -> Result<String, String> {
    isin::build_from_parts(country, code).map(|it| it.to_string()).map_err(|it| it.to_string())
}
