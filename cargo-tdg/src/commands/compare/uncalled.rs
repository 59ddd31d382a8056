//! The public items that no call shows, at the end of the whole answer.

use super::answer::PackageAnswer;
use crate::terminal::style::STRONG;

impl PackageAnswer {
    /// Counts the public items that no call shows, if there are any.
    pub(super) fn uncalled(&self) -> Option<String> {
        let kinds = self.functions.uncalled.kinds().into_iter();
        let kinds = kinds.filter(|(_, names)| !names.is_empty());
        let kinds = kinds.map(|([one, several], names)| match names.len() {
            1 => format!("1 {one}"),
            count => format!("{count} {several}"),
        });
        let kinds: Vec<String> = kinds.collect();
        (!kinds.is_empty()).then(|| kinds.join(", "))
    }

    /// Returns these items, each with its kind.
    pub(super) fn uncalled_items(&self) -> impl Iterator<Item = (&str, &str)> {
        let kinds = self.functions.uncalled.kinds().into_iter();
        kinds.flat_map(|([kind, _], names)| names.iter().map(move |it| (it.as_str(), kind)))
    }
}

/// Returns the packages that have such items, with their numbers.
fn counted<'p>(
    packages: &'p [&PackageAnswer],
) -> impl Iterator<Item = (&'p PackageAnswer, String)> {
    packages.iter().filter_map(|it| Some((*it, it.uncalled()?)))
}

/// Lists the items of all packages, or counts them.
pub(super) fn text(packages: &[&PackageAnswer], all: bool) -> String {
    let mut text = String::new();
    for (answer, count) in counted(packages) {
        let package = &answer.package;
        let more = if all { "" } else { " (see --all)" };
        text += &format!("{STRONG}{package}{STRONG:#}: not looked at: {count}{more}\n");
        for (name, kind) in answer.uncalled_items().filter(|_| all) {
            text += &format!("  {name} ({kind})\n");
        }
    }
    text
}

/// Lists the items of all packages as Markdown, or counts them.
pub(super) fn markdown(packages: &[&PackageAnswer], all: bool) -> String {
    let mut text = String::new();
    for (answer, count) in counted(packages) {
        let package = &answer.package;
        if !all {
            text += &format!("Not looked at in `{package}`: {count}.\n\n");
            continue;
        }
        let items = answer.uncalled_items();
        let items = items.map(|(name, kind)| format!("- `{name}` ({kind})\n"));
        text += &format!(
            "<details><summary>Not looked at in <code>{package}</code>: {count}</summary>\n\n{}\n\
             </details>\n\n",
            items.collect::<String>()
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::compare::functions::Paired;
    use crate::sources::UncalledItems;

    #[test]
    fn items_that_no_call_shows_are_counted_or_listed() {
        let answer = |package: &str, uncalled: UncalledItems| {
            let functions = Paired {
                uncalled,
                ..Paired::default()
            };
            PackageAnswer::new(package.to_owned(), Vec::new(), functions)
        };
        let shop = UncalledItems {
            constants: vec!["LIMIT".to_owned(), "rates::MOST".to_owned()],
            derived: vec!["Rate: PartialOrd".to_owned()],
            ..UncalledItems::default()
        };
        let rates = UncalledItems {
            macros: vec!["rate!".to_owned()],
            ..UncalledItems::default()
        };
        let answers = [
            answer("shop", shop),
            answer("none", UncalledItems::default()),
            answer("rates", rates),
        ];
        let answers: Vec<&PackageAnswer> = answers.iter().collect();
        let texts =
            [false, true].map(|all| anstream::adapter::strip_str(&text(&answers, all)).to_string());
        insta::assert_snapshot!(texts.join("\n"), @r"
        shop: not looked at: 2 constants, 1 type that derives traits (see --all)
        rates: not looked at: 1 macro (see --all)

        shop: not looked at: 2 constants, 1 type that derives traits
          LIMIT (constant)
          rates::MOST (constant)
          Rate: PartialOrd (type that derives traits)
        rates: not looked at: 1 macro
          rate! (macro)
        ");
        let texts = [false, true].map(|all| markdown(&answers, all));
        insta::assert_snapshot!(texts.join("\n"), @r"
        Not looked at in `shop`: 2 constants, 1 type that derives traits.

        Not looked at in `rates`: 1 macro.


        <details><summary>Not looked at in <code>shop</code>: 2 constants, 1 type that derives traits</summary>

        - `LIMIT` (constant)
        - `rates::MOST` (constant)
        - `Rate: PartialOrd` (type that derives traits)

        </details>

        <details><summary>Not looked at in <code>rates</code>: 1 macro</summary>

        - `rate!` (macro)

        </details>
        ");
    }
}
