//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use ipnetwork::Ipv4Network;
use std::net::Ipv4Addr;

#[derive(tdg::Define, serde::Deserialize)]
enum Suffix {
    #[define(probability = 0.1)]
    None,
    #[define(probability = 0.45)]
    Prefix(#[define(uniform(0..=33))] u8),
    #[define(probability = 0.25)]
    Netmask(#[define(uniform(1..=31))] u32),
    #[define(probability = 0.12)]
    Mask(#[define(categorical("255.0.255.0", "255.255.0.255", "0.0.0.255", "255.255.255.0"))] String),
    #[define(probability = 0.08)]
    Range(#[define(uniform(8..=16))] u8, #[define(uniform(20..=28))] u8),
}

#[derive(serde::Serialize)]
struct Summary {
    network: Ipv4Addr,
    broadcast: Ipv4Addr,
    mask: Ipv4Addr,
    size: u32,
    host: Option<Ipv4Addr>,
}

#[derive(serde::Serialize)]
struct Relation {
    within: bool,
    overlaps: bool,
}

#[tdg::ensemble_test(size = 600)]
fn summary(
    #[define(pattern(regex = "(10|172|192)(\\.(0|[1-9][0-9]?|1[0-9]{2})){3}"))] address: Ipv4Addr,
    #[define(mixture(uniform(8..=23) = 0.4, uniform(24..=32) = 0.6))] prefix: u8,
    #[define(uniform(0..=40))] host: u32,
) -> Result<Summary, String> {
    let network = Ipv4Network::new(address, prefix).map_err(|it| it.to_string())?;
    Ok(Summary {
        network: network.network(),
        broadcast: network.broadcast(),
        mask: network.mask(),
        size: network.size(),
        host: network.nth(host),
    })
}

#[tdg::ensemble_test(size = 600)]
fn read(
    #[define(pattern(regex = "(10|172|192)(\\.(0|[1-9][0-9]?|1[0-9]{2})){3}"))] address: &str,
    suffix: Suffix,
) -> Result<String, String> {
    let text = match suffix {
        Suffix::None => address.to_owned(),
        Suffix::Prefix(bits) => format!("{address}/{bits}"),
        Suffix::Netmask(bits) => format!("{address}/{}", Ipv4Addr::from(u32::MAX << (32 - bits))),
        Suffix::Mask(mask) => format!("{address}/{mask}"),
        Suffix::Range(low, high) => format!("{address}/{low}/{high}"),
    };
    text.parse::<Ipv4Network>().map(|it| it.to_string()).map_err(|it| it.to_string())
}

#[tdg::ensemble_test(size = 600)]
fn relation(
    #[define(pattern(regex = "10\\.0\\.[01]\\.(0|64|100|128|200)"))] outer: Ipv4Addr,
    #[define(uniform(20..=27))] outer_prefix: u8,
    #[define(pattern(regex = "10\\.0\\.[01]\\.(0|10|64|130|200)"))] inner: Ipv4Addr,
    #[define(uniform(22..=32))] inner_prefix: u8,
) -> Result<Relation, String> {
    let outer = Ipv4Network::new(outer, outer_prefix).map_err(|it| it.to_string())?;
    let inner = Ipv4Network::new(inner, inner_prefix).map_err(|it| it.to_string())?;
    Ok(Relation { within: inner.is_subnet_of(outer), overlaps: inner.overlaps(outer) })
}
