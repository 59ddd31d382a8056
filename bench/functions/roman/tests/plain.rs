use tdg::ensemble_test;

#[ensemble_test(size = 500)]
fn from_lower(
    #[define(pattern(regex = "m{0,4}(c?d|c{0,4}|cm)(x?l|x{0,4}|xc)(i?v|i{0,4}|ix)"))] text: &str,
) -> Option<i32> {
    roman::from_lower(text)
}
