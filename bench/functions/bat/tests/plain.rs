use bat::style::StyleComponents;
use tdg::ensemble_test;

#[ensemble_test]
fn clear(
    #[define(categorical("grid", "rule", "numbers", "header", "snip"))] component: &str,
) -> usize {
    let mut components = StyleComponents::new(&[component.parse().unwrap()]);
    components.clear();
    components.0.len()
}
