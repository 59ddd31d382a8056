//! Objects that come in parts. Each further part is the object again, with the next elements.

use uuid::Uuid;

use crate::{Benchmark, Definition, Ensemble, JsonForm, ObjectKind, Project};

/// An object that contains a list.
pub(super) trait PagedObject: JsonForm {
    const KIND: ObjectKind;

    fn uuid(&self) -> Uuid;

    /// Adds the next part. Returns true if it contained anything new.
    fn extend(&mut self, next: Self) -> bool;
}

/// Implements [`PagedObject`] for an object that comes in parts of a list.
macro_rules! paged {
    ($type:ident, $uuid:ident, $list:ident) => {
        impl PagedObject for $type {
            const KIND: ObjectKind = ObjectKind::$type;

            fn uuid(&self) -> Uuid {
                self.$uuid
            }

            fn extend(&mut self, next: Self) -> bool {
                extend(&mut self.$list, next.$list)
            }
        }
    };
}

paged!(Project, project_uuid, definitions);
paged!(Definition, definition_uuid, ensembles);
paged!(Ensemble, ensemble_uuid, benchmarks);

/// A benchmark always comes in one part.
impl PagedObject for Benchmark {
    const KIND: ObjectKind = ObjectKind::Benchmark;

    fn uuid(&self) -> Uuid {
        self.benchmark_uuid
    }

    fn extend(&mut self, _: Self) -> bool {
        false
    }
}

/// Appends further elements. The first may be the list's last one again, with more of its content.
fn extend<T: PagedObject>(list: &mut Vec<T>, next: Vec<T>) -> bool {
    let before = list.len();
    let mut next = next.into_iter().peekable();
    let mut has_more = false;
    if let Some(last) = list.last_mut()
        && let Some(again) = next.next_if(|first| first.uuid() == last.uuid())
    {
        has_more = last.extend(again);
    }
    list.extend(next);
    has_more || list.len() > before
}
