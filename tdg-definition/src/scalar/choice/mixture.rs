//! A mixture of other distributions.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::weights::{Choice, sum};
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::Purpose;
use crate::scalar::batches::draw_each;
use crate::scalar::continuous::gaussian::Gaussian;
use crate::scalar::{
    self, Canonical, CatalogueEntry, Distribution, ReadPart, ReadWithParts, Sampler, Support,
    Words, Work,
};

pub(crate) const ENTRY: CatalogueEntry<ReadWithParts> = CatalogueEntry::new(
    "mixture",
    &["components"],
    &[FeatureType::Float, FeatureType::Integer],
    read,
);

/// The largest number of components.
const LARGEST: usize = 100;

/// Each row's value comes from one component, chosen by weight with a separate word. The component
/// draws as it would alone.
struct Mixture {
    weights: Vec<f64>,
    components: Vec<Arc<dyn Distribution>>,
}

fn read(
    fields: &mut Fields<'_>,
    feature_type: FeatureType,
    read_part: ReadPart,
) -> Option<Arc<dyn Distribution>> {
    let components = fields.objects("components", "a component", LARGEST, |component| {
        let weight = read_weight(component);
        let distribution = read_component(component, feature_type, read_part);
        Some((weight?, distribution?))
    })?;
    let (weights, components): (Vec<f64>, Vec<_>) = components.into_iter().unzip();
    let total = sum(&weights);
    if !(total > 0.0 && total.is_finite()) {
        let message = format!("the sum of the weights must be positive and finite, but is {total}");
        fields.fault("components", message);
        return None;
    }
    if !Cells::can_hold(&integers(&components)) {
        fields.fault(
            "components",
            "the values must all be within i64 or all within u64",
        );
        return None;
    }
    Some(Arc::new(Mixture {
        weights,
        components,
    }))
}

/// The combined range of the components' values.
fn integers(components: &[Arc<dyn Distribution>]) -> RangeInclusive<i128> {
    let ranges = || components.iter().map(|component| component.integers());
    let min = ranges().map(|range| *range.start()).min();
    let max = ranges().map(|range| *range.end()).max();
    min.unwrap_or(0)..=max.unwrap_or(0)
}

fn read_weight(component: &mut Fields<'_>) -> Option<f64> {
    let weight = component.number("weight")?;
    if weight >= 0.0 {
        return Some(weight);
    }
    component.fault("weight", format!("must not be negative, but is {weight}"));
    None
}

/// A component is `{weight, distribution}`, or `{weight, mu, sigma}` for a gaussian one.
fn read_component(
    component: &mut Fields<'_>,
    feature_type: FeatureType,
    read_part: ReadPart,
) -> Option<Arc<dyn Distribution>> {
    let Some(value) = component.optional("distribution") else {
        if feature_type != FeatureType::Float {
            component.fault_here("`distribution` is missing");
            return None;
        }
        if !component.has("mu") && !component.has("sigma") {
            component.fault_here("`distribution` is missing (or `mu` and `sigma` of a gaussian)");
            return None;
        }
        return Some(Arc::new(Gaussian::read(component)?));
    };
    let pointer = component.pointer().child("distribution");
    let distribution = component.nested(value, pointer, "a distribution")?;
    let message = match read_part(distribution, feature_type)? {
        // It would choose its component by the same word.
        Ok(part) if part.name() == ENTRY.name => {
            "must not be a mixture; list its components here instead".to_owned()
        }
        Ok(part) => return Some(part),
        Err(name) => format!("must not be {name}, which refers to a feature"),
    };
    component.fault("distribution", message);
    None
}

impl Distribution for Mixture {
    fn canonical(&self) -> Canonical {
        let component = |(weight, component): (&f64, &Arc<dyn Distribution>)| {
            Value::object([
                ("weight", Value::from(*weight)),
                ("distribution", scalar::to_value(&**component)),
            ])
        };
        let components = self.weights.iter().zip(&self.components).map(component);
        (
            ENTRY.name,
            vec![("components", Value::Array(components.collect()))],
        )
    }

    fn integers(&self) -> RangeInclusive<i128> {
        integers(&self.components)
    }

    fn support(&self) -> Support<'_> {
        let components = self.components.iter();
        Support::Any(components.map(|component| component.support()).collect())
    }

    fn work(&self) -> Work {
        let components = self.components.iter();
        let of_components = components.map(|component| component.work());
        of_components.fold(Work::each(80), Work::and)
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let choice = Choice::new(&self.weights);
            let words = Words::own(*rows, Purpose::Component);
            let chosen = draw_each(&words, |word| choice.outcome(word));
            let drawn: Vec<Cells> = self
                .components
                .iter()
                .map(|component| component.sampler().draw(rows))
                .collect();
            select(&drawn, &chosen)
        })
    }
}

/// Picks the cell of the chosen component, row by row.
fn select(drawn: &[Cells], chosen: &[u32]) -> Cells {
    let rows = || chosen.iter().enumerate();
    let floats: Vec<&[f64]> = drawn.iter().filter_map(as_floats).collect();
    if floats.len() == drawn.len() {
        return Cells::Float(
            rows()
                .map(|(row, &component)| floats[component as usize][row])
                .collect(),
        );
    }
    let integer = |(row, &component): (usize, &u32)| match &drawn[component as usize] {
        Cells::Integer(values) => i128::from(values[row]),
        Cells::Unsigned(values) => i128::from(values[row]),
        _ => 0,
    };
    Cells::from_integers(&rows().map(integer).collect::<Vec<_>>())
}

fn as_floats(cells: &Cells) -> Option<&[f64]> {
    match cells {
        Cells::Float(values) => Some(values),
        _ => None,
    }
}
