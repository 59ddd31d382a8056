use email_address::EmailAddress;
use tdg::ensemble_test;

#[ensemble_test]
fn email(
    #[define(
        pattern(
            regex = "([A-Z][a-z]{0,4} <[a-z]{1,5}@[a-z]{1,6}\\.org>)|[a-z.]{1,4}@[a-z]{1,6}\\.org"
        ),
        parse
    )]
    address: EmailAddress,
) -> String {
    address.email().to_owned()
}
