use num_format::Locale;
use tdg::ensemble_test;

#[ensemble_test]
fn separator(
    #[define(type = STRING, categorical("en", "de", "fr", "hi", "de_CH", "es", "ar", "pt"))] locale: Locale,
) -> &'static str {
    locale.separator()
}
