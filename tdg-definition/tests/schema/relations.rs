//! What features ask of each other.

use serde_json::{Value, json};

use crate::generate::one_of;
use crate::parameters::between;

/// The members of a definition that are relations.
pub(crate) fn relations() -> Value {
    let samplings = ["random", "stratified"];
    let mut sampling = one_of(&samplings, &samplings);
    sampling["description"] = "With stratified, the rows cover each feature's values evenly; fewer rows are not the first ones of more.".into();
    json!({
        "correlations": {
            "description": "Pairs of features whose normal scores are correlated; 0 for pairs that are not named.",
            "type": "array", "minItems": 1,
            "items": {
                "type": "object",
                "properties": {"features": names(2, Some(2)), "correlation": between(-1.0, 1.0)},
                "required": ["features", "correlation"],
                "additionalProperties": false,
            },
        },
        "order": {
            "description": "Lists of features whose values rise from one to the next in every row.",
            "type": "array", "minItems": 1,
            "items": names(2, None),
        },
        "sampling": sampling,
    })
}

/// Names of features.
fn names(least: usize, most: Option<usize>) -> Value {
    let mut names = json!({"type": "array", "minItems": least, "items": {"type": "string"}});
    if let Some(most) = most {
        names["maxItems"] = most.into();
    }
    names
}
