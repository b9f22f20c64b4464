//! Faults of agents are detected.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

use meeple_core::{Agent, AgentInfo, Game, NoParams, Seat, Turn};
use meeple_testkit::Laws;
use meeple_testkit::toys::{Flaw, Hands, Nim, NimVariant, Take};

use crate::every_law::note;

struct Cheat;

impl Agent<Nim> for Cheat {
    fn act(&mut self, _turn: Turn<'_, Nim>) -> Take {
        Take(99)
    }
}

/// Counts its episodes, and therefore plays differently in every one.
struct Elephant {
    episodes: u8,
}

impl Agent<Nim> for Elephant {
    fn begin_episode(&mut self, _game: &Nim, _seat: Seat) {
        self.episodes += 1;
    }

    fn act(&mut self, mut turn: Turn<'_, Nim>) -> Take {
        let most = turn.legal_actions().len() as u8;
        Take(1 + (self.episodes - 1) % most)
    }
}

fn check(agent: AgentInfo<Nim>, expected: &str) {
    // With an odd number of sticks, taking one at a time ends differently from taking as many as allowed.
    let nim = Nim::new(NimVariant { sticks: 11, ..NimVariant::default() }, 2).unwrap();
    let broken = Laws::new(nim).agents(vec![agent]).episodes(1).run().unwrap_err();
    assert_eq!(broken.law, expected, "{broken}");
    note(broken.law);
}

#[test]
pub fn illegal_actions_of_agents_are_noticed() {
    check(AgentInfo::new("cheat", "Cheats.", |_, _: NoParams| Ok(Cheat)), "agents-play-legally");
}

#[test]
pub fn agents_that_remember_are_noticed() {
    let build = |_: &Nim, _: NoParams| Ok(Elephant { episodes: 0 });
    check(AgentInfo::new("elephant", "Remembers.", build), "playouts-equal-episodes");
}

/// Plays differently on another thread than the one that built it.
struct Homesick {
    home: ThreadId,
}

impl Agent<Nim> for Homesick {
    fn act(&mut self, mut turn: Turn<'_, Nim>) -> Take {
        let legal = turn.legal_actions();
        if thread::current().id() == self.home { legal[0] } else { legal[legal.len() - 1] }
    }
}

#[test]
pub fn agents_that_depend_on_threads_are_noticed() {
    let build = |_: &Nim, _: NoParams| Ok(Homesick { home: thread::current().id() });
    check(AgentInfo::new("homesick", "Stays.", build), "threads-and-order-do-not-matter");
}

/// Communication between simultaneous decisions: the first seat asked plays its last legal action, the others
/// their first.
struct Whisperer {
    asked: Arc<AtomicUsize>,
}

impl Agent<Hands> for Whisperer {
    fn begin_episode(&mut self, _game: &Hands, _seat: Seat) {
        self.asked.store(0, Ordering::Relaxed);
    }

    fn act(&mut self, mut turn: Turn<'_, Hands>) -> <Hands as Game>::Action {
        let legal = turn.legal_actions();
        let is_first = self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(3);
        if is_first { legal[legal.len() - 1] } else { legal[0] }
    }
}

#[test]
pub fn agents_that_depend_on_the_order_of_asking_are_noticed() {
    let asked = Arc::new(AtomicUsize::new(0));
    let build = move |_: &Hands, _: NoParams| Ok(Whisperer { asked: Arc::clone(&asked) });
    let agents = vec![AgentInfo::new("whisperer", "Whispers.", build)];
    let laws = Laws::new(Hands::with_flaw(Flaw::None, 3)).agents(agents);
    let broken = laws.episodes(1).run().unwrap_err();
    assert_eq!(broken.law, "driver-equals-playouts", "{broken}");
    note(broken.law);
}

#[test]
pub fn agents_may_refuse_with_a_reason_only() {
    let refuse = |reason: &'static str| {
        AgentInfo::new("shy", "Refuses.", move |_: &Nim, _: NoParams| Err::<Cheat, _>(reason.to_owned()))
    };
    check(refuse(""), "agents-refuse-with-reason");
    let nim = Nim::new(NimVariant::default(), 2).unwrap();
    assert!(Laws::new(nim).agents(vec![refuse("not today")]).episodes(1).run().is_ok());
}

#[test]
pub fn agents_need_names_and_docs() {
    check(AgentInfo::new("Bad Name", "Plays.", |_, _: NoParams| Ok(Cheat)), "names-well-formed");
    check(AgentInfo::new("silent", "", |_, _: NoParams| Ok(Cheat)), "docs-given");
}

meeple_core::params! {
    /// A text that does not survive being written.
    struct Wordy {
        /// Motto.
        pub motto: String = "take, and run".to_owned() => "motto", text();
    }
}

#[test]
pub fn parameters_that_cannot_be_written_are_noticed() {
    check(AgentInfo::new("wordy", "Talks.", |_, _: Wordy| Ok(Cheat)), "agent-specs-round-trip");
}

#[test]
fn laws_are_a_function_of_their_seed() {
    let message = |seed: u64| {
        let laws = Laws::new(Hands::with_flaw(Flaw::OrderMatters, 3)).seed(seed);
        laws.run().unwrap_err().to_string()
    };
    assert_eq!(message(3), message(3));
    assert_ne!(message(3), message(4));
}
