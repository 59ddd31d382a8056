//! The form to decide about a run's change: its markup, and the user's choices.

use maud::{Markup, html};
use tdg_definition::json::Pointer;
use tdg_definition::{Faults, limits};
use tdg_engine::compare::ChangePart;
use tdg_engine::config::parse_cases;
use tdg_engine::text::counted;
use tdg_service::{Result, ServiceError};

use crate::database::StoredRun;
use crate::pages::Query;
use crate::pages::change::{Change, PartChoice};

/// The maximum number of fields that a form can select.
const PLACES: usize = 64;

/// Renders the form, with the parts that can be accepted separately.
pub(super) fn markup(path: &str, run: &StoredRun, parts: &[PartChoice]) -> Markup {
    let whole = counted(run.facts.changed_outputs.len(), "case");
    html! {
        section aria-labelledby="decide" {
            h2 id="decide" { "Decide" }
            form.decide method="post" action=(path) {
                fieldset {
                    legend { "Accept" }
                    label {
                        input type="radio" name="part" value="" checked;
                        " the whole change, " (whole)
                    }
                    @for part in parts {
                        label {
                            input type="radio" name="part" value=(part.name);
                            " " (part.offered.text)
                        }
                    }
                    label {
                        "or only these cases "
                        input type="text" name="cases" placeholder="3,40..60" spellcheck="false";
                    }
                    label {
                        "or only these fields "
                        input type="text" name="fields" placeholder="/tax /lines/*/price"
                            spellcheck="false";
                    }
                }
                label {
                    "Reason "
                    input type="text" name="reason" maxlength=(limits::REASON_BYTES);
                }
                p {
                    button type="submit" name="decision" value="accept" { "Accept" } " "
                    button type="submit" name="decision" value="reject" { "Reject the whole change" }
                }
                p.faint {
                    "Accepted outputs become the expected ones; " code { "cargo tdg pull" }
                    " writes them into the snapshot file, as a change to commit."
                }
            }
        }
    }
}

/// The user's choices in the form.
pub(super) struct WantedDecision {
    /// The accepted part, or `None` to reject the change.
    pub(super) accepted: Option<ChosenPart>,
    pub(super) reason: Option<String>,
}

/// The accepted part of the change.
pub(super) struct ChosenPart {
    /// The part's name in the form.
    offered: Option<String>,
    cases: Option<String>,
    fields: Vec<Pointer>,
}

pub(super) fn invalid(field: &str, message: impl Into<String>) -> ServiceError {
    Faults::at(Pointer::root().child(field), message).into()
}

impl WantedDecision {
    pub(super) fn read(form: &Query) -> Result<Self> {
        let accepted = match form.get("decision") {
            Some("accept") => Some(ChosenPart::read(form)?),
            Some("reject") => None,
            _ => return Err(invalid("decision", "must be accept or reject")),
        };
        let reason = form.get("reason").map(str::to_owned);
        Ok(WantedDecision { accepted, reason })
    }
}

impl ChosenPart {
    fn read(form: &Query) -> Result<Self> {
        let fields = form.get("fields").unwrap_or_default().split_whitespace();
        let field = |text: &str| {
            let parsed = text.parse::<Pointer>();
            parsed.map_err(|error| invalid("fields", format!("{text}: {error}")))
        };
        let chosen = ChosenPart {
            offered: form.get("part").map(str::to_owned),
            cases: form.get("cases").map(str::to_owned),
            fields: fields.map(field).collect::<Result<_>>()?,
        };
        if chosen.fields.len() > PLACES {
            return Err(invalid("fields", format!("must be at most {PLACES}")));
        }
        let is_narrowed = chosen.cases.is_some() || !chosen.fields.is_empty();
        if chosen.offered.is_some() && is_narrowed {
            let message = "must be empty if a part is chosen";
            return Err(invalid("cases and fields", message));
        }
        Ok(chosen)
    }

    pub(super) fn resolve(self, change: &Change) -> Result<ChangePart> {
        if let Some(name) = self.offered {
            return Ok(change.part(&name)?.offered.part);
        }
        let size = change.rows.vectors.size();
        let cases = self.cases.map(|cases| parse_cases("cases", &cases, size));
        let cases = cases.transpose();
        Ok(ChangePart {
            cases: cases.map_err(|error| Faults::at(Pointer::root(), error.to_string()))?,
            fields: self.fields,
            ..ChangePart::default()
        })
    }
}
