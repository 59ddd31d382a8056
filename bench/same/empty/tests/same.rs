//! What a test process costs that does nothing.

#[test]
fn many() {}

#[test]
fn few() {}
