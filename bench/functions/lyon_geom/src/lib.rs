//! `LineEquation::is_vertical` of lyon_geom.
