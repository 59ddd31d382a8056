//! `RTree::locate_with_selection_function_mut` of rstar.
