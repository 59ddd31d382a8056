//! One of a list of values.

use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::weights::{self, Choice};
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::scalar::batches::draw_each;
use crate::scalar::{
    Canonical, CatalogueEntry, Distribution, Domain, Monotonicity, Sampler, Support,
};
use crate::sort;
use crate::value::{self, Scalar};

pub(crate) const ENTRY: CatalogueEntry = <CatalogueEntry>::new(
    "categorical",
    &["categories"],
    &[
        FeatureType::String,
        FeatureType::Integer,
        FeatureType::Float,
        FeatureType::Boolean,
        FeatureType::Bytes,
    ],
    read,
)
.with_aliases(&["choice"]);

/// The largest number of categories.
const LARGEST: usize = 100_000;

/// The values with their probabilities, by inversion in the order of the list.
struct Categorical {
    values: Vec<Scalar>,
    probabilities: Vec<f64>,
}

fn read(fields: &mut Fields<'_>, feature_type: FeatureType) -> Option<Arc<dyn Distribution>> {
    let categories = fields.objects("categories", "a category", LARGEST, |category| {
        let value = value::read_member(category, "value", feature_type);
        let probability = category.probability("probability");
        Some((value?, probability?))
    })?;
    let (values, probabilities): (Vec<Scalar>, Vec<f64>) = categories.into_iter().unzip();
    weights::check_sum(fields, "categories", &probabilities)?;
    let mut texts: Vec<String> = values.iter().map(|v| v.to_value().to_string()).collect();
    sort::by(&mut texts, Ord::cmp);
    if let Some(twice) = texts.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("the value {} is listed twice", twice[0]);
        fields.fault("categories", message);
        return None;
    }
    if !Cells::can_hold(&value::integers(&values)) {
        fields.fault(
            "categories",
            "the values must all be within i64 or all within u64",
        );
        return None;
    }
    Some(Arc::new(Categorical {
        values,
        probabilities,
    }))
}

impl Categorical {
    /// The direction of the values, if they are numbers listed in order.
    fn direction(&self) -> Option<Monotonicity> {
        let in_order = |wanted| {
            let compared = |pair: &[Scalar]| pair[0].compare(&pair[1]) == Some(wanted);
            self.values.windows(2).all(compared)
        };
        if in_order(Ordering::Less) {
            Some(Monotonicity::Rising)
        } else if in_order(Ordering::Greater) {
            Some(Monotonicity::Falling)
        } else {
            None
        }
    }
}

impl Distribution for Categorical {
    fn canonical(&self) -> Canonical {
        let category = |(value, probability): (&Scalar, &f64)| {
            Value::object([
                ("value", value.to_value()),
                ("probability", Value::from(*probability)),
            ])
        };
        let categories = self.values.iter().zip(&self.probabilities).map(category);
        (
            ENTRY.name,
            vec![("categories", Value::Array(categories.collect()))],
        )
    }

    fn integers(&self) -> RangeInclusive<i128> {
        value::integers(&self.values)
    }

    fn domain(&self) -> Domain<'_> {
        if self
            .probabilities
            .iter()
            .any(|&p| p != self.probabilities[0])
        {
            return Domain::Other(Some(
                "needs categories of equal probabilities, because each is drawn once",
            ));
        }
        Domain::numbered(self.values.len() as u64 - 1, |numbers| {
            let rows: Vec<u32> = numbers.iter().map(|&number| number as u32).collect();
            value::column(&self.values).into_gathered(rows)
        })
    }

    fn categories(&self) -> Option<Vec<u64>> {
        Some(Choice::new(&self.probabilities).first_words())
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        let (mut least, mut largest) = (&self.values[0], &self.values[0]);
        for value in &self.values {
            if value.compare(least) == Some(Ordering::Less) {
                least = value;
            }
            if value.compare(largest) == Some(Ordering::Greater) {
                largest = value;
            }
        }
        (Some(least.to_value()), Some(largest.to_value()))
    }

    fn support(&self) -> Support<'_> {
        Support::Values(self.values.iter().map(Scalar::to_value).collect())
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::inversion(self.direction(), |words| {
            let choice = Choice::new(&self.probabilities);
            let outcomes = draw_each(words, |word| choice.outcome(word));
            value::column(&self.values).into_gathered(outcomes)
        })
    }
}
