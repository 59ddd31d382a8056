use ipnet::Ipv4Net;
use tdg::ensemble_test;

#[ensemble_test]
fn is_sibling(
    #[define(type = STRING, pattern(regex = "10\\.1\\.[01]\\.(0|64|128|192)/2[3-6]"))] net: Ipv4Net,
    #[define(type = STRING, pattern(regex = "10\\.1\\.[01]\\.(0|64|128|192)/2[3-6]"))]
    other: Ipv4Net,
) -> bool {
    net.is_sibling(&other)
}
