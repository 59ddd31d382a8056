use publicsuffix::{Error, IcannList};
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn from_bytes(
    #[define(pattern(regex = "(?-u)(// ===BEGIN ICANN DOMAINS===\n)?((\\*\\.|!)?([a-z]|\\xc3\\xa9|\\xff){2}(\\.[a-z]{2})?\n){0,3}"))]
    bytes: &[u8],
) -> Result<IcannList, Error> {
    IcannList::from_bytes(bytes)
}
