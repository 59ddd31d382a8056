//! Limits on the depth and size of nested values.

use super::shape::SHORT;
use super::{Feature, Parts};
use crate::fields::Fields;
use crate::json::Value;
use crate::limits::CELLS;
use crate::random::ListElements;
use crate::relation::RelatedFeature;
use crate::size_error::SizeError;

/// The deepest nesting of lists and objects.
const DEPTH: u32 = 8;

impl Feature {
    /// Returns the nesting depth of its lists and objects.
    fn depth(&self) -> u32 {
        let parts = self.own_parts();
        let within = parts.features().into_iter().map(Self::depth).max();
        within.unwrap_or(0) + u32::from(!matches!(self.parts(), Parts::None))
    }

    /// Returns the nesting depth of its lists.
    pub(crate) fn list_levels(&self) -> u32 {
        let parts = self.own_parts();
        let within = parts.features().into_iter().map(Self::list_levels).max();
        let within = within.unwrap_or_else(|| self.structure().list_levels());
        within + u32::from(matches!(parts, Parts::Element(_) | Parts::Entries(_)))
    }

    /// Returns the average number of cells in a value: a list is one, plus its elements' cells.
    pub(crate) fn cells_of_value(&self) -> f64 {
        self.distribution().cells()
    }

    /// Returns true if it may be in another list or object; otherwise adds a fault at `member`.
    pub(crate) fn check_within(&self, fields: &mut Fields<'_>, member: &'static str) -> bool {
        let message = if self.depth() >= DEPTH {
            format!(
                "has lists and objects nested {DEPTH} deep, and can't be in another one; flatten \
                 some of them"
            )
        } else if matches!(member, "element" | "distribution")
            && self.list_levels() >= ListElements::LEVELS
        {
            format!(
                "has lists nested {} deep, and can't be in another list; flatten some of them",
                ListElements::LEVELS
            )
        } else {
            return true;
        };
        fields.fault(member, message);
        false
    }
}

/// Counts the features in a definition, including nested ones.
pub(crate) fn count(definition: &Value) -> usize {
    match definition {
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Object(members) => {
            // Another member with this name, as for gamma, comes with a `type`.
            let is_feature = match members.contains_key("type") {
                true => members.contains_key("distribution"),
                false => members.get(SHORT).is_some_and(|it| it.as_str().is_some()),
            };
            usize::from(is_feature) + members.values().map(count).sum::<usize>()
        }
        _ => 0,
    }
}

/// Checks that this number of rows doesn't have too many cells.
///
/// # Errors
/// The number of cells, and the fix.
pub(crate) fn check_cells(features: &[Feature], size: usize) -> Result<(), SizeError> {
    let cells: f64 = features.iter().map(Feature::cells_of_value).sum();
    let most = (CELLS as f64 / cells) as usize;
    if size <= most {
        return Ok(());
    }
    let Some((list, element)) = largest_list(features.iter().collect()) else {
        let features = cells as usize;
        return Err(SizeError::Cells {
            size,
            features,
            most,
        });
    };
    let element = element.cells_of_value();
    let of_list = list.cells - 1.0;
    let left = CELLS as f64 / size as f64 - (cells - of_list);
    Err(SizeError::Nested {
        size,
        cells: cells.ceil() as usize,
        most,
        list: list.path,
        length: (left / element) as usize,
    })
}

/// A list within rows.
struct LargeList {
    path: String,
    cells: f64,
}

/// Returns the list with the most cells that isn't in another list, with its element.
fn largest_list(features: Vec<&Feature>) -> Option<(LargeList, &Feature)> {
    let lists = features.into_iter().filter_map(|feature| {
        let name = feature.name();
        match feature.own_parts() {
            Parts::None => None,
            Parts::Element(element) | Parts::Entries(element) => {
                let (path, cells) = (name.to_owned(), feature.cells_of_value());
                Some((LargeList { path, cells }, element))
            }
            parts => {
                let (mut list, element) = largest_list(parts.features())?;
                list.path = format!("{name}/{}", list.path);
                Some((list, element))
            }
        }
    });
    lists.max_by(|(one, _), (other, _)| one.cells.total_cmp(&other.cells))
}
