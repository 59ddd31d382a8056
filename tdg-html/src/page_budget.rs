//! The room of a page, and the pieces that didn't fit.

use maud::Markup;
use tdg_definition::control;

/// The room left on a page, and the pieces that didn't fit.
pub struct PageRoom {
    left: usize,
    left_out: Vec<(&'static str, usize)>,
}

impl PageRoom {
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            left: bytes,
            left_out: Vec::new(),
        }
    }

    /// Returns the piece if it fits. Otherwise it is counted under its name.
    pub fn take(&mut self, name: &'static str, piece: Markup) -> Option<Markup> {
        if let Some(left) = self.left.checked_sub(size(&piece)) {
            self.left = left;
            return Some(piece);
        }
        match self.left_out.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => self.left_out.push((name, 1)),
        }
        None
    }

    /// Replaces a piece by a larger one if that fits. Otherwise the larger one is counted.
    pub fn replace(&mut self, name: &'static str, piece: &mut Markup, larger: Markup) {
        let freed = size(piece);
        self.left += freed;
        match self.take(name, larger) {
            Some(larger) => *piece = larger,
            None => self.left -= freed,
        }
    }

    /// Returns `Left out to stay within 2 MB: changed cases (3), features (12).`, and a hint.
    #[must_use]
    pub fn note(&self, hint: &str) -> Option<String> {
        let counts = self.left_out.iter();
        let counts: Vec<String> = counts
            .map(|(name, count)| format!("{name} ({count})"))
            .collect();
        (!counts.is_empty()).then(|| {
            format!(
                "Left out to stay within 2 MB: {}. {hint}",
                counts.join(", ")
            )
        })
    }
}

/// Returns the number of bytes on the page.
fn size(piece: &Markup) -> usize {
    control::escape_lines(&piece.0).len()
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn pieces_that_do_not_fit_are_counted() {
        let mut room = PageRoom::new(25);
        let piece = || html! { p { "0123456789" } };
        assert!(room.take("features", piece()).is_some());
        assert_eq!(room.note("Look elsewhere."), None);
        assert!(room.take("features", piece()).is_none());
        assert!(room.take("features", piece()).is_none());
        assert_eq!(
            room.note("Look elsewhere.").unwrap(),
            "Left out to stay within 2 MB: features (2). Look elsewhere."
        );
    }

    #[test]
    fn a_larger_piece_takes_the_place_of_a_smaller_one_if_it_fits() {
        let mut room = PageRoom::new(30);
        let mut piece = room.take("findings", html! { p { "0123456789" } }).unwrap();
        room.replace(
            "charts",
            &mut piece,
            html! { p { "0123456789 0123456789 01" } },
        );
        assert_eq!(piece.0, "<p>0123456789</p>");
        room.replace(
            "charts",
            &mut piece,
            html! { p { "0123456789 0123456789 0" } },
        );
        assert_eq!(piece.0, "<p>0123456789 0123456789 0</p>");
        assert_eq!(
            room.note("Look elsewhere.").unwrap(),
            "Left out to stay within 2 MB: charts (1). Look elsewhere."
        );
        assert!(room.take("findings", html! { "0" }).is_none());
    }
}
