//! Checks the book in docs/: links resolve, the summary and the first page list every page, and
//! excerpts match the examples.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use tdg_tests::{Program, workspace};

const SUMMARY: &str = "docs/SUMMARY.md";

/// Returns the Markdown files below a folder of the repository, as paths from its root.
fn pages(folder: &str) -> Vec<String> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(workspace().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            pages.extend(self::pages(&path));
        } else if path.ends_with(".md") {
            pages.push(path);
        }
    }
    pages
}

fn read(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the lines outside of fenced blocks, and the blocks, each with its info string first.
fn split(text: &str) -> (Vec<&str>, Vec<Vec<&str>>) {
    let (mut prose, mut blocks) = (Vec::new(), Vec::<Vec<&str>>::new());
    let mut is_block = false;
    for line in text.lines() {
        match (line.trim_start().strip_prefix("```"), is_block) {
            (Some(info), false) => blocks.push(vec![info]),
            (Some(_), true) => {}
            (None, true) => blocks.last_mut().unwrap().push(line),
            (None, false) => prose.push(line),
        }
        is_block ^= line.trim_start().starts_with("```");
    }
    (prose, blocks)
}

/// Returns the targets of a page's links and pictures.
fn links(text: &str) -> Vec<String> {
    let prose = split(text).0.join("\n");
    let targets = prose.split("](").skip(1);
    targets
        .map(|rest| rest.split(')').next().unwrap().to_owned())
        .collect()
}

/// Returns the anchors of a page's headings, as GitHub and mdBook create them.
fn anchors(text: &str) -> BTreeSet<String> {
    let (prose, _) = split(text);
    let headings = prose.iter().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = |&c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
            heading.chars().filter(kept).collect::<String>()
        })
        .map(|heading| heading.replace(' ', "-"))
        .collect()
}

/// Resolves a link of a page to a path from the root.
fn resolve(page: &str, link: &str) -> String {
    let mut path = PathBuf::from(page);
    path.pop();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{page} links to {link}"),
            part => path.push(part),
        }
    }
    path.to_str().unwrap().replace('\\', "/")
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut pages = pages("docs");
    pages.extend(self::pages("examples"));
    let root = fs::read_dir(workspace()).unwrap();
    let names = root.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    pages.extend(names.filter(|name| name.ends_with(".md")));
    let mut broken = Vec::new();
    let mut checked = 0;
    for page in &pages {
        let text = read(page);
        for link in links(&text) {
            if link.starts_with("https://") {
                continue;
            }
            checked += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() {
                page.clone()
            } else {
                resolve(page, file)
            };
            let is_in_the_book = !page.starts_with("docs/") || target.starts_with("docs/");
            let is_there = workspace().join(&target).exists();
            let has_anchor = || anchor.is_empty() || anchors(&read(&target)).contains(anchor);
            if !(is_in_the_book && is_there && has_anchor()) {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(checked > 50, "{checked}");
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_summary_lists_every_page_once() {
    let mut listed = links(&read(SUMMARY));
    let expected: BTreeSet<String> = pages("docs")
        .into_iter()
        .filter(|page| page != SUMMARY)
        .map(|page| page.strip_prefix("docs/").unwrap().to_owned())
        .collect();
    listed.sort();
    assert_eq!(listed, Vec::from_iter(expected));
}

/// The entries of a list of pages: title and path.
fn entries(text: &str) -> Vec<(&str, &str)> {
    let entries = text.lines().filter_map(|line| {
        let (title, rest) = line.strip_prefix("- [")?.split_once("](")?;
        Some((title, rest.split_once(')')?.0))
    });
    entries.collect()
}

#[test]
fn the_first_page_lists_what_the_summary_lists() {
    let (first, summary) = (read("docs/README.md"), read(SUMMARY));
    assert_eq!(entries(&first), entries(&summary));
}

#[test]
fn the_summary_names_every_page_by_its_heading() {
    let summary = read(SUMMARY);
    let mut named = 0;
    for (title, page) in entries(&summary) {
        named += 1;
        let text = read(&format!("docs/{page}"));
        assert_eq!(text.lines().next(), Some(&*format!("# {title}")), "{page}");
    }
    assert!(named > 20, "{named}");
}

#[test]
fn every_excerpt_of_an_example_is_in_its_file() {
    let mut excerpts = 0;
    for page in pages("docs/how-to") {
        let text = read(&page);
        for block in split(&text).1 {
            let Some((_, file)) = block[0].split_once(" file=examples/") else {
                continue;
            };
            excerpts += 1;
            let excerpt = block[1..].join("\n");
            let source = read(&format!("examples/{file}"));
            assert!(
                source.contains(&excerpt),
                "{page}: {file} hasn't\n{excerpt}"
            );
        }
    }
    assert!(excerpts > 5, "{excerpts}");
}

#[test]
fn every_definition_of_the_guides_can_be_drawn() {
    for page in pages("docs/how-to") {
        let text = read(&page);
        for block in split(&text).1.iter().filter(|block| block[0] == "json") {
            let definition = tdg_definition::Definition::parse(&block[1..].join("\n"))
                .unwrap_or_else(|faults| panic!("{page}\n{faults}"));
            definition.check_size(500).unwrap();
        }
    }
}

#[test]
fn every_configuration_of_the_guides_is_taken() {
    let shop = Program::shop().checkout();
    let mut taken = 0;
    for page in pages("docs/how-to") {
        let text = read(&page);
        let is_configuration = |block: &&Vec<&str>| block[0] == "toml file=tdg.toml";
        for block in split(&text).1.iter().filter(is_configuration) {
            taken += 1;
            shop.write("tdg.toml", &block[1..].join("\n"));
            // The rest of the file is read and checked, even if the benchmark is in the store.
            let run = shop.pricing("total").env("TDG_STORE", "local");
            run.env("TDG_UPDATE", "auto").passes();
        }
    }
    assert!(taken >= 3, "{taken}");
}
