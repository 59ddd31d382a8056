//! Outputs by their members: public fields, and methods without arguments.

use std::fmt;

use tdg::ensemble_test;

/// A type with neither `Debug` nor `Serialize`.
struct Cart {
    pub(crate) currency: &'static str,
    prices: Vec<f64>,
}

#[derive(Debug)]
#[allow(dead_code)]
enum Size {
    Small,
    Large(usize),
}

impl Cart {
    fn of(amount: f64, quantity: i64) -> Self {
        Self {
            currency: if amount > 10.0 { "EUR" } else { "USD" },
            prices: (0..quantity % 5).map(|_| amount / 3.0).collect(),
        }
    }

    fn total(&self) -> f64 {
        self.prices.iter().sum()
    }

    fn first(&self) -> Option<&f64> {
        self.prices.first()
    }

    fn size(&self) -> Size {
        match self.prices.len() {
            0..3 => Size::Small,
            many => Size::Large(many),
        }
    }
}

struct Refusal(i64);

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "only {}", self.0)
    }
}

#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 8,
    output = [currency, total(), first(), size()],
    tolerance("/total", rel = 1e-9)
)]
fn a_value(amount: f64, quantity: i64) -> Cart {
    Cart::of(amount, quantity)
}

#[ensemble_test(definition = "tests/definitions/orders.json", size = 4, output = [0, 1])]
fn a_tuple(amount: f64, quantity: i64) -> (f64, i64, Refusal) {
    (amount, quantity, Refusal(quantity))
}

#[ensemble_test(definition = "tests/definitions/orders.json", size = 8, output = [size()])]
fn an_option(amount: f64, quantity: i64) -> Option<Cart> {
    (quantity > 3).then(|| Cart::of(amount, quantity))
}

#[ensemble_test(definition = "tests/definitions/orders.json", size = 8, output = [currency])]
fn a_result(amount: f64, quantity: i64) -> Result<Cart, Refusal> {
    match quantity > 3 {
        true => Ok(Cart::of(amount, quantity)),
        false => Err(Refusal(quantity)),
    }
}

#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 8,
    output = [currency, total()],
    batch
)]
fn a_batch(amounts: Vec<(f64, i64, Option<&str>, f64, bool)>) -> Vec<Cart> {
    let cart = |row: &(f64, i64, _, _, _)| Cart::of(row.0, row.1);
    amounts.iter().map(cart).collect()
}

#[ensemble_test(
    definition = "tests/definitions/orders.json",
    size = 8,
    output = [total()],
    against = Cart::of
)]
fn another_function(amount: f64, quantity: i64) -> Cart {
    Cart::of(amount, quantity)
}
