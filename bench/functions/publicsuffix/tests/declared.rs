use publicsuffix::{Error, IcannList};
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn from_bytes(
    #[define(type = STRING, pattern(regex = "(// ===BEGIN ICANN DOMAINS===\n)?((\\*\\.|!)?[a-zé]{2}(\\.[a-z]{2})?\n){0,3}"))]
    bytes: &[u8],
) -> Result<IcannList, Error> {
    IcannList::from_bytes(bytes)
}
