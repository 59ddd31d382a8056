//! How deep and how large values within values can be.

use crate::distribution::Parts;
use crate::feature::Feature;
use crate::fields::Fields;
use crate::json::Value;
use crate::limits::CELLS;
use crate::random::ListElements;
use crate::shape::SHORT;
use crate::size_error::SizeError;

/// How deep lists and objects can be in each other.
const DEPTH: u32 = 8;

impl Feature {
    /// How deep its lists and objects are in each other.
    fn depth(&self) -> u32 {
        let parts = self.own_parts();
        let within = parts.features().into_iter().map(Self::depth).max();
        within.unwrap_or(0) + u32::from(!matches!(self.parts(), Parts::None))
    }

    /// How deep its lists are in each other.
    pub(crate) fn list_levels(&self) -> u32 {
        let parts = self.own_parts();
        let within = parts.features().into_iter().map(Self::list_levels).max();
        let within = within.unwrap_or_else(|| self.distribution().list_levels());
        within + u32::from(matches!(parts, Parts::Element(_) | Parts::Entries(_)))
    }

    /// The cells of a value, on average: a list is one, with those of its elements.
    pub(crate) fn cells_of_value(&self) -> f64 {
        self.distribution().cells()
    }

    /// Whether it may be in another list or object; notes at the member of that name why not.
    pub(crate) fn check_within(&self, fields: &mut Fields<'_>, member: &'static str) -> bool {
        let message = if self.depth() >= DEPTH {
            format!(
                "has lists and objects that are {DEPTH} deep in each other, and can't be in \
                 another one; flatten some of them"
            )
        } else if matches!(member, "element" | "distribution")
            && self.list_levels() >= ListElements::LEVELS
        {
            format!(
                "has lists that are {} deep in each other, and can't be in another list; \
                 flatten some of them",
                ListElements::LEVELS
            )
        } else {
            return true;
        };
        fields.fault(member, message);
        false
    }
}

/// The number of features in a definition, with those within others.
pub(crate) fn count(definition: &Value) -> usize {
    match definition {
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Object(members) => {
            // Where another member is named so, as of gamma, there is a type.
            let is_feature = match members.contains_key("type") {
                true => members.contains_key("distribution"),
                false => members.get(SHORT).is_some_and(|it| it.as_str().is_some()),
            };
            usize::from(is_feature) + members.values().map(count).sum::<usize>()
        }
        _ => 0,
    }
}

/// Whether so many rows have few enough cells.
///
/// # Errors
/// How many cells there are, and what to change.
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

/// The list with the most cells that is in no other list, with its element.
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
