use std::sync::Arc;

use super::super::induction::{Place, Round};
use super::super::party::Party;
use super::super::policy::Policy;
use super::super::rules::Rules;
use super::super::start::Start;
use super::margin::Nash;
use super::share::Share;
use crate::card::Card;
use crate::sight::{Rule, Sight};

/// Two kinds represent all hazards: [`SEEN`] ones and [`UNSEEN`] ones.
const SEEN: u8 = 0;
const UNSEEN: u8 = 1;

pub(crate) struct Spot<'r> {
    rules: &'r Rules,
    round: u32,
    start: Start,
    on_path: usize,
    seen: usize,
    multiset: usize,
    explorers: u32,
    turn: u32,
    /// Sum of the gem cards on the path, each halved and rounded down.
    half: u32,
    backpack: u32,
    spare: u32,
    hazards: u32,
    deck: Vec<(Card, u32)>,
    deck_size: u32,
}

impl<'r> Spot<'r> {
    /// The spot before the first card of a round.
    pub(super) fn new(rules: &'r Rules, round: u32, start: Start) -> Self {
        Self {
            rules,
            round,
            start,
            on_path: 0,
            seen: 0,
            multiset: 0,
            explorers: 0,
            turn: 0,
            half: 0,
            backpack: 0,
            spare: 0,
            hazards: 0,
            deck: Vec::new(),
            deck_size: 0,
        }
    }

    /// Moves to a row of backpacks: that of a lone explorer after the other took `taken` artifacts, or that
    /// of both explorers if `taken` is `None`.
    pub(super) fn go(
        &mut self,
        party: &Party,
        round: &Round<'_>,
        place: &Place,
        multiset: usize,
        taken: Option<u32>,
    ) {
        let seen = &round.seen[place.seen];
        (self.start, self.on_path, self.seen, self.multiset) =
            (round.start, place.on_path, place.seen, multiset);
        self.explorers = if taken.is_some() { 1 } else { 2 };
        let cards = place.path as u32 + u32::from(party.table.cards[multiset]);
        self.turn = cards + taken.unwrap_or(0);
        self.half = party.least[multiset];
        self.backpack = self.half;
        self.spare = if taken.is_some() { 0 } else { party.spare[multiset] };
        self.hazards = seen.cards as u32;
        self.deck.clear();
        let gem = |(value, (_, left)): (&u32, (usize, f64))| (Card::Gem(*value as u16), left as u32);
        self.deck.extend(party.table.values.iter().zip(party.table.more(multiset)).map(gem));
        let unseen: f64 = seen.next.iter().map(|(_, cards)| cards).sum();
        self.deck.extend([
            (Card::Hazard(SEEN), place.risk as u32),
            (Card::Hazard(UNSEEN), unseen as u32),
            (Card::Artifact, place.artifacts as u32),
        ]);
        self.deck_size = place.deck(&party.table, multiset) as u32;
    }
}

impl Sight for Spot<'_> {
    fn turn(&self) -> u32 {
        self.turn
    }

    fn backpack(&self) -> u32 {
        self.backpack
    }

    fn spare(&self) -> u32 {
        self.spare
    }

    fn explorers(&self) -> u32 {
        self.explorers
    }

    fn hazards(&self) -> u32 {
        self.hazards
    }

    fn hazard_seen(&self, kind: u8) -> bool {
        kind == SEEN
    }

    fn artifacts(&self) -> u32 {
        self.on_path as u32
    }

    fn artifact_worth(&self, extra: u32) -> u32 {
        self.start.worth(self.rules, 0, self.on_path + extra as usize)
    }

    fn deck(&self) -> impl Iterator<Item = (Card, u32)> {
        self.deck.iter().copied().filter(|(_, count)| *count > 0)
    }

    fn deck_size(&self) -> u32 {
        self.deck_size
    }
}

/// A strategy whose decision depends only on the current round. The order of the cards and the points in the
/// tents must not matter.
pub(crate) trait Strategy: Sync {
    /// The probability of leaving.
    fn leave(&self, spot: &Spot<'_>) -> f64;

    /// Returns true if the decision depends on the number of cards drawn, including artifacts that the other
    /// has taken.
    fn counts_turns(&self) -> bool {
        false
    }

    /// Returns true if the strategy is randomised.
    fn is_mixed(&self) -> bool {
        false
    }

    fn fill(&self, spot: &mut Spot<'_>, odds: &mut [f64]) {
        for (backpack, odds) in (spot.half..).zip(odds) {
            spot.backpack = backpack;
            *odds = self.leave(spot);
        }
    }
}

impl<R: Rule + Sync> Strategy for R {
    fn leave(&self, spot: &Spot<'_>) -> f64 {
        f64::from(u8::from(self.leaves(spot)))
    }

    fn counts_turns(&self) -> bool {
        Rule::counts_turns(self)
    }
}

pub(crate) struct AtRandom(pub(crate) f64);

impl Strategy for AtRandom {
    fn leave(&self, _: &Spot<'_>) -> f64 {
        self.0
    }

    fn is_mixed(&self) -> bool {
        self.0 > 0.0 && self.0 < 1.0
    }
}

impl Strategy for Arc<Policy> {
    fn leave(&self, spot: &Spot<'_>) -> f64 {
        let leaves = self.leaves_at(spot.round, spot.start, spot.on_path, spot.seen, spot.multiset, {
            spot.backpack + spot.spare
        });
        f64::from(u8::from(leaves.expect("the policy knows every position of its rules")))
    }
}

impl Strategy for Arc<Nash> {
    fn leave(&self, spot: &Spot<'_>) -> f64 {
        let more = spot.backpack - spot.half;
        let leaves = match spot.explorers {
            1 => self.leave_alone(spot.start, spot.on_path, spot.seen, spot.multiset, more),
            _ => self.leave_together(spot.start, spot.on_path, spot.seen, spot.multiset),
        };
        f64::from(u8::from(leaves.expect("the equilibrium knows every position of its rules")))
    }
}

impl Strategy for Arc<Share> {
    fn leave(&self, spot: &Spot<'_>) -> f64 {
        let Spot { round, start, on_path, seen, multiset, explorers, backpack, spare, .. } = *spot;
        let odds = self.odds_at(round, start, explorers as usize, on_path, seen, multiset, [backpack, spare]);
        odds.expect("the equilibrium knows every position of its rules")
    }

    fn is_mixed(&self) -> bool {
        true
    }
}
