//! The relations between features.

use serde_json::{Value, json};

use crate::generate::{described, one_of};
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
                "properties": {"features": names(2, 2), "correlation": between(-1.0, 1.0)},
                "required": ["features", "correlation"],
                "additionalProperties": false,
            },
        },
        "order": {
            "description": "ListCells of features whose values rise from one to the next in every row.",
            "type": "array", "minItems": 1,
            "items": names(2, 100),
        },
        "sampling": sampling,
        "coverage": {
            "description": "All pairs (strength 2) or triples (3) of levels of different features are in the first rows.",
            "type": "object",
            "properties": {
                "strength": {"description": "2 for pairs, 3 for triples.", "type": "integer", "minimum": 2, "maximum": 3},
                "features": described(names(1, 1000), "The features to cover; all that can be, if left out."),
                "bins": {
                    "description": "How many levels a feature has at most that is neither categorical nor bernoulli; 4 if left out.",
                    "type": "integer", "minimum": 2, "maximum": 100,
                },
            },
            "required": ["strength"],
            "additionalProperties": false,
        },
    })
}

/// Names of features.
fn names(least: usize, most: usize) -> Value {
    json!({"type": "array", "minItems": least, "maxItems": most, "items": {"type": "string"}})
}
