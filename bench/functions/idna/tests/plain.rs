use tdg::ensemble_test;

#[ensemble_test]
fn domain_to_ascii_strict(
    #[define(pattern(regex = "[a-zäßñ北_-]{0,6}\\.?[A-Zaé0-9]{1,4}"))] domain: &str,
) -> Result<String, idna::Errors> {
    idna::domain_to_ascii_strict(domain)
}
