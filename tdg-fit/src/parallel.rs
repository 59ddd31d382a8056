//! Distributes work over all processors.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// Applies a function to each item in parallel. Returns the results in order.
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, of: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let queue = Mutex::new(items.into_iter().enumerate());
    // Nothing panics while the queue is locked, so it is never poisoned.
    let next = || queue.lock().ok()?.next();
    let work = || {
        let mut done = Vec::new();
        while let Some((index, item)) = next() {
            done.push((index, of(item)));
        }
        done
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for worker in workers {
            match worker.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..500).collect();
        let doubled: Vec<usize> = items.iter().map(|item| 2 * item).collect();
        assert_eq!(super::map(items, |item| 2 * item), doubled);
    }
}
