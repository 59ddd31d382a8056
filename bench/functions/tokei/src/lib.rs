//! `Report::new` of tokei.
