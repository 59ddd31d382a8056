//! Places that accounts share. Waiting accounts take turns, so that the requests of one delay
//! another by at most one turn.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use tdg_service::Result;
use tokio::sync::oneshot;

use crate::account::Account;
use crate::background::ending;
use crate::lock::locked;

/// A number of places. An account has at most its share.
#[derive(Clone)]
pub(crate) struct FairQueue(Arc<Mutex<QueueState>>);

struct QueueState {
    free: usize,
    /// The maximum number of places of an account.
    share: usize,
    /// The number of places that each account has.
    taken: HashMap<Account, usize>,
    /// The waiting accounts in the order of their turns, each with its requests in order.
    waiting: VecDeque<(Account, VecDeque<oneshot::Sender<Turn>>)>,
}

/// A place that an account has until this is dropped.
pub(crate) struct Turn {
    turns: FairQueue,
    account: Account,
}

impl FairQueue {
    pub(crate) fn new(places: usize, share: usize) -> Self {
        FairQueue(Arc::new(Mutex::new(QueueState {
            free: places.max(1),
            share: share.max(1),
            taken: HashMap::new(),
            waiting: VecDeque::new(),
        })))
    }

    /// Waits for a place. A caller that stops waiting gives up its turn.
    pub(crate) async fn take(&self, account: Account) -> Result<Turn> {
        let granted = self.enqueue(account);
        self.grant();
        granted.await.map_err(|_| ending())
    }

    fn enqueue(&self, account: Account) -> oneshot::Receiver<Turn> {
        let (sender, granted) = oneshot::channel();
        let mut state = self.state();
        let queue = state.waiting.iter_mut().find(|(of, _)| *of == account);
        match queue {
            Some((_, requests)) => requests.push_back(sender),
            None => state.waiting.push_back((account, VecDeque::from([sender]))),
        }
        granted
    }

    /// Assigns free places to the requests whose turn it is.
    fn grant(&self) {
        loop {
            let next = self.state().next();
            let Some((account, request)) = next else {
                return;
            };
            let turns = self.clone();
            // If the caller has stopped waiting, the place is returned at once.
            drop(request.send(Turn { turns, account }));
        }
    }

    /// Returns the number of waiting requests.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.state().waiting.iter().map(|(_, all)| all.len()).sum()
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        locked(&self.0)
    }
}

impl QueueState {
    /// Takes a place for the request whose turn it is. Its account goes to the end.
    fn next(&mut self) -> Option<(Account, oneshot::Sender<Turn>)> {
        while self.free > 0 {
            let has_left = |(account, _): &(Account, _)| self.taken_by(*account) < self.share;
            let place = self.waiting.iter().position(has_left)?;
            let (account, mut requests) = self.waiting.remove(place)?;
            let waits = |request: &oneshot::Sender<Turn>| !request.is_closed();
            let Some(at) = requests.iter().position(waits) else {
                continue;
            };
            let Some(request) = requests.drain(..=at).next_back() else {
                continue;
            };
            if !requests.is_empty() {
                self.waiting.push_back((account, requests));
            }
            self.free -= 1;
            *self.taken.entry(account).or_default() += 1;
            return Some((account, request));
        }
        None
    }

    fn taken_by(&self, account: Account) -> usize {
        self.taken.get(&account).copied().unwrap_or(0)
    }

    fn give_back(&mut self, account: Account) {
        self.free += 1;
        if let Some(taken) = self.taken.get_mut(&account) {
            *taken -= 1;
            if *taken == 0 {
                self.taken.remove(&account);
            }
        }
    }
}

impl Turn {
    /// Passes the place to a waiting request, if any, and blocks this thread until the next turn.
    pub(crate) fn pass(self) -> Result<Turn> {
        if self.turns.state().waiting.is_empty() {
            return Ok(self);
        }
        let turns = self.turns.clone();
        let granted = turns.enqueue(self.account);
        drop(self);
        granted.blocking_recv().map_err(|_| ending())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.state().give_back(self.account);
        self.turns.grant();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Account = Account(1);
    const OTHER: Account = Account(2);

    /// Returns the order in which requests of these accounts have the only place, in slices. Each
    /// passes its turn on once.
    fn order(requests: &[Account]) -> Vec<(Account, usize)> {
        let turns = FairQueue::new(1, 1);
        let mut waiting: Vec<_> = requests
            .iter()
            .enumerate()
            .map(|(number, &account)| (number, 2, account, turns.enqueue(account)))
            .collect();
        turns.grant();
        let mut order = Vec::new();
        while !waiting.is_empty() {
            let place = waiting
                .iter_mut()
                .position(|(.., granted)| !granted.is_empty());
            let (number, slices, account, mut granted) = waiting.remove(place.unwrap());
            let turn = granted.try_recv().unwrap();
            order.push((account, number));
            if slices > 1 {
                waiting.push((number, slices - 1, account, turns.enqueue(account)));
            }
            drop(turn);
        }
        order
    }

    #[test]
    fn accounts_take_turns_and_their_requests_go_on_in_order() {
        let order = order(&[ONE, ONE, ONE, OTHER]);
        let of = |wanted| {
            let its = order.iter().filter(move |(account, _)| *account == wanted);
            its.map(|(_, number)| *number).collect::<Vec<_>>()
        };
        assert_eq!(of(ONE), [0, 1, 2, 0, 1, 2]);
        // Every second slice is the other account's until it has finished.
        let places: Vec<_> = (0..order.len())
            .filter(|&it| order[it].0 == OTHER)
            .collect();
        assert_eq!(places, [1, 3]);
    }

    #[tokio::test]
    async fn an_account_has_at_most_its_share() {
        let turns = FairQueue::new(3, 2);
        let held = [
            turns.take(ONE).await.unwrap(),
            turns.take(ONE).await.unwrap(),
        ];
        let mut third = turns.enqueue(ONE);
        turns.grant();
        assert!(third.try_recv().is_err());
        turns.take(OTHER).await.unwrap();
        drop(held);
        assert!(third.try_recv().is_ok());
    }

    #[tokio::test]
    async fn those_who_stop_waiting_lose_no_place() {
        let turns = FairQueue::new(1, 1);
        let held = turns.take(ONE).await.unwrap();
        drop(turns.enqueue(OTHER));
        drop(turns.enqueue(ONE));
        drop(held);
        turns.take(OTHER).await.unwrap();
        let state = turns.state();
        assert_eq!((state.free, state.taken.len()), (1, 0));
        assert!(state.waiting.is_empty());
    }

    #[test]
    fn no_one_waits_after_a_turn_is_passed_to_no_one() {
        let turns = FairQueue::new(1, 1);
        let mut granted = turns.enqueue(ONE);
        turns.grant();
        let turn = granted.try_recv().unwrap();
        assert!(turn.pass().is_ok());
    }
}
