//! The interface as an OpenAPI 3.1 document, made from the same endpoints as the router. The
//! schemas are in `schemas.json`.

use std::iter::once;

use axum::http::Method;
use serde_json::{Map, Value, json};
use tdg_definition::{FeatureType, distribution};
use tdg_service::{IdempotencyKey, Page};

use crate::endpoint_spec::{EndpointSpec, ResponseSpec};

const SCHEMAS: &str = include_str!("schemas.json");

/// A `Link` to the next page or part, and to the rest of the last element of a page.
const NEXT: &str = r#"</v1/[^>]+[?&]cursor=[^>]+>; rel="next""#;
const REST: &str = r#"</v1/[^>]+[?&]cursor=[^>]+>; rel="next"; anchor="/v1/[^"]+""#;

/// The place of an element, from which cursors are made.
const PLACE: &str = r"-?[0-9]{1,18}\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/// Returns the document of these endpoints.
pub(crate) fn document(endpoints: impl Iterator<Item = EndpointSpec>) -> Value {
    let mut paths = Map::new();
    for endpoint in endpoints {
        let path = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        path[endpoint.method.as_str().to_lowercase()] = operation(&endpoint);
    }
    // A test parses it: the file is part of the program.
    let mut schemas: Value = serde_json::from_str(SCHEMAS).unwrap_or_default();
    let feature = "/NewDefinition/properties/definition/properties/features/items/properties";
    let types = FeatureType::ALL.iter().map(|it| it.name());
    let distributions = distribution::names();
    let distributions =
        distributions.flat_map(|(name, aliases)| once(name).chain(aliases.iter().copied()));
    for (member, pattern) in [
        ("type", any_case(types)),
        ("distribution/properties/type", any_case(distributions)),
    ] {
        if let Some(schema) = schemas.pointer_mut(&format!("{feature}/{member}")) {
            schema["pattern"] = pattern.into();
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "tdg",
            "version": "1",
            "summary": "Test data drawn from definitions, and benchmarks of the outputs of functions on it",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"key": []}, {"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
            "schemas": schemas,
        },
    })
}

/// Returns a pattern for these words in any case.
fn any_case<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let letter = |letter: char| match letter.is_ascii_alphabetic() {
        true => format!(
            "[{}{}]",
            letter.to_ascii_uppercase(),
            letter.to_ascii_lowercase()
        ),
        false => letter.to_string(),
    };
    let words = words.map(|word| word.chars().map(letter).collect::<String>());
    format!("^({})$", words.collect::<Vec<_>>().join("|"))
}

fn operation(endpoint: &EndpointSpec) -> Value {
    let mut operation = json!({
        "operationId": operation_id(endpoint),
        "summary": endpoint.summary,
        "description": match endpoint.scope {
            Some(scope) => format!("The key needs the scope `{}`.", scope.name()),
            None => "Which scope the key needs depends on the request.".to_owned(),
        },
        "parameters": parameters(endpoint),
        "responses": responses(endpoint),
    });
    if let Some(request) = endpoint.request {
        let content = json!({"application/json": {"schema": reference(request)}});
        operation["requestBody"] = json!({"required": request != "NewProject", "content": content});
    }
    operation
}

/// Returns the words of the path without its parameters: `get_v1_project`.
fn operation_id(endpoint: &EndpointSpec) -> String {
    let words = endpoint
        .path
        .split('/')
        .filter(|word| !word.is_empty() && !word.starts_with('{'));
    let words = std::iter::once(endpoint.method.as_str()).chain(words);
    words.map(str::to_lowercase).collect::<Vec<_>>().join("_")
}

fn parameters(endpoint: &EndpointSpec) -> Vec<Value> {
    let names = endpoint
        .path
        .split('/')
        .filter_map(|word| word.strip_prefix('{')?.strip_suffix('}'));
    let parameter = |place: &str, name: &str, schema: Value| json!({"in": place, "name": name, "required": place == "path", "schema": schema});
    let mut parameters: Vec<_> = names
        .map(|name| parameter("path", name, reference("Uuid")))
        .collect();
    if endpoint.is_list() {
        let limit = json!({"type": "integer", "minimum": 1, "maximum": Page::LIMIT, "default": Page::LIMIT});
        parameters.push(parameter("query", "limit", limit));
    }
    if endpoint.has_cursor() {
        let deepest = if endpoint.is_list() { 0 } else { 2 };
        let pattern = format!("^{PLACE}(~{PLACE}){{0,{deepest}}}$");
        let cursor = json!({"type": "string", "pattern": pattern});
        let mut cursor = parameter("query", "cursor", cursor);
        cursor["description"] =
            "Where to continue: from the header `Link` of the response before.".into();
        parameters.push(cursor);
    }
    if endpoint.method == Method::POST {
        let longest = IdempotencyKey::LENGTH;
        let schema =
            json!({"type": "string", "minLength": 1, "maxLength": longest, "pattern": "^[!-~]+$"});
        let mut key = parameter("header", "Idempotency-Key", schema);
        key["description"] =
            "A repetition of the request with the same key has no further effect.".into();
        parameters.push(key);
    }
    if matches!(endpoint.response, ResponseSpec::Immutable(_)) {
        let tag = json!({"type": "string"});
        parameters.push(parameter("header", "If-None-Match", tag));
    }
    parameters
}

fn responses(endpoint: &EndpointSpec) -> Value {
    let content = |schema: Value| json!({"application/json": {"schema": schema}});
    let mut responses = json!({
        "200": match endpoint.response {
            ResponseSpec::Object(name) => json!({"description": name, "content": content(reference(name))}),
            ResponseSpec::Part(name) => json!({
                "description": format!("{name}, or a part of the list in it"),
                "headers": {"Link": {
                    "description": "The next part, with `rel=\"next\"`, if there is one.",
                    "schema": {"type": "string", "pattern": format!("^{NEXT}$")},
                }},
                "content": content(reference(name)),
            }),
            ResponseSpec::Newest(name) => json!({
                "description": name,
                "headers": {"Link": {
                    "description": "Where its history goes on, with `rel=\"next\"`, if there is more.",
                    "schema": {"type": "string", "pattern": format!("^{NEXT}$")},
                }},
                "content": content(reference(name)),
            }),
            ResponseSpec::Immutable(name) => json!({
                "description": name,
                "headers": {"ETag": {"schema": {"type": "string"}}},
                "content": content(reference(name)),
            }),
            ResponseSpec::List(name) => json!({
                "description": format!("A page of a list of {name}"),
                "headers": {"Link": {
                    "description": "The next page, with `rel=\"next\"`, if there is one; and the next part of the \
                        last element, with its path as `anchor`, if it has more.",
                    "schema": {"type": "string", "pattern": format!("^{NEXT}(, {REST})?$|^{REST}$")},
                }},
                "content": content(json!({"type": "array", "items": reference(name)})),
            }),
        },
    });
    if matches!(endpoint.response, ResponseSpec::Immutable(_)) {
        responses["304"] = json!({"description": "The client has the current body"});
    }
    for (status, description) in problems(endpoint) {
        let content = json!({"application/problem+json": {"schema": reference("Problem")}});
        responses[status.to_string()] = json!({"description": description, "content": content});
    }
    responses
}

/// Returns the errors that an endpoint may respond with.
fn problems(endpoint: &EndpointSpec) -> Vec<(u16, &'static str)> {
    let mut problems = vec![
        (401, "Missing or invalid API key"),
        (
            403,
            "The API key lacks the scope, or a quota of the account is used up",
        ),
        (
            422,
            "The request is well-formed but invalid, or its query has an unknown parameter",
        ),
        (
            429,
            "Too many requests; `Retry-After` says when to try again",
        ),
        (500, "The service failed"),
        (
            503,
            "The service is temporarily unavailable; `Retry-After` says when to try again",
        ),
    ];
    if endpoint.path.contains('{') || endpoint.request == Some("NewDefinition") {
        problems.push((404, "The account has no such object"));
    }
    if endpoint.request.is_some() {
        problems.extend([
            (400, "The body or a header can't be read"),
            (408, "The body did not arrive in time"),
            (409, "The idempotency key was used for another request"),
            (413, "The body is too large"),
            (
                415,
                "The content type is not JSON, or the content encoding is unknown",
            ),
        ]);
    }
    if matches!(endpoint.response, ResponseSpec::Immutable(_)) {
        problems.push((409, "The rows can't be drawn as they were recorded"));
    }
    problems.sort_unstable();
    problems
}

fn reference(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tdg_definition::Definition;
    use tdg_definition::limits::{NAME_BYTES, SIZES};

    use super::*;
    use crate::http::{endpoints, openapi_document};

    /// Collects every reference in a part of the document.
    fn references<'a>(part: &'a Value, found: &mut BTreeSet<&'a str>) {
        match part {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str));
                members
                    .values()
                    .for_each(|member| references(member, found));
            }
            Value::Array(elements) => elements
                .iter()
                .for_each(|element| references(element, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_resolves_and_every_schema_is_used() {
        let document = openapi_document();
        let mut found = BTreeSet::new();
        references(&document, &mut found);
        let schemas = document["components"]["schemas"].as_object().unwrap();
        let names: BTreeSet<_> = schemas
            .keys()
            .map(|name| format!("#/components/schemas/{name}"))
            .collect();
        assert_eq!(found, names.iter().map(String::as_str).collect());
    }

    #[test]
    fn a_definition_may_have_every_relation_and_needs_none() {
        let document = openapi_document();
        let definition = &document["components"]["schemas"]["Definition"];
        let required = definition["required"].as_array().unwrap();
        for relation in Definition::RELATIONS {
            assert!(definition["properties"][relation].is_object(), "{relation}");
            assert!(!required.contains(&(*relation).into()), "{relation}");
        }
    }

    #[test]
    fn operation_ids_are_unique() {
        let names: Vec<_> = endpoints()
            .iter()
            .map(|it| operation_id(&it.spec))
            .collect();
        let unique: BTreeSet<_> = names.iter().collect();
        assert_eq!(unique.len(), names.len(), "{names:?}");
    }

    #[test]
    fn limits_match_the_language() {
        let document = openapi_document();
        let definition = "NewDefinition/properties/definition/properties";
        let features = format!("{definition}/features");
        for (place, most) in [
            ("NewProject/properties/project_name/maxLength", NAME_BYTES),
            (
                &format!("{definition}/definition_name/maxLength"),
                NAME_BYTES,
            ),
            (&format!("{features}/maxItems"), Definition::FEATURES),
            (
                &format!("{features}/items/properties/feature_name/maxLength"),
                NAME_BYTES,
            ),
            ("NewEnsemble/properties/ensemble_name/maxLength", NAME_BYTES),
            ("NewEnsemble/properties/size/maximum", *SIZES.end()),
            ("Ensemble/properties/size/maximum", *SIZES.end()),
        ] {
            let pointer = format!("/components/schemas/{place}");
            assert_eq!(document.pointer(&pointer), Some(&most.into()), "{pointer}");
        }
    }

    #[test]
    fn a_pattern_has_its_words_in_any_case() {
        let words = ["FLOAT", "student_t"].into_iter();
        let expected = "^([Ff][Ll][Oo][Aa][Tt]|[Ss][Tt][Uu][Dd][Ee][Nn][Tt]_[Tt])$";
        assert_eq!(any_case(words), expected);
        let document = openapi_document();
        let features =
            "/components/schemas/NewDefinition/properties/definition/properties/features";
        for member in ["type", "distribution/properties/type"] {
            let schema = document.pointer(&format!("{features}/items/properties/{member}"));
            assert!(schema.unwrap()["pattern"].is_string(), "{member}");
        }
    }

    #[test]
    fn the_document_is_what_clients_were_made_from() {
        insta::assert_snapshot!(format!("{:#}", openapi_document()["paths"]));
    }
}
