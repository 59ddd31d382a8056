//! `gamma_ui` of statrs.
