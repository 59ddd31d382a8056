//! Relations between features: one file each.
//!
//! Related features are drawn together. A relation's file holds everything about it: its members
//! and their faults, its canonical form, and its effect. Some relations supply the words that
//! values are drawn from, others rearrange the values. Omitted relations change nothing.

use crate::column::Cells;
use crate::fault::Fault;
use crate::fields::Fields;
use crate::json::Value;
use crate::value::Scalar;

mod correlations;
mod coverage;
mod declared;
mod order;
mod related_feature;
mod rows;
mod stratified;

use correlations::Correlations;
use coverage::Coverage;
pub(crate) use declared::Declared;
use order::Order;
pub(crate) use related_feature::RelatedFeature;
pub(crate) use rows::{DrawnRows, Supplied};
use stratified::Stratified;

/// The relations between the features of a definition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Relations {
    correlations: Correlations,
    stratified: Option<Stratified>,
    order: Order,
    coverage: Option<Coverage>,
}

impl Relations {
    /// The members that concern all rows of an ensemble.
    pub(crate) const OF_ALL_ROWS: &[&'static str] = &[stratified::NAME, coverage::NAME];

    /// The members of a definition that are relations.
    pub(crate) const NAMES: &[&'static str; 4] = &[
        correlations::NAME,
        stratified::NAME,
        order::NAME,
        coverage::NAME,
    ];

    /// Reads the relations between these features from the members of a definition.
    pub(crate) fn read(fields: &mut Fields<'_>, features: &Declared<'_>) -> Option<Self> {
        let correlations = correlations::read(fields, features);
        let stratified = stratified::read(fields, features);
        let order = order::read(fields, features);
        let coverage = coverage::read(fields, features, |position| {
            if correlations.as_ref()?.has(position) {
                Some(correlations::NAME)
            } else {
                order.as_ref()?.has(position).then_some(order::NAME)
            }
        });
        for other in [correlations::NAME, coverage::NAME] {
            if matches!(stratified, Ok(Some(_))) && fields.has(other) {
                let message = format!(
                    "can't be combined with `{other}`, which moves values out of their strata; remove one of the two"
                );
                fields.fault(stratified::NAME, message);
            }
        }
        Some(Self {
            correlations: correlations?,
            stratified: stratified.ok()?,
            order: order?,
            coverage: coverage.ok()?,
        })
    }

    /// Reads the relations of an object, which concern each row separately.
    pub(crate) fn read_within(fields: &mut Fields<'_>, features: &Declared<'_>) -> Option<Self> {
        let correlations = correlations::read(fields, features);
        let order = order::read(fields, features);
        Some(Self {
            correlations: correlations?,
            stratified: None,
            order: order?,
            coverage: None,
        })
    }

    /// Returns the members in canonical form.
    pub(crate) fn members(&self, features: &Declared<'_>) -> Vec<(&'static str, Value)> {
        let (stratified, coverage) = (self.stratified.as_ref(), self.coverage.as_ref());
        let coverage = coverage.map(|coverage| coverage.to_value(features));
        let members = [
            (correlations::NAME, self.correlations.to_value(features)),
            (stratified::NAME, stratified.map(Stratified::to_value)),
            (order::NAME, self.order.to_value(features)),
            (coverage::NAME, coverage),
        ];
        let stated = |(name, value): (_, Option<Value>)| Some((name, value?));
        members.into_iter().filter_map(stated).collect()
    }

    /// The fault of a size, if a relation needs more rows.
    pub(crate) fn check_size(&self, size: usize) -> Option<Fault> {
        self.coverage.as_ref()?.check_size(size)
    }

    /// The work of relations for `rows` rows, in addition to that for each feature's values.
    pub(crate) fn work(&self, rows: u64) -> u64 {
        let of_coverage = self.coverage.as_ref().map_or(0, Coverage::work);
        let of_rows = self.correlations.work() + self.order.work();
        of_rows.saturating_mul(rows).saturating_add(of_coverage)
    }

    /// Returns true if the words of the feature at `position` may be supplied.
    pub(crate) fn supplies(&self, position: usize) -> bool {
        let covers = |coverage: &Coverage| coverage.has(position);
        self.stratified.is_some()
            || self.correlations.supplies(position)
            || self.coverage.as_ref().is_some_and(covers)
    }

    /// Returns true if a row with these values has the order required by the relations.
    pub(crate) fn admit(&self, row: &[Option<Scalar>]) -> bool {
        self.order.holds(row)
    }

    /// Supplies the words of related features.
    pub(crate) fn supply(&self, rows: &DrawnRows<'_>) -> Supplied {
        let mut supplied = Supplied::new(rows);
        self.correlations.supply(rows, &mut supplied);
        if let Some(stratified) = &self.stratified {
            stratified.supply(rows, &mut supplied);
        }
        if let Some(coverage) = &self.coverage {
            coverage.supply(rows, &mut supplied);
        }
        supplied
    }

    /// Returns true if the feature at `position` is in an order.
    pub(crate) fn orders(&self, position: usize) -> bool {
        self.order.has(position)
    }

    /// Sorts the values of ordered features in each row.
    pub(crate) fn sort(&self, cells: &mut [Option<Cells>]) {
        self.order.sort(cells);
    }
}
