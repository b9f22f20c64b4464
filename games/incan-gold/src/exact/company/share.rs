//! The equilibrium of several players who maximise gems: its values and decisions.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Mutex, OnceLock, PoisonError};

use meeple_core::{NoHost, ToolHost};

use super::super::induction::{check, positions};
use super::super::party::{MAX_PLAYERS, Party};
use super::super::policy::{Position, seen_size};
use super::super::rules::{ExactError, Rules, at_most};
use super::super::start::{Kinds, Start, all_starts};
use super::decisions::Decisions;
use super::mix::Choice;
use super::several::{Found, Keep, Solved, Solver};
use super::values::{Step, Values, groups, solve_backwards};

/// Number of values stored per start. The first one is the value to each player. At the first start of each
/// group, the others are the numbers of positions, of mixed decisions and of ambiguous positions in the
/// group.
const NUMBERS: usize = 4;

/// The size of a computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShareSize {
    /// Number of players.
    pub players: usize,
    /// Number of starts of rounds.
    pub starts: u64,
    /// Number of table cells over all starts, including unreachable ones.
    pub cells: u64,
    /// Approximate number of bytes that each thread needs for its tables.
    pub bytes: u64,
}

impl fmt::Display for ShareSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { players, starts, cells, bytes } = self;
        let megabytes = bytes >> 20;
        write!(
            f,
            "{players} players: {starts} starts of rounds, {cells} cells of tables, {megabytes} MB a thread"
        )
    }
}

/// Upper bound on cells: some hours of computation.
const MAX_CELLS: u64 = 200_000_000_000;

/// Upper bound on cells that an agent computes by itself, without values of later rounds: about a second.
const QUICK: u64 = 30_000_000;

/// Upper bound on the memory of a thread, in bytes.
const MAX_BYTES: u64 = 4 << 30;

impl ShareSize {
    /// The size for `players` players under these rules.
    ///
    /// # Errors
    /// If the computation is too large.
    pub fn of(rules: &Rules, players: usize) -> Result<Self, ExactError> {
        Ok(Self::with_party(rules, players)?.0)
    }

    fn with_party(rules: &Rules, players: usize) -> Result<(Self, Party), ExactError> {
        check(rules)?;
        if !(2..=MAX_PLAYERS).contains(&players) {
            let expected = format!("2 to {MAX_PLAYERS} who want gems");
            return Err(ExactError::OutOfRange { what: "players", expected, found: players.to_string() });
        }
        let starts = all_starts(rules)?;
        // This check comes before the tables of positions, which may be large themselves.
        let sum: u64 = rules.gems.iter().map(|&gem| u64::from(gem)).sum();
        at_most("gems", sum, 2_000)?;
        let party = Party::new(rules, players);
        let cells = positions(&starts, party.cells());
        at_most("cells of tables", cells, MAX_CELLS)?;
        let most_seen = starts.iter().flatten().map(|start| seen_size(&start.kinds)).max();
        let bytes = 16 * party.cells() as u64 * (most_seen.unwrap_or(1) as u64 + 1);
        at_most("bytes for each thread", bytes, MAX_BYTES)?;
        let starts = starts.iter().map(|starts| starts.len() as u64).sum();
        Ok((Self { players, starts, cells, bytes }, party))
    }
}

/// The equilibrium of several players who maximise gems. No deviation gains, whatever the others did before,
/// if they follow the equilibrium from now on. If several probabilities of leaving are equilibria, `choice`
/// selects the smallest or the largest.
pub struct Share {
    rules: Rules,
    party: Party,
    choice: Choice,
    values: Values,
    /// Decisions of the starts in each group. The key has the round, the kinds of hazards, and the number of
    /// artifacts in the deck or claimed.
    tables: BTreeMap<Key, OnceLock<Vec<(Start, Decisions)>>>,
}

type Key = (u32, Kinds, u8);

impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Share")
            .field("rules", &self.rules)
            .field("players", &self.party.players)
            .finish_non_exhaustive()
    }
}

/// Values of starts for `players` players; none is known yet.
pub(crate) fn unknown_values(rules: &Rules, players: usize, choice: Choice) -> Values {
    let word = match choice {
        Choice::Smallest => "smallest",
        Choice::Largest => "largest",
    };
    Values::new(rules, &format!("gems {players} players {word}"), NUMBERS)
}

/// Solves for all starts that are not known in `values`.
///
/// # Errors
/// If the computation is too large, or it was stopped.
pub(crate) fn solve_share(
    rules: &Rules,
    players: usize,
    choice: Choice,
    values: &mut Values,
    host: &dyn ToolHost,
    tell: &mut dyn FnMut(Step<'_>) -> ControlFlow<()>,
) -> Result<(), ExactError> {
    let (_, party) = ShareSize::with_party(rules, players)?;
    // Each solver has its own memory and handles one group after another; idle solvers are reused.
    let solvers: Mutex<Vec<Solver<'_>>> = Mutex::default();
    let solve = |round: u32, group: &[Start], later: &Values| {
        let idle = solvers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut solver = idle.unwrap_or_else(|| Solver::new(&party, rules, choice));
        let after = |next: Start| later.after::<NUMBERS>(rules, round, next)[0];
        let solved = solver.solve(group, &after, Keep::Nothing);
        solvers.lock().unwrap_or_else(PoisonError::into_inner).push(solver);
        let Found { positions, mixed, ambiguous } = solved.found;
        let counts = std::iter::once([positions, mixed, ambiguous]).chain(std::iter::repeat([0; 3]));
        let row = |(value, counts): (f64, [u64; 3])| {
            std::iter::once(value).chain(counts.map(|count| count as f64)).collect()
        };
        solved.values.into_iter().zip(counts).map(row).collect()
    };
    solve_backwards(rules, values, host, &solve, tell)
}

/// Results of the whole game, derived from the values of starts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ShareResult {
    /// Expected gems per player.
    pub(crate) gems: f64,
    pub(crate) found: Found,
}

/// Derives the results from complete values.
pub(crate) fn result(rules: &Rules, values: &Values) -> Result<ShareResult, ExactError> {
    let first = values.get(1, Start::initial(rules).enter(rules, 1));
    let mut result =
        ShareResult { gems: first.map_or(f64::NAN, |numbers| numbers[0]), found: Found::default() };
    for (round, starts) in (1..).zip(all_starts(rules)?) {
        for start in starts {
            if let Some([_, positions, mixed, ambiguous]) = values.get(round, start) {
                let [positions, mixed, ambiguous] = [positions, mixed, ambiguous].map(|count| *count as u64);
                result.found.add(Found { positions, mixed, ambiguous });
            }
        }
    }
    Ok(result)
}

impl Share {
    /// The equilibrium for `players` players, with values that the tool has written.
    ///
    /// # Errors
    /// If the rules are too large, or the text has other values.
    pub fn with_values(rules: &Rules, players: usize, text: &str) -> Result<Self, ShareError> {
        let (_, party) = ShareSize::with_party(rules, players)?;
        let mut values = unknown_values(rules, players, Choice::Smallest);
        values.read(text).map_err(ShareError::Values)?;
        Self::of(rules, party, values)
    }

    /// The equilibrium for `players` players. The values come from one of these texts. If none fits and the
    /// computation takes only about a second, they are computed here.
    ///
    /// # Errors
    /// If the rules are too large, or no text fits and the computation would take longer.
    pub fn known(rules: &Rules, players: usize, texts: &[&str]) -> Result<Self, ShareError> {
        let (size, party) = ShareSize::with_party(rules, players)?;
        let mut values = unknown_values(rules, players, Choice::Smallest);
        if !texts.iter().any(|text| values.read(text).is_ok()) {
            if size.cells > QUICK {
                return Err(ShareError::NoValues(size));
            }
            let mut tell = |_: Step<'_>| ControlFlow::Continue(());
            solve_share(rules, players, Choice::Smallest, &mut values, &NoHost, &mut tell)?;
        }
        Self::of(rules, party, values)
    }

    fn of(rules: &Rules, party: Party, values: Values) -> Result<Self, ShareError> {
        if !values.is_complete(rules)? {
            return Err(ShareError::Values("expected those of all starts, found fewer".to_owned()));
        }
        let starts = all_starts(rules)?;
        let keys =
            (1..).zip(&starts).flat_map(|(round, starts)| starts.iter().map(move |start| key(round, start)));
        let tables = keys.map(|key| (key, OnceLock::new())).collect();
        Ok(Self { rules: rules.clone(), party, choice: Choice::Smallest, values, tables })
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.party.players
    }

    /// The probability that each explorer leaves. `gems` are the values of the gem cards on the path, in any
    /// order; `spare` is the number of gems that lie there. `None` if no game reaches the position.
    pub fn odds(
        &self,
        position: &Position<'_>,
        explorers: u32,
        spare: u32,
        gems: impl IntoIterator<Item = u32>,
    ) -> Option<f64> {
        let (start, seen) = position.place()?;
        let multiset = self.party.table.index(gems)?;
        let backpack = [position.backpack, spare];
        self.odds_at(
            position.round,
            start,
            explorers as usize,
            position.artifacts_on_path as usize,
            seen,
            multiset,
            backpack,
        )
    }

    /// Like [`odds`](Self::odds), by place in the tables. The last argument has the backpack and the spare
    /// gems.
    #[allow(clippy::too_many_arguments, reason = "the coordinates of a position")]
    pub(super) fn odds_at(
        &self,
        round: u32,
        start: Start,
        explorers: usize,
        on_path: usize,
        seen: usize,
        multiset: usize,
        [backpack, spare]: [u32; 2],
    ) -> Option<f64> {
        let (_, decisions) = self.group(round, &start)?.iter().find(|(other, _)| *other == start)?;
        let more = backpack.checked_sub(self.party.least[multiset])?;
        decisions.odds(&self.party, explorers, on_path, seen, multiset, [more, spare])
    }

    /// The decisions of the group of this start, solved on first use.
    fn group(&self, round: u32, start: &Start) -> Option<&[(Start, Decisions)]> {
        let key = key(round, start);
        let place = self.tables.get(&key)?;
        Some(place.get_or_init(|| {
            let starts = all_starts(&self.rules).expect("the rules are small enough");
            let group = groups(&starts[round as usize - 1])
                .into_iter()
                .find(|group| self::key(round, &group[0]) == key);
            let group = group.expect("each start has a group");
            let decisions = self.solve(round, &group, Keep::Decisions).decisions;
            group.into_iter().zip(decisions).collect()
        }))
    }

    fn solve(&self, round: u32, group: &[Start], keep: Keep) -> Solved {
        let after = |next: Start| self.values.after::<NUMBERS>(&self.rules, round, next)[0];
        Solver::new(&self.party, &self.rules, self.choice).solve(group, &after, keep)
    }

    /// Solves a start again, as a check: returns the new value and the stored one.
    pub fn solved_again(&self, round: u32, position: &Position<'_>) -> Option<[f64; 2]> {
        let (start, _) = position.place()?;
        let known = self.values.get(round, start)?[0];
        let starts = all_starts(&self.rules).ok()?;
        let group =
            groups(starts.get(round as usize - 1)?).into_iter().find(|group| group.contains(&start))?;
        let solved = self.solve(round, &group, Keep::Nothing);
        let index = group.iter().position(|other| *other == start)?;
        Some([solved.values[index], known])
    }

    /// Expected gems per player, if all follow the equilibrium.
    pub fn gems(&self) -> f64 {
        let first = Start::initial(&self.rules).enter(&self.rules, 1);
        self.values.get(1, first).map_or(f64::NAN, |numbers| numbers[0])
    }
}

fn key(round: u32, start: &Start) -> Key {
    (round, start.kinds, start.artifacts + start.claimed)
}

/// The reason why there is no equilibrium to play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShareError {
    /// The rules are too large.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// The values belong to another computation, or are damaged.
    #[error("values: {0}")]
    Values(String),
    /// Solving takes too long for an agent.
    #[error("expected values of the rounds to come, found none, and it takes a while to compute them ({0})")]
    NoValues(ShareSize),
}
