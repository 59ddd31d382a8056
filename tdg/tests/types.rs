//! Runs each line of `docs/reference/types.md`, since rustdoc doesn't run tests in examples.

#![allow(
    dead_code,
    unused_variables,
    clippy::boxed_local,
    clippy::needless_pass_by_value
)]

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::{NonZeroI64, NonZeroU8};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[tdg::ensemble_test(size = 20)]
fn read_as_they_are(
    #[define(any)] small: i8,
    #[define(any)] size: usize,
    #[define(any)] single: f32,
    #[define(any(0..=1_000_000))] wide: u128,
    #[define(any)] text: Box<str>,
    #[define(any)] borrowed: Cow<'_, str>,
    #[define(categorical("a", "ß"))] letter: char,
    #[define(any, null_probability = 0.2)] none: Option<char>,
    #[define(any)] boxed: Box<u32>,
    #[define(any, length(0..=64))] bytes: &[u8],
    #[define([uniform(0..=9); 0..=5])] numbers: &[u8],
    #[define(pattern(regex = "(?-u)GIF8[79]a[\\x00-\\xff]{4}"))] image: Vec<u8>,
    #[define(categorical(b"GIF89a", b"\xff\xd8\xff"))] kind: &[u8],
    #[define(any)] magic: [u8; 4],
    #[define([any, length(0..3); 0..=2], null_probability = 0.2)] parts: Option<Vec<Box<[u8]>>>,
) {
}

type Cents = u64;
type Rating = Option<u8>;
type Position = [f64; 2];

#[tdg::ensemble_test(size = 20)]
fn by_alias(
    #[define(any)] price: Cents,
    #[define(uniform(1..=5), null_probability = 0.3)] rating: Rating,
    #[define([any(-9.0..=9.0); 2])] position: Position,
) {
}

const LENGTH: usize = 3;

#[tdg::ensemble_test(size = 20)]
fn arrays_of_any_length(
    #[define(any)] bytes: [u8; 33],
    #[define([any(0.0..=9.0); 40])] numbers: [f64; 40],
    #[define(any)] lent: &[u8; 58],
    #[define(any)] optional: Option<[i64; 33]>,
    #[define(any, length(3))] named: [u8; LENGTH],
    #[define(any, via = |array: [u8; 40]| array.len())] made: usize,
    #[define([any, via = |byte: u8| u32::from(byte); 40])] each: [u32; 40],
) {
}

#[tdg::ensemble_test(size = 20)]
fn as_long_as_the_process(
    #[define(any)] text: &'static str,
    #[define(any, null_probability = 0.2)] optional: Option<&'static str>,
    #[define(any, length(0..=9))] bytes: &'static [u8],
    #[define([uniform(0..9); 0..=9])] numbers: &'static [u32],
    #[define(any)] changed: &'static mut [bool],
    #[define(any)] path: &'static Path,
    #[define(any, via = |text: &str| text.to_owned())] made: &'static str,
    line: &'static Line,
) {
}

#[tdg::ensemble_test(size = 20)]
fn read_by_serde(
    #[define(any)] byte: NonZeroU8,
    #[define(uniform(1..=255))] wide: NonZeroI64,
    #[define(pattern(regex = "[a-z]{1,8}/[a-z]{1,8}"))] path: PathBuf,
    #[define(any)] lent: &Path,
    #[define(type = STRING, any)] text: &[u8],
    #[define(pattern(regex = "10\\.0\\.[0-9]\\.[0-9]"))] host: Ipv4Addr,
    #[define(pattern(regex = "10\\.0\\.[0-9]\\.[0-9]:80"))] address: SocketAddr,
    #[define(categorical("::1", "127.0.0.1"))] either: IpAddr,
    #[define(pattern(regex = "10\\.0\\.0\\.[0-9]"), null_probability = 0.5)] lent_address: Option<
        IpAddr,
    >,
    #[define(any)] generic: std::num::NonZero<u16>,
) {
}

#[tdg::ensemble_test(size = 20)]
fn made(
    #[define(any, via = |text: &str| text.as_bytes().to_vec())] bytes: Vec<u8>,
    #[define(uniform(0..=86_400), via = Duration::from_secs)] timeout: Duration,
    #[define(uniform(0..=300), via = |n: u16| u8::try_from(n))] byte: u8,
    #[define(pattern(regex = "[0-9]{1,3}"), parse)] number: u32,
    #[define((uniform(0..=24), uniform(0..=59)), via = |h: u64, m: u64| Duration::from_secs(h * 3600 + m * 60))]
    time: Duration,
    #[define([uniform(0..=9), via = Duration::from_secs; 0..=5])] times: Vec<Duration>,
) {
}

#[derive(tdg::Define, serde::Deserialize)]
struct Line {
    #[define(uniform(1..=20))]
    quantity: u32,
    #[define(any)]
    note: String,
}

#[derive(tdg::Define, serde::Deserialize)]
enum Payment {
    #[define(probability = 0.6)]
    Card(#[define(pattern(regex = "\\d{16}"))] String),
    #[define(probability = 0.3)]
    Invoice {
        #[define(uniform(7..=60))]
        days: u16,
    },
    #[define(probability = 0.1)]
    Cash,
}

#[derive(tdg::Define, serde::Deserialize, Debug, PartialEq, Eq, Hash)]
struct Sku(#[define(pattern(regex = "[A-Z]{2}\\d{3}"))] String);

#[derive(tdg::Define, serde::Deserialize)]
#[serde(transparent)]
struct Basket {
    #[define([Sku; 1..=3])]
    skus: Vec<Sku>,
}

#[tdg::ensemble_test(size = 20)]
fn of_one_value(sku: Sku, lent: &Sku, basket: Basket) {
    assert!(sku.0.len() == 5 && lent.0.len() == 5);
    assert!((1..=3).contains(&basket.skus.len()));
}

#[tdg::ensemble_test(size = 20)]
fn several(
    #[define([uniform(0..100); 0..=12])] lent: &[u32],
    #[define(any)] array: [bool; 3],
    #[define([any; 2])] set: BTreeSet<i64>,
    #[define([any(-1e6..=1e6); 3], via = |xs: Vec<f64>| xs.into_boxed_slice())] boxed: Box<[f64]>,
    lines: &[Line],
    line: Line,
    payment: Payment,
    #[define({pattern(regex = "[a-z]{1,4}") => uniform(0..9); 0..=5})] stock: HashMap<String, u8>,
    #[define({any => Line; 0..=3})] by_number: BTreeMap<u16, Line>,
    #[define([Payment; 0..=3])] payments: Vec<Option<Box<Payment>>>,
    #[define((uniform(0..8), any))] pair: (u8, bool),
    #[define([(any, uniform(0.0..1.0), null_probability = 0.1, Line); 0..=5])] triples: &[(
        char,
        Option<f64>,
        Line,
    )],
) {
}

#[derive(tdg::Define, serde::Deserialize)]
struct Order {
    #[define(any)]
    member: bool,
    #[define(length(1..=8))]
    lines: Vec<Line>,
    payment: Payment,
}

#[tdg::ensemble_test(size = 20)]
fn as_its_type_states(order: &Order) {
    assert!((1..=8).contains(&order.lines.len()));
}

#[tdg::ensemble_test(size = 20)]
fn each_as_its_type_states(lines: &[Line], payment: Option<Payment>) {}

#[derive(Debug)]
struct Money(u32);

impl Money {
    fn new(cents: u32) -> Result<Self, String> {
        match cents {
            0..=90_000 => Ok(Money(cents)),
            _ => Err(format!("{cents} is too much")),
        }
    }
}

#[tdg::ensemble_test(size = 500)]
fn tax(#[define(uniform(0..=100_000), via = Money::new)] price: &Money) -> u32 {
    price.0 * 19 / 100
}

#[derive(tdg::Define)]
struct Job {
    #[define(uniform(0..=600), via = Duration::from_secs)]
    timeout: Duration,
    #[define(categorical("::1", "127.0.0.1"), parse)]
    host: std::net::IpAddr,
}

#[tdg::ensemble_test(definition = Job, size = 500)]
fn delay(job: Job) -> u64 {
    job.timeout.as_secs() * if job.host.is_ipv6() { 2 } else { 1 }
}

/// Appends the check digit of an ISBN-13.
fn isbn(digits: u64) -> String {
    let digits = format!("978{digits:09}");
    let weights = [1, 3].into_iter().cycle();
    let weighted = digits.bytes().zip(weights);
    let sum: u32 = weighted
        .map(|(it, weight)| u32::from(it - b'0') * weight)
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

#[tdg::ensemble_test(size = 20)]
fn group(#[define(uniform(0..=999_999_999), via = isbn)] isbn: &str) {
    let digits = isbn.bytes().map(|it| u32::from(it - b'0'));
    let sum: u32 = digits
        .zip([1, 3].into_iter().cycle())
        .map(|(it, weight)| it * weight)
        .sum();
    assert_eq!(sum % 10, 0);
}

#[tdg::ensemble_test(size = 20)]
fn reverse(
    #[define(uniform(0..=2), via = |i: usize| [Ordering::Less, Ordering::Equal, Ordering::Greater][i])]
    it: Ordering,
) {
}

#[tdg::ensemble_test(size = 100)]
fn values_that_refer_to_others(
    #[define(uniform(1..=4))] n: usize,
    #[define([(index(of = n), index(of = n), uniform(0..20)); 0..=9])] edges: &[(
        usize,
        usize,
        u32,
    )],
    #[define([[gaussian(mu = 0.0, sigma = 1.0); n]; n])] matrix: Vec<Vec<f64>>,
    #[define([any(-9.0..=9.0); n])] vector: Vec<f64>,
    #[define([uniform(0..50), unique; 0..=20], sorted)] xs: &[u32],
    #[define(one_of(xs, missing = 0.4, else = uniform(0..50)))] x: u32,
    #[define(index(of = xs))] i: Option<usize>,
    #[define([Line; 1..=3])] lines: Vec<Line>,
    #[define(one_of(lines.note))] note: &str,
) {
    assert!(edges.iter().all(|(from, to, _)| *from < n && *to < n));
    assert!(matrix.len() == n && matrix.iter().all(|row| row.len() == n) && vector.len() == n);
    assert!(x < 50 && i.is_none_or(|i| i < xs.len()) && i.is_none() == xs.is_empty());
    assert!(lines.iter().any(|line| line.note == note));
}

#[derive(tdg::Define, serde::Deserialize)]
struct Invoice {
    #[define(lognormal(mu = 3.0, sigma = 1.0), decimals = 2)]
    total: f64,
    #[define(length(1..=5), sorted(from, to))]
    items: Vec<Item>,
    #[define(sum(items.amount), decimals = 2)]
    sum: f64,
}

#[derive(tdg::Define, serde::Deserialize)]
struct Item {
    #[define(share(total), decimals = 2)]
    amount: f64,
    #[define(type = DATE, uniform("2026-01-01"..="2026-12-31"))]
    from: String,
    #[define(type = DATE, uniform("2026-01-01"..="2026-12-31"))]
    to: String,
}

#[tdg::ensemble_test(size = 100)]
fn parts_of_a_total_with_intervals_that_do_not_overlap(
    invoice: Invoice,
    #[define([(uniform(0..9), uniform(0..9)); 0..=4], sorted(0, 1))] pairs: &[(u8, u8)],
) {
    assert_eq!(invoice.total, invoice.sum);
    let days = invoice.items.iter().flat_map(|it| [&it.from, &it.to]);
    assert!(days.is_sorted());
    assert!(pairs.iter().flat_map(|(from, to)| [from, to]).is_sorted());
}
