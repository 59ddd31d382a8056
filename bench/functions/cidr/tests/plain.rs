use cidr::{AnyIpCidr, IpInet};
use tdg::ensemble_test;

#[ensemble_test]
fn first(
    #[define(type = STRING, pattern(regex = "(10|172)\\.(0|16)\\.0\\.0/(1[2-9]|2[0-9]|3[0-2])|any|2001:db8::/(3[2-9]|[4-9][0-9])"))]
    cidr: AnyIpCidr,
) -> Option<IpInet> {
    cidr.first()
}
