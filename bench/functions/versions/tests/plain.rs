use tdg::ensemble_test;
use versions::Versioning;

#[ensemble_test]
fn new(
    #[define(pattern(
        regex = "([0-9]:)?[0-9]{1,2}(\\.[0-9]{1,2}){0,3}(-[a-z]{1,2}[0-9]?)?(\\+[a-z]{1,3})?|[a-z:_.!]{0,6}"
    ))]
    text: &str,
) -> Option<Versioning> {
    Versioning::new(text)
}
