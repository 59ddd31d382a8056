//! Each line of `docs/reference/types.md`, run: rustdoc leaves tests out of the page's examples.

#![allow(
    dead_code,
    unused_variables,
    clippy::boxed_local,
    clippy::needless_pass_by_value
)]

use std::borrow::Cow;
use std::collections::BTreeSet;
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
) {
}

#[tdg::ensemble_test(size = 20)]
fn read_by_serde(
    #[define(type = INTEGER, uniform(1..=255))] byte: NonZeroU8,
    #[define(type = INTEGER, uniform(1..=255))] wide: NonZeroI64,
    #[define(type = STRING, pattern(regex = "[a-z]{1,8}/[a-z]{1,8}"))] path: PathBuf,
    #[define(type = STRING, pattern(regex = "[a-z]{1,8}"))] lent: &Path,
    #[define(type = STRING, any)] bytes: &[u8],
    #[define(type = STRING, pattern(regex = "10\\.0\\.[0-9]\\.[0-9]"))] host: Ipv4Addr,
    #[define(pattern(regex = "10\\.0\\.[0-9]\\.[0-9]:80"), parse)] address: SocketAddr,
    #[define(categorical("::1", "127.0.0.1"), parse)] either: IpAddr,
) {
}

#[tdg::ensemble_test(size = 20)]
fn made(
    #[define(any, via = |text: &str| text.as_bytes().to_vec())] bytes: Vec<u8>,
    #[define(uniform(0..=86_400), via = Duration::from_secs)] timeout: Duration,
    #[define(uniform(0..=300), via = |n: u16| u8::try_from(n))] byte: u8,
    #[define(pattern(regex = "[0-9]{1,3}"), parse)] number: u32,
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

#[tdg::ensemble_test(size = 20)]
fn several(
    #[define([uniform(0..100); 0..=12])] lent: &[u32],
    #[define(any)] array: [bool; 3],
    #[define([any; 2])] set: BTreeSet<i64>,
    #[define([any(-1e6..=1e6); 3], via = |xs: Vec<f64>| xs.into_boxed_slice())] boxed: Box<[f64]>,
    lines: &[Line],
    line: Line,
    payment: Payment,
    #[define([Payment; 0..=3])] payments: Vec<Box<Payment>>,
    #[define((uniform(0..8), any))] pair: (u8, bool),
    #[define([(any, uniform(0.0..1.0), null_probability = 0.1, Line); 0..=5])] triples: &[(
        char,
        Option<f64>,
        Line,
    )],
) {
}

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
