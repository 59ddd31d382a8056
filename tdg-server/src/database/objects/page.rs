//! Paging. Lists are in the order of creation, histories start at the newest assertion.
//!
//! A response is the beginning of a tree: projects, their definitions, their ensembles, their
//! benchmarks. It ends at its limit of bytes, or when a nested list reaches its limit of elements.
//! The requested object or list then continues at a cursor: the place of the last element shown,
//! after the places of the objects that contain it.

use tdg_service::{AssertionEntry, Benchmark, List, ObjectPart, Page, Result, Uuid, rules};

/// The time and identifier of an element.
pub(super) type PagePosition = (i64, Uuid);

/// A place before all elements.
const START: PagePosition = (i64::MIN, Uuid::nil());

/// A part of a list, in terms of the times and identifiers of rows.
#[derive(Clone, Debug)]
pub(in crate::database) struct PageRange {
    /// The start of the part. A single place: after it. Otherwise the list continues with the first
    /// place's element, and the lists below it after the other places.
    cursor: Vec<PagePosition>,
    limit: usize,
}

impl PageRange {
    /// The maximum nesting of lists.
    const DEPTH: usize = 3;

    /// Returns the beginning of a list.
    pub(crate) fn start() -> PageRange {
        PageRange {
            cursor: Vec::new(),
            limit: Page::LIMIT,
        }
    }

    /// Returns the part of a list that a request selects.
    pub(crate) fn from_page(page: &Page) -> Result<PageRange> {
        let range = PageRange::within(page)?;
        if range.cursor.len() > 1 {
            return Err(rules::unknown_cursor());
        }
        Ok(range)
    }

    /// Returns the part of an object's list that a request selects.
    pub(crate) fn within(page: &Page) -> Result<PageRange> {
        let limit = rules::page_limit(page)?;
        let places = page.cursor.iter().flat_map(|cursor| cursor.split('~'));
        let cursor: Option<Vec<PagePosition>> = places.map(parse_place).collect();
        let cursor = cursor.filter(|cursor| cursor.len() <= PageRange::DEPTH);
        let cursor = cursor.ok_or_else(rules::unknown_cursor)?;
        Ok(PageRange { cursor, limit })
    }

    /// Returns the place that the page's rows come after, in ascending order.
    pub(crate) fn after(&self) -> PagePosition {
        match self.cursor[..] {
            [] => START,
            [last] => last,
            // The identifier just before the element that is shown again.
            [(time, uuid), ..] => (time, Uuid::from_u128(uuid.as_u128().saturating_sub(1))),
        }
    }

    /// Returns the place that the page's rows come before, in the descending order of a history.
    pub(crate) fn before(&self) -> PagePosition {
        self.cursor
            .first()
            .copied()
            .unwrap_or((i64::MAX, Uuid::max()))
    }

    /// Returns the number of rows to query: the page's plus one, which shows if a page follows.
    pub(super) fn query_limit(&self) -> i64 {
        self.limit as i64 + 1
    }

    /// Returns the part of the list within an element.
    pub(crate) fn beneath(&self, element: PagePosition) -> PageRange {
        let cursor = match &self.cursor[..] {
            [first, beneath @ ..] if *first == element => beneath.to_vec(),
            _ => Vec::new(),
        };
        PageRange {
            cursor,
            ..PageRange::start()
        }
    }

    /// Returns true if an element is shown again because the list within it continues.
    fn shows_again(&self, element: PagePosition) -> bool {
        self.cursor.len() > 1 && self.cursor[0] == element
    }
}

/// The remaining bytes of a response.
#[derive(Debug)]
pub(super) struct ResponseBudget {
    left: usize,
    /// Set if the response has an element that no earlier response had.
    begun: bool,
}

impl ResponseBudget {
    /// The maximum bytes of a response. Its first element may exceed it.
    const BYTES: usize = 8_000_000;

    /// The minimum that is left for new elements, no matter how long their parents are.
    const NEW: usize = 1_000_000;

    pub(crate) fn new() -> ResponseBudget {
        ResponseBudget {
            left: ResponseBudget::BYTES,
            begun: false,
        }
    }

    /// Returns the bytes that remain for rows that are read together.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// Takes an element's bytes if they fit. The first element always fits.
    fn take(&mut self, bytes: usize) -> bool {
        let fits = bytes <= self.left || !self.begun;
        if fits {
            self.left = self.left.saturating_sub(bytes);
            self.begun = true;
        }
        fits
    }

    /// Counts an object that is shown only as a parent.
    pub(super) fn show(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes).max(ResponseBudget::NEW);
    }
}

/// A list that is being read.
pub(super) struct Reading<'r, T> {
    range: &'r PageRange,
    items: Vec<T>,
    admitted: usize,
    last: Option<PagePosition>,
    /// The place where the list within the last element continues.
    beneath: Vec<PagePosition>,
    /// Set if there are elements after the last.
    more: bool,
}

impl<'r, T> Reading<'r, T> {
    pub(crate) fn new(range: &'r PageRange) -> Self {
        Reading {
            range,
            items: Vec::new(),
            admitted: 0,
            last: None,
            beneath: Vec::new(),
            more: false,
        }
    }

    /// Returns true if the next element, with its place and its bytes without children, is part of
    /// the page. Otherwise, the page is complete.
    pub(super) fn admits(
        &mut self,
        place: PagePosition,
        bytes: usize,
        budget: &mut ResponseBudget,
    ) -> bool {
        let is_last = !self.beneath.is_empty() || self.admitted == self.range.limit;
        let fits = !is_last
            && if self.range.shows_again(place) {
                budget.show(bytes);
                true
            } else {
                budget.take(bytes)
            };
        self.more = !fits;
        if fits {
            self.admitted += 1;
            self.last = Some(place);
        }
        fits
    }

    /// Adds an admitted element. `beneath` is the place where the list within it continues.
    pub(crate) fn push(&mut self, item: T, beneath: Vec<PagePosition>) {
        self.items.push(item);
        self.beneath = beneath;
    }

    /// Ends a nested list. Returns the elements, and the place where it continues.
    pub(crate) fn within(self) -> (Vec<T>, Vec<PagePosition>) {
        let mut rest = Vec::new();
        if self.more || !self.beneath.is_empty() {
            rest.push(self.last.unwrap_or_else(|| self.range.after()));
            rest.extend(self.beneath);
        }
        (self.items, rest)
    }

    /// Ends the requested list.
    pub(crate) fn list(self) -> List<T> {
        let next = self.last.filter(|_| self.more);
        List {
            items: self.items,
            next: next.map(|last| write_cursor(&[last])),
            rest: cursor(&self.beneath),
        }
    }
}

/// Returns the cursor at which an object continues, or `None` if it is complete.
pub(super) fn cursor(rest: &[PagePosition]) -> Option<String> {
    (!rest.is_empty()).then(|| write_cursor(rest))
}

/// Cuts a benchmark's history to `most` assertions. If one more was read, a cursor continues the
/// history.
pub(crate) fn newest(mut benchmark: Benchmark, most: usize) -> ObjectPart<Benchmark> {
    let more = benchmark.history.len() > most;
    benchmark.history.truncate(most);
    benchmark.history_complete = !more;
    let last = benchmark.history.last().filter(|_| more);
    let place = |last: &AssertionEntry| (last.timestamp.as_micros(), last.assertion_uuid);
    ObjectPart {
        next: last.map(|last| write_cursor(&[place(last)])),
        object: benchmark,
    }
}

fn write_cursor(places: &[PagePosition]) -> String {
    let places = places.iter().map(|(time, uuid)| format!("{time}.{uuid}"));
    places.collect::<Vec<_>>().join("~")
}

fn parse_place(text: &str) -> Option<PagePosition> {
    let (time, uuid) = text.split_once('.')?;
    Some((time.parse().ok()?, Uuid::try_parse(uuid).ok()?))
}

/// Upper bounds of the bytes of objects without their children.
pub(super) mod bytes {
    use tdg_definition::json;
    use tdg_service::Benchmark;

    pub(in crate::database) fn project(name: &str) -> usize {
        200 + string(name)
    }

    /// Computes it from the length of the canonical text. Features get an identifier and a time.
    pub(in crate::database) fn definition(text: i64) -> usize {
        const SHORTEST_FEATURE: usize = 32;
        let text = usize::try_from(text).unwrap_or_default();
        let features = (text / SHORTEST_FEATURE).min(tdg_definition::Definition::FEATURES);
        300 + text + 100 * features
    }

    /// Computes it from the length of the data on its run.
    pub(in crate::database) fn assertion(run: usize) -> usize {
        150 + run
    }

    pub(in crate::database) fn ensemble(name: &str) -> usize {
        400 + string(name)
    }

    /// Computes it from the length of its policy.
    pub(in crate::database) fn benchmark(policy: i64) -> usize {
        let policy = usize::try_from(policy).unwrap_or_default();
        400 + policy + assertion(0) * Benchmark::HISTORY_IN_LIST
    }

    fn string(text: &str) -> usize {
        let mut written = String::new();
        json::write_str(&mut written, text);
        written.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(number: u128) -> PagePosition {
        (number as i64, Uuid::from_u128(number))
    }

    fn range(cursor: &[PagePosition]) -> PageRange {
        PageRange {
            cursor: cursor.to_vec(),
            limit: 3,
        }
    }

    #[test]
    fn a_cursor_leads_back_to_its_places() {
        let places = [place(1), START, place(3)];
        for length in 1..=3 {
            let page = Page::after(write_cursor(&places[..length]));
            assert_eq!(PageRange::within(&page).unwrap().cursor, places[..length]);
            assert_eq!(PageRange::from_page(&page).is_ok(), length == 1);
        }
        for unknown in ["", "1", "~", "1.x", &write_cursor(&[START; 4])] {
            PageRange::within(&Page::after(unknown)).unwrap_err();
        }
    }

    #[test]
    fn a_list_ends_where_the_bytes_do_but_has_one_element() {
        let (range, mut budget) = (range(&[]), ResponseBudget::new());
        let mut reading = Reading::new(&range);
        assert!(reading.admits(place(1), ResponseBudget::BYTES * 2, &mut budget));
        reading.push("long", Vec::new());
        assert!(!reading.admits(place(2), 1, &mut budget));
        assert_eq!(reading.within(), (vec!["long"], vec![place(1)]));
    }

    #[test]
    fn a_list_ends_at_the_element_that_goes_on() {
        let (range, mut budget) = (range(&[]), ResponseBudget::new());
        let mut reading = Reading::new(&range);
        assert!(reading.admits(place(1), 1, &mut budget));
        reading.push("cut", vec![place(7)]);
        assert!(!reading.admits(place(2), 1, &mut budget));
        let list = reading.list();
        assert_eq!(list.next, Some(write_cursor(&[place(1)])));
        assert_eq!(list.rest, Some(write_cursor(&[place(7)])));
    }

    #[test]
    fn an_element_shown_again_leaves_room_for_what_is_new() {
        let (range, mut budget) = (range(&[place(1), place(7)]), ResponseBudget::new());
        let mut reading = Reading::<()>::new(&range);
        assert!(range.after() < place(1));
        assert!(reading.admits(place(1), ResponseBudget::BYTES * 2, &mut budget));
        assert_eq!(budget.left(), ResponseBudget::NEW);
        assert_eq!(range.beneath(place(1)).after(), place(7));
        // The element was deleted in the meantime.
        assert_eq!(range.beneath(place(2)).after(), START);
    }
}
