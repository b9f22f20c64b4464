//! A table in memory, as whoever looks at it needs it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meeple_core::{Analysis, AnyEntry, Composition, Replay};
use meeple_scene::Key;
use meeple_table::{Frame, Holder, Moment, Patch, Ring, Table};
use tokio::sync::{OnceCell, watch};

use super::presence::Presence;
use super::quick::QuickAgents;
use super::timing::Timing;
use super::trouble::Trouble;
use crate::key::{self, KeyHash};
use crate::party::Party;
use crate::store::{AccountWrite, TableRow, Write};

/// What a viewer is shown, made once for all who share eyes.
pub struct Shown {
    /// The frame.
    pub frame: Arc<Frame>,
}

/// What is new to a viewer.
pub enum News {
    /// It is shown everything anew,
    Frame(Arc<Frame>),
    /// or what makes that of what it is shown,
    Patches(Arc<Frame>, Vec<Arc<Patch>>),
    /// or nothing is new.
    Nothing,
}

/// Who may act at which seat.
#[derive(Clone, Default)]
pub struct Held {
    /// Whoever shows a key of which this is kept.
    pub keys: Vec<(KeyHash, usize)>,
    /// Members, by account.
    pub members: Vec<(String, usize)>,
}

/// Somebody else may act at a seat from now on. It is stored and comes about with the change of the table that it belongs to:
/// there is no moment at which one of them is so and the other is not.
#[derive(Clone, Debug)]
pub(super) enum Handover {
    /// Whoever shows a key of which this is kept.
    Key(KeyHash),
    /// The member of this account.
    Member(String),
    /// Nobody.
    Nobody,
}

impl Handover {
    /// What is stored of it.
    pub(super) fn write(&self, table: &str, seat: usize) -> Write {
        let table = table.to_owned();
        match self.clone() {
            Self::Key(hash) => Write::Key { table, hash, seat },
            Self::Member(account) => Write::Account(AccountWrite::Sit { account, table, seat }),
            Self::Nobody => Write::DropKeys { table, seat },
        }
    }
}

impl Held {
    /// Hands a seat over.
    pub(super) fn hand_over(&mut self, seat: usize, to: Handover) {
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

/// With more than so many who are told, what they are shown is kept for all of them until the next comes; with fewer it is
/// gone once they have been told, and made again for who comes later.
const CROWD: usize = 8;

/// A table in memory.
pub struct Hosted {
    /// As it was opened.
    pub row: TableRow,
    /// The registry's entry of its game.
    pub entry: &'static dyn AnyEntry,
    pub(super) live: tokio::sync::Mutex<Live>,
    /// Who may act at which seat. Read in passing: never locked while something is waited for; changed with the table alone.
    held: Mutex<Held>,
    /// Which of its agents need no thread of their own.
    pub(super) quick: Mutex<QuickAgents>,
    /// The table at which the same people play once more.
    pub(super) next: OnceCell<String>,
    pub(super) changed: watch::Sender<u64>,
    /// Who is there.
    pub presence: Presence,
    /// People's clocks, where they have some.
    pub timing: Option<Timing>,
    /// On whose account its agents think: that of who opened it, or had it made again.
    pub(super) party: Party,
}

pub(super) struct Live {
    /// `None` from a fault on, or while somebody changes it.
    pub(super) table: Option<Table>,
    pub(super) fault: String,
    /// Whether it was no fault, but the operator.
    pub(super) closed: bool,
    /// Whether somebody lets its agents think.
    pub(super) thinking: bool,
    /// By viewer, as far as somebody has looked.
    pub(super) shown: BTreeMap<Option<usize>, Ring>,
    /// What a crowd is shown, by viewer.
    pub(super) kept: BTreeMap<Option<usize>, Arc<Frame>>,
}

impl Live {
    pub(super) fn table(&self) -> Result<&Table, Trouble> {
        let ended = || match self.closed {
            true => Trouble::Closed(self.fault.clone()),
            false => Trouble::Broken(self.fault.clone()),
        };
        self.table.as_ref().ok_or_else(ended)
    }

    /// Through whose eyes somebody looks who has sat down at this seat: the public's from when it leaves on.
    fn eyes(&self, seat: Option<usize>) -> Result<Option<usize>, Trouble> {
        let holders = self.table()?.holders();
        Ok(seat.filter(|seat| matches!(holders.get(*seat), Some(Holder::Person { .. }))))
    }

    /// What a viewer is shown now, and how that came about. It is drawn unless somebody still has it in hand.
    fn look(&mut self, viewer: Option<usize>, watchers: usize) -> Result<(Arc<Frame>, &Ring), Trouble> {
        let viewer = self.eyes(viewer)?;
        let now = self.moment(viewer)?;
        let known = self.shown.get(&viewer).filter(|ring| ring.moment() == now).and_then(Ring::frame);
        let frame = match known {
            Some(frame) => frame,
            None => Arc::new(self.table()?.frame(viewer)),
        };
        if watchers > CROWD {
            self.kept.insert(viewer, Arc::clone(&frame));
        } else {
            self.kept.clear();
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

    /// Which moment of a viewer it is.
    fn moment(&self, viewer: Option<usize>) -> Result<Moment, Trouble> {
        let table = self.table()?;
        Ok((table.version(viewer), table.draft_state(viewer).1))
    }
}

impl Hosted {
    /// The same, with agents that think on this account.
    pub(super) fn on_account_of(self, party: Party) -> Self {
        Self { party, ..self }
    }

    /// Tells whenever something has changed.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Ends the table by a fault, for all who watch it.
    pub(super) async fn break_down(&self, fault: &str) -> Trouble {
        let mut live = self.live.lock().await;
        live.table = None;
        live.fault = fault.to_owned();
        self.changed.send_modify(|count| *count += 1);
        Trouble::Broken(fault.to_owned())
    }

    /// How many are told.
    pub fn watchers(&self) -> usize {
        self.changed.receiver_count()
    }

    /// Who may act at which seat.
    pub(super) fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The seats that these keys open, ascending.
    pub fn seats_of<'a>(&self, keys: impl IntoIterator<Item = &'a str>) -> Vec<usize> {
        let known = self.held();
        let hashes: Vec<KeyHash> = keys.into_iter().map(key::hash).collect();
        let mut seats: Vec<usize> =
            known.keys.iter().filter(|(hash, _)| hashes.contains(hash)).map(|(_, seat)| *seat).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    }

    /// The seats of a member, ascending.
    pub fn seats_of_member(&self, account: &str) -> Vec<usize> {
        let known = self.held();
        let own = known.members.iter().filter(|(member, _)| member == account);
        let mut seats: Vec<usize> = own.map(|(_, seat)| *seat).collect();
        seats.sort_unstable();
        seats
    }

    /// The table at which the same people play once more, if they do.
    pub fn next(&self) -> Option<&str> {
        self.next.get().map(String::as_str)
    }

    /// The seats at which an agent plays on for a person who has left.
    pub fn left_seats(&self, now: &[&Holder]) -> Vec<usize> {
        let is_agent = |holder: &Holder| matches!(holder, Holder::Agent(_));
        let seats = self.row.holders.iter().zip(now).enumerate();
        seats.filter(|(_, (then, now))| is_agent(now) && !is_agent(then)).map(|(seat, _)| seat).collect()
    }

    /// What a viewer is shown now.
    ///
    /// # Errors
    /// If the table is broken.
    pub async fn shown(&self, viewer: Option<usize>) -> Result<Shown, Trouble> {
        let mut live = self.live.lock().await;
        Ok(Shown { frame: live.look(viewer, self.watchers())?.0 })
    }

    /// The drawing's legend.
    ///
    /// # Errors
    /// If the table is broken.
    pub async fn legend(&self) -> Result<Vec<Key>, Trouble> {
        let live = self.live.lock().await;
        let table = live.table()?;
        let labels: Vec<_> = table.holders().iter().map(|holder| holder.label()).collect();
        Ok(table.view().legend(&labels))
    }

    /// What is new to a viewer who was shown this moment. Whoever has left the seat meanwhile is shown what the public is, and
    /// watches from now on: its frame is nobody's.
    ///
    /// # Errors
    /// If the table is broken.
    pub async fn news(&self, viewer: Option<usize>, shown: Moment) -> Result<News, Trouble> {
        let mut live = self.live.lock().await;
        let has_left = viewer.is_some() && live.eyes(viewer)?.is_none();
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

    /// The first of these seats that owes a decision. For whoever may play them all.
    ///
    /// # Errors
    /// If the table is broken.
    pub async fn asked(&self, seats: &[usize]) -> Result<Option<usize>, Trouble> {
        let live = self.live.lock().await;
        let table = live.table()?;
        Ok(seats.iter().copied().find(|seat| table.question(*seat).is_some()))
    }

    /// How a structured action of a seat can go on; see [`Table::compose`].
    ///
    /// # Errors
    /// If nothing is put together there now, or the text is wrong.
    pub async fn compose(&self, seat: usize, text: &str) -> Result<(u64, Composition), Trouble> {
        let made = self.live.lock().await.table()?.compose(seat, text)?;
        made.ok_or_else(|| Trouble::Setup("this game's actions are not put together".to_owned()))
    }

    /// How many steps the draft of a seat has.
    pub async fn draft_steps(&self, seat: usize) -> usize {
        self.live.lock().await.table.as_ref().map_or(0, |table| table.draft_state(Some(seat)).0)
    }

    /// The replay so far. For the viewer's eyes only when it is over: before, it holds secrets.
    ///
    /// # Errors
    /// If the table is broken.
    pub async fn replay(&self) -> Result<(Replay, bool), Trouble> {
        let live = self.live.lock().await;
        let table = live.table()?;
        Ok((table.replay(), table.is_over()))
    }
}

/// What agents would do in a person's place, and why.
pub struct Advice {
    /// Who advises.
    pub advisor: String,
    /// What it would do.
    pub action: String,
    /// Who says what it thinks.
    pub analyst: String,
    /// What that one would do.
    pub choice: String,
    /// What it thinks.
    pub analysis: Analysis<String>,
}

/// A table with nobody at it yet.
pub(super) fn hosted(
    row: TableRow,
    entry: &'static dyn AnyEntry,
    table: Table,
    held: Held,
    next: Option<String>,
    timing: Option<Timing>,
) -> Hosted {
    let live = Live {
        table: Some(table),
        fault: String::new(),
        closed: false,
        thinking: false,
        shown: BTreeMap::new(),
        kept: BTreeMap::new(),
    };
    let (live, held, next) = (live.into(), held.into(), OnceCell::new_with(next));
    let quick = Mutex::default();
    let (presence, changed, party) = (Presence::default(), watch::Sender::new(0), Party::Exempt);
    Hosted { row, entry, live, held, quick, next, changed, presence, timing, party }
}
