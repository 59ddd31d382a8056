//! `cargo tdg sync status`: the records that are here, there, and in both places.

use clap::Args;
use tdg_definition::json::Value;
use tdg_engine::store::records::RemoteProject;
use tdg_service::Timestamp;
use tdg_service::sync::Direction;

use super::comparison::RecordComparison;
use super::kinds::plural;
use super::places::SyncPlaces;
use super::progress::Telling;
use super::selected_tests::SelectedTests;
use super::session::Session;
use crate::error::Result;
use crate::exit::Exit;
use crate::server::{self, ProjectOrigin};
use crate::terminal::style::{FAINT, STRONG};
use crate::terminal::{StyledCell, TerminalTable, print, thousands};

/// Count the records that are here, on the server, and in both places
///
/// Changes nothing. Exits with 1 if the places differ.
#[derive(Args, Debug)]
pub(super) struct Status {
    #[command(flatten)]
    tests: SelectedTests,
    /// Print a line of JSON for each kind of record
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(super) fn run(self) -> Result<Exit> {
        self.tests.each_root(|workspace, root, tests| {
            let session = Session::open(workspace, root)?;
            let telling = match self.json {
                true => Telling::Nothing,
                false => Telling::new(false),
            };
            let places = SyncPlaces::new(&session);
            let compared = places.compare(tests, telling)?;
            if self.json {
                print(&json_lines(&compared))?;
            } else {
                let newest = telling.during("comparing", |_| places.newest())?;
                let last = places.last_sync()?;
                match &last {
                    Some(last) => places.note_changes(last),
                    None => places.check_project(Direction::Sync)?,
                }
                print(&(head(&session, last.as_ref()) + &text(&compared, newest)))?;
            }
            let exit = places.name_incomplete(tests)?;
            Ok(match compared.differing() {
                (0, 0) => exit,
                _ => Exit::Found,
            })
        })
    }
}

/// Returns the header with the compared places.
fn head(session: &Session, last: Option<&RemoteProject>) -> String {
    let (project, facts) = (&session.project, &session.server.facts);
    let uuid = match project.origin {
        ProjectOrigin::New => "not on the server yet".to_owned(),
        _ => project.uuid.to_string(),
    };
    let mut table = TerminalTable::new(["", ""]);
    let rows = [
        ("project", format!("{} ({uuid})", project.name)),
        (
            "server",
            format!(
                "{}, account {}",
                session.server.service.url(),
                facts.account
            ),
        ),
        (
            "last sync",
            match last {
                Some(last) => format!("{} UTC", server::time(Timestamp::from_micros(last.synced))),
                None => "never".to_owned(),
            },
        ),
    ];
    for (name, text) in rows {
        table.row([name.into(), text.into()]);
    }
    table.text("") + "\n"
}

/// Returns a line per kind, the newest assertions here and there, and the next step.
pub(super) fn text(compared: &RecordComparison, newest: [Option<Timestamp>; 2]) -> String {
    let mut table = TerminalTable::new(["", "here", "there", "in both"]);
    for (kind, counts) in &compared.kinds {
        let number = |count| StyledCell::from(thousands(count));
        let here = number(counts.only_here + counts.both);
        let there = number(counts.only_there + counts.both);
        table.row([plural(*kind).into(), here, there, number(counts.both)]);
    }
    if table.is_empty() {
        return "There are no records yet.\n".to_owned();
    }
    let same = newest[0] == newest[1];
    let [here, there] = newest.map(|time| match time {
        Some(time) => format!("{} UTC", server::time(time)),
        None => "none".to_owned(),
    });
    let newest = match same {
        true => format!("{FAINT}newest assertion: {here}{FAINT:#}\n"),
        false => format!("{FAINT}newest assertion: {here} here, {there} there{FAINT:#}\n"),
    };
    let next = match compared.differing() {
        (0, 0) => "Both places have the same records.\n".to_owned(),
        (send, receive) => {
            let (send, receive) = (thousands(send), thousands(receive));
            format!("{STRONG}{send} to send, {receive} to receive{STRONG:#}: cargo tdg sync\n")
        }
    };
    format!("{}\n{newest}{next}", table.text(""))
}

pub(super) fn json_lines(compared: &RecordComparison) -> String {
    let lines = compared.kinds.iter().map(|(kind, counts)| {
        let members = [
            ("kind", Value::from(kind.as_str())),
            ("here", Value::from(counts.only_here + counts.both)),
            ("there", Value::from(counts.only_there + counts.both)),
            ("both", Value::from(counts.both)),
        ];
        format!("{}\n", Value::object(members))
    });
    lines.collect()
}
