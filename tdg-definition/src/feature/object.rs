//! Objects: several values drawn together.

use super::features::Features;
use super::part_reader::{PartReader, ReadStructured};
use super::recursion::Recursion;
use super::structure::{FeatureValues, Structure};
use super::{Feature, Parts};
use crate::column::{Cells, ObjectCells, ObjectForm};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Domain, Sampler, Work};

pub(crate) const ENTRY: CatalogueEntry<ReadStructured> = CatalogueEntry::new(
    "object",
    &["features", FORM, "correlations", "order"],
    &[FeatureType::Object],
    read,
);

/// The member that states the written form.
const FORM: &str = "form";

const OBJECT: &str = "object";
const ARRAY: &str = "array";

/// A value for each feature, as in a row.
struct ObjectOfFeatures {
    form: ObjectForm,
    features: Features,
}

fn read(fields: &mut Fields<'_>, _: FeatureType, reader: &PartReader) -> Option<FeatureValues> {
    let is_array = fields.is_second(FORM, [OBJECT, ARRAY]);
    let form = is_array.map(|is_array| match is_array {
        true => ObjectForm::Array,
        false => ObjectForm::Object,
    });
    let features = Features::read_within(fields, form.unwrap_or_default(), reader)?;
    let mut members = features.as_slice().iter();
    if !members.all(|member| member.check_within(fields, "features")) {
        return None;
    }
    let form = form?;
    Some(FeatureValues::structured(ObjectOfFeatures {
        form,
        features,
    }))
}

impl Distribution for ObjectOfFeatures {
    fn canonical(&self) -> Canonical {
        let mut members = self.features.members();
        if self.form == ObjectForm::Array {
            members.push((FORM, ARRAY.into()));
        }
        (ENTRY.name, members)
    }

    fn domain(&self) -> Domain<'_> {
        Domain::Other(Some(
            "an object can't be unique; make one of its features unique",
        ))
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
            let columns = self.features.draw_within(rows);
            let features = self.features.as_slice().iter();
            let names = features.map(|feature| feature.name().to_owned());
            Cells::Object(ObjectCells::new(self.form, names.zip(columns), rows.len()))
        })
    }
}

impl Structure for ObjectOfFeatures {
    fn parts(&self) -> Parts<'_> {
        match self.form {
            ObjectForm::Object => Parts::Members(self.features.as_slice()),
            ObjectForm::Array => Parts::Tuple(self.features.as_slice()),
        }
    }

    fn recursion(&self) -> Recursion {
        Recursion::of_all(self.features.as_slice().iter().map(Feature::recursion))
    }
}
