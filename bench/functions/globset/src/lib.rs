//! `Candidate::new` of globset.
