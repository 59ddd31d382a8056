use rstar::{AABB, RTree, SelectionFunction};
use tdg::ensemble_test;

/// Points to the left of a line.
struct Left(f64);

impl SelectionFunction<[f64; 2]> for Left {
    fn should_unpack_parent(&self, envelope: &AABB<[f64; 2]>) -> bool {
        envelope.lower()[0] < self.0
    }

    fn should_unpack_leaf(&self, leaf: &[f64; 2]) -> bool {
        leaf[0] < self.0
    }
}

#[ensemble_test(unordered(""))]
fn locate_with_selection_function_mut(
    #[define([[uniform(-5.0..5.0); 2]; 0..=30], via = RTree::bulk_load)] mut tree: RTree<[f64; 2]>,
    #[define(uniform(-5.0..5.0), via = Left)] left: Left,
) -> Vec<[f64; 2]> {
    tree.locate_with_selection_function_mut(left)
        .map(|point| *point)
        .collect()
}
