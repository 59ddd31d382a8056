use std::path::PathBuf;
use tdg::ensemble_test;
use tokei::Report;

#[ensemble_test]
fn new(#[define(type = STRING, any)] name: PathBuf) -> Report {
    Report::new(name)
}
