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

impl PagedObject for Project {
    const KIND: ObjectKind = ObjectKind::Project;

    fn uuid(&self) -> Uuid {
        self.project_uuid
    }

    fn extend(&mut self, next: Self) -> bool {
        extend(&mut self.definitions, next.definitions)
    }
}

impl PagedObject for Definition {
    const KIND: ObjectKind = ObjectKind::Definition;

    fn uuid(&self) -> Uuid {
        self.definition_uuid
    }

    fn extend(&mut self, next: Self) -> bool {
        extend(&mut self.ensembles, next.ensembles)
    }
}

impl PagedObject for Ensemble {
    const KIND: ObjectKind = ObjectKind::Ensemble;

    fn uuid(&self) -> Uuid {
        self.ensemble_uuid
    }

    fn extend(&mut self, next: Self) -> bool {
        extend(&mut self.benchmarks, next.benchmarks)
    }
}

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
