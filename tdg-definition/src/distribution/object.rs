//! Objects: several values that are drawn together.

use std::sync::Arc;

use super::{CatalogueEntry, Distribution, Domain, Parts, Sampler, Support, Work};
use crate::column::{Cells, ObjectCells};
use crate::feature::Feature;
use crate::feature_type::FeatureType;
use crate::features::Features;
use crate::fields::Fields;
use crate::json::Value;
use crate::relation::DrawnRows;

pub(super) const ENTRY: CatalogueEntry = CatalogueEntry {
    name: "object",
    aliases: &[],
    parameters: &["features", "correlations", "order"],
    types: &[FeatureType::Object],
    read,
};

/// A value for each feature, as in a row.
#[derive(Debug)]
struct ObjectOfFeatures {
    features: Features,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let features = Features::read_within(fields)?;
    let mut members = features.as_slice().iter();
    if !members.all(|member| member.check_within(fields, "features")) {
        return None;
    }
    Some(Arc::new(ObjectOfFeatures { features }))
}

impl Distribution for ObjectOfFeatures {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        self.features.members()
    }

    fn support(&self) -> Support<'_> {
        Support::Drawn
    }

    fn domain(&self) -> Domain<'_> {
        Domain::Other(Some(
            "an object can't be unique; make one of its features unique",
        ))
    }

    fn parts(&self) -> Parts<'_> {
        Parts::Members(self.features.as_slice())
    }

    fn cells(&self) -> f64 {
        let members = self.features.as_slice().iter();
        members.map(Feature::cells_of_value).sum()
    }

    fn work(&self) -> Work {
        let once = self.features.work(0);
        Work {
            once,
            each: self.features.work(1).saturating_sub(once),
        }
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let features = self.features.as_slice();
            let columns = self.features.draw(&DrawnRows::within(features, rows));
            let names = features.iter().map(|feature| feature.name().to_owned());
            Cells::Object(ObjectCells::new(names.zip(columns), rows.len()))
        })
    }
}
