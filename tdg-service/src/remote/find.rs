//! Finds objects page by page and part by part, and stops as soon as one is found.

use std::collections::HashSet;

use uuid::Uuid;

use super::RemoteService;
use super::parts::PagedObject;
use crate::{Benchmark, Definition, Ensemble, List, Page, Project, Result};

/// The number of elements on the first page. Each further page is four times as long. The first is
/// short because a project includes everything in it.
const FIRST_PAGE: usize = 8;

/// An object with the part of its list that a response contained.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found<T> {
    /// The object.
    pub object: T,
    /// True if the list within it is complete.
    pub is_whole: bool,
}

impl<T> Found<T> {
    /// Wraps an object whose list is complete.
    pub fn whole(object: T) -> Self {
        Found {
            object,
            is_whole: true,
        }
    }
}

impl RemoteService {
    /// Returns the first project that `is_it` accepts.
    ///
    /// # Errors
    ///
    /// See [`projects`](RemoteService::projects).
    pub fn find_project(
        &self,
        mut is_it: impl FnMut(&Project) -> bool,
    ) -> Result<Option<Found<Project>>> {
        let mut found = None;
        self.project_pages(|list| {
            found = pick(&list.items, list.rest.is_some(), &mut is_it);
            found.is_some()
        })?;
        Ok(found)
    }

    /// Returns all projects with this name, without their definitions.
    ///
    /// # Errors
    ///
    /// See [`projects`](RemoteService::projects).
    pub fn projects_named(&self, name: &str) -> Result<Vec<Project>> {
        let mut found = Vec::new();
        self.project_pages(|list| {
            let named = list.items.iter().filter(|it| it.project_name == name);
            found.extend(named.map(|it| Project {
                definitions: Vec::new(),
                ..it.clone()
            }));
            false
        })?;
        Ok(found)
    }

    /// Reads the projects page by page, until `is_enough` returns true.
    fn project_pages(&self, mut is_enough: impl FnMut(&List<Project>) -> bool) -> Result<()> {
        let (mut page, mut read) = (Page::default(), HashSet::new());
        let mut limit = FIRST_PAGE;
        loop {
            page.limit = Some(limit);
            let list = self.list("/v1/projects", &page, None)?;
            let enough = is_enough(&list);
            let Some(next) = list.next.filter(|_| !enough) else {
                return Ok(());
            };
            self.check_next(&mut read, &next, "page of the projects")?;
            page.cursor = Some(next);
            limit = (4 * limit).min(Page::LIMIT);
        }
    }

    /// Returns the first of the project's definitions that the predicate accepts.
    ///
    /// # Errors
    ///
    /// See [`project`](RemoteService::project).
    pub fn find_definition(
        &self,
        project: &Found<Project>,
        is_it: impl FnMut(&Definition) -> bool,
    ) -> Result<Option<Found<Definition>>> {
        self.find_within(project, |project| &project.definitions, is_it)
    }

    /// Returns the first of the definition's ensembles that the predicate accepts.
    ///
    /// # Errors
    ///
    /// See [`definition`](RemoteService::definition).
    pub fn find_ensemble(
        &self,
        definition: &Found<Definition>,
        is_it: impl FnMut(&Ensemble) -> bool,
    ) -> Result<Option<Found<Ensemble>>> {
        self.find_within(definition, |definition| &definition.ensembles, is_it)
    }

    /// Returns the first of the ensemble's benchmarks that the predicate accepts.
    pub(super) fn find_benchmark(
        &self,
        ensemble: &Found<Ensemble>,
        is_it: impl FnMut(&Benchmark) -> bool,
    ) -> Result<Option<Benchmark>> {
        let found = self.find_within(ensemble, |ensemble| &ensemble.benchmarks, is_it)?;
        Ok(found.map(|found| found.object))
    }

    /// Returns the definition with as many of its ensembles as fit into one response.
    ///
    /// # Errors
    ///
    /// See [`definition`](RemoteService::definition).
    pub fn first_part_of_definition(&self, definition: Uuid) -> Result<Found<Definition>> {
        self.first_part(definition)
    }

    /// Returns an object with as much of its list as fits into one response.
    pub(super) fn first_part<T: PagedObject>(&self, uuid: Uuid) -> Result<Found<T>> {
        let ((object, next), _) = self.part(uuid, &Page::default())?;
        let is_whole = next.is_none();
        Ok(Found { object, is_whole })
    }

    fn find_within<T: PagedObject, E: Clone>(
        &self,
        object: &Found<T>,
        list: fn(&T) -> &[E],
        mut is_it: impl FnMut(&E) -> bool,
    ) -> Result<Option<Found<E>>> {
        let mut found = pick(list(&object.object), !object.is_whole, &mut is_it);
        if found.is_none() && !object.is_whole {
            let uuid = object.object.uuid();
            self.parts(uuid, Page::default(), |part, goes_on, _| {
                found = pick(list(&part), goes_on, &mut is_it);
                Ok(found.is_some())
            })?;
        }
        Ok(found)
    }
}

/// Returns the first element that `is_it` accepts. If the list goes on, its last element may, too.
fn pick<E: Clone>(list: &[E], goes_on: bool, is_it: impl FnMut(&E) -> bool) -> Option<Found<E>> {
    let at = list.iter().position(is_it)?;
    Some(Found {
        object: list[at].clone(),
        is_whole: !goes_on || at + 1 < list.len(),
    })
}
