//! `Data::as_megaoctets` of measurements.
