use ndarray::{Array2, Axis, ShapeError};
use tdg::ensemble_test;

#[ensemble_test]
fn append(
    #[define(uniform(0..=3))] rows: usize,
    #[define(uniform(0..=3))] columns: usize,
    #[define(uniform(0..=3))] more_rows: usize,
    #[define(uniform(0..=3))] more_columns: usize,
    #[define(uniform(0..2))] axis: usize,
) -> Result<Array2<f64>, ShapeError> {
    let mut array = Array2::from_shape_fn((rows, columns), |(i, j)| (10 * i + j) as f64);
    let more = Array2::from_shape_fn((more_rows, more_columns), |(i, j)| -((10 * i + j) as f64));
    array.append(Axis(axis), more.view())?;
    Ok(array)
}
