use tdg::ensemble_test;

#[ensemble_test]
fn is_windows_drive_path(
    #[define(pattern(regex = "[a-zC1é]?[:.]?[\\\\/a]?[a-z\\\\]{0,3}"))] input: &str,
) -> bool {
    monolith::url::is_windows_drive_path(input)
}
