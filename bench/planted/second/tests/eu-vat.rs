//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use eu_vat::Vat;

#[derive(Clone, Copy, tdg::Define, serde::Deserialize)]
enum Country {
    Belgium,
    Germany,
    Greece,
    Italy,
    Luxembourg,
}

#[derive(serde::Serialize)]
struct Registration {
    country: &'static str,
    number: String,
    canonical: String,
}

fn digits(text: &str) -> impl DoubleEndedIterator<Item = u64> + '_ {
    text.bytes().map(|it| u64::from(it - b'0'))
}

/// A number of a country with its check digits, by the rules of the authorities.
fn number(country: Country, body: u64) -> String {
    match country {
        Country::Belgium => {
            let body = body % 10_000_000;
            format!("0{body:07}{:02}", 97 - body % 97)
        }
        Country::Germany => {
            let product = digits(&body.to_string()).fold(10, |product, it| {
                let sum = (it + product) % 10;
                (if sum == 0 { 10 } else { sum }) * 2 % 11
            });
            format!("{body}{}", (11 - product) % 10)
        }
        Country::Greece => {
            let body = format!("0{:07}", body % 10_000_000);
            let sum = digits(&body).fold(0, |sum, it| sum * 2 + it);
            format!("{body}{}", sum * 2 % 11 % 10)
        }
        Country::Italy => {
            let body = format!("{:07}{:03}", body % 10_000_000, 1 + body % 100);
            let sum: u64 = digits(&body).enumerate().map(|(i, it)| if i % 2 == 1 { it * 2 / 10 + it * 2 % 10 } else { it }).sum();
            format!("{body}{}", (10 - sum % 10) % 10)
        }
        Country::Luxembourg => {
            let body = body % 1_000_000;
            format!("{body:06}{:02}", body % 89)
        }
    }
}

/// The number that a customer types into an order.
#[tdg::ensemble_test(size = 500)]
fn registration(
    country: Country,
    #[define(uniform(10_000_000..=99_999_999))] body: u64,
    #[define(bernoulli(0.12))] mistyped: bool,
    #[define(bernoulli(0.3))] old: bool,
    #[define(categorical("" = 0.5, " " = 0.22, "." = 0.15, "-" = 0.1, "," = 0.03))] separator: &str,
    #[define(bernoulli(0.2))] lower: bool,
    #[define(bernoulli(0.3))] iso: bool,
) -> Result<Registration, String> {
    let (prefix, has_zero) = match country {
        Country::Belgium => ("BE", true),
        Country::Germany => ("DE", false),
        Country::Greece => (if iso { "GR" } else { "EL" }, true),
        Country::Italy => ("IT", false),
        Country::Luxembourg => ("LU", false),
    };
    let mut number = number(country, body);
    if mistyped {
        let last = number.pop().unwrap();
        number.push(if last == '9' { '0' } else { char::from(last as u8 + 1) });
    }
    let number = if old && has_zero { &number[1..] } else { &number };
    let text = format!("{prefix}{separator}{}{separator}{}", &number[..4], &number[4..]);
    let text = if lower { text.to_lowercase() } else { text };
    let vat = Vat::parse(&text).map_err(|it| it.to_string())?;
    Ok(Registration { country: vat.country().name(), number: vat.number().to_string(), canonical: vat.to_string() })
}

/// A Czech sole trader, whose number is the one of the birth certificate.
#[tdg::ensemble_test(size = 500)]
fn birth_number(
    #[define(uniform(0..=99))] year: u64,
    #[define(uniform(1..=12))] month: u64,
    #[define(uniform(1..=31))] day: u64,
    #[define(categorical(0 = 0.45, 20 = 0.04, 50 = 0.45, 70 = 0.06))] offset: u64,
    #[define(uniform(1..=999))] serial: u64,
    #[define(bernoulli(0.4))] short: bool,
    #[define(bernoulli(0.6))] slash: bool,
) -> Result<String, String> {
    let date = format!("{year:02}{:02}{day:02}", month + offset);
    let body: u64 = format!("{date}{serial:03}").parse().unwrap();
    let check = if short { String::new() } else { (body % 11 % 10).to_string() };
    let slash = if slash { "/" } else { "" };
    Vat::parse(&format!("CZ{date}{slash}{serial:03}{check}")).map(|it| it.to_string()).map_err(|it| format!("{it:?}"))
}
