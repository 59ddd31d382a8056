use tdg::ensemble_test;
use version_compare::Cmp;

#[ensemble_test(output = "debug")]
fn flip(
    #[define(categorical("==", "!=", "<", "<=", ">=", ">"), via = Cmp::from_sign::<&str>)] cmp: Cmp,
) -> Cmp {
    cmp.flip()
}
