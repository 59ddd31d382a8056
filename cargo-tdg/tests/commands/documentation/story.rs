//! Runs a page in a package.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;

use tdg_tests::{Project, Run, Server, manifest, target_directory, tools, workspace};

use super::page::{Part, Step, parts};
use crate::terminal::Terminal;

/// A package to run a page in.
pub(super) struct Story {
    project: Project,
    /// The directory for the next command, relative to the project.
    directory: RefCell<PathBuf>,
    server: Option<Server>,
}

/// The server's URL in pages.
const SERVER: &str = "https://tdg.example.org";

/// The result of running a page.
pub(super) struct Replay {
    /// Commands whose output differs from the page.
    pub(super) differences: Vec<String>,
    /// The page with the actual outputs.
    pub(super) updated: String,
}

impl Story {
    /// Creates a package with tdg but without sources, which the page writes.
    pub(super) fn empty(package: &str) -> Self {
        let project = Project::new(&[("Cargo.toml", &manifest(package, ""))]);
        Self::new(project)
    }

    /// Copies examples/quickstart without its benchmark, under another name.
    pub(super) fn of_quickstart(package: &str) -> Self {
        let library =
            "name = \"quickstart\"\ndoctest = false\n\n[dependencies]\nfinancial = \"1.1\"";
        let manifest = manifest(package, library);
        let read = |file: &str| {
            let path = workspace().join("examples/quickstart").join(file);
            fs::read_to_string(path).unwrap()
        };
        let project = Project::new(&[
            ("Cargo.toml", &manifest),
            ("src/lib.rs", &read("src/lib.rs")),
            ("tests/savings.rs", &read("tests/savings.rs")),
        ]);
        Self::new(project)
    }

    fn new(project: Project) -> Self {
        Self {
            project,
            directory: RefCell::default(),
            server: None,
        }
    }

    /// Creates the clones of two people, an empty shared repository, and a server with a key for
    /// each person.
    pub(super) fn of_two_people(package: &str) -> Self {
        let project =
            Project::new(&[(&format!("ada/{package}/Cargo.toml"), &manifest(package, ""))]);
        let server = Server::start();
        let lock = project.read("Cargo.lock");
        project.write(&format!("ada/{package}/Cargo.lock"), &lock);
        project.write(&format!("ada/{package}/.gitignore"), "*.snap.new\ntarget\n");
        for person in ["ada", "ben"] {
            let key = server.key("team", "read,assert,write");
            project.write(&format!("{person}/key"), &key);
        }
        let story = Self {
            server: Some(server),
            ..Self::new(project)
        };
        let shared = format!("{package}.git");
        for (directory, arguments) in [
            (
                "",
                &[
                    "init",
                    "--quiet",
                    "--bare",
                    "--initial-branch=main",
                    &shared,
                ][..],
            ),
            (
                "ada",
                &["clone", "--quiet", &format!("../{shared}"), "cloned"],
            ),
        ] {
            *story.directory.borrow_mut() = directory.into();
            story.git(arguments).passes();
        }
        let clone = |file: &str| story.project.path(&format!("ada/{file}"));
        fs::rename(clone("cloned/.git"), clone(&format!("{package}/.git"))).unwrap();
        story.directory.take();
        story
    }

    pub(super) fn replay(&self, page: &str) -> Replay {
        let mut replay = Replay {
            differences: Vec::new(),
            updated: String::new(),
        };
        for part in parts(page) {
            match part {
                Part::Text(text) => replay.updated.push_str(text),
                Part::Edit {
                    text,
                    file,
                    from,
                    to,
                } => {
                    self.project.edit(file, from, to);
                    replay.updated.push_str(text);
                }
                Part::File {
                    text,
                    file,
                    content,
                } => {
                    self.project.write(file, &self.with_url(&content));
                    replay.updated.push_str(text);
                }
                Part::Console(steps) => {
                    replay.updated.push_str("```console\n");
                    for step in &steps {
                        let actual = self.run(step);
                        let is_shown = shows(&step.output, &actual);
                        let kept = is_shown || step.output.contains(&GAP);
                        replay.updated.push_str(&format!("$ {}\n", step.command));
                        let output = if kept {
                            step.output.join("\n")
                        } else {
                            actual.clone()
                        };
                        if !output.is_empty() {
                            replay.updated.push_str(&format!("{output}\n"));
                        }
                        if !is_shown {
                            replay
                                .differences
                                .push(format!("$ {}\n{actual}", step.command));
                        }
                    }
                    replay.updated.push_str("```\n");
                }
            }
        }
        replay
    }

    /// Runs a command and returns its output.
    fn run(&self, step: &Step<'_>) -> String {
        let mut words = words(step.command);
        let variables: Vec<_> = words
            .iter()
            .map_while(|word| word.split_once('='))
            .collect();
        let variables: Vec<(String, String)> = variables
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        words.drain(..variables.len());
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut input = None;
        if let [.., "<", file] = words.as_slice() {
            input = Some(fs::read_to_string(self.folder().join(file)).unwrap());
            words.truncate(words.len() - 2);
        }
        let finish = |run: Run, variables: &[(String, String)]| {
            let run = self.as_person(run);
            finish(
                match &input {
                    Some(text) => run.input(text),
                    None => run,
                },
                variables,
            )
        };
        let text = match words.as_slice() {
            ["cd", directory] => {
                let moved = self.folder().join(directory).canonicalize().unwrap();
                let root = self.project.folder().canonicalize().unwrap();
                *self.directory.borrow_mut() = moved.strip_prefix(root).unwrap().to_owned();
                String::new()
            }
            ["git", rest @ ..] => finish(self.git(rest), &variables),
            ["cargo", "tdg", "review", ..] => self.review(&words[2..], &step.output),
            ["cargo", "tdg", rest @ ..] => finish(crate::tdg_in(&self.folder(), rest), &variables),
            ["cargo", "nextest", rest @ ..] => {
                finish(tools::nextest(&self.project, rest), &variables)
            }
            ["cargo", rest @ ..] => finish(Run::cargo(rest, &self.folder()), &variables),
            ["cat", file] => fs::read_to_string(self.folder().join(file)).unwrap(),
            _ => panic!("{}: unknown command", step.command),
        };
        let folder = self.project.folder().canonicalize().unwrap();
        let text = text.replace(&folder.display().to_string(), "/home/you/savings");
        let text = match &self.server {
            Some(server) => text.replace(&server.url, SERVER),
            None => text,
        };
        text.trim_end().to_owned()
    }

    /// Returns the directory of the next command.
    fn folder(&self) -> PathBuf {
        self.project.folder().join(&*self.directory.borrow())
    }

    /// Returns the person who runs the next command, named like the folder.
    fn person(&self) -> Option<String> {
        let directory = self.directory.borrow();
        let folder = directory.iter().next()?.to_str()?;
        self.server.as_ref().map(|_| folder.to_owned())
    }

    /// Runs a command as that person, with the person's settings.
    fn as_person(&self, run: Run) -> Run {
        let Some(person) = self.person() else {
            return run;
        };
        let name = person[..1].to_uppercase() + &person[1..];
        run.env("XDG_CONFIG_HOME", self.project.path(&person))
            .env("TDG_AUTHOR", &name)
            .env("GIT_AUTHOR_NAME", &name)
            .env("GIT_AUTHOR_EMAIL", "")
            .env("GIT_COMMITTER_NAME", &name)
            .env("GIT_COMMITTER_EMAIL", "")
    }

    fn git(&self, arguments: &[&str]) -> Run {
        Run::new("git", &self.folder()).arguments(arguments)
    }

    /// Replaces the URL in pages by the server's.
    fn with_url(&self, text: &str) -> String {
        match &self.server {
            Some(server) => text.replace(SERVER, &server.url),
            None => text.to_owned(),
        }
    }

    /// Runs a review in a terminal. The page shows the keys to press.
    fn review(&self, arguments: &[&str], shown: &[&str]) -> String {
        let mut terminal = Terminal::start(&self.project, arguments, &[("NO_COLOR", "1")]);
        for line in shown {
            if let Some((_, key)) = line.split_once(" › ") {
                terminal.sees(" › ");
                terminal.press(key);
            } else if let Some(reason) = line.strip_prefix("why? ") {
                terminal.sees("why? ");
                terminal.press(&format!("{reason}\r"));
            }
        }
        terminal.ends_with().replace('\r', "")
    }
}

fn finish(run: Run, variables: &[(String, String)]) -> String {
    let run = run.env("CARGO_TARGET_DIR", target_directory());
    let run = variables
        .iter()
        .fold(run, |run, (name, value)| run.env(name, value));
    let finished = run.env("CARGO_TERM_COLOR", "never").finish();
    // In the order of a terminal: cargo's messages come before the table.
    finished.stderr + &finished.stdout
}

/// Splits a command into words, which may be quoted.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for character in command.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(character),
        }
    }
    words
}

/// Matches any number of lines.
const GAP: &str = "…";

/// Returns true if the page shows the output, apart from times, widths and keys.
fn shows(shown: &[&str], actual: &str) -> bool {
    let actual: Vec<String> = actual.lines().map(canonical).collect();
    let mut chunks = shown
        .split(|line| *line == GAP)
        .map(|chunk| chunk.iter().map(|line| canonical(line)));
    let first: Vec<String> = chunks.next().unwrap().collect();
    let mut at = first.len();
    if !actual.starts_with(&first) {
        return false;
    }
    let mut ends_in_gap = false;
    let mut has_gap = false;
    for chunk in chunks {
        let chunk: Vec<String> = chunk.collect();
        has_gap = true;
        ends_in_gap = chunk.is_empty();
        let found = (at..=actual.len()).find(|&start| actual[start..].starts_with(&chunk));
        match found {
            Some(start) => at = start + chunk.len(),
            None => return false,
        }
    }
    ends_in_gap || at == actual.len() || (has_gap && actual[at..].iter().all(String::is_empty))
}

/// Returns true for a UUID, a commit, or the beginning of a key, including surrounding characters.
fn is_random(word: &str) -> bool {
    let word = word.rsplit(['@', '_']).next().unwrap_or_default();
    let digits = word.bytes().filter(u8::is_ascii_hexdigit).count();
    let others = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    digits >= 7
        && others
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Returns true for nextest's times, such as `0.020s]`.
fn is_seconds(word: &str) -> bool {
    let number = word.strip_suffix("s]");
    number.is_some_and(|number| number.parse::<f64>().is_ok())
}

/// Replaces times and their widths in a line.
fn canonical(line: &str) -> String {
    let line = line.split(" › ").next().unwrap_or(line);
    let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    for at in 0..words.len() {
        let is_of = |separator| {
            let mut parts = words[at].split(separator);
            parts.clone().count() == 3 && parts.all(|part| part.parse::<u32>().is_ok())
        };
        if is_of(':') || is_of('-') {
            words[at] = "time".to_owned();
        } else if is_random(&words[at]) {
            words[at] = "random".to_owned();
        } else if words[at] == "ms" {
            words[at - 1] = "some".to_owned();
        } else if is_seconds(&words[at]) {
            words[at] = "some".to_owned();
        }
    }
    words.retain(|word| word != "<");
    words.join(" ")
}
