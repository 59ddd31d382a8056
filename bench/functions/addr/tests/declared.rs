use addr::email::Address;
use tdg::ensemble_test;

#[ensemble_test]
fn user(
    #[define(pattern(regex = "[a-z+.]{1,8}@[a-z-]{1,8}\\.(com|co\\.uk|nosuch)"), via = addr::parse_email_address)]
    address: Address<'_>,
) -> String {
    address.user().to_owned()
}
