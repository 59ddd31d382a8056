//! `Column::padding_width` of comfy-table.
