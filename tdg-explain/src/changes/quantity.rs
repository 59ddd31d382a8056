//! The numbers that an actual number may come from: the expected one, features, and aggregates of
//! several features.

use tdg_definition::json::{Number, Value};
use tdg_definition::{Cells, sort};

use super::pairs::Pairs;
use tdg_engine::Vectors;

/// With more features, pairs are not tried.
const FEATURES: usize = 8;

/// A number of each case.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quantity {
    Expected,
    Feature(usize),
    /// The number of characters of a text.
    Length(usize),
    /// An aggregate of several features.
    Of(Aggregate, Vec<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aggregate {
    Largest,
    Smallest,
    Median,
    Sum,
    Mean,
    Product,
    Difference,
}

impl Quantity {
    /// Returns the quantities of single features, of all, and of pairs.
    pub(super) fn of_features(vectors: &Vectors) -> Vec<Self> {
        let mut quantities = Vec::new();
        let mut numbers = Vec::new();
        for (position, feature) in vectors.features().iter().enumerate() {
            match feature.column.cells() {
                Cells::Float(_) | Cells::Integer(_) | Cells::Unsigned(_) => numbers.push(position),
                Cells::Text(_) | Cells::Bytes(_) => quantities.push(Self::Length(position)),
                _ => {}
            }
        }
        quantities.splice(
            0..0,
            numbers.iter().map(|position| Self::Feature(*position)),
        );
        if numbers.len() > FEATURES {
            return quantities;
        }
        let of = |aggregate, features: &[usize]| Self::Of(aggregate, features.to_vec());
        if numbers.len() > 2 {
            use Aggregate::{Largest, Mean, Median, Smallest, Sum};
            let all = [Largest, Smallest, Median, Sum, Mean];
            quantities.extend(all.map(|aggregate| of(aggregate, &numbers)));
        }
        for (index, left) in numbers.iter().enumerate() {
            for right in &numbers[index + 1..] {
                use Aggregate::{Difference, Largest, Product, Smallest, Sum};
                let both = [Largest, Smallest, Sum, Product, Difference];
                quantities.extend(both.map(|aggregate| of(aggregate, &[*left, *right])));
                quantities.push(of(Difference, &[*right, *left]));
            }
        }
        quantities
    }

    /// Returns true for one of the many aggregates of two features.
    pub(super) fn is_of_two(&self) -> bool {
        matches!(self, Self::Of(_, features) if features.len() == 2)
    }

    /// Returns the number of a case, if it is known and finite.
    pub(super) fn value(&self, pairs: &Pairs<'_>, index: usize) -> Option<f64> {
        let row = pairs.pairs[index].row;
        let number = match self {
            Self::Expected => finite(pairs.expected(index))?,
            Self::Feature(position) => number_of(pairs.vectors, *position, row)?,
            Self::Length(position) => {
                let column = pairs.vectors.column(*position);
                match column.cells() {
                    Cells::Text(text) if !column.is_null(row) => {
                        text.get(row).chars().count() as f64
                    }
                    Cells::Bytes(bytes) if !column.is_null(row) => bytes.get(row).len() as f64,
                    _ => return None,
                }
            }
            Self::Of(aggregate, features) => {
                let numbers = features.iter();
                let numbers = numbers.map(|position| number_of(pairs.vectors, *position, row));
                aggregate.apply(numbers.collect::<Option<Vec<f64>>>()?)
            }
        };
        number.is_finite().then_some(number)
    }

    /// Returns a name such as `largest of a, b and c`.
    pub(super) fn name(&self, vectors: &Vectors) -> String {
        match self {
            Self::Expected => "expected".to_owned(),
            Self::Feature(position) => vectors.name(*position).to_owned(),
            Self::Length(position) => format!("length of {}", vectors.name(*position)),
            Self::Of(aggregate, features) => {
                let names: Vec<&str> = features.iter().map(|it| vectors.name(*it)).collect();
                let all = match names.split_last() {
                    Some((last, [])) => (*last).to_owned(),
                    Some((last, first)) => format!("{} and {last}", first.join(", ")),
                    None => String::new(),
                };
                match aggregate {
                    Aggregate::Largest => format!("largest of {all}"),
                    Aggregate::Smallest => format!("smallest of {all}"),
                    Aggregate::Median => format!("median of {all}"),
                    Aggregate::Mean => format!("mean of {all}"),
                    Aggregate::Sum => names.join(" + "),
                    Aggregate::Product => names.join(" × "),
                    Aggregate::Difference => names.join(" − "),
                }
            }
        }
    }
}

impl Aggregate {
    fn apply(self, mut numbers: Vec<f64>) -> f64 {
        let sum = || numbers.iter().sum::<f64>();
        match self {
            Self::Largest => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Self::Smallest => numbers.iter().copied().fold(f64::INFINITY, f64::min),
            Self::Sum => sum(),
            Self::Mean => sum() / numbers.len() as f64,
            Self::Product => numbers.iter().product(),
            Self::Difference => numbers[0] - numbers[1],
            Self::Median => {
                sort::by(&mut numbers, |left, right| left.total_cmp(right));
                let middle = numbers.len() / 2;
                match numbers.len() % 2 {
                    1 => numbers[middle],
                    _ => numbers[middle - 1] / 2.0 + numbers[middle] / 2.0,
                }
            }
        }
    }
}

/// Returns the number if it is finite and exact as a float.
pub(super) fn finite(value: &Value) -> Option<f64> {
    let float = value.as_f64().filter(|number| number.is_finite())?;
    (Number::from(float) == value.as_number()?).then_some(float)
}

fn number_of(vectors: &Vectors, position: usize, row: usize) -> Option<f64> {
    let column = vectors.column(position);
    match column.cells() {
        _ if column.is_null(row) => None,
        Cells::Float(values) => Some(values[row]),
        Cells::Integer(values) => Some(values[row] as f64),
        Cells::Unsigned(values) => Some(values[row] as f64),
        _ => None,
    }
}
