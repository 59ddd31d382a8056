use bat::style::{StyleComponent, StyleComponents};
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn clear(
    #[define(categorical("grid", "rule", "numbers", "header", "snip"), parse)]
    component: StyleComponent,
) -> StyleComponents {
    let mut components = StyleComponents::new(&[component]);
    components.clear();
    components
}
