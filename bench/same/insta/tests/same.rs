//! The lines of tdg's snapshots, asserted by insta. `bench/run` writes them.

#[test]
fn many() {
    insta::assert_snapshot!(include_str!("lines/many.txt"));
}

#[test]
fn few() {
    insta::assert_snapshot!(include_str!("lines/few.txt"));
}
