//! `ChildSingleOutput::lines` of nextest-runner.
