//! `UpperReversalSignal::new` of yata.
