use ini::{Ini, Properties};
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn section_mut(
    #[define(pattern(regex = "(k=v\n)?(\\[[ab]\\]\n(x=[0-9]\n){0,2}){0,3}"), via = Ini::load_from_str)]
    ini: &mut Ini,
    #[define(categorical("a", "b", "c"))] name: Option<&str>,
) -> Option<Properties> {
    ini.section_mut(name).cloned()
}
