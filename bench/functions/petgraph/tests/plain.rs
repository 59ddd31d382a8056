use petgraph::stable_graph::StableGraph;
use tdg::ensemble_test;

#[ensemble_test]
fn reserve_exact_edges(
    #[define(uniform(0..=20))] edges: usize,
    #[define(uniform(0..=40))] additional: usize,
) -> usize {
    let mut graph = StableGraph::<(), ()>::with_capacity(0, edges);
    graph.reserve_exact_edges(additional);
    graph.capacity().1
}
