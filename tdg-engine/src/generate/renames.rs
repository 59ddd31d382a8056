//! Names that changed since a benchmark was recorded, as far as the definitions tell.

use std::fmt;

use tdg_definition::json::{self, Value};
use tdg_definition::{Cells, Column};

use super::{Vectors, VectorsFeature};
use crate::ensemble::Ensemble;
use crate::takes::Takes;

/// Features and categories that most likely are the same under another name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames {
    /// The features that are drawn as one that is gone.
    pub features: Vec<RenamedFeature>,
    /// The categories that are drawn as one that is gone.
    pub categories: Vec<RenamedCategory>,
}

/// A feature that has the type and the distribution of one of the benchmark, which is gone; or the
/// only other new one, which has the type of the only other that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedFeature {
    /// Its name in the benchmark.
    pub old: String,
    /// Its current name.
    pub new: String,
    /// Whether it is drawn in another way.
    pub is_redrawn: bool,
}

/// The only new category of a feature, with the share of the only one that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedCategory {
    /// The name of the feature.
    pub feature: String,
    /// The benchmark's value.
    pub old: String,
    /// The current value.
    pub new: String,
}

impl Renames {
    /// Those between the definitions of a benchmark and of now, in what the function takes.
    pub fn between(benchmark: &Ensemble, now: &Ensemble, takes: &Takes) -> Self {
        let definitions = [benchmark, now].map(|it| json::parse(&it.definition).ok());
        let [Some(old), Some(new)] = &definitions else {
            return Self::default();
        };
        let (old, new) = (features(old), features(new));
        let has =
            |features: &[NamedFeature<'_>], name: &str| features.iter().any(|it| it.0 == name);
        let gone: Vec<_> = old.iter().filter(|(name, _)| !has(&new, name)).collect();
        let come: Vec<_> = new.iter().filter(|(name, _)| !has(&old, name)).collect();
        let renamed = |(old, old_feature): &NamedFeature<'_>,
                       (new, new_feature): &NamedFeature<'_>| {
            RenamedFeature {
                old: (*old).to_owned(),
                new: (*new).to_owned(),
                is_redrawn: !is_drawn_alike(old_feature, new_feature),
            }
        };
        let alike = gone.iter().filter_map(|one| {
            let other = only(come.iter().filter(|other| is_drawn_alike(one.1, other.1)))?;
            only(gone.iter().filter(|one| is_drawn_alike(one.1, other.1)))?;
            Some(renamed(one, other))
        });
        let mut features: Vec<RenamedFeature> = alike.collect();
        // Without it, no row could be compared.
        let is_left = |name: &str| features.iter().all(|it| it.old != name && it.new != name);
        let one = only(gone.iter().filter(|(name, _)| is_left(name)));
        let other = only(come.iter().filter(|(name, _)| is_left(name)));
        if let (Some(one), Some(other)) = (one, other)
            && one.1.get("type") == other.1.get("type")
        {
            features.push(renamed(one, other));
        }
        features.retain(|it| takes.has(&it.new));
        let categories = old.iter().filter_map(|(name, old)| {
            let (_, new) = new.iter().find(|(other, _)| other == name)?;
            let (old, new) = renamed_category(old, new).filter(|_| takes.has(name))?;
            Some(RenamedCategory {
                feature: (*name).to_owned(),
                old,
                new,
            })
        });
        Self {
            features,
            categories: categories.collect(),
        }
    }

    /// The benchmark's rows under the names of now.
    pub fn apply(&self, recorded: &Vectors) -> Vectors {
        let features = recorded.features().iter().map(|feature| {
            let renamed = self.features.iter().find(|it| it.old == feature.name);
            let name = renamed.map_or(&feature.name, |renamed| &renamed.new);
            let mut column = feature.column.clone();
            for category in self.categories.iter().filter(|it| it.feature == *name) {
                column = category.apply(&column);
            }
            VectorsFeature::new(name, feature.feature_type, column)
        });
        Vectors::from_features(features.collect(), recorded.size())
    }

    /// A row of the benchmark, as an object, under the names of now.
    pub(crate) fn apply_to_row(&self, row: &Value) -> Value {
        let members = row.as_object().into_iter().flat_map(|row| row.iter());
        let renamed = members.map(|(name, value)| {
            let feature = self.features.iter().find(|it| it.old == *name);
            let name = feature.map_or(name, |feature| &feature.new);
            let mut categories = self.categories.iter().filter(|it| it.feature == *name);
            let category = categories.find(|it| value.as_str() == Some(&it.old));
            let value = category.map_or_else(|| value.clone(), |it| Value::from(&*it.new));
            (name.clone(), value)
        });
        Value::object(renamed)
    }

    /// `, with `qty` as `quantity``; empty if there are none.
    pub(crate) fn with(&self) -> String {
        match self == &Self::default() {
            true => String::new(),
            false => format!(", with {self}"),
        }
    }
}

impl RenamedCategory {
    /// The first row that has it.
    pub fn first_row(&self, recorded: &Vectors) -> Option<usize> {
        let mut features = recorded.features().iter();
        let column = &features.find(|it| it.name == self.feature)?.column;
        let Cells::Text(text) = column.cells() else {
            return None;
        };
        (0..text.len()).find(|row| !column.is_null(*row) && text.get(*row) == self.old)
    }

    fn apply(&self, column: &Column) -> Column {
        let Cells::Text(text) = column.cells() else {
            return column.clone();
        };
        let renamed = text.iter().map(|value| match value == self.old {
            true => &*self.new,
            false => value,
        });
        let nulls = column.nulls().map(<[bool]>::to_vec);
        Column::new(Cells::Text(renamed.collect()), nulls)
    }
}

/// ``` `qty` as `quantity`, "A" of `kind` as "B" ```
impl fmt::Display for Renames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let features = self.features.iter();
        let features = features.map(|it| format!("`{}` as `{}`", it.old, it.new));
        let categories = self
            .categories
            .iter()
            .map(|it| format!("{:?} of `{}` as {:?}", it.old, it.feature, it.new));
        let all: Vec<String> = features.chain(categories).collect();
        f.write_str(&all.join(", "))
    }
}

/// A feature of a definition with its name.
type NamedFeature<'a> = (&'a str, &'a Value);

fn features(definition: &Value) -> Vec<NamedFeature<'_>> {
    let features = definition.get("features").and_then(Value::as_array);
    let named = |feature| Some((Value::get(feature, "feature_name")?.as_str()?, feature));
    let features = features.unwrap_or_default().iter();
    features.filter_map(named).collect()
}

fn is_drawn_alike(one: &Value, other: &Value) -> bool {
    ["type", "distribution"]
        .iter()
        .all(|key| one.get(key) == other.get(key))
}

/// The values of the only category that is gone and of the only new one, if they have one share.
fn renamed_category(old: &Value, new: &Value) -> Option<(String, String)> {
    let (old, new) = (categories(old)?, categories(new)?);
    let lack = |others: &[Category<'_>], value: &str| others.iter().all(|it| it.0 != value);
    let gone = only(old.iter().filter(|(value, _)| lack(&new, value)))?;
    let come = only(new.iter().filter(|(value, _)| lack(&old, value)))?;
    (gone.1 == come.1).then(|| (gone.0.to_owned(), come.0.to_owned()))
}

/// A category with its probability.
type Category<'a> = (&'a str, &'a Value);

/// The categories of a feature of strings.
fn categories(feature: &Value) -> Option<Vec<Category<'_>>> {
    let categories = feature.get("distribution")?.get("categories")?.as_array()?;
    let category = |it| Some((Value::get(it, "value")?.as_str()?, it.get("probability")?));
    categories.iter().map(category).collect()
}

/// The only element.
fn only<T>(mut elements: impl Iterator<Item = T>) -> Option<T> {
    elements.next().filter(|_| elements.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::Definition;

    /// Of a definition with these features, each with the members after its name.
    fn ensemble(features: &[(&str, &str)]) -> Ensemble {
        let feature =
            |(name, rest): &(&str, &str)| format!(r#"{{"feature_name": "{name}", {rest}}}"#);
        let features: Vec<String> = features.iter().map(feature).collect();
        let definition = format!(r#"{{"features": [{}]}}"#, features.join(","));
        Ensemble {
            name: String::new(),
            size: 10,
            seed: 0,
            sampler_version: 1,
            digest: String::new(),
            definition: Definition::parse(&definition).unwrap().canonical(),
            rows: None,
        }
    }

    const NINE: &str =
        r#""type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 9}"#;
    const FIVE: &str =
        r#""type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 5}"#;

    fn coupons(categories: &[(&str, f64)]) -> String {
        let category =
            |(value, p): &(&str, f64)| format!(r#"{{"value": "{value}", "probability": {p}}}"#);
        let categories: Vec<String> = categories.iter().map(category).collect();
        let categories = categories.join(",");
        format!(
            r#""type": "STRING", "distribution": {{"type": "categorical", "categories": [{categories}]}}"#
        )
    }

    #[test]
    fn a_feature_is_renamed_if_it_is_drawn_as_the_only_one_that_is_gone() {
        let benchmark = ensemble(&[("amount", NINE), ("quantity", FIVE)]);
        let renames = |now: &[(&str, &str)], takes: &Takes| {
            Renames::between(&benchmark, &ensemble(now), takes).to_string()
        };
        let named = |name: &str| Takes::Named(vec![name.to_owned()]);
        let now = [("quantity", FIVE), ("cost", NINE)];
        assert_eq!(renames(&now, &Takes::All), "`amount` as `cost`");
        assert_eq!(renames(&now, &named("cost")), "`amount` as `cost`");
        assert_eq!(renames(&now, &named("quantity")), "");
        let both = [("price", NINE), ("count", FIVE)];
        let expected = "`amount` as `price`, `quantity` as `count`";
        assert_eq!(renames(&both, &Takes::All), expected);
        // Either of the new ones may be the old one.
        assert_eq!(renames(&[("a", NINE), ("b", NINE)], &Takes::All), "");
        assert_eq!(renames(&[("quantity", NINE)], &Takes::All), "");
        // Nulls are drawn apart from the values.
        let nulls = format!(r#"{NINE}, "null_probability": 0.5"#);
        let now = [("cost", &*nulls), ("quantity", FIVE)];
        assert_eq!(renames(&now, &Takes::All), "`amount` as `cost`");
    }

    #[test]
    fn the_only_new_feature_may_be_the_only_one_that_is_gone_though_it_is_redrawn() {
        let benchmark = ensemble(&[("amount", NINE), ("quantity", FIVE)]);
        let renames = |now: &[(&str, &str)]| {
            let found = Renames::between(&benchmark, &ensemble(now), &Takes::All);
            let features = found.features.into_iter();
            let names = features.map(|it| (it.old, it.new, it.is_redrawn));
            names.collect::<Vec<_>>()
        };
        let renamed =
            |old: &str, new: &str, is_redrawn| (old.to_owned(), new.to_owned(), is_redrawn);
        let redrawn = [renamed("amount", "b", true)];
        assert_eq!(renames(&[("quantity", FIVE), ("b", FIVE)]), redrawn);
        let seven = NINE.replace('9', "7");
        let both = [
            renamed("quantity", "count", false),
            renamed("amount", "cost", true),
        ];
        assert_eq!(renames(&[("cost", &seven), ("count", FIVE)]), both);
        let text = r#""type": "STRING", "distribution": {"type": "uuid"}"#;
        assert_eq!(renames(&[("quantity", FIVE), ("b", text)]), []);
        assert_eq!(renames(&[("b", &seven), ("c", &seven)]), []);
        assert_eq!(renames(&[("amount", FIVE)]), []);
    }

    #[test]
    fn a_category_is_renamed_if_it_has_the_share_of_the_only_one_that_is_gone() {
        let categories = |categories: &[(&str, f64)]| ensemble(&[("coupon", &coupons(categories))]);
        let benchmark = categories(&[("HALF", 0.25), ("TENTH", 0.25), ("NONE", 0.5)]);
        let renames = |now: &[(&str, f64)]| {
            Renames::between(&benchmark, &categories(now), &Takes::All).to_string()
        };
        let half = r#""HALF" of `coupon` as "half""#;
        assert_eq!(
            renames(&[("half", 0.25), ("TENTH", 0.25), ("NONE", 0.5)]),
            half
        );
        assert_eq!(
            renames(&[("NONE", 0.5), ("half", 0.25), ("TENTH", 0.25)]),
            half
        );
        assert_eq!(
            renames(&[("half", 0.5), ("TENTH", 0.25), ("NONE", 0.25)]),
            ""
        );
        assert_eq!(
            renames(&[("half", 0.25), ("tenth", 0.25), ("NONE", 0.5)]),
            ""
        );
        assert_eq!(renames(&[("TENTH", 0.5), ("NONE", 0.5)]), "");
    }

    #[test]
    fn recorded_rows_get_the_names_of_now() {
        let of = |name: &str, category: &str| {
            let coupons = coupons(&[(category, 0.5), ("TENTH", 0.5)]);
            let coupons = format!(r#"{coupons}, "null_probability": 0.3"#);
            ensemble(&[(name, NINE), ("coupon", &coupons)])
        };
        let (benchmark, now) = (of("qty", "HALF"), of("quantity", "half"));
        let definition = Definition::parse(&benchmark.definition).unwrap();
        let rows = r#"[[1,"HALF"],[2,null],[3,"TENTH"]]"#;
        let recorded = Vectors::from_json(&definition, rows).unwrap();
        let renames = Renames::between(&benchmark, &now, &Takes::All);
        assert_eq!(renames.categories[0].first_row(&recorded), Some(0));
        let renamed = renames.apply(&recorded);
        assert_eq!(renamed.names().collect::<Vec<_>>(), ["quantity", "coupon"]);
        assert_eq!(renamed.to_json(), r#"[[1,"half"],[2,null],[3,"TENTH"]]"#);
    }
}
