//! The tables in memory. A table stays there while somebody uses it or was present recently.
//!
//! Changes are stored before anybody sees them: a table stays locked from the change until it is on disk. A
//! crash therefore never undoes anything that a frame has shown. Drafts alone live only in memory. Agents
//! compute on separate threads.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use meeple_core::{AgentSpec, AnyEntry, AnyGame, EpisodeSeed, PublicName};
use meeple_games::parse_game;
use meeple_table::{Act, DraftOrder, Holder, NoTimeControl, Refused, Reply, Table};
use serde_json::{Value, json};
use tokio::sync::MutexGuard;

use crate::key;
use crate::limits::budget::{Budget, Budgets, Limits};
use crate::limits::party::Party;
use crate::limits::{effort, party};
use crate::log::Log;
use crate::replays::readers::Readers;
use crate::store::{FileChange, Store, StoreError};
use crate::tables::hosted::{Handover, Hosted, SeatControllers, hosted};
use crate::tables::messages::Rematch;
use crate::tables::order::Order;
use crate::tables::store::{Listed, Stored, TableRow, TableWrite};
use crate::tables::thinking::{AgentPlace, AgentScheduler, DecisionOrigin};
use crate::tables::timing::Timing;
use crate::time::{Time, now};
use crate::trouble::Trouble;

/// Time limit of an agent's decision in ms, from the start of its computation.
const DECISION_MS: u64 = 10_000;

/// A table stays in memory for this time after the last sign of life of its people, in ms. It exceeds the
/// time until an absent player may be replaced, because restored tables have forgotten the absence.
const KEEP_AFTER_PRESENCE_MS: u64 = 600_000;

/// Tables in memory, by identifier.
type Tables = BTreeMap<String, Arc<Hosted>>;

/// A lock for each table that is being restored, so that this happens once.
#[derive(Default)]
pub struct Restorations(Mutex<BTreeMap<String, Weak<tokio::sync::Mutex<()>>>>);

impl Restorations {
    fn lock_of(&self, id: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| lock.strong_count() > 0);
        if let Some(lock) = locks.get(id).and_then(Weak::upgrade) {
            return lock;
        }
        let lock = Arc::default();
        locks.insert(id.to_owned(), Arc::downgrade(&lock));
        lock
    }

    /// Identifiers of tables that are being restored.
    pub fn ids(&self) -> Vec<String> {
        let locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.iter().filter(|(_, lock)| lock.strong_count() > 0).map(|(id, _)| id.clone()).collect()
    }
}

pub struct Hub {
    pub store: Store,
    pub tables: tokio::sync::Mutex<Tables>,
    pub restorations: Restorations,
    /// Upper bound on tables in memory.
    pub most: usize,
    /// The scheduler of agents' decisions.
    pub thinking: Arc<AgentScheduler>,
    /// The scheduler of quick agents' decisions, and of the changes that follow from them.
    pub quick_thinking: Arc<AgentScheduler>,
    /// Threads and memory for replays. There are as many threads as processors for agents.
    pub readers: Readers,
    /// Serialises uploads, so that their total size stays within the limit.
    pub adding: tokio::sync::Mutex<()>,
    /// Upper bound on stored uploads, in bytes.
    pub most_upload_bytes: u64,
    /// Rate limits per party.
    pub budgets: Arc<Budgets>,
    pub log: Log,
    pub time: Time,
}

impl Hub {
    pub fn new(
        store: Store,
        most: usize,
        minds: usize,
        most_upload_bytes: u64,
        limits: Limits,
        log: Log,
    ) -> Self {
        let time = Time::of_system();
        Self {
            store,
            tables: tokio::sync::Mutex::default(),
            restorations: Restorations::default(),
            most,
            thinking: Arc::new(AgentScheduler::new(minds, DECISION_MS, time.clone())),
            quick_thinking: Arc::new(AgentScheduler::new(minds, DECISION_MS, time.clone())),
            readers: Readers::new(minds),
            adding: tokio::sync::Mutex::default(),
            most_upload_bytes,
            budgets: Arc::new(Budgets::new(limits, most_upload_bytes, time.clone())),
            log,
            time,
        }
    }

    pub fn budgets(&self) -> &Arc<Budgets> {
        &self.budgets
    }

    /// Charges the party of the current request.
    pub fn spend(&self, budget: Budget, amount: f64) -> Result<(), Trouble> {
        self.budgets.spend(&party::current(), budget, amount).map_err(Trouble::UsedUp)
    }

    /// Charges one message to the party of the current request; false if it has none left.
    pub fn may_write(&self) -> bool {
        self.spend(Budget::Messages, 1.0).is_ok()
    }

    /// Stores changes as one atomic unit.
    pub async fn note<C: FileChange + 'static>(&self, changes: Vec<C>) -> Result<(), Trouble> {
        self.store.write(changes).await.map_err(Trouble::Unstored)
    }

    pub fn time(&self) -> &Time {
        &self.time
    }

    /// The last public tables, newest first.
    pub async fn listed(&self) -> Result<Vec<Listed>, Trouble> {
        Ok(self.store.listed(50).await?)
    }

    pub async fn in_memory(&self) -> usize {
        self.tables.lock().await.len()
    }

    /// Opens a table. Returns the keys to people's seats, by seat; none if a member owns the table.
    pub async fn open(
        self: &Arc<Self>,
        order: Order,
    ) -> Result<(Arc<Hosted>, Vec<(usize, String)>), Trouble> {
        let people = order.holders.iter().enumerate();
        let people = people.filter(|(_, holder)| matches!(holder, Holder::Person { .. }));
        let seats: Vec<usize> = people.map(|(seat, _)| seat).collect();
        if let Some(owner) = &order.owner {
            let members = seats.into_iter().map(|seat| (owner.clone(), seat)).collect();
            let controllers = SeatControllers { members, ..SeatControllers::default() };
            return Ok((self.open_with(order, controllers, None).await?, Vec::new()));
        }
        let keys: Vec<(usize, String)> = seats.into_iter().map(|seat| (seat, key::fresh_key())).collect();
        let hashes = keys.iter().map(|(seat, key)| (key::hash(key), *seat)).collect();
        Ok((
            self.open_with(order, SeatControllers { keys: hashes, ..SeatControllers::default() }, None)
                .await?,
            keys,
        ))
    }

    /// Opens a table whose seats these keys and members control. A rematch follows the table `before`.
    async fn open_with(
        self: &Arc<Self>,
        order: Order,
        controllers: SeatControllers,
        before: Option<String>,
    ) -> Result<Arc<Hosted>, Trouble> {
        check_agents(&order.game, order.holders.iter().filter_map(agent_text))?;
        let (entry, game) = set_up(&order.game, &order.settings, order.holders.len())?;
        self.spend(Budget::Tables, 1.0)?;
        let mut holders = order.holders;
        if let Some(filler) = entry.info().filler {
            holders.resize(game.seats(), Holder::Agent(filler.to_owned()));
        }
        if holders.len() != game.seats() {
            let (expected, found) = (game.seats(), holders.len());
            return Err(Trouble::Setup(format!("expected {expected} players, found {found}")));
        }
        let row = TableRow {
            id: key::fresh_name(),
            game: order.game,
            settings: entry.settings_to_store(&game.variant(), order.settings),
            rules: entry.info().rules_version,
            root: order.root.unwrap_or_else(key::fresh_seed),
            holders: holders.clone(),
            steps: order.steps,
            listed: order.listed,
            created: now(),
            time: order.time.map(|control| control.to_string()),
        };
        let seed = EpisodeSeed::new(row.root, 0);
        // Playing hundreds of initial steps takes long.
        let opened = tokio::task::block_in_place(|| Table::open_after(&*game, seed, holders, &row.steps));
        let table = opened.map_err(|error| Trouble::Setup(error.to_string()))?;
        let id = row.id.clone();
        let timing = order.time.map(|control| Timing::new(self.time.clone(), control, None, &table));
        let hosted = hosted(row.clone(), entry, table, controllers.clone(), None, timing);
        let hosted = Arc::new(hosted.on_account_of(party::current()));
        self.lock_with_room().await?.insert(id.clone(), Arc::clone(&hosted));
        let mut writes = vec![TableWrite::Open(row)];
        writes.extend(controllers.keys.into_iter().map(|(hash, seat)| TableWrite::Key {
            table: id.clone(),
            hash,
            seat,
        }));
        writes.extend(controllers.members.into_iter().map(|(account, seat)| TableWrite::Sit {
            account,
            table: id.clone(),
            seat,
        }));
        writes.extend(before.map(|table| TableWrite::Next { table, next: id.clone() }));
        if let Err(error) = self.store.write(writes).await {
            self.tables.lock().await.remove(&id);
            self.table_event("unstored", &id, &[("reason", json!(error))]);
            return Err(Trouble::Unstored(error));
        }
        let seats = game.seats();
        self.table_event("table_opened", &id, &[("game", json!(hosted.row.game)), ("seats", json!(seats))]);
        self.watch_clocks(&hosted);
        self.think(&hosted).await;
        Ok(hosted)
    }

    /// Returns the rematch of a finished table and opens it if necessary. Seats are rotated by one: a key to
    /// seat `n` opens seat `n + 1` there, and a key to the last seat opens seat 0.
    ///
    /// # Errors
    /// If the game is not over, or the table cannot be opened.
    pub async fn rematch(self: &Arc<Self>, hosted: &Arc<Hosted>, wanted: Rematch) -> Result<String, Trouble> {
        let (hub, hosted) = (Arc::clone(self), Arc::clone(hosted));
        // A separate task, so that a dropped request cannot interrupt it and open a second rematch.
        let opening = party::on_account_of(party::current(), async move {
            let opened = hosted.next.get_or_try_init(|| hub.open_rematch(&hosted, wanted)).await?.clone();
            hosted.changed.send_modify(|count| *count += 1);
            Ok(opened)
        });
        tokio::spawn(opening).await.map_err(|fault| Trouble::Broken(fault.to_string()))?
    }

    async fn open_rematch(self: &Arc<Self>, hosted: &Hosted, wanted: Rematch) -> Result<String, Trouble> {
        let (mut holders, over) = {
            let live = hosted.live.lock().await;
            let table = live.table()?;
            (table.holders().to_vec(), table.is_over())
        };
        if !over {
            return Err(Trouble::Playing);
        }
        if !wanted.agents {
            for seat in hosted.left_seats(&holders.iter().collect::<Vec<_>>()) {
                holders[seat] = Holder::Open;
            }
        }
        let seats = holders.len();
        holders.rotate_right(1);
        let mut controllers = hosted.controllers().clone();
        controllers.keys.iter_mut().for_each(|(_, seat)| *seat = (*seat + 1) % seats);
        controllers.members.iter_mut().for_each(|(_, seat)| *seat = (*seat + 1) % seats);
        let row = &hosted.row;
        let order = Order {
            game: row.game.clone(),
            settings: row.settings.clone(),
            holders,
            steps: Vec::new(),
            listed: row.listed,
            root: wanted.seed,
            owner: None,
            time: hosted.timing.as_ref().map(Timing::control),
        };
        let next = self.open_with(order, controllers, Some(row.id.clone())).await?;
        Ok(next.row.id.clone())
    }

    /// Finds a table, and restores it from its record if it is not in memory.
    pub async fn find(self: &Arc<Self>, id: &str) -> Result<Arc<Hosted>, Trouble> {
        if let Some(hosted) = self.tables.lock().await.get(id) {
            return Ok(Arc::clone(hosted));
        }
        // Only this table waits while it is restored.
        let lock = self.restorations.lock_of(id);
        let _once = lock.lock().await;
        if let Some(hosted) = self.tables.lock().await.get(id) {
            return Ok(Arc::clone(hosted));
        }
        self.expect_open(id).await?;
        let stored = self.store.table(id).await?.ok_or_else(|| Trouble::Unknown(id.to_owned()))?;
        drop(self.lock_with_room().await?);
        let made = self.restored(stored).await?;
        let hosted = Arc::new(made.on_account_of(party::current()));
        self.lock_with_room().await?.insert(id.to_owned(), Arc::clone(&hosted));
        self.watch_clocks(&hosted);
        self.think(&hosted).await;
        Ok(hosted)
    }

    /// Checks that the operator has not closed a table.
    pub async fn expect_open(&self, id: &str) -> Result<(), Trouble> {
        self.store.closed(id).await?.map_or(Ok(()), |reason| Err(Trouble::Closed(reason)))
    }

    /// Drops unused tables from memory, except those with drafts or recently present people. A dropped table
    /// is restored on demand, without drafts and times of absence. `lock_with_room` drops the excepted
    /// tables, too, when it needs their room.
    pub async fn tidy(&self) {
        let mut tables = self.tables.lock().await;
        let now_ms = self.time.now_ms();
        let is_kept = |hosted: &Hosted| {
            hosted.has_drafts() || hosted.presence.is_recent(now_ms, KEEP_AFTER_PRESENCE_MS)
        };
        tables.retain(|_, hosted| is_used(hosted) || is_kept(hosted));
    }

    /// Restores a table in a place for agents, because a long record takes as long as agents do.
    async fn restored(self: &Arc<Self>, stored: Stored) -> Result<Hosted, Trouble> {
        let origin = DecisionOrigin {
            table: stored.row.id.clone(),
            party: party::current(),
            agent: "the reader of the record".to_owned(),
        };
        let time = self.time.clone();
        self.quick_thinking.compute(origin, move || restore_table(stored, time)).await?
    }

    /// Returns the lock on the tables once there is room for one more, after dropping unused tables if
    /// necessary. Waits a little for tables in brief use, for example by a thinking agent.
    async fn lock_with_room(&self) -> Result<MutexGuard<'_, Tables>, Trouble> {
        let party = party::current();
        // A party gets at most half of the tables.
        let has_share = |tables: &Tables| {
            let own = tables.values().filter(|hosted| hosted.party == party).count();
            party == Party::Exempt || own < self.most.div_ceil(2)
        };
        let mut backoff = Backoff::default();
        loop {
            let mut tables = self.tables.lock().await;
            if tables.len() >= self.most || !has_share(&tables) {
                drop_unused(&mut tables);
            }
            if !has_share(&tables) {
                return Err(Trouble::UsedUp(format!(
                    "expected at most {} tables in use at once of one visitor, found as many\nhint: end or leave some; the operator can \
                     exempt a network: meeple serve --exempt",
                    self.most.div_ceil(2)
                )));
            }
            if tables.len() < self.most {
                return Ok(tables);
            }
            if backoff.is_enough() || tables.values().all(|hosted| hosted.watchers() > 0) {
                return Err(Trouble::Full { most: self.most });
            }
            drop(tables);
            backoff.once().await;
        }
    }

    pub async fn act(
        self: &Arc<Self>,
        hosted: &Arc<Hosted>,
        seat: usize,
        number: u64,
        id: String,
        reply: OwnedReply,
    ) -> Result<Act, Trouble> {
        self.change(hosted, move |table| table.act(seat, number, &id, reply.borrowed())).await
    }

    /// Changes or commits a person's draft; see [`Table::draft`].
    pub async fn draft(
        self: &Arc<Self>,
        hosted: &Arc<Hosted>,
        seat: usize,
        order: OwnedDraftOrder,
    ) -> Result<Act, Trouble> {
        self.change(hosted, move |table| {
            let OwnedDraftOrder { number, steps, id, what } = &order;
            let what = match what {
                DraftChange::Step(reply) => DraftOrder::Step(reply.borrowed()),
                DraftChange::Undo => DraftOrder::Undo,
                DraftChange::Drop => DraftOrder::Drop,
                DraftChange::Commit => DraftOrder::Commit,
            };
            table.draft(seat, *number, *steps, id, what)
        })
        .await
    }

    /// Seats a person at an open seat and returns the seat's key. Members are recognised by account and get
    /// `None`.
    pub async fn join(
        self: &Arc<Self>,
        hosted: &Arc<Hosted>,
        seat: usize,
        name: PublicName,
        account: Option<String>,
    ) -> Result<Option<String>, Trouble> {
        let key = account.is_none().then(key::fresh_key);
        let to = match (account, &key) {
            (Some(account), _) => Handover::Member(account),
            (None, key) => Handover::Key(key::hash(key.as_deref().expect("who has no account has a key"))),
        };
        self.change_with(hosted, Some((seat, to)), move |table| table.join(seat, &name)).await?;
        Ok(key)
    }

    /// Replaces a person who leaves, by this agent or by the game's advisor.
    pub async fn leave(
        self: &Arc<Self>,
        hosted: &Arc<Hosted>,
        seat: usize,
        agent: Option<&str>,
    ) -> Result<(), Trouble> {
        let agent = substitute(hosted, agent)?;
        let nobody = Some((seat, Handover::Nobody));
        self.change_with(hosted, nobody, move |table| table.leave(seat, &agent)).await
    }

    /// Closes the store after all pending writes.
    pub fn close(self) {
        self.store.close();
    }

    /// Changes a table, stores what it accepted, and notifies viewers, in this order. A separate task does
    /// this, so that a dropped request cannot interrupt it.
    pub async fn change<T: Send + 'static>(
        self: &Arc<Self>,
        hosted: &Arc<Hosted>,
        change: impl FnOnce(&mut Table) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Trouble> {
        self.change_with(hosted, None, change).await
    }

    /// Does the same as [`change`](Self::change), with the handover of a seat in the same write.
    pub async fn change_with<T: Send + 'static>(
        self: &Arc<Self>,
        hosted: &Arc<Hosted>,
        handover: Option<(usize, Handover)>,
        change: impl FnOnce(&mut Table) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Trouble> {
        self.change_on(None, hosted, handover, change).await
    }

    /// Does the same as [`change_with`](Self::change_with), in a place for agents if there is one.
    pub async fn change_on<T: Send + 'static>(
        self: &Arc<Self>,
        place: Option<AgentPlace>,
        hosted: &Arc<Hosted>,
        handover: Option<(usize, Handover)>,
        change: impl FnOnce(&mut Table) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Trouble> {
        let (hub, table) = (Arc::clone(self), Arc::clone(hosted));
        let task = tokio::spawn(async move { hub.changed(place, &table, handover, change).await });
        match task.await {
            Ok(result) => result,
            Err(fault) => Err(self.break_down(hosted, &fault.to_string()).await),
        }
    }

    /// Marks a table as broken by an internal error and notifies viewers.
    pub async fn break_down(&self, hosted: &Hosted, fault: &str) -> Trouble {
        self.table_event(
            "fault",
            &hosted.row.id,
            &[("game", json!(hosted.row.game)), ("fault", json!(fault))],
        );
        self.end_thinking(&hosted.row.id);
        hosted.break_down(fault).await
    }

    /// Cancels all decisions of a table's agents.
    pub fn end_thinking(&self, table: &str) {
        self.thinking.end(table);
        self.quick_thinking.end(table);
    }

    pub fn table_event(&self, event: &str, table: &str, fields: &[(&str, Value)]) {
        let fields: Vec<_> = [("table", json!(table))].into_iter().chain(fields.iter().cloned()).collect();
        self.log.event(event, &fields);
    }

    /// Computes the change in an agent's place, or else on this thread, whose other tasks move to other
    /// threads meanwhile.
    async fn changed<T: Send + 'static>(
        self: &Arc<Self>,
        place: Option<AgentPlace>,
        hosted: &Arc<Hosted>,
        handover: Option<(usize, Handover)>,
        change: impl FnOnce(&mut Table) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Trouble> {
        let mut live = hosted.live.lock().await;
        live.table()?;
        // The table is taken out, so that after a panic nothing continues from a partial change.
        let mut table = live.table.take().expect("there is one");
        let (before, drafts) = (table.record().len(), table.draft_changes());
        let compute = move || {
            let result = change(&mut table);
            let entries: Vec<String> = table.record()[before..]
                .iter()
                .map(|entry| serde_json::to_string(entry).expect("an entry is JSON"))
                .collect();
            (table, result, entries)
        };
        let (table, result, entries) = match place {
            None => tokio::task::block_in_place(compute),
            Some(place) => {
                let computed = place.compute(|_| compute()).expect("a thread can be started");
                match computed.await.expect("panics are caught") {
                    Ok((computed, _)) => computed,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        };
        let over = table.is_over();
        // The stored times are those at the last change, so the server's downtime is not counted.
        let left = hosted.timing.as_ref().filter(|_| !entries.is_empty()).map(|timing| timing.go_on(&table));
        let drafted = table.draft_changes() != drafts;
        live.table = Some(table);
        if entries.is_empty() {
            // A draft concerns its seat alone and may be lost in a crash, so it is not stored.
            if drafted {
                hosted.changed.send_modify(|count| *count += 1);
            }
            return Ok(result?);
        }
        let append = TableWrite::Append {
            table: hosted.row.id.clone(),
            first: before,
            entries,
            ended: over.then(now),
            left,
        };
        let handed_over = handover.iter().map(|(seat, to)| to.write(&hosted.row.id, *seat));
        let writes = std::iter::once(append).chain(handed_over).collect();
        if let Err(error) = self.store.write(writes).await {
            // The change in memory is discarded with the table, which is restored from its record on demand.
            live.table = None;
            live.fault = error.clone();
            self.tables.lock().await.remove(&hosted.row.id);
            self.end_thinking(&hosted.row.id);
            self.table_event("unstored", &hosted.row.id, &[("reason", json!(error))]);
            return Err(Trouble::Unstored(error));
        }
        if let Some((seat, to)) = handover {
            // The handover happens under the lock, before anybody else sees the table.
            hosted.controllers().hand_over(seat, to);
        }
        if over {
            self.table_event("table_ended", &hosted.row.id, &[("game", json!(hosted.row.game))]);
        }
        hosted.changed.send_modify(|count| *count += 1);
        self.watch_clocks(hosted);
        if !live.thinking && !over {
            live.thinking = true;
            drop(live);
            self.spawn_agent_loop(hosted);
        }
        Ok(result?)
    }
}

/// An owned version of [`Reply`].
#[derive(Clone, Debug)]
pub enum OwnedReply {
    Text(String),
    Index(usize),
}

impl OwnedReply {
    fn borrowed(&self) -> Reply<'_> {
        match self {
            Self::Text(text) => Reply::Text(text),
            Self::Index(index) => Reply::Index(*index),
        }
    }
}

/// An owned version of [`DraftOrder`], with its context.
#[derive(Clone, Debug)]
pub struct OwnedDraftOrder {
    /// The question that the first step answers.
    pub number: u64,
    /// The number of steps in the draft before this order.
    pub steps: usize,
    /// The client's message identifier.
    pub id: String,
    pub what: DraftChange,
}

/// An owned version of [`DraftOrder`].
#[derive(Clone, Debug)]
pub enum DraftChange {
    Step(OwnedReply),
    Undo,
    Drop,
    Commit,
}

#[derive(Default)]
struct Backoff(u32);

impl Backoff {
    /// The first delay; each further one is twice as long.
    const FIRST_DELAY: Duration = Duration::from_millis(10);
    /// Upper bound on attempts (about 5 s in total).
    const MAX_ATTEMPTS: u32 = 9;

    fn is_enough(&self) -> bool {
        self.0 >= Self::MAX_ATTEMPTS
    }

    async fn once(&mut self) {
        tokio::time::sleep(Self::FIRST_DELAY * (1 << self.0)).await;
        self.0 += 1;
    }
}

/// Drops unused tables, even those with drafts or recently present people.
fn drop_unused(tables: &mut Tables) {
    tables.retain(|_, hosted| is_used(hosted));
}

/// Returns true if somebody uses a table: every user, including a thinking agent, holds an `Arc` of it.
fn is_used(hosted: &Arc<Hosted>) -> bool {
    Arc::strong_count(hosted) > 1 || hosted.watchers() > 0
}

fn agent_text(holder: &Holder) -> Option<&str> {
    match holder {
        Holder::Agent(text) => Some(text),
        _ => None,
    }
}

/// The agent that takes over a seat: the requested one, or the game's advisor.
pub fn substitute(hosted: &Hosted, agent: Option<&str>) -> Result<AgentSpec, Trouble> {
    let agent = AgentSpec::parse(agent.unwrap_or(hosted.entry.info().advisor));
    check_agents(&hosted.row.game, [agent.to_string().as_str()])?;
    Ok(agent)
}

fn check_agents<'a>(game: &str, agents: impl IntoIterator<Item = &'a str>) -> Result<(), Trouble> {
    let found = parse_game(game).map_err(|error| Trouble::Setup(error.to_string()))?;
    effort::check_agents(found.entry, agents).map_err(Trouble::Setup)
}

fn set_up(
    name: &str,
    settings: &[(String, String)],
    named: usize,
) -> Result<(&'static dyn AnyEntry, Box<dyn AnyGame>), Trouble> {
    let wrong = |error: &dyn std::fmt::Display| Trouble::Setup(error.to_string());
    let found = parse_game(name).map_err(|error| wrong(&error))?;
    let game = found.entry.set_up(found.preset, settings, named).map_err(|error| wrong(&error))?;
    Ok((found.entry, game))
}

pub fn restore_table(stored: Stored, time: Time) -> Result<Hosted, Trouble> {
    let Stored { row, entries, keys, next, sitting, left } = stored;
    let damaged = |reason: String| StoreError::Damaged { table: row.id.clone(), reason };
    let found = parse_game(&row.game).map_err(|error| Trouble::Setup(error.to_string()))?;
    let settings = row.settings_for(found.entry);
    let (entry, game) = set_up(&row.game, &settings, row.holders.len())?;
    let rules = entry.info().rules_version;
    if rules != row.rules {
        return Err(damaged(format!("expected rules version {rules}, found {}", row.rules)).into());
    }
    let seed = EpisodeSeed::new(row.root, 0);
    let table = Table::rebuild(&*game, seed, row.holders.clone(), &row.steps, &entries)
        .map_err(|broken| damaged(broken.to_string()))?;
    let control = row.time.as_deref().map(str::parse).transpose();
    let control = control.map_err(|wrong: NoTimeControl| damaged(wrong.to_string()))?;
    let timing = control.map(|control| Timing::new(time, control, left.as_deref(), &table));
    Ok(hosted(row, entry, table, SeatControllers { keys, members: sitting }, next, timing))
}
