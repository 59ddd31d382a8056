//! `Locale::separator` of num-format.
