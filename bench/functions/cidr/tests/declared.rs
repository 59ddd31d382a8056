use cidr::{AnyIpCidr, IpInet};
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn first(
    #[define(
        pattern(
            regex = "10\\.(0|16|20)\\.0\\.0/(1[2-9]|2[0-9]|3[0-2])|any|2001:db8::/(3[2-9]|[4-9][0-9])"
        ),
        parse
    )]
    cidr: &AnyIpCidr,
) -> Option<IpInet> {
    cidr.first()
}
