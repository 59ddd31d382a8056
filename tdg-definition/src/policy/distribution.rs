//! Fields whose distributions are compared, rather than their values case by case.

use std::str::FromStr as _;

use super::{ANY, Policy, leads_to, once};
use crate::fault::{Invalid, invalid};
use crate::json::Pointer;

/// The maximum number of fields: they share the rate of false alarms, and all their values are kept
/// in memory at once.
const FIELDS: usize = 16;

/// A field whose distribution over all cases is compared.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDistribution {
    /// The field.
    pub pointer: Pointer,
    /// The policy's rate of false alarms.
    pub ks: f64,
    /// The p-value below which the field differs: `ks`, divided by the number of such fields.
    pub level: f64,
}

impl FieldDistribution {
    /// Returns the fields of a policy, each with its level.
    ///
    /// The sum of the levels doesn't exceed the largest rate (Bonferroni).
    pub fn all(policy: &Policy) -> Vec<Self> {
        let all = policy.root.all().into_iter();
        let given = all.filter_map(|(pointer, node)| Some((pointer, node.distribution?)));
        let given: Vec<_> = given.collect();
        let fields = given.len() as f64;
        let field = |(pointer, ks)| Self {
            pointer,
            ks,
            level: ks / fields,
        };
        given.into_iter().map(field).collect()
    }

    /// Returns the least number of cases with which every distribution of a policy can differ at
    /// its level; with fewer, even disjoint samples could be chance. 0 without distributions.
    ///
    /// ```
    /// use tdg_definition::Policy;
    /// use tdg_definition::policy::FieldDistribution;
    ///
    /// let policy = Policy::exact().distribution("/price", 1e-6)?;
    /// assert_eq!(FieldDistribution::cases_needed(&policy), 12);
    /// # Ok::<(), tdg_definition::PolicyError>(())
    /// ```
    pub fn cases_needed(policy: &Policy) -> usize {
        let levels = Self::all(policy).into_iter().map(|field| field.level);
        let lowest = levels.fold(f64::INFINITY, f64::min);
        // Two orderings of 2n values separate the samples: 2 / (2n choose n).
        let (mut cases, mut least) = (0, 2.0);
        while least >= lowest {
            cases += 1;
            least *= cases as f64 / (4 * cases - 2) as f64;
        }
        cases
    }
}

impl Policy {
    pub(super) fn add_distribution(&mut self, pointer: &str, ks: f64) -> Result<(), Invalid> {
        check_rate(ks)?;
        let field = Pointer::from_str(pointer).map_err(|error| format!("{error}"))?;
        if field.segments().any(|segment| segment == ANY) {
            return invalid!(
                "{pointer:?} matches several fields, but a distribution is of one number for each \
                 case; name one, such as {:?}",
                pointer.replace(ANY, "0")
            );
        }
        if FieldDistribution::all(self).len() == FIELDS {
            return invalid!(
                "is one of more than {FIELDS} distributions, which share the rate of false alarms; \
                 compare fewer"
            );
        }
        let mut ignored = self.root.all().into_iter().filter(|(_, node)| node.ignored);
        if ignored.any(|(ignored, _)| leads_to(&ignored, &field)) {
            return Err(ignored_distribution(&field).into());
        }
        let node = self.root.at(pointer)?;
        if node.tolerance.is_some() {
            return Err(both_rules(pointer, "tolerance").into());
        }
        once(node.distribution.replace(ks).is_none(), pointer)
    }

    /// Checks that none of the fields in `ignored` has a distribution.
    pub(super) fn check_distributions_within(&self, ignored: &str) -> Result<(), Invalid> {
        let ignored = Pointer::from_str(ignored).map_err(|error| format!("{error}"))?;
        let fields = FieldDistribution::all(self)
            .into_iter()
            .map(|it| it.pointer);
        let mut within = fields.filter(|field| leads_to(&ignored, field));
        within
            .next()
            .map_or(Ok(()), |field| Err(ignored_distribution(&field).into()))
    }
}

fn ignored_distribution(field: &Pointer) -> String {
    let field = field.to_string();
    format!("the distribution of {field:?} would be ignored; leave out one of the two")
}

fn check_rate(ks: f64) -> Result<(), Invalid> {
    // A fraction of a smaller rate could be 0.
    if (f64::MIN_POSITIVE..1.0).contains(&ks) {
        return Ok(());
    }
    invalid!(
        "ks must be greater than 0 and less than 1, but is {ks:?}; with ks = 1e-6, one in a million \
         runs of the unchanged function fails"
    )
}

/// The message for a field with both a distribution and another rule.
pub(super) fn both_rules(pointer: &str, other: &str) -> String {
    let place = match pointer {
        "" => "the whole output".to_owned(),
        _ => format!("{pointer:?}"),
    };
    format!(
        "{place} already has a {other}: its values are compared either case by case or by their \
         distribution; keep one"
    )
}
