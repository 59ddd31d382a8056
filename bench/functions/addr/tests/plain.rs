use tdg::ensemble_test;

#[ensemble_test]
fn user(
    #[define(pattern(regex = "[a-z+.]{1,8}@[a-z-]{1,8}\\.(com|co\\.uk|nosuch)"))] text: &str,
) -> Result<&str, String> {
    addr::parse_email_address(text)
        .map(|address| address.user())
        .map_err(|error| error.to_string())
}
