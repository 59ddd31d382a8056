//! `Coordinates::new` of sunrise.
