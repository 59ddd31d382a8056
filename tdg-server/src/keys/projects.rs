//! The projects that a key opens.

use std::sync::Arc;

use tdg_service::{ObjectKind, Result, ServiceError, Uuid};

/// All projects of the account, or those that the key is limited to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProjectLimit(Option<Arc<Vec<Uuid>>>);

impl ProjectLimit {
    /// No limit.
    pub(crate) const NONE: ProjectLimit = ProjectLimit(None);

    /// Those projects; all if there are none.
    pub(crate) fn to(mut projects: Vec<Uuid>) -> Self {
        projects.sort_unstable();
        projects.dedup();
        ProjectLimit((!projects.is_empty()).then(|| projects.into()))
    }

    /// The projects, if there is a limit.
    pub(crate) fn projects(&self) -> Option<&Vec<Uuid>> {
        self.0.as_deref()
    }

    pub(crate) fn includes(&self, project: Uuid) -> bool {
        self.projects().is_none_or(|all| all.contains(&project))
    }

    /// Refuses another project as one that isn't there.
    pub(crate) fn require(&self, project: Uuid) -> Result<()> {
        match self.includes(project) {
            true => Ok(()),
            false => Err(ServiceError::NotFound(ObjectKind::Project, project)),
        }
    }

    /// Refuses to create a project, which would be none of these.
    pub(crate) fn require_none(&self) -> Result<()> {
        match self.0 {
            None => Ok(()),
            Some(_) => Err(ServiceError::Forbidden(
                "the API key is limited to projects, so it can't create one; ask for a key that isn't"
                    .into(),
            )),
        }
    }

    /// The stored form; none if there is no limit.
    pub(crate) fn to_text(&self) -> Option<String> {
        let texts = self.projects()?.iter().map(Uuid::to_string);
        Some(texts.collect::<Vec<_>>().join(","))
    }

    /// The limit of such a form.
    ///
    /// # Errors
    ///
    /// If it is not one: a damaged limit must not become none.
    pub(crate) fn from_text(text: Option<&str>) -> std::result::Result<Self, uuid::Error> {
        let Some(text) = text else {
            return Ok(ProjectLimit::NONE);
        };
        let projects = text.split(',').map(Uuid::try_parse);
        let projects = projects.collect::<std::result::Result<Vec<_>, _>>()?;
        Ok(ProjectLimit::to(projects))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_kept_and_a_damaged_one_does_not_open_everything() {
        let [one, other] = [1, 2].map(Uuid::from_u128);
        let limit = ProjectLimit::to(vec![other, one, other]);
        assert!(limit.includes(one) && limit.includes(other) && !limit.includes(Uuid::nil()));
        assert_eq!(
            ProjectLimit::from_text(limit.to_text().as_deref()),
            Ok(limit)
        );
        assert_eq!(ProjectLimit::NONE.to_text(), None);
        assert_eq!(ProjectLimit::from_text(None), Ok(ProjectLimit::NONE));
        assert!(ProjectLimit::NONE.includes(one));
        for text in ["", ",", "x", &format!("{one},")] {
            assert!(ProjectLimit::from_text(Some(text)).is_err(), "{text}");
        }
    }
}
