use num_format::Locale;
use tdg::ensemble_test;

#[ensemble_test]
fn separator(
    #[define(categorical("en", "de", "fr", "hi", "de-CH", "es", "ar", "pt"), parse)]
    locale: &Locale,
) -> &'static str {
    locale.separator()
}
