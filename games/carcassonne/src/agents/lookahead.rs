//! One-ply search: an [`Evaluator`] values every placement with every claim on it.

use meeple_core::{Agent, Stream, Turn};

use super::finish::Scores;
use super::glance::Glance;
use super::memo::Memo;
use crate::action::{Action, Post};
use crate::board::{Board, Fields, MAX_NODES, Node, Tower, node_of, tile_of};
use crate::feature::Feature;
use crate::game::Carcassonne;
use crate::geometry::Cell;
use crate::observe::Observation;
use crate::state::Stage;
use crate::survey::{Look, Survey};
use crate::tiles::{Kind, SegmentKind};
use crate::variant::Variant;

/// A valuation of the results of a turn.
pub(crate) trait Evaluator: Send {
    fn prepare(&mut self, observation: &Observation<'_>, me: usize);

    /// The value to the agent of an occupied feature, given its root and content.
    fn feature(&mut self, look: &mut Look<'_>, root: Node, kind: SegmentKind, feature: &Feature) -> f64;

    /// The cost of placing a free meeple. The meeple may return if the feature is completed.
    fn commitment(&self, kind: SegmentKind) -> f64;

    /// The value of capturing a meeple of `owner`, apart from the feature it stood on.
    fn capture(&self, owner: usize) -> f64;

    fn floor(&self) -> f64;

    fn ransom(&self) -> f64;

    /// Announces the tile that is assumed to have left the hand; `None` for the whole hand.
    fn laying(&mut self, tile: Option<Kind>) {
        let _ = tile;
    }

    /// Announces that the table or the trial tile has changed since the last valuation.
    fn changed(&mut self) {}

    /// The scores of all seats if this table is scored now; `None` if no turn is expected to end the game.
    fn scores(&self, look: &mut Look<'_>) -> Option<Scores> {
        let _ = look;
        None
    }

    /// The value of these scores if they end the game; `None` otherwise.
    fn ending(&self, scores: &Scores) -> Option<f64> {
        let _ = scores;
        None
    }
}

/// An agent that tries every action and chooses the one with the highest value.
pub(crate) struct Player<T> {
    evaluator: T,
    survey: Survey,
    /// Roots of the table's fields with farmers. They are computed when first needed.
    farmed: Roots,
    farms_known: bool,
    /// Roots of fields with farmers that the trial tile feeds without touching them.
    fed: Roots,
    options: Vec<(Action, f64)>,
    /// Upper bound on the actions that a decision tries.
    looks: usize,
    /// The estimates that select among more actions.
    glance: Glance,
    promises: Vec<(f64, usize)>,
    /// Cached values of the table's features by root, valid for one kind of tile.
    before: Memo,
    laying: Option<Kind>,
}

impl<T: Evaluator> Player<T> {
    pub(crate) fn new(evaluator: T) -> Self {
        Self {
            evaluator,
            survey: Survey::new(),
            farmed: Roots::new(),
            farms_known: false,
            fed: Roots::new(),
            options: Vec::new(),
            looks: usize::MAX,
            glance: Glance::new(),
            promises: Vec::new(),
            before: Memo::new(MAX_NODES),
            laying: None,
        }
    }

    /// Limits the player to the `looks` most promising actions of a decision.
    pub(crate) fn trying(self, looks: usize) -> Self {
        Self { looks, ..self }
    }
}

struct Roots {
    list: [Node; 64],
    len: usize,
}

impl Roots {
    fn new() -> Self {
        Self { list: [0; 64], len: 0 }
    }

    fn add(&mut self, root: Node) {
        if self.len < self.list.len() && !self.list().contains(&root) {
            self.list[self.len] = root;
            self.len += 1;
        }
    }

    fn list(&self) -> &[Node] {
        &self.list[..self.len]
    }
}

impl<T: Evaluator> Agent<Carcassonne> for Player<T> {
    fn act(&mut self, mut turn: Turn<'_, Carcassonne>) -> Action {
        let (observation, me) = (turn.observe(), turn.seat().index());
        let (legal, rng) = turn.legal_actions_and_rng();
        self.decide(&observation, me, legal, rng)
    }
}

impl<T: Evaluator> Player<T> {
    /// The evaluator, and a view of the observed table.
    pub(crate) fn evaluator<'a>(&'a mut self, observation: &Observation<'a>) -> (&'a mut T, Look<'a>) {
        self.survey.take_up(observation.board());
        (&mut self.evaluator, Look::at(&mut self.survey, observation.board()))
    }

    /// The decision of seat `me` among these legal actions. `rng` breaks ties.
    pub(crate) fn decide(
        &mut self,
        observation: &Observation<'_>,
        me: usize,
        legal: &[Action],
        rng: &mut Stream,
    ) -> Action {
        self.survey.take_up(observation.board());
        if legal.len() <= self.looks {
            self.weigh(observation, me, legal.iter().copied());
            return self.draw_best(rng);
        }
        self.glance.begin(&mut Look::at(&mut self.survey, observation.board()), me);
        self.promises.clear();
        for (number, action) in legal.iter().enumerate() {
            let promise = self.glance.promise(&mut self.survey, observation, *action);
            // `promises` holds the best actions so far, in order; among equals the first comes first.
            let mut at = self.promises.len();
            if at == self.looks {
                at -= 1;
                if promise <= self.promises[at].0 {
                    continue;
                }
            } else {
                self.promises.push((promise, number));
            }
            while at > 0 && self.promises[at - 1].0 < promise {
                self.promises[at] = self.promises[at - 1];
                at -= 1;
            }
            self.promises[at] = (promise, number);
        }
        self.promises.sort_unstable_by_key(|(_, number)| *number);
        let promises = std::mem::take(&mut self.promises);
        self.weigh(observation, me, promises.iter().map(|(_, number)| legal[*number]));
        self.promises = promises;
        self.draw_best(rng)
    }

    pub(crate) fn weigh_all(
        &mut self,
        observation: &Observation<'_>,
        me: usize,
        legal: &[Action],
    ) -> &[(Action, f64)] {
        self.survey.take_up(observation.board());
        self.weigh(observation, me, legal.iter().copied());
        &self.options
    }

    /// Values these actions. [`Survey::take_up`] must have been called before.
    fn weigh(&mut self, observation: &Observation<'_>, me: usize, actions: impl Iterator<Item = Action>) {
        let board = observation.board();
        self.evaluator.prepare(observation, me);
        self.evaluator.changed();
        self.laying = None;
        self.options.clear();
        self.farms_known = false;
        let scores = self.evaluator.scores(&mut Look::at(&mut self.survey, board));
        for action in actions {
            let value = match (observation.stage(), action) {
                (_, Action::Place { .. }) => self.placement(observation, me, action, scores),
                (Stage::Action, action) => self.action(observation, me, action, scores),
                (Stage::Capture, Action::Take { cell, post }) => {
                    self.take(observation, me, cell, post, scores)
                }
                (Stage::Capture, Action::Decline) => self.ending(scores).unwrap_or(0.0),
                (_, Action::Ransom(_)) => self.evaluator.ransom(),
                _ => 0.0,
            };
            self.options.push((action, value));
        }
    }

    /// The best of the actions valued last. `rng` breaks ties, including differences up to rounding.
    pub(crate) fn draw_best(&mut self, rng: &mut Stream) -> Action {
        let best = self.options.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        self.options.retain(|(_, value)| *value >= best - 1e-9);
        self.options[rng.index(self.options.len())].0
    }
}

fn worth<T: Evaluator>(evaluator: &mut T, look: &mut Look<'_>, root: Node) -> f64 {
    let feature = look.feature(root);
    evaluator.feature(look, root, look.segment_kind(root), &feature)
}

fn fields(observation: &Observation<'_>) -> Fields {
    if observation.variant().farms { Fields::Joined } else { Fields::Ignored }
}

fn farmed(board: &Board, roots: &mut Roots) {
    roots.len = 0;
    for (tile, placed) in board.tiles().iter().enumerate().filter(|(tile, _)| board.is_manned(*tile)) {
        let mut fields = placed.piece().fields;
        while fields != 0 {
            let node = node_of(tile, fields.trailing_zeros() as usize);
            fields &= fields - 1;
            if board.owner(node).is_some() {
                roots.add(board.root(node));
            }
        }
    }
}

impl<T: Evaluator> Player<T> {
    fn ending(&self, scores: Option<Scores>) -> Option<f64> {
        scores.and_then(|scores| self.evaluator.ending(&scores))
    }

    /// The value of laying a tile with the best claim on it.
    fn placement(
        &mut self,
        observation: &Observation<'_>,
        me: usize,
        action: Action,
        scores: Option<Scores>,
    ) -> f64 {
        let Action::Place { tile: kind, cell, turns } = action else { return 0.0 };
        if self.laying != Some(kind) {
            self.laying = Some(kind);
            self.evaluator.laying(Some(kind));
            self.before.forget();
        }
        let table = observation.board();
        self.survey.try_tile(table, (kind, cell, turns), fields(observation));
        self.find_fed(observation);
        let scores = scores.map(|scores| self.scores_on_trial(observation, scores));
        let (evaluator, fed) = (&mut self.evaluator, self.fed.list().iter().copied());
        let mut change = 0.0;
        evaluator.changed();
        let mut look = Look::at(&mut self.survey, table);
        for root in look.changed().chain(fed.clone()).filter(|root| table.meeples_on(*root) > 0) {
            let at = usize::from(root);
            let known = self.before.find(at);
            change -= known.unwrap_or_else(|| self.before.keep(at, worth(evaluator, &mut look, root)));
        }
        evaluator.changed();
        let mut look = Look::on_trial(&mut self.survey, table);
        for root in look.touched().chain(fed) {
            if look.meeples_on(root) > 0 {
                change += worth(evaluator, &mut look, root);
            }
        }
        self.best_claim(observation, me, change, scores)
    }

    /// Collects the fields with farmers that a completed city of the trial tile feeds, although the tile does
    /// not touch them.
    fn find_fed(&mut self, observation: &Observation<'_>) {
        self.fed.len = 0;
        let table = observation.board();
        let look = Look::on_trial(&mut self.survey, table);
        let is_complete = |root| look.open(root) == 0 && look.segment_kind(root) == SegmentKind::City;
        if fields(observation) == Fields::Ignored || !look.touched().any(is_complete) {
            return;
        }
        if !self.farms_known {
            farmed(table, &mut self.farmed);
            self.farms_known = true;
        }
        for root in self.farmed.list().iter().filter(|root| look.is_untouched(**root)) {
            self.fed.add(*root);
        }
    }

    /// The scores of the table with the trial tile, computed from the scores without the tile.
    fn scores_on_trial(&mut self, observation: &Observation<'_>, mut scores: Scores) -> Scores {
        let (table, variant) = (observation.board(), observation.variant());
        let fed = self.fed.list().iter().copied();
        let mut look = Look::at(&mut self.survey, table);
        for root in look.changed().chain(fed.clone()) {
            scores.lose(variant, &mut look, root);
        }
        let mut look = Look::on_trial(&mut self.survey, table);
        for root in look.touched().chain(fed) {
            scores.gain(variant, &mut look, root);
        }
        scores
    }

    /// The value of the trial tile with its best claim, or without a claim (`change`).
    fn best_claim(
        &mut self,
        observation: &Observation<'_>,
        me: usize,
        change: f64,
        scores: Option<Scores>,
    ) -> f64 {
        let without = self.ending(scores).unwrap_or(change);
        if observation.supply(me) == 0 {
            return without;
        }
        let (variant, tile) = (observation.variant(), observation.board().len());
        let mut look = Look::on_trial(&mut self.survey, observation.board());
        let mut free = look.claimable(fields(observation));
        let mut best = without;
        while free != 0 {
            let claim = Claim::new(&mut look, node_of(tile, free.trailing_zeros() as usize), me);
            free &= free - 1;
            best = best.max(claim.worth(&mut self.evaluator, variant, &mut look, change, scores));
        }
        best
    }

    fn action(
        &mut self,
        observation: &Observation<'_>,
        me: usize,
        action: Action,
        scores: Option<Scores>,
    ) -> f64 {
        let board = observation.board();
        let tile = board.len() - 1;
        match action {
            Action::Claim(spot) => board.tiles()[tile].piece().segment_at(spot).map_or(0.0, |segment| {
                let mut look = Look::at(&mut self.survey, board);
                let claim = Claim::new(&mut look, node_of(tile, segment), me);
                claim.worth(&mut self.evaluator, observation.variant(), &mut look, 0.0, scores)
            }),
            Action::Pass => self.ending(scores).unwrap_or(0.0),
            Action::Floor(cell) => {
                let Some(tower) = board.tower_at(cell) else { return 0.0 };
                let height = board.towers()[tower].height + 1;
                let mut best = f64::NEG_INFINITY;
                let near = |node| Tower::reaches(cell, height, board.tiles()[tile_of(node)].cell);
                for (node, _) in board.meeples().filter(|(node, _)| near(*node)) {
                    let value = self.worth_of_capture(board, node, me);
                    best = best.max(self.without(observation, node, scores).unwrap_or(value));
                }
                let idle = self.ending(scores).unwrap_or(0.0);
                best.max(idle) - self.evaluator.floor()
            }
            // A guard is a meeple that never scores.
            Action::Close(_) => {
                let idle = self.ending(scores).unwrap_or(0.0);
                idle - self.evaluator.commitment(SegmentKind::Field)
            }
            Action::Ransom(_) => self.evaluator.ransom(),
            _ => 0.0,
        }
    }

    fn take(
        &mut self,
        observation: &Observation<'_>,
        me: usize,
        cell: Cell,
        post: Post,
        scores: Option<Scores>,
    ) -> f64 {
        let board = observation.board();
        let owner =
            observation.in_range().find(|found| (found.0, found.1) == (cell, post)).map(|found| found.2);
        let (Some(tile), Some(owner)) = (board.tile_at(cell), owner) else { return 0.0 };
        match post {
            Post::Guard if owner == me => 0.0,
            Post::Guard => self.evaluator.capture(owner),
            Post::On(spot) => board.tiles()[tile].piece().segment_at(spot).map_or(0.0, |segment| {
                let node = node_of(tile, segment);
                let value = self.worth_of_capture(board, node, me);
                self.without(observation, node, scores).unwrap_or(value)
            }),
        }
    }

    /// The value of the final scores without this meeple, if the scores end the game.
    fn without(&mut self, observation: &Observation<'_>, node: Node, scores: Option<Scores>) -> Option<f64> {
        // A capture never brings points, so it cannot end a game that would otherwise go on.
        let mut scores = scores.filter(|scores| self.evaluator.ending(scores).is_some())?;
        let (variant, table) = (observation.variant(), observation.board());
        let (root, kind) = (table.root(node), table.segment_kind(node));
        let mut look = Look::at(&mut self.survey, table);
        scores.lose(variant, &mut look, root);
        let mut feature = look.feature(root);
        feature.meeples[table.owner(node)?] -= 1;
        scores.count(variant, &mut look, root, kind, &feature, 1);
        self.evaluator.ending(&scores)
    }

    fn worth_of_capture(&mut self, board: &Board, node: Node, me: usize) -> f64 {
        let root = board.root(node);
        let Some(owner) = board.owner(node) else { return 0.0 };
        let kind = board.segment_kind(node);
        let mut look = Look::at(&mut self.survey, board);
        let mut feature = look.feature(root);
        let with = self.evaluator.feature(&mut look, root, kind, &feature);
        feature.meeples[owner] -= 1;
        let without = match feature.most() {
            0 => 0.0,
            _ => self.evaluator.feature(&mut look, root, kind, &feature),
        };
        let gone = if owner == me { self.evaluator.commitment(kind) } else { self.evaluator.capture(owner) };
        without - with + gone
    }
}

struct Claim {
    root: Node,
    kind: SegmentKind,
    feature: Feature,
}

impl Claim {
    fn new(look: &mut Look<'_>, node: Node, me: usize) -> Self {
        let (root, kind) = (look.root(node), look.segment_kind(node));
        // Claimed features are unoccupied, so a field has no other meeples. Its tiles do not matter and are
        // costly to count.
        let mut feature = if kind == SegmentKind::Field { Feature::default() } else { look.feature(root) };
        feature.meeples[me] += 1;
        Self { root, kind, feature }
    }

    /// The value of the claim: `change` plus the feature minus the meeple, or the value of the end of the
    /// game.
    fn worth<T: Evaluator>(
        &self,
        evaluator: &mut T,
        variant: &Variant,
        look: &mut Look<'_>,
        change: f64,
        scores: Option<Scores>,
    ) -> f64 {
        let scores = scores.map(|mut scores| {
            scores.count(variant, look, self.root, self.kind, &self.feature, 1);
            scores
        });
        let ending = scores.and_then(|scores| evaluator.ending(&scores));
        ending.unwrap_or_else(|| {
            let claimed = evaluator.feature(look, self.root, self.kind, &self.feature);
            change + (claimed - evaluator.commitment(self.kind))
        })
    }
}
