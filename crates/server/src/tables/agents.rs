//! Agents' decisions at tables, computed on separate threads. So are the changes of tables that follow from
//! quick decisions.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use meeple_core::{AgentError, AgentSpec, CancelToken, Question};
use meeple_table::{Refused, Table, TableFault, Thought};
use serde_json::json;

use crate::limits::party;
use crate::limits::party::Party;
use crate::log::rfc3339;
use crate::tables::hosted::{Advice, Hosted};
use crate::tables::hub::Hub;
use crate::tables::quick_agents::QuickAgents;
use crate::tables::thinking::{AgentScheduler, DecisionOrigin, Undecided, is_agent_thread};
use crate::trouble::Trouble;

/// Time slice in which quick agents decide one after another. No decision begins after it.
const BURST_TIME_SLICE: Duration = Duration::from_millis(20);
/// Deadline of a slice's decisions, counted from the first one. An agent that misses it is asked again on a
/// separate thread.
const BURST_DEADLINE: Duration = Duration::from_millis(60);

/// A decision from a separate thread, or its replacement.
enum SlowDecision {
    /// The question, the action, and the agent's computing time.
    Itself(Question, String, Duration),
    /// The question, a random legal action, and the agent's fault.
    StandIn(Question, String, TableFault),
}

/// The agent whose decision replaces a failed or late one.
const STAND_IN: &str = "random";

impl Hosted {
    fn quick(&self) -> MutexGuard<'_, QuickAgents> {
        self.quick.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn origin(&self, party: &Party, agent: &AgentSpec) -> DecisionOrigin {
        DecisionOrigin { table: self.row.id.clone(), party: party.clone(), agent: agent.to_string() }
    }
}

impl Hub {
    /// Starts agents' decisions at a table, unless they are running.
    pub async fn think(self: &Arc<Self>, hosted: &Arc<Hosted>) {
        let mut live = hosted.live.lock().await;
        if !std::mem::replace(&mut live.thinking, true) {
            drop(live);
            self.spawn_agent_loop(hosted);
        }
    }

    pub fn spawn_agent_loop(self: &Arc<Self>, hosted: &Arc<Hosted>) {
        let (hub, hosted) = (Arc::clone(self), Arc::clone(hosted));
        tokio::spawn(async move {
            loop {
                let (is_quick, origin, agent, thought) = {
                    let mut live = hosted.live.lock().await;
                    let thought = live.table.as_ref().and_then(Table::thought);
                    live.thinking = thought.is_some();
                    let (Some(table), Some(thought)) = (&live.table, thought) else { return };
                    let holder = &table.holders()[thought.seat().index()];
                    let is_quick = hosted.quick().has(holder);
                    let agent = holder.agent().expect("agents alone think");
                    (is_quick, hosted.origin(&hosted.party, &agent), agent, thought)
                };
                // Without a decision or a place nobody needs one: the table has ended, or the server stops.
                let decided = match is_quick {
                    true => None,
                    false => match hub.decided(&hosted, &agent, thought).await {
                        Some(decided) => Some(decided),
                        None => return,
                    },
                };
                let Some(place) = hub.quick_thinking.place(origin).await else { return };
                let (of, thinking) = (Arc::clone(&hosted), Arc::clone(&hub.quick_thinking));
                let take = move |table: &mut Table| {
                    let mut quick = of.quick();
                    match decided {
                        Some(SlowDecision::Itself(question, action, took)) => {
                            table.take_thought(question, &action)?;
                            quick.note(&table.holders()[question.seat.index()], took);
                        }
                        Some(SlowDecision::StandIn(question, action, fault)) => {
                            table.take_stand_in(question, &action, &AgentSpec::parse(STAND_IN), fault)?;
                        }
                        None => {}
                    }
                    run_quick_agents(table, &mut quick, &thinking)
                };
                match hub.change_on(Some(place), &hosted, None, take).await {
                    // The decision is stale: by now another holder has the seat.
                    Ok(()) | Err(Trouble::Refused(Refused::Stale(_))) => {}
                    Err(Trouble::Closed(_)) => return,
                    Err(error) => {
                        hub.break_down(&hosted, &error.to_string()).await;
                        return;
                    }
                }
            }
        });
    }

    /// The agent's decision, or a random one if the agent fails or is late. `None` if nobody needs a decision
    /// any more.
    async fn decided(&self, hosted: &Hosted, agent: &AgentSpec, thought: Thought) -> Option<SlowDecision> {
        let question = thought.question();
        let seat = question.seat.index();
        let fault = match self.decide(hosted, &hosted.party, agent, thought).await {
            Ok((action, took)) => return Some(SlowDecision::Itself(question, action, took)),
            Err(Undecided::Ended) => return None,
            Err(Undecided::Fault(fault)) => {
                let agent = agent.to_string();
                let fields = [("seat", json!(seat)), ("agent", json!(agent)), ("fault", json!(fault))];
                self.table_event("agent_fault", &hosted.row.id, &fields);
                table_fault("CRASH", None)
            }
            Err(Undecided::Late) => table_fault("TIMEOUT", Some(self.thinking.deadline_ms())),
            Err(Undecided::Stuck) => table_fault("TIMEOUT", None),
        };
        let action = self.random_decision(hosted, seat).await;
        action.ok().map(|action| SlowDecision::StandIn(question, action, fault))
    }

    pub async fn decide(
        &self,
        hosted: &Hosted,
        party: &Party,
        agent: &AgentSpec,
        thought: Thought,
    ) -> Result<(String, Duration), Undecided> {
        let origin = hosted.origin(party, agent);
        let spec = agent.clone();
        let (decided, took) =
            self.thinking.decide(origin, move |cancel| answer(thought, &spec, cancel)).await?;
        Ok((decided.map_err(|error| Undecided::Fault(error.to_string()))?, took))
    }

    /// A random legal action that replaces a failed decision.
    ///
    /// # Errors
    /// If the table has ended, or the seat no longer owes a decision.
    pub async fn random_decision(&self, hosted: &Hosted, seat: usize) -> Result<String, Trouble> {
        self.table_event("late_decision", &hosted.row.id, &[("seat", json!(seat))]);
        let random = AgentSpec::parse(STAND_IN);
        let thought = hosted.live.lock().await.table()?.stand_in(seat, &random);
        let thought = thought.ok_or(Refused::Empty(seat))?;
        let origin = hosted.origin(&hosted.party, &random);
        let cancel = self.quick_thinking.quick_token(BURST_DEADLINE);
        let decided = self.quick_thinking.compute(origin, move || thought.decide(&cancel)).await?;
        Ok(decided.map_err(Refused::Agent)?)
    }

    /// An advisor's decision for a seat, and an analyst's evaluation of all actions.
    ///
    /// # Errors
    /// If the table is broken, the seat owes no decision, an agent cannot play, or the deadline has passed.
    pub async fn advice(
        &self,
        hosted: &Hosted,
        seat: usize,
        advisor: &AgentSpec,
        analyst: &AgentSpec,
    ) -> Result<Advice, Trouble> {
        let owes_nothing = || Trouble::Setup("you owe no decision now".to_owned());
        let (decision, opinion) = {
            let live = hosted.live.lock().await;
            let table = live.table()?;
            // Both agents judge the same state of the table.
            let thoughts = table.advice(seat, advisor).zip(table.advice(seat, analyst));
            thoughts.ok_or_else(owes_nothing)?
        };
        let (advisor, analyst) = (advisor.to_string(), analyst.to_string());
        let (table, party) = (hosted.row.id.clone(), party::current());
        let origin = DecisionOrigin { table, party, agent: format!("{advisor}, {analyst}") };
        let thought = self.thinking.decide(origin, move |cancel| {
            let action = decision.decide(cancel)?;
            let (choice, analysis) = opinion.analyse(Some(&action), cancel)?;
            Ok(Advice { advisor, action, analyst, choice, analysis })
        });
        match thought.await {
            Ok((thought, _)) => thought.map_err(|error: AgentError| Trouble::Setup(error.to_string())),
            Err(Undecided::Fault(fault)) => Err(Trouble::Fault(fault)),
            Err(Undecided::Late | Undecided::Stuck | Undecided::Ended) => {
                Err(Trouble::Setup("expected advice in time, found none\nhint: ask again".to_owned()))
            }
        }
    }
}

/// Lets quick agents decide in sequence, beginning no decision after [`BURST_TIME_SLICE`]. Hundreds of
/// decisions thus share one write and one notification. An agent that proves slow is asked again as such, and
/// decides the same.
fn run_quick_agents(
    table: &mut Table,
    quick: &mut QuickAgents,
    thinking: &AgentScheduler,
) -> Result<(), Refused> {
    let began = Instant::now();
    let mut token = None;
    while began.elapsed() < BURST_TIME_SLICE
        && let Some(thought) = table.thought()
        && quick.has(&table.holders()[thought.seat().index()])
    {
        let cancel = token.get_or_insert_with(|| thinking.quick_token(BURST_DEADLINE));
        let (question, asked) = (thought.question(), Instant::now());
        let holder = &table.holders()[question.seat.index()];
        let agent = holder.agent().expect("agents alone think");
        let decided = catch_unwind(AssertUnwindSafe(|| answer(thought, &agent, cancel)));
        // An agent that panics does so again as a slow agent, and the fault is reported there.
        let Ok(decided) = decided else {
            quick.forget(holder);
            return Ok(());
        };
        let action = decided?;
        if cancel.is_cancelled() {
            quick.forget(holder);
            return Ok(());
        }
        quick.note(holder, asked.elapsed());
        table.take_thought(question, &action)?;
    }
    Ok(())
}

/// An agent's decision. With the feature `faults` these agents fail, for tests of tables:
///
/// - `turn:13` panics.
/// - `turn:14` never returns its first decision.
/// - `turn:15` thinks until it is cancelled, from its third decision on.
/// - `turn:16` never returns any decision.
fn answer(thought: Thought, agent: &AgentSpec, cancel: &CancelToken) -> Result<String, AgentError> {
    debug_assert!(is_agent_thread(), "agents never decide on threads that answer people");
    #[cfg(feature = "faults")]
    match agent.to_string().as_str() {
        "turn:13" => panic!("asked for"),
        "turn:14" if thought.question().number == 0 => loop {
            std::thread::park();
        },
        "turn:16" => loop {
            std::thread::park();
        },
        "turn:15" if thought.question().number > 1 => {
            while !cancel.is_cancelled() {
                std::thread::yield_now();
            }
        }
        _ => {}
    }
    #[cfg(not(feature = "faults"))]
    let _ = agent;
    thought.decide(cancel)
}

/// A fault at the current time. `waited_ms` is the time spent on the question, if it is known.
pub fn table_fault(kind: &'static str, waited_ms: Option<u64>) -> TableFault {
    TableFault { kind, took_us: waited_ms.map(|ms| ms.saturating_mul(1000)), at: rfc3339(SystemTime::now()) }
}
