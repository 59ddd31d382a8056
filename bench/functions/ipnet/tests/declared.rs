use ipnet::Ipv4Net;
use tdg::ensemble_test;

#[ensemble_test]
fn is_sibling(
    #[define(pattern(regex = "10\\.1\\.[01]\\.(0|64|128|192)/2[3-6]"), parse)] net: &Ipv4Net,
    #[define(pattern(regex = "10\\.1\\.[01]\\.(0|64|128|192)/2[3-6]"), parse)] other: &Ipv4Net,
) -> bool {
    net.is_sibling(other)
}
