//! A thread pool for independent work items. Results arrive in the order of the items, regardless of
//! completion order.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use thiserror::Error;

use crate::progress::StopFlag;

/// Maximum number of threads: a mistyped number must not exhaust the system.
const MAX_THREADS: usize = 1024;

/// Resolves a requested number of threads: 0 means one per core.
pub fn threads(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        asked => asked.min(MAX_THREADS),
    }
}

/// A panic while working on one item; other items are unaffected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("a panic: {message}")]
pub struct Panicked {
    /// The panic message.
    pub message: String,
}

impl Panicked {
    fn new(payload: &(dyn Any + Send)) -> Self {
        Self { message: meeple_core::panic_message(payload) }
    }
}

/// State of a worker thread, passed to the work on each item.
#[derive(Debug)]
pub struct PoolWorker<'p, T, S> {
    /// The thread's tool, which lasts as long as the pool and survives panics.
    pub tool: T,
    /// State kept between items. It is reset after a panic, which may have left it inconsistent.
    pub kept: S,
    /// Flag that is set once results are no longer awaited; work on long items should poll it.
    pub over: &'p StopFlag,
}

/// Handle that hands out items and collects results, on the thread that called [`run`].
///
/// Dropping the handle, also by a panic, ends the pool: unstarted items are never worked on.
pub struct Pool<'p, I, O> {
    hands: Hands<'p, I, O>,
    over: &'p StopFlag,
    early: BTreeMap<u64, Result<O, Panicked>>,
    workers: u64,
    ahead: u64,
    given: u64,
    finished: u64,
    taken: u64,
}

enum Hands<'p, I, O> {
    Others {
        items: Sender<(u64, I)>,
        results: Receiver<(u64, Result<O, Panicked>)>,
    },
    /// Work on the calling thread, done while it waits for a result.
    Own {
        items: VecDeque<I>,
        work: &'p mut dyn FnMut(I) -> Result<O, Panicked>,
    },
}

impl<I, O> Pool<'_, I, O> {
    /// True if another item may be given: fewer than `ahead` items are outstanding. This bounds the memory
    /// even if one of them is slow.
    pub fn has_room(&self) -> bool {
        self.given - self.taken < self.ahead
    }

    /// True if a worker would start the next item at once, judged by the results received so far.
    pub fn is_idle(&self) -> bool {
        self.given - self.finished < self.workers
    }

    /// Hands out the next item.
    ///
    /// # Panics
    /// If there is no room.
    pub fn give(&mut self, item: I) {
        assert!(self.has_room(), "an item was given without room for it");
        match &mut self.hands {
            // The receiver outlives this sender; if all workers are gone, `take` reports that.
            Hands::Others { items, .. } => drop(items.send((self.given, item))),
            Hands::Own { items, .. } => items.push_back(item),
        }
        self.given += 1;
    }

    /// Waits for the result of the oldest outstanding item; `None` if there is none.
    pub fn take(&mut self) -> Option<Result<O, Panicked>> {
        if self.taken == self.given {
            return None;
        }
        let result = loop {
            if let Some(result) = self.early.remove(&self.taken) {
                break result;
            }
            match &mut self.hands {
                Hands::Others { results, .. } => match results.recv() {
                    Ok((number, result)) => {
                        self.finished += 1;
                        self.early.insert(number, result);
                    }
                    Err(_) => break Err(Panicked { message: "no thread is left".to_owned() }),
                },
                Hands::Own { items, work } => {
                    self.finished += 1;
                    break work(items.pop_front()?);
                }
            }
        };
        self.taken += 1;
        Some(result)
    }
}

impl<I, O> Drop for Pool<'_, I, O> {
    fn drop(&mut self) {
        self.over.stop();
    }
}

/// Runs `direct`, which hands out items and collects results, with one worker thread per tool. `work`
/// processes an item; a panic there affects only the result of that item. At most `ahead` items are
/// outstanding at any time.
///
/// ```
/// use meeple_lab::pool;
///
/// let squares = pool::run(0..4, 8, |_: &mut pool::PoolWorker<'_, _, ()>, item: u64| item * item, |pool| {
///     let (mut next, mut squares) = (1, Vec::new());
///     loop {
///         while next <= 100 && pool.has_room() {
///             pool.give(next);
///             next += 1;
///         }
///         match pool.take() {
///             Some(square) => squares.push(square.expect("nothing panics here")),
///             None => return squares,
///         }
///     }
/// });
/// assert_eq!(squares[..3], [1, 4, 9]);
/// ```
pub fn run<T, S, I, O, R>(
    tools: impl IntoIterator<Item = T>,
    ahead: usize,
    work: impl Fn(&mut PoolWorker<'_, T, S>, I) -> O + Sync,
    direct: impl FnOnce(&mut Pool<'_, I, O>) -> R,
) -> R
where
    T: Send,
    S: Default,
    I: Send,
    O: Send,
{
    let over = StopFlag::new();
    let (items, queue) = channel();
    let queue = Mutex::new(queue);
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        let mut workers = 0;
        for tool in tools {
            let (queue, sender, over, work) = (&queue, sender.clone(), &over, &work);
            scope.spawn(move || serve(tool, queue, &sender, over, work));
            workers += 1;
        }
        drop(sender);
        let ahead = ahead.max(1) as u64;
        let (over, early, hands) = (&over, BTreeMap::new(), Hands::Others { items, results });
        direct(&mut Pool { hands, over, early, workers, ahead, given: 0, finished: 0, taken: 0 })
    })
}

/// Like [`run`] with one tool, but on the calling thread: items are processed while their results are
/// awaited. `work` may therefore use values bound to that thread, and no thread outlives the call.
pub fn run_here<T, S, I, O, R>(
    tool: T,
    work: impl Fn(&mut PoolWorker<'_, T, S>, I) -> O,
    direct: impl FnOnce(&mut Pool<'_, I, O>) -> R,
) -> R
where
    S: Default,
{
    let over = StopFlag::new();
    let mut worker = PoolWorker { tool, kept: S::default(), over: &over };
    let mut work = |item| worker.work_on(item, &work);
    let hands = Hands::Own { items: VecDeque::new(), work: &mut work };
    let early = BTreeMap::new();
    direct(&mut Pool { hands, over: &over, early, workers: 1, ahead: 1, given: 0, finished: 0, taken: 0 })
}

/// Processes items on `threads` threads (0: all cores). `take` receives the name and result of each, in the
/// order of the items. After a stop no further item is handed out, and the outstanding ones are finished;
/// after an error nothing more is taken.
///
/// ```
/// use meeple_lab::{StopFlag, pool};
///
/// let mut squares = Vec::new();
/// let items = (1..=100).map(|number| (number, number));
/// let work = |_: &mut pool::PoolWorker<'_, _, ()>, number: u64| number * number;
/// pool::in_order(4, items, &StopFlag::new(), work, |number, square| {
///     squares.push((number, square?));
///     Ok::<_, pool::Panicked>(())
/// })?;
/// assert_eq!(squares[2], (3, 9));
/// # Ok::<_, pool::Panicked>(())
/// ```
///
/// # Errors
/// The first error of `take`.
pub fn in_order<N, I, S, O, E>(
    threads: usize,
    items: impl IntoIterator<Item = (N, I)>,
    stop: &StopFlag,
    work: impl Fn(&mut PoolWorker<'_, usize, S>, I) -> O + Sync,
    mut take: impl FnMut(N, Result<O, Panicked>) -> Result<(), E>,
) -> Result<(), E>
where
    S: Default,
    I: Send,
    O: Send,
{
    let mut items = items.into_iter();
    let direct = |pool: &mut Pool<'_, I, O>| {
        let mut given = VecDeque::new();
        loop {
            while !stop.is_stopped()
                && pool.has_room()
                && let Some((name, item)) = items.next()
            {
                given.push_back(name);
                pool.give(item);
            }
            let (Some(result), Some(name)) = (pool.take(), given.pop_front()) else { return Ok(()) };
            take(name, result)?;
        }
    };
    match self::threads(threads) {
        1 => run_here(0, work, direct),
        threads => run(0..threads, 4 * threads, work, direct),
    }
}

impl<T, S: Default> PoolWorker<'_, T, S> {
    fn work_on<I, O>(
        &mut self,
        item: I,
        work: &impl Fn(&mut PoolWorker<'_, T, S>, I) -> O,
    ) -> Result<O, Panicked> {
        let result = caught(|| work(self, item));
        if result.is_err() {
            // Dropping inconsistent state may panic as well.
            let _ = caught(|| self.kept = S::default());
        }
        result
    }
}

fn serve<T, S: Default, I, O>(
    tool: T,
    queue: &Mutex<Receiver<(u64, I)>>,
    results: &Sender<(u64, Result<O, Panicked>)>,
    over: &StopFlag,
    work: &impl Fn(&mut PoolWorker<'_, T, S>, I) -> O,
) {
    let mut worker = PoolWorker { tool, kept: S::default(), over };
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, item)) = next else { return };
        if over.is_stopped() {
            return;
        }
        let result = worker.work_on(item, work);
        if results.send((number, result)).is_err() {
            return;
        }
    }
}

/// Runs a call and catches its panic. Unwind safety: inconsistent state is dropped, and the owner of a tool
/// receives the panic.
fn caught<R>(call: impl FnOnce() -> R) -> Result<R, Panicked> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| Panicked::new(&*payload))
}
