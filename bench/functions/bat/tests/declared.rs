use bat::style::{StyleComponent, StyleComponents};
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn clear(
    #[define([categorical("grid", "rule", "numbers", "header", "snip"), parse; 0..=4])]
    components: &[StyleComponent],
) -> StyleComponents {
    let mut components = StyleComponents::new(components);
    components.clear();
    components
}
