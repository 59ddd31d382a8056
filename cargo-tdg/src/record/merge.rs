//! Case-by-case merging of two versions of a benchmark.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tdg_definition::json;
use tdg_engine::generate::Pairing;
use tdg_engine::snapshot::{KeptCase, Snapshot, with_kept};
use tdg_engine::{Ensemble, Takes, Vectors};

use super::change::vectors;
use super::field_merge::with_both;
use crate::error::{Error, Result};

/// The cases of one version, compared with the other's.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Merge {
    /// Cases whose rows are missing in the other version.
    pub(crate) alone: Vec<usize>,
    /// Cases that are equal in both versions.
    pub(crate) same: Vec<usize>,
    /// Cases that only this version changed.
    pub(crate) own: Vec<usize>,
    /// Cases that only the other version changed.
    pub(crate) others: Vec<usize>,
    /// Cases that both changed, with different outputs.
    pub(crate) both: Vec<usize>,
    /// Cases in `both` with changes in different fields, each with the merged output.
    pub(crate) united: BTreeMap<usize, String>,
}

impl Merge {
    /// Compares two versions and their base, for a function that takes these features.
    pub(crate) fn new(
        base: Option<&Snapshot>,
        own: &Snapshot,
        other: &Snapshot,
        takes: &Takes,
    ) -> Result<Self> {
        let mut merge = Self::default();
        let rows = |side| rows(side, takes);
        let (own_rows, other_rows) = (rows(own)?, rows(other)?);
        // An unreadable base counts as missing.
        let base_rows = base.and_then(|base| rows(base).ok()).unwrap_or_default();
        for case in 0..own.len() {
            let has_row = |rows: &[String]| rows.get(case) == own_rows.get(case);
            let base = base.filter(|_| has_row(&base_rows));
            let is_of_base =
                |side: &Snapshot| base.map_or(Ok(false), |base| is_same(base, side, case));
            let kind = if !has_row(&other_rows) {
                &mut merge.alone
            } else if is_same(own, other, case)? {
                &mut merge.same
            } else if is_of_base(other)? {
                &mut merge.own
            } else if is_of_base(own)? {
                &mut merge.others
            } else {
                let united = base.map(|base| united([base, own, other], case));
                let united = united.transpose()?.flatten();
                merge.united.extend(united.map(|output| (case, output)));
                &mut merge.both
            };
            kind.push(case);
        }
        Ok(merge)
    }
}

/// Returns true if two ensembles have the same rows, regardless of name and file.
pub(crate) fn has_same_rows(one: &Ensemble, other: &Ensemble) -> bool {
    one.digest == other.digest && one.definition == other.definition && one.size == other.size
}

/// Returns true if a function that takes these features gets the same rows from both versions.
pub(crate) fn gives_same_rows(one: &Snapshot, other: &Snapshot, takes: &Takes) -> Result<bool> {
    Ok(has_same_rows(one.ensemble(), other.ensemble())
        || Pairing::new(&vectors(one)?, &vectors(other)?, takes).is_same())
}

/// Returns a version's text with some cases of the other, and with the kept rows that only the
/// other has or changed.
pub(crate) fn with_cases_of(
    base: Option<&Snapshot>,
    one: &Snapshot,
    other: &Snapshot,
    cases: &[usize],
) -> Result<String> {
    let mut outputs = BTreeMap::new();
    for &case in cases {
        outputs.insert(case, other.output_text(case)?.into_owned());
    }
    let text = one.with_outputs_replaced(|case| outputs.remove(&case))?;
    let has_row = |kept: &[KeptCase], row: &str| kept.iter().any(|it| it.row == row);
    let base = base.map(Snapshot::kept).unwrap_or_default();
    let own = one.kept().iter().map(|own| {
        let others = other.kept().iter().find(|it| it.row == own.row);
        others.filter(|_| base.contains(own)).unwrap_or(own)
    });
    let others = other.kept().iter();
    let others = others.filter(|it| !has_row(one.kept(), &it.row));
    let kept: Vec<KeptCase> = own.chain(others).cloned().collect();
    Ok(with_kept(&text, &kept))
}

/// Returns the rows as texts, limited to the features that the function takes.
fn rows(snapshot: &Snapshot, takes: &Takes) -> Result<Vec<String>> {
    if snapshot.has_inputs() && *takes == Takes::All {
        let rows = snapshot.rows()?;
        return Ok(rows.into_iter().map(Cow::into_owned).collect());
    }
    let vectors = vectors(snapshot)?;
    let parts: Vec<Vectors> = match takes {
        Takes::All => vec![vectors],
        // By name, since the order in the definition doesn't matter.
        Takes::Named(names) => {
            let feature = |name: &String| vectors.taken(&Takes::Named(vec![name.clone()]));
            names.iter().map(feature).collect()
        }
    };
    let row = |row| {
        let mut text = String::new();
        for part in &parts {
            part.write_row(row, &mut text);
        }
        text
    };
    Ok((0..snapshot.ensemble().size).map(row).collect())
}

/// Returns the merged output if both versions changed different fields.
fn united([base, own, other]: [&Snapshot; 3], case: usize) -> Result<Option<String>> {
    let output = |version: &Snapshot| Ok::<_, Error>(json::parse(&version.output_text(case)?)?);
    let united = with_both(&output(base)?, &output(own)?, &output(other)?);
    Ok(united.map(|output| output.to_string()))
}

fn is_same(one: &Snapshot, other: &Snapshot, case: usize) -> Result<bool> {
    Ok(one.output_text(case)? == other.output_text(case)?
        || one.output(case)? == other.output(case)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a snapshot with the given cases.
    fn snapshot(cases: &[&str]) -> Snapshot {
        let size = cases.len();
        Snapshot::parse(format!(
            "{{\"tdg\":1,\"ensemble\":\"f\",\"size\":{size},\"seed\":\"0\",\"sampler\":1,\
             \"digest\":\"\",\"definition\":{{}}}}\n{}\n",
            cases.join("\n")
        ))
        .unwrap()
    }

    #[test]
    fn a_case_that_one_version_changed_is_that_versions() {
        let base = snapshot(&["[[0],1]", "[[1],2]", "[[2],3]", "[[3],4]", "[[4],5]"]);
        let own = snapshot(&["[[0],1]", "[[1],20]", "[[2],3]", "[[3],40]", "[[4],50]"]);
        let other = snapshot(&["[[0],1.0]", "[[1],2]", "[[2],30]", "[[3],44]", "[[4],50]"]);
        assert_eq!(
            Merge::new(Some(&base), &own, &other, &Takes::All).unwrap(),
            Merge {
                alone: vec![],
                same: vec![0, 4],
                own: vec![1],
                others: vec![2],
                both: vec![3],
                united: BTreeMap::new(),
            }
        );
    }

    #[test]
    fn changes_of_different_fields_are_united_where_the_base_has_the_row() {
        let base = snapshot(&[r#"[[0],{"a":1,"b":1}]"#, r#"[[1],{"a":1,"b":1}]"#]);
        let own = snapshot(&[r#"[[0],{"a":2,"b":1}]"#, r#"[[1],{"a":2,"b":1}]"#]);
        let other = snapshot(&[r#"[[0],{"a":1,"b":2}]"#, r#"[[1],{"a":3,"b":2}]"#]);
        let merge = Merge::new(Some(&base), &own, &other, &Takes::All).unwrap();
        assert_eq!(merge.both, [0, 1]);
        assert_eq!(merge.united, [(0, r#"{"a":2,"b":2}"#.to_owned())].into());
        let merge = Merge::new(None, &own, &other, &Takes::All).unwrap();
        assert_eq!((merge.both.len(), merge.united.len()), (2, 0));
    }

    #[test]
    fn without_a_base_of_that_row_every_difference_is_of_both() {
        let (own, other) = (
            snapshot(&["[[0],1]", "[[1],2]"]),
            snapshot(&["[[0],1]", "[[1],3]"]),
        );
        for base in [None, Some(snapshot(&["[[0],1]", "[[9],2]"]))] {
            let merge = Merge::new(base.as_ref(), &own, &other, &Takes::All).unwrap();
            assert_eq!((merge.same, merge.both), (vec![0], vec![1]));
        }
    }

    #[test]
    fn rows_that_the_other_version_does_not_have_stay_alone() {
        let own = snapshot(&["[[0],1]", "[[1],2]", "[[2],3]"]);
        let other = snapshot(&["[[0],1]", "[[7],2]"]);
        let merge = Merge::new(None, &own, &other, &Takes::All).unwrap();
        assert_eq!((merge.same, merge.alone), (vec![0], vec![1, 2]));
    }

    #[test]
    fn only_features_that_the_function_takes_count_in_any_order() {
        let of = |features: [&str; 2], cases: &[&str]| {
            let feature = |name| {
                format!(
                    r#"{{"feature_name":"{name}","type":"INTEGER","distribution":{{"type":"uniform","min":0,"max":9}}}}"#
                )
            };
            let text = format!(r#"{{"features":[{}]}}"#, features.map(feature).join(","));
            let file = snapshot(cases)
                .text()
                .replace(r#""definition":{}"#, &format!("\"definition\":{text}"));
            Snapshot::parse(file).unwrap()
        };
        let own = of(["a", "b"], &["[[0,5],1]", "[[1,5],2]"]);
        let other = of(["c", "a"], &["[[7,0],1]", "[[7,1],3]"]);
        let takes = Takes::Named(vec!["a".to_owned()]);
        assert!(gives_same_rows(&own, &other, &takes).unwrap());
        assert!(!gives_same_rows(&own, &other, &Takes::All).unwrap());
        let merge = Merge::new(None, &own, &other, &takes).unwrap();
        assert_eq!((merge.same, merge.both), (vec![0], vec![1]));
        let merge = Merge::new(None, &own, &other, &Takes::All).unwrap();
        assert_eq!(merge.alone, [0, 1]);
        // Features taken by name may be in any order.
        let turned = of(["b", "a"], &["[[5,0],1]", "[[5,1],2]"]);
        let takes = Takes::Named(vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(
            Merge::new(None, &own, &turned, &takes).unwrap().same,
            [0, 1]
        );
    }

    #[test]
    fn some_cases_are_taken_from_the_other_version() {
        let own = snapshot(&["[[0],1]", "[[1],2]"]);
        let other = snapshot(&["[[0],10]", "[[1],20]"]);
        let text = with_cases_of(None, &own, &other, &[1]).unwrap();
        assert!(text.ends_with("\n[[0],1]\n[[1],20]\n"), "{text}");
        let kept = |rows: &[(&str, u8)]| {
            let line = |(row, output): &(&str, u8)| {
                format!("{{\"$kept\":{{\"a\":{row}}},\"output\":{output}}}\n")
            };
            let lines: String = rows.iter().map(line).collect();
            Snapshot::parse(own.text().to_owned() + &lines).unwrap()
        };
        let base = kept(&[("7", 0), ("8", 0)]);
        let own = kept(&[("7", 0), ("8", 1)]);
        let other = kept(&[("7", 2), ("8", 0), ("9", 3)]);
        let text = with_cases_of(Some(&base), &own, &other, &[]).unwrap();
        assert_eq!(text, kept(&[("7", 2), ("8", 1), ("9", 3)]).text());
        let text = with_cases_of(None, &own, &other, &[]).unwrap();
        assert_eq!(text, kept(&[("7", 0), ("8", 1), ("9", 3)]).text());
    }
}
