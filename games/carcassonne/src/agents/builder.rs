//! The builder: an agent that completes features and keeps a meeple in reserve.

use meeple_core::params;

use super::chances::{Chances, Wait};
use super::finish::{Finish, Scores};
use super::lookahead::Evaluator;
use super::memo::Memo;
use crate::board::{MAX_NODES, Node};
use crate::closing::turns_to_limit;
use crate::feature::Feature;
use crate::observe::Observation;
use crate::survey::Look;
use crate::tiles::{Kind, SegmentKind};
use crate::variant::{MAX_SEATS, Progress, Variant};

params! {
    /// Weights of the builder.
    pub struct Weights {
        /// Value of a free meeple at the start of the game, in points.
        pub meeple: f64 = 2.0 => "meeple", real(0.0, 20.0);
        /// Assumed share of own draws that suit a given feature.
        pub patience: f64 = 0.1 => "patience", real(0.0, 3.0);
        /// Rate at which cells around a monastery are filled, relative to the holes of the agent's own
        /// features.
        pub around: f64 = 1.0 => "around", real(0.0, 20.0);
        /// Probability that a tile of the hand is laid where it completes one of the agent's own features.
        pub hand: f64 = 0.7 => "hand", real(0.0, 1.0);
        /// Assumed growth of an open city or road in points, with half of the game to come.
        pub growth: f64 = 0.5 => "growth", real(0.0, 20.0);
        /// Weight of the rivals' features relative to the agent's own.
        pub rivals: f64 = 0.8 => "rivals", real(0.0, 2.0);
        /// Weight of fields, relative to their expected points.
        pub farms: f64 = 0.8 => "farms", real(0.0, 3.0);
    }
}

params! {
    pub(crate) struct Quickness {
        /// Number of actions tried in a decision, the most promising at first sight.
        pub(crate) looks: usize = 6 => "looks", int(1, 1000);
    }
}

pub(crate) struct Builder {
    weights: Weights,
    variant: Variant,
    chances: Chances,
    finish: Finish,
    /// Cached completion probabilities as on the table, by ownership and root.
    lasting: [Memo; 2],
    /// Cached completion probabilities with the trial tile, by ownership and root.
    completions: [Memo; 2],
    /// Cached values of fields on one board, by root.
    farms: Memo,
    me: usize,
    seats: usize,
    /// Value of the next free meeple, in points.
    meeple: f64,
    rival: f64,
}

impl Builder {
    pub(crate) fn new(variant: Variant, weights: Weights) -> Self {
        Self {
            weights,
            variant,
            chances: Chances::new(),
            finish: Finish::new(),
            lasting: [Memo::new(MAX_NODES), Memo::new(MAX_NODES)],
            completions: [Memo::new(MAX_NODES), Memo::new(MAX_NODES)],
            farms: Memo::new(MAX_NODES),
            me: 0,
            seats: 2,
            meeple: 0.0,
            rival: 0.0,
        }
    }

    /// The probability that a feature will be completed: every empty cell beside it must be filled in time.
    fn completion(&mut self, look: &mut Look<'_>, root: Node, kind: SegmentKind, mine: bool) -> f64 {
        if look.open(root) == 0 {
            return 1.0;
        }
        let at = usize::from(root);
        if kind != SegmentKind::Monastery && look.is_as_on_table(root) {
            return self.lasting[usize::from(mine)].find(at).unwrap_or_else(|| {
                let chance = self.holes(look, root, kind, mine);
                self.lasting[usize::from(mine)].keep(at, chance)
            });
        }
        self.completions[usize::from(mine)].find(at).unwrap_or_else(|| {
            let chance = self.holes(look, root, kind, mine);
            self.completions[usize::from(mine)].keep(at, chance)
        })
    }

    fn holes(&mut self, look: &mut Look<'_>, root: Node, kind: SegmentKind, mine: bool) -> f64 {
        let draws = self.chances.draws() * self.weights.patience;
        if !look.find_holes(root, kind) {
            return 0.0;
        }
        let holes = look.holes();
        if kind == SegmentKind::Monastery {
            let wait = Wait { draws: draws * self.weights.around, holes: holes.len() };
            return holes.iter().fold(1.0, |chance, hole| chance * self.chances.fill(hole.code, wait));
        }
        let wait = Wait { draws, holes: holes.len() };
        let mut chance = 1.0;
        for hole in holes.iter().copied() {
            let mut filled = self.chances.end(hole, wait);
            if mine && self.chances.holds_end(hole) {
                filled += (1.0 - filled) * self.weights.hand * (self.chances.draws() - 1.0).clamp(0.0, 1.0);
            }
            chance *= filled;
        }
        chance
    }

    /// Expected final points of a feature for its owner, and the probability that its meeples return.
    fn outlook(
        &mut self,
        look: &mut Look<'_>,
        root: Node,
        kind: SegmentKind,
        feature: &Feature,
        mine: bool,
    ) -> (f64, f64) {
        if kind == SegmentKind::Field {
            let known = self.farms.find(usize::from(root));
            let farm = known.unwrap_or_else(|| {
                let farm = self.farm(look, root);
                self.farms.keep(usize::from(root), farm)
            });
            return (farm, 0.0);
        }
        let now = f64::from(look.worth(&self.variant, root, kind, feature));
        let open = look.open(root);
        let chance = self.completion(look, root, kind, mine);
        let then = f64::from(match kind {
            SegmentKind::City => {
                // A completed feature is assumed to grow by one tile, which closes it.
                let tiles = feature.tiles + u32::from(open > 0);
                self.variant.city_value(tiles, feature.banners, Progress::Complete)
            }
            SegmentKind::Road => {
                let tiles = feature.tiles + u32::from(open > 0);
                self.variant.road_value(tiles, Progress::Complete)
            }
            SegmentKind::Monastery | SegmentKind::Field => self.variant.monastery_value(0),
        });
        if kind == SegmentKind::Monastery && chance < 1.0 {
            // If the monastery stays incomplete, about half of the missing tiles come.
            let half = f64::from(open) * 0.5 * (self.chances.draws() / 6.0).min(1.0);
            return (now + (half * f64::from(self.variant.monastery_end)).max(chance * (then - now)), chance);
        }
        // Open features grow while time remains.
        let open = f64::from(u8::from(open > 0));
        let growth = self.weights.growth * open * (self.chances.draws() / 10.0).min(1.0);
        (now + growth + chance * (then - now), chance)
    }

    /// Value of the next meeple, in points, for a seat with `free` free meeples. The value falls with `free`.
    /// By default it exceeds the price of a ransom if `free` is 0. It reaches 0 when no tile is left to claim
    /// on.
    fn next_meeple(&self, free: u8) -> f64 {
        let late = (self.chances.draws() / 10.0).min(1.0);
        self.weights.meeple * late * (0.4 + 1.2 / f64::from(free).max(0.5))
    }

    /// Appends the expected final scores of all seats, from public information.
    /// [`prepare`](Evaluator::prepare) must have been called.
    pub(crate) fn outlooks(
        &mut self,
        observation: &Observation<'_>,
        look: &mut Look<'_>,
        scores: &mut Vec<f64>,
    ) {
        let table = look.table();
        self.changed();
        // A seat's supply is worth the sum of the values of its first, second, … last meeple.
        let mut next = [0.0; MAX_SEATS];
        for (seat, next) in next.iter_mut().enumerate().take(self.seats) {
            let free = observation.supply(seat);
            *next = self.next_meeple(free);
            let supply: f64 = (1..=free).map(|free| self.next_meeple(free)).sum();
            scores.push(f64::from(observation.points(seat)) + supply);
        }
        let mut seen = [0u64; MAX_NODES.div_ceil(64)];
        for (node, _) in table.meeples() {
            let root = table.root(node);
            let (word, bit) = (usize::from(root) / 64, 1u64 << (root % 64));
            if seen[word] & bit != 0 {
                continue;
            }
            seen[word] |= bit;
            let feature = look.feature(root);
            let mine = feature.leads(self.me);
            let (points, home) = self.outlook(look, root, table.segment_kind(root), &feature, mine);
            for seat in 0..self.seats {
                let share = if feature.leads(seat) { points } else { 0.0 };
                scores[seat] += share + home * next[seat] * f64::from(feature.meeples[seat]);
            }
        }
    }

    /// Expected points of a field, weighted, from the completion probabilities of its cities.
    fn farm(&mut self, look: &mut Look<'_>, root: Node) -> f64 {
        let mut total = 0.0;
        for place in 0..look.find_cities(root) {
            total += self.completion(look, look.city(place), SegmentKind::City, false);
        }
        total * f64::from(self.variant.farm) * self.weights.farms
    }
}

impl Evaluator for Builder {
    fn prepare(&mut self, observation: &Observation<'_>, me: usize) {
        self.me = me;
        self.seats = observation.seats();
        self.chances.prepare(observation, me);
        self.lasting.iter_mut().for_each(Memo::forget);
        self.finish.prepare(observation, me);
        let (leader, tiles) = (self.finish.leader(), observation.board().len());
        if let Some(turns) = turns_to_limit(&self.variant, self.seats, leader, tiles) {
            // The point limit may end the game long before the deck runs out.
            self.chances.limit_draws(turns);
        }
        self.meeple = self.next_meeple(observation.supply(me));
        self.rival = self.weights.rivals / (self.seats - 1) as f64;
    }

    fn feature(&mut self, look: &mut Look<'_>, root: Node, kind: SegmentKind, feature: &Feature) -> f64 {
        let most = feature.most();
        let mine = most != 0 && feature.meeples[self.me] == most;
        let (points, home) = self.outlook(look, root, kind, feature, mine);
        let mut value = 0.0;
        for (seat, meeples) in feature.meeples[..self.seats].iter().enumerate() {
            if *meeples == 0 {
                continue;
            }
            let share = if *meeples == most { points } else { 0.0 };
            let total = share + home * self.meeple * f64::from(*meeples);
            value += if seat == self.me { total } else { -self.rival * total };
        }
        value
    }

    fn commitment(&self, _kind: SegmentKind) -> f64 {
        self.meeple
    }

    fn capture(&self, _owner: usize) -> f64 {
        self.rival * self.meeple + 0.5
    }

    fn floor(&self) -> f64 {
        0.4
    }

    fn ransom(&self) -> f64 {
        self.meeple - f64::from(self.variant.ransom) * (1.0 + self.rival)
    }

    fn scores(&self, look: &mut Look<'_>) -> Option<Scores> {
        self.finish.scores(&self.variant, look)
    }

    fn ending(&self, scores: &Scores) -> Option<f64> {
        self.finish.value(scores)
    }

    fn laying(&mut self, tile: Option<Kind>) {
        self.chances.without(tile);
        // Completions depend on the hand, so the cache of own features is cleared.
        self.lasting[1].forget();
        self.changed();
    }

    fn changed(&mut self) {
        self.completions.iter_mut().for_each(Memo::forget);
        self.farms.forget();
    }
}
