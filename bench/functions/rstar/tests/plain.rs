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

#[ensemble_test]
fn locate_with_selection_function_mut(
    #[define(uniform(0..=30))] points: i32,
    #[define(uniform(-5.0..5.0))] line: f64,
) -> Vec<[f64; 2]> {
    let point = |n: i32| [f64::from(n * 7 % 11 - 5), f64::from(n)];
    let mut tree = RTree::bulk_load((0..points).map(point).collect());
    let mut found: Vec<_> = tree
        .locate_with_selection_function_mut(Left(line))
        .map(|point| *point)
        .collect();
    found.sort_by(|one, other| one[1].total_cmp(&other[1]));
    found
}
