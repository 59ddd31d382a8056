//! The subset of JSON Schema that docs/reference/definition.schema.json uses; other keywords panic.

use regex::Regex;
use tdg_definition::json::Value;

pub(crate) fn accepts(root: &Value, schema: &Value, value: &Value) -> bool {
    if schema.as_bool().is_some() {
        return schema.as_bool() == Some(true);
    }
    let keywords = schema.as_object().unwrap();
    let accepts_it = |schema: &Value| accepts(root, schema, value);
    keywords.iter().all(|(keyword, stated)| {
        let stated_list = || stated.as_array().unwrap();
        let limit = |holds: fn(f64, f64) -> bool| {
            value
                .as_f64()
                .is_none_or(|number| holds(number, stated.as_f64().unwrap()))
        };
        let length = |holds: fn(usize, usize) -> bool, length: Option<usize>| {
            length.is_none_or(|length| holds(length, stated.as_u64().unwrap() as usize))
        };
        let items = value.as_array();
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "format" | "then" => true,
            "$ref" => {
                let name = stated.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                accepts_it(root.get("$defs").unwrap().get(name).unwrap())
            }
            "type" => match stated.as_array() {
                Some(types) => types.iter().any(|name| is(name, value)),
                None => is(stated, value),
            },
            "enum" => stated_list().contains(value),
            "pattern" => value
                .as_str()
                .is_none_or(|text| Regex::new(stated.as_str().unwrap()).unwrap().is_match(text)),
            "minimum" => limit(|number, least| number >= least),
            "maximum" => limit(|number, most| number <= most),
            "exclusiveMinimum" => limit(|number, bound| number > bound),
            "maxLength" => length(
                |a, b| a <= b,
                value.as_str().map(|text| text.chars().count()),
            ),
            "minItems" => length(|a, b| a >= b, items.map(<[Value]>::len)),
            "maxItems" => length(|a, b| a <= b, items.map(<[Value]>::len)),
            "items" => items.is_none_or(|items| items.iter().all(|i| accepts(root, stated, i))),
            "properties" => stated.as_object().unwrap().iter().all(|(name, schema)| {
                value
                    .get(name)
                    .is_none_or(|member| accepts(root, schema, member))
            }),
            "additionalProperties" => {
                let known = keywords.get("properties").and_then(Value::as_object);
                let is_known = |name: &str| known.is_some_and(|known| known.contains_key(name));
                let is_fine = |(name, member): &(String, Value)| {
                    is_known(name)
                        || stated.as_bool() != Some(false) && accepts(root, stated, member)
                };
                let mut members = value.as_object().into_iter().flat_map(|it| it.iter());
                members.all(is_fine)
            }
            "required" => stated_list().iter().all(|name| {
                value
                    .as_object()
                    .is_none_or(|members| members.contains_key(name.as_str().unwrap()))
            }),
            "allOf" => stated_list().iter().all(accepts_it),
            "anyOf" => stated_list().iter().any(accepts_it),
            "oneOf" => {
                stated_list()
                    .iter()
                    .filter(|schema| accepts_it(schema))
                    .count()
                    == 1
            }
            "not" => !accepts_it(stated),
            "if" => !accepts_it(stated) || accepts_it(keywords.get("then").unwrap()),
            unknown => panic!("the keyword {unknown}"),
        }
    })
}

fn is(type_name: &Value, value: &Value) -> bool {
    match type_name.as_str().unwrap() {
        "object" => value.as_object().is_some(),
        "array" => value.as_array().is_some(),
        "string" => value.as_str().is_some(),
        "boolean" => value.as_bool().is_some(),
        "null" => value.is_null(),
        "number" => value.as_number().is_some(),
        "integer" => value
            .as_f64()
            .is_some_and(|number| number.trunc() == number),
        unknown => panic!("the type {unknown}"),
    }
}
