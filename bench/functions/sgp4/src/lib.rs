//! `Elements::epoch_afspc_compatibility_mode` of sgp4.
