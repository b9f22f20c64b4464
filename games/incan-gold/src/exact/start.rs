//! The state at the start of a round: the deck up to its order.

use std::collections::{BTreeMap, BTreeSet};

use super::mass::Mass;
use super::rules::{ExactError, MAX_COPIES, Rules, at_most};
use crate::variant::{Removed, Unclaimed};

/// `kinds[n]`: the number of hazard kinds with `n` cards.
pub(super) type Kinds = [u8; MAX_COPIES + 1];

/// The deck of a round up to its order, and the number of artifacts claimed before the round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(super) struct Start {
    /// The hazards in the game, by number of copies.
    pub(super) kinds: Kinds,
    /// Number of artifacts in the deck.
    pub(super) artifacts: u8,
    pub(super) claimed: u8,
}

impl Start {
    /// The start of the game, before the first artifact enters.
    pub(super) fn initial(rules: &Rules) -> Self {
        let mut kinds = [0; MAX_COPIES + 1];
        // Kinds without cards are not counted. A bust leaves at least one card of its kind.
        if rules.hazard_copies > 0 {
            kinds[rules.hazard_copies as usize] = rules.hazard_kinds as u8;
        }
        Self { kinds, artifacts: 0, claimed: 0 }
    }

    /// Adds the artifact that enters at the start of `round` (counted from 1), if any are left.
    pub(super) fn enter(mut self, rules: &Rules, round: u32) -> Self {
        self.artifacts += u8::from(round as usize <= rules.artifact_values.len());
        self
    }

    /// The start after a round in which `claimed` artifacts were taken, and `left` artifacts lay on the path
    /// at its end.
    pub(super) fn after(self, rules: &Rules, claimed: usize, left: usize) -> Self {
        let artifacts = match (rules.unclaimed, rules.removed) {
            (Unclaimed::Return, _) => self.artifacts - claimed as u8,
            (Unclaimed::Leave, Removed::Path) => self.artifacts - claimed as u8 - left as u8,
            (Unclaimed::Leave, Removed::All) => 0,
        };
        Self { artifacts, claimed: self.claimed + claimed as u8, ..self }
    }

    /// The same start, if `count` artifacts of the deck had been claimed before the round.
    pub(super) fn claimed_earlier(mut self, count: u8) -> Self {
        self.artifacts -= count;
        self.claimed += count;
        self
    }

    /// Removes one card of a hazard kind with `copies` cards.
    pub(super) fn bust(mut self, copies: usize) -> Self {
        self.kinds[copies] -= 1;
        self.kinds[copies - 1] += 1;
        self
    }

    /// The hazard kinds without one kind that has `copies` cards.
    pub(super) fn other_kinds(mut self, copies: usize) -> Kinds {
        self.kinds[copies] -= 1;
        self.kinds
    }

    pub(super) fn cards(&self, rules: &Rules) -> usize {
        let hazards: usize = self.kinds.iter().enumerate().map(|(copies, &n)| copies * usize::from(n)).sum();
        rules.gems.len() + usize::from(self.artifacts) + hazards
    }

    /// The numbers of copies with which a kind can cause a bust: at least two.
    pub(super) fn bust_copies(&self) -> impl Iterator<Item = usize> + use<> {
        let kinds = self.kinds;
        (2..=MAX_COPIES).filter(move |&copies| kinds[copies] > 0)
    }

    /// Total value of the next `count` artifacts claimed after `skip` others in this round.
    pub(super) fn worth(&self, rules: &Rules, skip: usize, count: usize) -> u32 {
        rules.artifact_values[usize::from(self.claimed) + skip..][..count].iter().sum()
    }
}

/// The starts of each round, sorted. They include starts that arise only with several players: one may claim
/// an artifact and another bust in the same round. Fails if there are too many.
pub(super) fn all_starts(rules: &Rules) -> Result<Vec<Vec<Start>>, ExactError> {
    let mut before = BTreeSet::from([Start::initial(rules)]);
    let mut rounds = Vec::new();
    for round in 1..=rules.rounds {
        let entered: Vec<Start> = before.iter().map(|start| start.enter(rules, round)).collect();
        // Artifacts that leavers claimed in this round count as claimed before the round.
        let claims = |start: &Start| {
            let start = *start;
            (0..=start.artifacts).map(move |count| start.claimed_earlier(count))
        };
        let starts: BTreeSet<Start> = entered.iter().flat_map(claims).collect();
        at_most("starts of a round", starts.len() as u64, 20_000)?;
        let ends = |start: &Start| {
            let start = *start;
            let busts = start.bust_copies().map(move |copies| start.bust(copies));
            let left = 0..=usize::from(start.artifacts);
            std::iter::once(start)
                .chain(busts)
                .flat_map(move |start| left.clone().map(move |left| start.after(rules, 0, left)))
        };
        before = starts.iter().flat_map(ends).collect();
        rounds.push(starts.into_iter().collect());
    }
    Ok(rounds)
}

/// Fails for rules whose composition over the rounds would take minutes.
pub(super) fn check_work(rules: &Rules) -> Result<(), ExactError> {
    let gain = u64::from(rules.gems.iter().chain(&rules.artifact_values).sum::<u32>()) + 1;
    let mut work: u64 = 0;
    for (before, starts) in (0..).zip(all_starts(rules)?) {
        for start in starts {
            let ways = u64::from(start.artifacts) + 1 + start.bust_copies().count() as u64;
            work = work.saturating_add(ways.saturating_mul(before * gain + 1).saturating_mul(gain));
        }
    }
    at_most("steps", work, 50_000_000_000)
}

/// The law of a round: for each start of the next round (before its artifact enters), the distribution of the
/// gains that lead to it.
pub(super) type Law = BTreeMap<Start, Mass>;

/// The distribution of the sum of the gains of all rounds. `law` receives the round (from 1), its start, and
/// the distribution of the gains before it.
pub(super) fn compose(rules: &Rules, mut law: impl FnMut(u32, Start, &Mass) -> Law) -> Mass {
    let mut now: Law = BTreeMap::from([(Start::initial(rules), Mass::point(0, 1.0))]);
    for round in 1..rules.rounds {
        let mut then = Law::new();
        for (start, before) in &now {
            for (next, gains) in law(round, start.enter(rules, round), before) {
                then.entry(next).or_default().add_sum(before, &gains);
            }
        }
        now = then;
    }
    // After the last round the deck does not matter.
    let mut all = Mass::default();
    for (start, before) in &now {
        let mut gains = Mass::default();
        for part in law(rules.rounds, start.enter(rules, rules.rounds), before).values() {
            gains.add_moved(part, 0, 1.0);
        }
        all.add_sum(before, &gains);
    }
    all
}
