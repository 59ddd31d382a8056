//! `TaskData::has` of taskchampion.
