//! A table in memory with its viewers.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meeple_core::{Analysis, AnyEntry, Composition, Replay};
use meeple_scene::Key;
use meeple_table::{Frame, FrameId, Holder, Patch, Ring, Table};
use tokio::sync::{OnceCell, watch};

use crate::key;
use crate::key::KeyHash;
use crate::limits::party::Party;
use crate::tables::presence::Presence;
use crate::tables::quick_agents::QuickAgents;
use crate::tables::store::{TableRow, TableWrite};
use crate::tables::timing::Timing;
use crate::trouble::Trouble;

/// A viewer's current frame, shared by all viewers with the same view.
pub struct Shown {
    pub frame: Arc<Frame>,
}

/// Changes since a viewer's last frame.
pub enum News {
    /// A full frame.
    Frame(Arc<Frame>),
    /// The current frame, and the patches that lead to it.
    Patches(Arc<Frame>, Vec<Arc<Patch>>),
    Nothing,
}

/// The keys and members that may act, with their seats.
#[derive(Clone, Default)]
pub struct SeatControllers {
    /// Hashes of keys, with the seats they open.
    pub keys: Vec<(KeyHash, usize)>,
    /// Accounts of members, with their seats.
    pub members: Vec<(String, usize)>,
}

/// A change of the people who may act at a seat. It is stored and applied together with its change of the
/// table, so the two always agree.
#[derive(Clone, Debug)]
pub enum Handover {
    /// Everybody who presents the key with this hash.
    Key(KeyHash),
    /// The member with this account.
    Member(String),
    Nobody,
}

impl Handover {
    /// The write that stores this handover.
    pub fn write(&self, table: &str, seat: usize) -> TableWrite {
        let table = table.to_owned();
        match self.clone() {
            Self::Key(hash) => TableWrite::Key { table, hash, seat },
            Self::Member(account) => TableWrite::Sit { table, account, seat },
            Self::Nobody => TableWrite::DropKeys { table, seat },
        }
    }
}

impl SeatControllers {
    pub fn hand_over(&mut self, seat: usize, to: Handover) {
        match to {
            Handover::Key(hash) => self.keys.push((hash, seat)),
            Handover::Member(account) => self.members.push((account, seat)),
            Handover::Nobody => {
                self.keys.retain(|(_, known)| *known != seat);
                self.members.retain(|(_, known)| *known != seat);
            }
        }
    }
}

/// Number of viewers above which the rendered frame is cached until the next change. Otherwise it is rendered
/// on demand.
const CACHE_ABOVE_VIEWERS: usize = 8;

pub struct Hosted {
    pub row: TableRow,
    pub entry: &'static dyn AnyEntry,
    pub live: tokio::sync::Mutex<Live>,
    /// The keys and members that may act. The lock is never held across an `await`. Changes happen only while
    /// `live` is locked, together with the change of the table.
    controllers: Mutex<SeatControllers>,
    /// The agents that decide without a separate thread.
    pub quick: Mutex<QuickAgents>,
    /// The identifier of the rematch.
    pub next: OnceCell<String>,
    /// The number of changes. Every viewer holds a receiver.
    pub changed: watch::Sender<u64>,
    pub presence: Presence,
    pub timing: Option<Timing>,
    /// The party that is charged for agents' time: the visitor who opened the table or caused its
    /// restoration.
    pub party: Party,
}

pub struct Live {
    /// `None` after a fault, and while a change is applied.
    pub table: Option<Table>,
    /// The reason for the end, if the table has ended by a fault or by the operator.
    pub fault: String,
    /// True if the operator closed the table, as opposed to a fault.
    pub closed: bool,
    /// True while a task runs the agents' decisions.
    pub thinking: bool,
    /// The last frame and recent patches of each view that somebody has requested; `None` is the public view.
    pub shown: BTreeMap<Option<usize>, Ring>,
    /// Cached frames per view, at tables with more than `CACHE_ABOVE_VIEWERS` viewers.
    pub cached_frames: BTreeMap<Option<usize>, Arc<Frame>>,
}

impl Live {
    pub fn table(&self) -> Result<&Table, Trouble> {
        let ended = || match self.closed {
            true => Trouble::Closed(self.fault.clone()),
            false => Trouble::Broken(self.fault.clone()),
        };
        self.table.as_ref().ok_or_else(ended)
    }

    /// A viewer's effective seat. It is `None`, for the public view, once no person sits there.
    fn effective_seat(&self, seat: Option<usize>) -> Result<Option<usize>, Trouble> {
        let holders = self.table()?.holders();
        Ok(seat.filter(|seat| matches!(holders.get(*seat), Some(Holder::Person { .. }))))
    }

    /// A viewer's current frame, and the patches that lead to it. A frame that is still in memory is reused.
    fn look(&mut self, viewer: Option<usize>, watchers: usize) -> Result<(Arc<Frame>, &Ring), Trouble> {
        let viewer = self.effective_seat(viewer)?;
        let now = self.moment(viewer)?;
        let known = self.shown.get(&viewer).filter(|ring| ring.moment() == now).and_then(Ring::frame);
        let frame = match known {
            Some(frame) => frame,
            None => Arc::new(self.table()?.frame(viewer)),
        };
        if watchers > CACHE_ABOVE_VIEWERS {
            self.cached_frames.insert(viewer, Arc::clone(&frame));
        } else {
            self.cached_frames.clear();
        }
        let ring = match self.shown.entry(viewer) {
            Entry::Vacant(place) => place.insert(Ring::new(&frame)),
            Entry::Occupied(place) => {
                let ring = place.into_mut();
                ring.push(&frame);
                ring
            }
        };
        Ok((frame, ring))
    }

    fn moment(&self, viewer: Option<usize>) -> Result<FrameId, Trouble> {
        let table = self.table()?;
        Ok((table.version(viewer), table.draft_state(viewer).1))
    }
}

impl Hosted {
    /// The same table, with agents' time charged to this party.
    pub fn on_account_of(self, party: Party) -> Self {
        Self { party, ..self }
    }

    /// A receiver that is notified of every change.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Marks the table as broken and notifies viewers.
    pub async fn break_down(&self, fault: &str) -> Trouble {
        let mut live = self.live.lock().await;
        live.table = None;
        live.fault = fault.to_owned();
        self.changed.send_modify(|count| *count += 1);
        Trouble::Broken(fault.to_owned())
    }

    pub fn watchers(&self) -> usize {
        self.changed.receiver_count()
    }

    pub fn controllers(&self) -> MutexGuard<'_, SeatControllers> {
        self.controllers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The seats that these keys open, ascending.
    pub fn seats_of<'a>(&self, keys: impl IntoIterator<Item = &'a str>) -> Vec<usize> {
        let known = self.controllers();
        let hashes: Vec<KeyHash> = keys.into_iter().map(key::hash).collect();
        let mut seats: Vec<usize> =
            known.keys.iter().filter(|(hash, _)| hashes.contains(hash)).map(|(_, seat)| *seat).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    }

    /// The seats of a member, ascending.
    pub fn seats_of_member(&self, account: &str) -> Vec<usize> {
        let known = self.controllers();
        let own = known.members.iter().filter(|(member, _)| member == account);
        let mut seats: Vec<usize> = own.map(|(_, seat)| *seat).collect();
        seats.sort_unstable();
        seats
    }

    /// The identifier of the rematch, if it was opened.
    pub fn next(&self) -> Option<&str> {
        self.next.get().map(String::as_str)
    }

    /// Checks that whoever holds the seats `own` may choose a rematch's seed. A seed reveals all chance, so
    /// nobody chooses it for others.
    pub fn expect_own_seed(&self, own: &[usize], seed: Option<u64>) -> Result<(), Trouble> {
        let is_agent = |holder: &Holder| matches!(holder, Holder::Agent(_));
        let mut seats = self.row.holders.iter().enumerate();
        if seed.is_none() || seats.all(|(seat, holder)| is_agent(holder) || own.contains(&seat)) {
            return Ok(());
        }
        Err(Trouble::Setup(
            "seed: expected none at a table with other people, found one\n\
             hint: a seed tells who knows it everything that chance will bring"
                .to_owned(),
        ))
    }

    /// Seats at which an agent has replaced a person who left.
    pub fn left_seats(&self, now: &[&Holder]) -> Vec<usize> {
        let is_agent = |holder: &Holder| matches!(holder, Holder::Agent(_));
        let seats = self.row.holders.iter().zip(now).enumerate();
        seats.filter(|(_, (then, now))| is_agent(now) && !is_agent(then)).map(|(seat, _)| seat).collect()
    }

    /// A viewer's current frame.
    pub async fn shown(&self, viewer: Option<usize>) -> Result<Shown, Trouble> {
        let mut live = self.live.lock().await;
        Ok(Shown { frame: live.look(viewer, self.watchers())?.0 })
    }

    pub async fn legend(&self) -> Result<Vec<Key>, Trouble> {
        let live = self.live.lock().await;
        let table = live.table()?;
        let labels: Vec<_> = table.holders().iter().map(|holder| holder.label()).collect();
        Ok(table.view().legend(&labels))
    }

    /// Changes since the frame that the viewer has. A viewer who has left the seat gets the public frame and
    /// becomes a spectator.
    pub async fn news(&self, viewer: Option<usize>, shown: FrameId) -> Result<News, Trouble> {
        let mut live = self.live.lock().await;
        let has_left = viewer.is_some() && live.effective_seat(viewer)?.is_none();
        if !has_left && live.moment(viewer)? == shown {
            return Ok(News::Nothing);
        }
        let (frame, ring) = live.look(viewer, self.watchers())?;
        if has_left {
            return Ok(News::Frame(frame));
        }
        Ok(match ring.since(shown) {
            Some(patches) => News::Patches(frame, patches),
            None => News::Frame(frame),
        })
    }

    /// The first of these seats that owes a decision. Only clients that control all of them may learn it.
    pub async fn asked(&self, seats: &[usize]) -> Result<Option<usize>, Trouble> {
        let live = self.live.lock().await;
        let table = live.table()?;
        Ok(seats.iter().copied().find(|seat| table.question(*seat).is_some()))
    }

    /// The possible continuations of a structured action; see [`Table::compose`].
    pub async fn compose(&self, seat: usize, text: &str) -> Result<(u64, Composition), Trouble> {
        let made = self.live.lock().await.table()?.compose(seat, text)?;
        made.ok_or_else(|| Trouble::Setup("this game's actions are not put together".to_owned()))
    }

    /// Returns true if a seat has a draft, or if another task is using the table.
    pub fn has_drafts(&self) -> bool {
        self.live.try_lock().map_or(true, |live| live.table.as_ref().is_some_and(Table::has_drafts))
    }

    /// The number of steps in a seat's draft.
    pub async fn draft_steps(&self, seat: usize) -> usize {
        self.live.lock().await.table.as_ref().map_or(0, |table| table.draft_state(Some(seat)).0)
    }

    /// The replay so far, with a flag that is true if the game is over. Before the end it contains secrets
    /// and must not be sent to viewers.
    pub async fn replay(&self) -> Result<(Replay, bool), Trouble> {
        let live = self.live.lock().await;
        let table = live.table()?;
        Ok((table.replay(), table.is_over()))
    }
}

pub struct Advice {
    pub advisor: String,
    /// The advisor's decision.
    pub action: String,
    /// The agent that evaluates all actions.
    pub analyst: String,
    /// The analyst's own decision.
    pub choice: String,
    pub analysis: Analysis<String>,
}

/// A table in memory without viewers.
pub fn hosted(
    row: TableRow,
    entry: &'static dyn AnyEntry,
    table: Table,
    controllers: SeatControllers,
    next: Option<String>,
    timing: Option<Timing>,
) -> Hosted {
    let live = Live {
        table: Some(table),
        fault: String::new(),
        closed: false,
        thinking: false,
        shown: BTreeMap::new(),
        cached_frames: BTreeMap::new(),
    };
    let (live, controllers, next) = (live.into(), controllers.into(), OnceCell::new_with(next));
    let quick = Mutex::default();
    let (presence, changed, party) = (Presence::default(), watch::Sender::new(0), Party::Exempt);
    Hosted { row, entry, live, controllers, quick, next, changed, presence, timing, party }
}
