//! Values of one of several variants, with or without data.

use super::part_reader::{PartReader, ReadStructured};
use super::recursion::{self, Recursion};
use super::shape::{SHORT, Shapes};
use super::structure::{FeatureValues, Structure};
use super::{Feature, Parts, Variant, Variants};
use crate::column::{Cells, Column, ValueScope, VariantCells};
use crate::fault::Fault;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::{RowPlaces, Stream, StreamRows};
use crate::scalar::batches::draw_each;
use crate::scalar::choice::weights::{self, Choice};
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Domain, Sampler, Words, Work};
use crate::sort;
use crate::variant_form::{CONTENT, TAG, UNTAGGED, VariantForm};

mod values;

use values::check;

pub(crate) const ENTRY: CatalogueEntry<ReadStructured> = CatalogueEntry::new(
    "variant",
    &["variants", TAG, CONTENT, UNTAGGED],
    &[FeatureType::Variant],
    read,
);

/// The largest number of variants.
const LARGEST: usize = 256;

/// The work of choosing.
const CHOICE: u64 = 60;

/// Each row's variant is chosen like a category; its value is drawn by the feature of its name.
struct VariantOf {
    form: VariantForm,
    variants: Vec<Variant>,
    /// Set if the enclosing shape decides the probabilities.
    is_usual: bool,
}

fn read(fields: &mut Fields<'_>, _: FeatureType, reader: &PartReader) -> Option<FeatureValues> {
    let form = VariantForm::read(fields);
    let variants = fields.objects("variants", "a variant", LARGEST, |variant| {
        read_variant(variant, reader)
    })?;
    let is_usual = variants.iter().all(|it| it.1.is_none())
        && fields.context().and_then(Shapes::share).is_some();
    let variants = with_probabilities(fields, variants)?;
    let mut names: Vec<&str> = variants.iter().map(Variant::name).collect();
    sort::by(&mut names, Ord::cmp);
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        fields.fault("variants", format!("`{}` is listed twice", twice[0]));
        return None;
    }
    let of = VariantOf {
        form: form?,
        variants,
        is_usual,
    };
    let list = fields.pointer().child("variants");
    let problems = check(&of.all());
    for (number, message) in &problems {
        fields.faults().push(Fault {
            pointer: list.child(number.to_string()),
            message: format!("`{}` {message}", of.variants[*number].name),
        });
    }
    let mut values = of.variants.iter().filter_map(Variant::value);
    let is_within = values.all(|value| value.check_within(fields, "variants"));
    (problems.is_empty() && is_within).then(|| FeatureValues::structured(of))
}

/// Reads a variant, with its probability if stated.
fn read_variant(fields: &mut Fields<'_>, reader: &PartReader) -> Option<(Variant, Option<f64>)> {
    let name = fields.text("variant").and_then(|name| {
        let problem = Feature::name_problem(name);
        if let Some(problem) = problem {
            fields.fault("variant", problem);
            return None;
        }
        Some(name.to_owned())
    });
    let probability = fields.optional_number("probability");
    let probability = probability.map(|stated| {
        let checked = stated.map(|it| fields.check_probability("probability", it));
        checked.map_or(Some(None), |it| it.map(Some))
    });
    let has_value = ["type", "distribution", SHORT]
        .iter()
        .any(|it| fields.has(it));
    // The value exists only for some of a list's elements.
    fields.leave_list();
    let value = has_value.then(|| (reader.feature)(fields, name.clone()));
    let value = match value {
        Some(value) => Some(value?),
        None => None,
    };
    let variant = Variant {
        name: name?,
        probability: 0.0,
        value,
    };
    Some((variant, probability.ok()??))
}

/// Fills in omitted probabilities: equal ones, or within a shape a share for the variants that
/// contain it.
fn with_probabilities(
    fields: &mut Fields<'_>,
    variants: Vec<(Variant, Option<f64>)>,
) -> Option<Vec<Variant>> {
    let stated: Vec<f64> = variants.iter().filter_map(|it| it.1).collect();
    if !stated.is_empty() {
        let missing = variants.iter().position(|it| it.1.is_none());
        if let Some(missing) = missing {
            let pointer = fields
                .pointer()
                .child("variants")
                .child(missing.to_string());
            let message = "missing `probability`, which others have; state all, or none to make \
                           them equal";
            let message = message.to_owned();
            fields.faults().push(Fault { pointer, message });
            return None;
        }
        weights::check_sum(fields, "variants", &stated)?;
    }
    let contains = |variant: &Variant| variant.recursion().is_any();
    let containing = variants.iter().filter(|it| contains(&it.0)).count();
    let share = fields.context().and_then(Shapes::share);
    let share = share.filter(|_| (1..variants.len()).contains(&containing));
    let (all, containing) = (variants.len() as f64, containing as f64);
    let usual = |variant: &Variant| match share {
        None => 1.0 / all,
        Some(share) if contains(variant) => share / containing,
        Some(share) => (1.0 - share) / (all - containing),
    };
    let variants = variants.into_iter().map(|(variant, probability)| Variant {
        probability: probability.unwrap_or_else(|| usual(&variant)),
        ..variant
    });
    Some(variants.collect())
}

fn to_value(variant: &Variant, is_usual: bool) -> Value {
    let mut members = variant
        .value
        .as_ref()
        .map(Feature::members)
        .unwrap_or_default();
    members.push(("variant", variant.name.as_str().into()));
    if !is_usual {
        members.push(("probability", variant.probability.into()));
    }
    Value::object(members)
}

impl VariantOf {
    fn all(&self) -> Variants<'_> {
        Variants {
            form: &self.form,
            all: &self.variants,
        }
    }

    fn choice(&self) -> Choice {
        let probabilities: Vec<f64> = self.variants.iter().map(Variant::probability).collect();
        Choice::new(&probabilities)
    }

    /// A choice among the variants without further nodes of a shape; `None` if that is all or none.
    fn last_choice(&self) -> Option<Choice> {
        let variants = self.variants.iter();
        let probability = |variant: &Variant| match variant.recursion().is_any() {
            true => 0.0,
            false => variant.probability,
        };
        let probabilities: Vec<f64> = variants.clone().map(probability).collect();
        let is_any = variants.clone().any(|it| it.recursion().is_any());
        let is_possible = probabilities.iter().any(|it| *it > 0.0);
        (is_any && is_possible).then(|| Choice::new(&probabilities))
    }

    /// Draws the variants that these words choose. Values of other variants aren't drawn.
    fn draw(&self, rows: &StreamRows<'_>, words: &Words<'_>) -> Cells {
        let choice = self.choice();
        let mut chosen = draw_each(words, |word| choice.outcome(word) as u8);
        if let Some(last) = self.last_choice()
            && let Some(closed) = recursion::closed(rows)
        {
            let last = draw_each(words, |word| last.outcome(word) as u8);
            for (row, is_closed) in closed.into_iter().enumerate() {
                if is_closed {
                    chosen[row] = last[row];
                }
            }
        }
        let mut rows_of = vec![Vec::new(); self.variants.len()];
        for (row, variant) in chosen.iter().enumerate() {
            rows_of[usize::from(*variant)].push(row as u32);
        }
        let variants = self.variants.iter().zip(&rows_of);
        let variants = variants.map(|(variant, picked)| {
            let value = |value: &Feature| -> Column {
                let stream = rows.stream().within(&variant.name);
                let places = rows.places();
                let places = RowPlaces::Picked {
                    of: &places,
                    positions: picked,
                };
                let scope = rows
                    .scope()
                    .map(|around| ValueScope::within(picked, around));
                let rows = StreamRows::at(&stream, places).with_scope(scope.as_ref());
                value.draw_moved(&rows, |cells| cells)
            };
            (variant.name.clone(), variant.value.as_ref().map(value))
        });
        Cells::Variant(VariantCells::new(self.form.clone(), variants, &chosen))
    }

    fn mean(&self, of: impl Fn(&Feature) -> f64) -> f64 {
        let variants = self.variants.iter();
        let of_variant = |it: &Variant| {
            it.value
                .as_ref()
                .map_or(0.0, |value| it.probability * of(value))
        };
        variants.map(of_variant).sum()
    }
}

impl Distribution for VariantOf {
    fn canonical(&self) -> Canonical {
        let variants = self.variants.iter();
        let variants = variants.map(|variant| to_value(variant, self.is_usual));
        let mut members = vec![("variants", Value::Array(variants.collect()))];
        members.extend(self.form.members());
        (ENTRY.name, members)
    }

    fn domain(&self) -> Domain<'_> {
        Domain::Other(Some(
            "a variant can't be unique; make a value within it unique, or another feature",
        ))
    }

    fn categories(&self) -> Option<Vec<u64>> {
        Some(self.choice().first_words())
    }

    fn cells(&self) -> f64 {
        1.0 + self.mean(Feature::cells_of_value)
    }

    fn work(&self) -> Work {
        let once = |value: &Feature| value.work(0, false);
        let each = |value: &Feature| value.work(1, false).saturating_sub(once(value)) as f64;
        let values = self.variants.iter().filter_map(Variant::value);
        Work {
            once: values.map(once).fold(2_000, u64::saturating_add),
            each: CHOICE.saturating_add(self.mean(each) as u64),
        }
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::inversion(None, |words| {
            let nowhere = Stream::new(0, "");
            let rows = words.rows();
            let rows = rows.unwrap_or_else(|| StreamRows::new(&nowhere, 0, words.len()));
            self.draw(&rows, words)
        })
    }
}

impl Structure for VariantOf {
    fn parts(&self) -> Parts<'_> {
        Parts::Variants(self.all())
    }

    fn recursion(&self) -> Recursion {
        let variants = self.variants.iter();
        let parts = variants.map(|it| (it.probability, it.recursion()));
        Recursion::of_one(&parts.collect::<Vec<_>>())
    }
}
