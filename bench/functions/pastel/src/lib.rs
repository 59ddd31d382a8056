//! `Color::to_lms` of pastel.
