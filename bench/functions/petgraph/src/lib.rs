//! `StableGraph::reserve_exact_edges` of petgraph.
