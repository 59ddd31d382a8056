use ini::Ini;
use tdg::ensemble_test;

#[ensemble_test]
fn section_mut(
    #[define(pattern(regex = "(k=v\n)?(\\[[ab]\\]\n(x=[0-9]\n){0,2}){0,3}"))] text: &str,
    #[define(categorical("a", "b", "c"))] name: Option<&str>,
) -> Option<Vec<(String, String)>> {
    let mut ini = Ini::load_from_str(text).unwrap();
    let section = ini.section_mut(name)?;
    Some(
        section
            .iter()
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect(),
    )
}
