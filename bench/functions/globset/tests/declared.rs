use globset::Candidate;
use std::path::Path;
use tdg::ensemble_test;

#[ensemble_test(output = "debug")]
fn candidate(
    #[define(type = STRING, pattern(regex = "(\\.?[a-z]{0,3}/){0,2}\\.?[a-zä]{0,4}(\\.[a-z]{0,3}){0,2}"))]
    path: &Path,
) -> Candidate<'_> {
    Candidate::new(path)
}
