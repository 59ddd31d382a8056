//! The sum of the values in a list.

use crate::column::{Cells, Column};
use crate::feature::part_reader::{PartReader, ReadStructured};
use crate::feature::path::{Reference, ReferenceUse, members_of};
use crate::feature::structure::{FeatureValues, Structure};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::modifier::decimals::scale;
use crate::random::{Purpose, StreamRows, Threshold, uniform};
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Sampler, Work};

pub(crate) const ENTRY: CatalogueEntry<ReadStructured> = CatalogueEntry::new(
    "sum",
    &["of", "off"],
    &[FeatureType::Integer, FeatureType::Float],
    read,
);

/// The sum of the non-null values, 0 without values.
#[derive(Clone)]
struct SumOf {
    of: Reference,
    feature_type: FeatureType,
    /// The share of rows whose sum is wrong by one unit.
    off: f64,
    /// The unit of floats; `None` for the distance to the next float.
    unit: Option<f64>,
}

fn read(fields: &mut Fields<'_>, kind: FeatureType, _: &PartReader) -> Option<FeatureValues> {
    let of = Reference::read(fields, "of", ReferenceUse::Sum(kind));
    let off = fields.optional_probability("off", 0.0);
    let (of, off) = (of?, off?);
    Some(FeatureValues::structured(SumOf {
        of,
        feature_type: kind,
        off,
        unit: None,
    }))
}

/// The direction in which a sum is wrong.
#[derive(Clone, Copy)]
enum Off {
    Not,
    More,
    Less,
}

impl SumOf {
    fn off(&self, rows: &StreamRows<'_>) -> Vec<Off> {
        if self.off <= 0.0 {
            return vec![Off::Not; rows.len()];
        }
        let off = Threshold::of(self.off);
        let words = rows.words(Purpose::Value, 0).into_iter();
        let chosen = rows.words(Purpose::Component, 0).into_iter();
        let way = |(word, chosen)| match (off.is_above(chosen), uniform::up_to(word, 1)) {
            (false, _) => Off::Not,
            (true, 0) => Off::More,
            (true, _) => Off::Less,
        };
        words.zip(chosen).map(way).collect()
    }

    /// Folds the values of each row's list with `add`; the default without a list.
    fn sums<T: Default>(
        &self,
        rows: &StreamRows<'_>,
        add: impl Fn(T, &Column, usize) -> T,
    ) -> Vec<T> {
        let referred = self.of.referred(rows);
        let sum = |row| {
            let mut sum = T::default();
            if let Some((column, place)) = referred.as_ref().and_then(|it| it.get(row))
                && let Cells::List(lists) = column.cells()
            {
                let (values, is_null) = members_of(lists.elements(), self.of.of_element());
                for element in lists.range(place).filter(|it| !is_null(*it)) {
                    sum = add(sum, values, element);
                }
            }
            sum
        };
        (0..rows.len()).map(sum).collect()
    }

    fn floats(&self, rows: &StreamRows<'_>) -> Cells {
        let sums = self.sums(rows, |sum: f64, values, element| match values.cells() {
            Cells::Float(values) => sum + values[element],
            _ => sum,
        });
        let moved = |(sum, off): (f64, Off)| {
            let sum = sum.clamp(f64::MIN, f64::MAX);
            let moved = match (off, self.unit) {
                (Off::Not, _) => sum,
                (Off::More, Some(unit)) => sum + unit,
                (Off::Less, Some(unit)) => sum - unit,
                (Off::More, None) => sum.next_up(),
                (Off::Less, None) => sum.next_down(),
            };
            moved.clamp(f64::MIN, f64::MAX)
        };
        Cells::Float(sums.into_iter().zip(self.off(rows)).map(moved).collect())
    }

    fn integers(&self, rows: &StreamRows<'_>) -> Cells {
        let sums = self.sums(rows, |sum: i128, values, element| match values.cells() {
            Cells::Integer(values) => sum + i128::from(values[element]),
            Cells::Unsigned(values) => sum + i128::from(values[element]),
            _ => sum,
        });
        let moved = |(sum, off): (i128, Off)| {
            let sum = sum.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            match off {
                Off::Not => sum,
                Off::More => sum.saturating_add(1),
                Off::Less => sum.saturating_sub(1),
            }
        };
        Cells::Integer(sums.into_iter().zip(self.off(rows)).map(moved).collect())
    }
}

impl Distribution for SumOf {
    fn canonical(&self) -> Canonical {
        let mut parameters = vec![("of", self.of.to_value())];
        if self.off > 0.0 {
            parameters.push(("off", self.off.into()));
        }
        (ENTRY.name, parameters)
    }

    fn integers(&self) -> std::ops::RangeInclusive<i128> {
        i64::MIN.into()..=i64::MAX.into()
    }

    fn work(&self) -> Work {
        let mean = self.of.target().map_or(0.0, |target| target.mean);
        Work::each(300 + (mean * 10.0) as u64)
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| match self.feature_type {
            FeatureType::Integer => self.integers(rows),
            _ => self.floats(rows),
        })
    }
}

impl Structure for SumOf {
    fn rounded(&self, digits: u8) -> Option<FeatureValues> {
        let unit = Some(1.0 / scale(digits));
        Some(FeatureValues::structured(Self {
            unit,
            ..self.clone()
        }))
    }

    fn reference(&self) -> Option<&Reference> {
        Some(&self.of)
    }

    fn follows(&self, value: &Value, referred: Option<&Value>) -> bool {
        let values = self.of.values_in(referred);
        let off = if self.off > 0.0 { 1.0 } else { 0.0 };
        if self.feature_type == FeatureType::Integer {
            let sum: i128 = values.iter().filter_map(integer).sum();
            return integer(value).is_some_and(|it| (it - sum).abs() <= off as i128);
        }
        let sum: f64 = values.iter().filter_map(Value::as_f64).sum();
        let unit = self.unit.unwrap_or(sum.abs() * f64::EPSILON);
        let most = unit * (0.500_001 + off);
        value.as_f64().is_some_and(|it| (it - sum).abs() <= most)
    }

    fn adjusted(&self, _: &Value, referred: Option<&Value>, _: Option<&Value>) -> Option<Value> {
        let values = self.of.values_in(referred);
        if self.feature_type == FeatureType::Integer {
            return Some(values.iter().filter_map(integer).sum::<i128>().into());
        }
        let sum: f64 = values.iter().filter_map(Value::as_f64).sum();
        let rounded = |unit: f64| (sum / unit).round() / (1.0 / unit).round();
        Some(self.unit.map_or(sum, rounded).into())
    }

    fn may_be_absent(&self) -> bool {
        self.of.may_be_null()
    }

    fn absent(&self, rows: &StreamRows<'_>) -> Option<Vec<bool>> {
        Some(self.of.absent(rows))
    }
}

pub(super) fn integer(value: &Value) -> Option<i128> {
    let wide = value.as_u64().map(i128::from);
    wide.or_else(|| value.as_i64().map(i128::from))
}
