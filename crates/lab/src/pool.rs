//! One pool of threads for everything that is played side by side: results come in the order in which the
//! items were given, whoever was quicker.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use thiserror::Error;

use crate::progress::StopFlag;

/// More than any machine has; a mistyped number must not exhaust the system.
const MOST_THREADS: usize = 1024;

/// Threads for so many that were asked for: 0 stands for as many as there are cores.
pub fn threads(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        asked => asked.min(MOST_THREADS),
    }
}

/// A panic while an item was worked on; the others do not notice.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("a panic: {message}")]
pub struct Panicked {
    /// What the panic said.
    pub message: String,
}

impl Panicked {
    fn new(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self { message: text.unwrap_or_else(|| "without a message".to_owned()) }
    }
}

/// What a thread has at hand while it works on an item.
#[derive(Debug)]
pub struct Worker<'p, T, S> {
    /// Its own tool for as long as the pool lives, also after a panic.
    pub tool: T,
    /// What it keeps from item to item. A panic may have left it in disorder, so it is made anew after one.
    pub kept: S,
    /// Stopped as soon as nobody waits for results any more: long items look at it.
    pub over: &'p StopFlag,
}

/// Gives out items and takes their results, on the thread that has called [`run`].
///
/// Dropping it by any way (also by a panic) ends the pool: items that nobody has begun are never worked on.
pub struct Pool<'p, I, O> {
    hands: Hands<'p, I, O>,
    over: &'p StopFlag,
    /// Results that came before their turn.
    early: BTreeMap<u64, Result<O, Panicked>>,
    workers: u64,
    ahead: u64,
    given: u64,
    finished: u64,
    taken: u64,
}

/// Who works on items.
enum Hands<'p, I, O> {
    /// Threads.
    Others { items: Sender<(u64, I)>, results: Receiver<(u64, Result<O, Panicked>)> },
    /// The thread that waits for a result, while it waits.
    Own { items: VecDeque<I>, work: &'p mut dyn FnMut(I) -> Result<O, Panicked> },
}

impl<I, O> Pool<'_, I, O> {
    /// Whether an item may be given: fewer than `ahead` are given and not taken yet, which bounds the memory
    /// however slow one of them is.
    pub fn has_room(&self) -> bool {
        self.given - self.taken < self.ahead
    }

    /// Whether a thread would begin the next item at once.
    pub fn is_idle(&self) -> bool {
        self.given - self.finished < self.workers
    }

    /// Gives out the next item.
    ///
    /// # Panics
    /// If there is no room.
    pub fn give(&mut self, item: I) {
        assert!(self.has_room(), "an item was given without room for it");
        match &mut self.hands {
            // The other end outlives this one; without a thread that reads it, `take` tells.
            Hands::Others { items, .. } => drop(items.send((self.given, item))),
            Hands::Own { items, .. } => items.push_back(item),
        }
        self.given += 1;
    }

    /// Waits for the result of the oldest item that is not taken yet; `None` if there is none.
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

/// Runs `direct`, which gives out items and takes their results, with one thread for each of `tools`. An item is
/// worked on by `work`; a panic there is the result of that item alone. At most `ahead` items are given and not
/// taken at any time.
///
/// ```
/// use meeple_lab::pool;
///
/// let squares = pool::run(0..4, 8, |_: &mut pool::Worker<'_, _, ()>, item: u64| item * item, |pool| {
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
    work: impl Fn(&mut Worker<'_, T, S>, I) -> O + Sync,
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

/// As [`run`] with one tool, but on the thread that calls it, without another one: items are worked on while their results
/// are waited for. So what works may belong to that thread, and nothing stays behind it.
pub fn run_here<T, S, I, O, R>(
    tool: T,
    work: impl Fn(&mut Worker<'_, T, S>, I) -> O,
    direct: impl FnOnce(&mut Pool<'_, I, O>) -> R,
) -> R
where
    S: Default,
{
    let over = StopFlag::new();
    let mut worker = Worker { tool, kept: S::default(), over: &over };
    let mut work = |item| worker.work_on(item, &work);
    let hands = Hands::Own { items: VecDeque::new(), work: &mut work };
    let early = BTreeMap::new();
    direct(&mut Pool { hands, over: &over, early, workers: 1, ahead: 1, given: 0, finished: 0, taken: 0 })
}

/// Works on items on so many threads (0: on all cores), and takes what becomes of each, with its name, in the order of the items.
/// None is given any more after a stop, and nothing is taken after an error.
///
/// ```
/// use meeple_lab::{StopFlag, pool};
///
/// let mut squares = Vec::new();
/// let items = (1..=100).map(|number| (number, number));
/// let work = |_: &mut pool::Worker<'_, _, ()>, number: u64| number * number;
/// pool::in_order(4, items, &StopFlag::new(), work, |number, square| {
///     squares.push((number, square?));
///     Ok::<_, pool::Panicked>(())
/// })?;
/// assert_eq!(squares[2], (3, 9));
/// # Ok::<_, pool::Panicked>(())
/// ```
///
/// # Errors
/// The first of `take`.
pub fn in_order<N, I, S, O, E>(
    threads: usize,
    items: impl IntoIterator<Item = (N, I)>,
    stop: &StopFlag,
    work: impl Fn(&mut Worker<'_, usize, S>, I) -> O + Sync,
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

impl<T, S: Default> Worker<'_, T, S> {
    /// Works on an item. What it keeps is made anew after a panic.
    fn work_on<I, O>(
        &mut self,
        item: I,
        work: &impl Fn(&mut Worker<'_, T, S>, I) -> O,
    ) -> Result<O, Panicked> {
        let result = caught(|| work(self, item));
        if result.is_err() {
            // Dropping what is in disorder may panic as well.
            let _ = caught(|| self.kept = S::default());
        }
        result
    }
}

/// Works on items until there will be no more.
fn serve<T, S: Default, I, O>(
    tool: T,
    queue: &Mutex<Receiver<(u64, I)>>,
    results: &Sender<(u64, Result<O, Panicked>)>,
    over: &StopFlag,
    work: &impl Fn(&mut Worker<'_, T, S>, I) -> O,
) {
    let mut worker = Worker { tool, kept: S::default(), over };
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

/// Calls what may panic. What a panic leaves half done is dropped, or is a tool whose owner is told of the panic.
fn caught<R>(call: impl FnOnce() -> R) -> Result<R, Panicked> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| Panicked::new(&*payload))
}
