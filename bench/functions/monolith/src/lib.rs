//! `is_windows_drive_path` of monolith.
