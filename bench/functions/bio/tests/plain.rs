use tdg::ensemble_test;

#[ensemble_test]
fn pam40(#[define(uniform(65..=90))] a: u8, #[define(uniform(65..=90))] b: u8) -> i32 {
    bio::scores::pam40(a, b)
}
