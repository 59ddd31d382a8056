//! The projects that a key opens.

use std::sync::Arc;

use tdg_service::{ObjectKind, Result, ServiceError, Uuid};

/// All projects of the account, or the ones that the key is limited to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProjectLimit(Option<Arc<Vec<Uuid>>>);

impl ProjectLimit {
    /// No limit.
    pub(crate) const NONE: ProjectLimit = ProjectLimit(None);

    /// Limits a key to these projects. An empty list means no limit.
    pub(crate) fn to(mut projects: Vec<Uuid>) -> Self {
        projects.sort_unstable();
        projects.dedup();
        ProjectLimit((!projects.is_empty()).then(|| projects.into()))
    }

    /// Returns the projects, or `None` without a limit.
    pub(crate) fn projects(&self) -> Option<&Vec<Uuid>> {
        self.0.as_deref()
    }

    pub(crate) fn includes(&self, project: Uuid) -> bool {
        self.projects().is_none_or(|all| all.contains(&project))
    }

    /// Fails for another project, as if it didn't exist.
    pub(crate) fn require(&self, project: Uuid) -> Result<()> {
        match self.includes(project) {
            true => Ok(()),
            false => Err(ServiceError::NotFound(ObjectKind::Project, project)),
        }
    }

    /// Refuses to create a project, because a limited key couldn't open it.
    pub(crate) fn require_none(&self) -> Result<()> {
        match self.0 {
            None => Ok(()),
            Some(_) => Err(ServiceError::Forbidden(
                "the API key is limited to projects, so it can't create one; ask for a key that isn't"
                    .into(),
            )),
        }
    }

    /// Returns the stored form, or `None` without a limit.
    pub(crate) fn to_text(&self) -> Option<String> {
        let texts = self.projects()?.iter().map(Uuid::to_string);
        Some(texts.collect::<Vec<_>>().join(","))
    }

    /// Parses the stored form.
    ///
    /// # Errors
    ///
    /// If it is invalid: a damaged limit must not remove the limit.
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
