//! `cargo tdg man`: manual pages.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man as Page;

use crate::error::{Context as _, Result};
use crate::exit::Exit;
use crate::terminal::print_raw;

/// Print the manual page of cargo-tdg, or write a page for each command
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// Write cargo-tdg.1 and a page for each command to this directory
    #[arg(value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(self, program: clap::Command) -> Result<Exit> {
        match self.directory {
            Some(directory) => {
                fs::create_dir_all(&directory).context(directory.display())?;
                clap_mangen::generate_to(program, &directory).context(directory.display())?;
            }
            None => {
                let mut page = Vec::new();
                Page::new(program).render(&mut page)?;
                print_raw(&page)?;
            }
        }
        Ok(Exit::Fine)
    }
}
