//! Resolving references.

use crate::fault::{Invalid, invalid};
use crate::feature::path::{LARGEST, Reference, ReferenceUse, ReferredFeature};
use crate::feature::{Feature, Parts};
use crate::feature_type::FeatureType;
use crate::json::Value;
use crate::nearest;
use crate::relation::RelatedFeature;

impl Reference {
    /// Resolves the path from `first`, the feature of its first name. The features in `between`
    /// enclose the referring one.
    ///
    /// # Errors
    /// The reason why the feature doesn't fit the purpose, and the fix.
    pub(crate) fn resolve(
        &self,
        first: &Feature,
        own: &Feature,
        between: &[&Feature],
    ) -> Result<(), Invalid> {
        let end = self.find(first)?;
        let (feature, list) = (end.feature, end.list);
        let counted = list.unwrap_or(feature).structure();
        if counted.reference().is_some_and(|it| it.target().is_none()) {
            // Its count is unknown because of its own fault.
            return Ok(());
        }
        let mut may_be_null = end.may_be_null;
        let (counts, mean) = match self.purpose {
            ReferenceUse::Values(wanted) => {
                let (list, values) = self.check_values(feature, list, wanted)?;
                may_be_null |= end.may_be_null_within || values.may_be_null();
                counts_of(list)
            }
            ReferenceUse::Sum(wanted) => {
                let (list, values) = self.check_values(feature, list, wanted)?;
                self.check_sum(list, values)?;
                counts_of(list)
            }
            ReferenceUse::Count | ReferenceUse::Length => self.check_count(feature, list)?,
            ReferenceUse::Total(wanted, decimals) => {
                self.check_total(feature, list, wanted, decimals)?;
                check_share(&self.text(), own, between)?;
                counts_of(feature)
            }
        };
        let target = ReferredFeature {
            counts,
            mean,
            may_be_null,
            of_element: end.of_element,
        };
        // Each reference is resolved once.
        let _ = self.target.set(target);
        Ok(())
    }

    /// Follows the path to its feature, the list around it, and the number of names within.
    fn find<'f>(&self, first: &'f Feature) -> Result<PathEnd<'f>, Invalid> {
        let mut end = PathEnd {
            feature: first,
            list: None,
            of_element: 0,
            may_be_null: first.may_be_null(),
            may_be_null_within: false,
        };
        for (at, name) in self.path().iter().enumerate().skip(1) {
            if let Parts::Element(element) | Parts::Entries(element) = end.feature.own_parts() {
                if end.list.is_some() {
                    return invalid!("`{}` is in a list of lists", self.text());
                }
                end.list = Some(end.feature);
                end.of_element = self.path().len() - at;
                end.go_to(element);
            }
            let before = match end.list.is_some() {
                true => format!("an element of `{}`", self.path()[..at].join("/")),
                false => format!("`{}`", self.path()[..at].join("/")),
            };
            let members = match end.feature.own_parts() {
                Parts::Members(members) | Parts::Tuple(members) => members,
                _ => {
                    return invalid!(
                        "{before} is {}, which has no feature `{name}`",
                        end.feature.feature_type()
                    );
                }
            };
            let Some(member) = members.iter().find(|member| member.name() == name) else {
                return Err(match nearest(name, members.iter().map(Feature::name)) {
                    Some(near) => {
                        format!("{before} has no feature `{name}`; did you mean `{near}`?").into()
                    }
                    None => format!("{before} has no feature `{name}`").into(),
                });
            };
            end.go_to(member);
        }
        Ok(end)
    }

    /// Returns the list and the values in it.
    fn check_values<'f>(
        &self,
        feature: &'f Feature,
        list: Option<&'f Feature>,
        wanted: FeatureType,
    ) -> Result<(&'f Feature, &'f Feature), Invalid> {
        let (list, values) = match (list, feature.own_parts()) {
            (Some(list), _) => (list, feature),
            (None, Parts::Element(element) | Parts::Entries(element)) => (feature, element),
            _ => {
                return invalid!(
                    "`{}` is {}; name a list, or a feature of its elements",
                    self.text(),
                    feature.feature_type()
                );
            }
        };
        let found = values.feature_type();
        if found != wanted {
            return invalid!(
                "`{}` has {found} values; write `\"type\": \"{found}\"`",
                self.text()
            );
        }
        Ok((list, values))
    }

    /// Checks that the bounds of the integers allow a sum without overflow.
    fn check_sum(&self, list: &Feature, values: &Feature) -> Result<(), Invalid> {
        let is_beyond = values.modifiers().has_edge_cases() && !values.is_bounded();
        let is_stated = is_beyond || values.distribution().bounds().1.is_some();
        if values.feature_type() != FeatureType::Integer || !is_stated {
            return Ok(());
        }
        let ((least, largest), ((_, most), _)) = (counts_of(values).0, counts_of(list));
        let sums = i128::from(i64::MIN)..=i128::from(i64::MAX);
        if !is_beyond && sums.contains(&(least * most)) && sums.contains(&(largest * most)) {
            return Ok(());
        }
        invalid!(
            "the sum of up to {most} values of `{}` may need more than 64 bits; state a smaller \
             `min` and `max` there",
            self.text()
        )
    }

    fn check_total(
        &self,
        feature: &Feature,
        list: Option<&Feature>,
        wanted: FeatureType,
        decimals: Option<u8>,
    ) -> Result<(), Invalid> {
        let (kind, path) = (feature.feature_type(), self.text());
        if let Some(list) = list {
            return invalid!(
                "`{path}` is a value for each element of `{}`; name one value as the total",
                list.name()
            );
        }
        if kind != wanted {
            return invalid!("`{path}` is {kind}, but its parts are {wanted}; make both the same");
        }
        if kind == FeatureType::Integer {
            return Ok(());
        }
        let Some(decimals) = decimals else {
            return invalid!(
                "FLOAT parts of `{path}` need a unit to add up exactly; give both `decimals`"
            );
        };
        if feature.decimals().is_none_or(|it| it > decimals) {
            return invalid!(
                "`{path}` needs `decimals`, at most the {decimals} that its parts have, for them to \
                 add up exactly"
            );
        }
        match feature.modifiers().has_edge_cases() && feature.distribution().edge_share() == 0.0 {
            true => invalid!(
                "`{path}` has `edge_cases`, which aren't rounded to its `decimals`; remove them"
            ),
            false => Ok(()),
        }
    }

    fn check_count(
        &self,
        feature: &Feature,
        list: Option<&Feature>,
    ) -> Result<CountRange, Invalid> {
        let (kind, path) = (feature.feature_type(), self.text());
        let is_number = kind == FeatureType::Integer && self.purpose == ReferenceUse::Count;
        if let Some(list) = list {
            return invalid!(
                "`{path}` is a value for each element of `{}`; name the list",
                list.name()
            );
        }
        if !is_number && !matches!(kind, FeatureType::List | FeatureType::Bytes) {
            let wanted = match self.purpose {
                ReferenceUse::Count => "an INTEGER, a LIST or BYTES",
                _ => "a LIST or BYTES",
            };
            return invalid!("`{path}` is {kind}; name {wanted}");
        }
        let counted = counts_of(feature);
        let (least, largest) = counted.0;
        if least < 0 || largest > LARGEST {
            return invalid!(
                "`{path}` is from {least} to {largest}, but what is counted is from 0 to {LARGEST}; state \
                 the `min` and `max` of `{path}`"
            );
        }
        if kind == FeatureType::Integer
            && feature.modifiers().has_edge_cases()
            && !feature.is_bounded()
        {
            return invalid!(
                "`{path}` has `edge_cases` that are not lengths; remove them, or draw it with \
                 uniform"
            );
        }
        Ok(counted)
    }
}

/// The end of a path.
struct PathEnd<'f> {
    feature: &'f Feature,
    /// The list around the feature.
    list: Option<&'f Feature>,
    /// The number of names in the path that lie within an element of the list.
    of_element: usize,
    /// Set if the list may be null, or the feature if there isn't a list.
    may_be_null: bool,
    /// Set if something between the list and the feature may be null.
    may_be_null_within: bool,
}

impl<'f> PathEnd<'f> {
    fn go_to(&mut self, within: &'f Feature) {
        self.feature = within;
        match self.list {
            Some(_) => self.may_be_null_within |= within.may_be_null(),
            None => self.may_be_null |= within.may_be_null(),
        }
    }
}

type CountRange = ((i128, i128), f64);

/// The range of counts, and roughly their mean.
fn counts_of(feature: &Feature) -> CountRange {
    let distribution = feature.distribution();
    let (min, max) = distribution.bounds();
    let integers = distribution.integers();
    let stated = |bound: Option<Value>| bound?.as_i64().map(i128::from);
    let is_number = feature.feature_type() == FeatureType::Integer;
    let otherwise = match is_number {
        true => integers.into_inner(),
        false => (0, LARGEST),
    };
    let least = stated(min).unwrap_or(otherwise.0);
    let largest = stated(max).unwrap_or(otherwise.1);
    let mean = match feature.structure().list() {
        Some(list) => list.mean(),
        None => (least + largest) as f64 / 2.0,
    };
    ((least, largest), mean)
}

/// Checks the features between the total and the feature that is a share of it, outermost first.
fn check_share(of: &str, own: &Feature, between: &[&Feature]) -> Result<(), Invalid> {
    let is_list = |it: &&Feature| matches!(it.parts(), Parts::Element(_) | Parts::Entries(_));
    let within = between.iter().position(is_list);
    let lists = between.iter().filter(|it| is_list(it)).count();
    let Some(list) = within.filter(|_| lists == 1) else {
        return Err(match lists {
            0 => {
                format!("the parts of `{of}` are not in a list; draw them in one next to it").into()
            }
            _ => format!(
                "the parts of `{of}` are in {lists} lists; name a total next to the innermost one"
            )
            .into(),
        });
    };
    let name = between[list].name();
    if between
        .iter()
        .any(|it| matches!(it.parts(), Parts::Variants(_)))
    {
        return invalid!(
            "only some elements have that variant, so their parts can't add up to `{of}`; draw \
             them outside the variant"
        );
    }
    let mut within = between[list + 1..].iter().copied().chain([own]);
    let element_is_null = match between[list].parts() {
        Parts::Element(element) | Parts::Entries(element) => element.null_probability() > 0.0,
        _ => false,
    };
    if element_is_null || within.any(|it| it.null_probability() > 0.0) {
        return invalid!(
            "a part that is null would be missing from `{of}`; remove `null_probability` here and \
             from the elements of `{name}`"
        );
    }
    let (shortest, _) = between[list].distribution().bounds();
    match shortest.and_then(|it| it.as_u64()) {
        Some(shortest) if shortest > 0 => Ok(()),
        _ => invalid!(
            "`{name}` may be empty, with no part of `{of}`; give it a length of at least 1"
        ),
    }
}
