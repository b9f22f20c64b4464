//! One turn ahead: every placement is laid on a board to try it on and taken back, every claim on it tried, and what
//! changes is weighed by an [`Evaluator`].

use meeple_core::{Agent, Stream, Turn};

use super::finish::Scores;
use super::glance::Glance;
use super::memo::Memo;
use crate::action::{Action, Post};
use crate::board::undo::Undo;
use crate::board::{Board, Fields, MAX_NODES, Node, Placed, Tower, node_of, tile_of};
use crate::feature::Feature;
use crate::game::Carcassonne;
use crate::geometry::Cell;
use crate::observe::Observation;
use crate::state::Stage;
use crate::tiles::{Kind, MAX_SEGMENTS, SegmentKind};

/// How an agent values what a turn leads to.
pub(crate) trait Evaluator: Send {
    /// A decision begins.
    fn prepare(&mut self, observation: &Observation<'_>, me: usize);

    /// What a feature that bears meeples is worth to the agent, given its root and what is on it.
    fn feature(&mut self, board: &Board, root: Node, kind: SegmentKind, feature: &Feature) -> f64;

    /// What it costs to put a free meeple on the board, that may come home if the feature is completed.
    fn commitment(&self, kind: SegmentKind) -> f64;

    /// What it is worth to take a meeple of `owner` away, apart from the feature it stood on.
    fn capture(&self, owner: usize) -> f64;

    /// What it costs to spend a floor.
    fn floor(&self) -> f64;

    /// What a ransom is worth.
    fn ransom(&self) -> f64;

    /// What follows is weighed with this tile of the hand gone, or with the whole hand.
    fn laying(&mut self, tile: Option<Kind>) {
        let _ = tile;
    }

    /// The board is another one, or has changed, since a feature was asked for.
    fn changed(&mut self) {}

    /// What everybody has if this board is scored now; none as long as no turn can end the game.
    fn scores(&self, board: &Board) -> Option<Scores> {
        let _ = board;
        None
    }

    /// If the game ends with these scores: how good that is.
    fn ending(&self, scores: &Scores) -> Option<f64> {
        let _ = scores;
        None
    }
}

/// An agent that tries every action and takes what its evaluator values most.
pub(crate) struct Player<T> {
    evaluator: T,
    /// Where placements are tried, and how they are taken back.
    board: Box<Board>,
    undo: Undo,
    options: Vec<(Action, f64)>,
    /// Most actions that a decision tries, and what all promise that it may choose from.
    looks: usize,
    glance: Glance,
    promises: Vec<(f64, usize)>,
    /// What features of the table are worth, by root, as long as this kind of tile is tried.
    before: Memo,
    laying: Option<Kind>,
}

impl<T: Evaluator> Player<T> {
    pub(crate) fn new(evaluator: T) -> Self {
        Self {
            evaluator,
            board: Box::new(Board::new()),
            undo: Undo::default(),
            options: Vec::new(),
            looks: usize::MAX,
            glance: Glance::new(),
            promises: Vec::new(),
            before: Memo::new(MAX_NODES),
            laying: None,
        }
    }

    /// This player, which tries only so many actions of a decision: those that promise most at a glance.
    pub(crate) fn trying(self, looks: usize) -> Self {
        Self { looks, ..self }
    }
}

/// Roots, each once.
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
    /// How this player weighs things.
    pub(crate) fn evaluator(&mut self) -> &mut T {
        &mut self.evaluator
    }

    /// What seat `me` does, of these legal actions. Ties are broken by `rng`.
    pub(crate) fn decide(
        &mut self,
        observation: &Observation<'_>,
        me: usize,
        legal: &[Action],
        rng: &mut Stream,
    ) -> Action {
        if legal.len() <= self.looks {
            self.weigh_all(observation, me, legal);
            return self.draw_best(rng);
        }
        self.glance.begin(me);
        let promises = legal.iter().map(|action| self.glance.promise(observation, *action));
        self.promises.clear();
        self.promises.extend(promises.zip(0..));
        // Which ones they are, and in which order, must not depend on how the library sorts.
        self.promises.select_nth_unstable_by(self.looks, |(one, first), (other, second)| {
            other.total_cmp(one).then(first.cmp(second))
        });
        self.promises.truncate(self.looks);
        self.promises.sort_unstable_by_key(|(_, number)| *number);
        let promises = std::mem::take(&mut self.promises);
        self.weigh(observation, me, promises.iter().map(|(_, number)| legal[*number]));
        self.promises = promises;
        self.draw_best(rng)
    }

    /// Weighs these legal actions of seat `me`, which it sees so, and returns them with what they are worth.
    pub(crate) fn weigh_all(
        &mut self,
        observation: &Observation<'_>,
        me: usize,
        legal: &[Action],
    ) -> &[(Action, f64)] {
        self.weigh(observation, me, legal.iter().copied());
        &self.options
    }

    fn weigh(
        &mut self,
        observation: &Observation<'_>,
        me: usize,
        actions: impl Iterator<Item = Action> + Clone,
    ) {
        let board = observation.board();
        self.evaluator.prepare(observation, me);
        self.evaluator.changed();
        self.laying = None;
        self.options.clear();
        let scores = self.evaluator.scores(board);
        if actions.clone().any(|action| matches!(action, Action::Place { .. })) {
            self.board.restart(board);
        }
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

    /// The best of the actions that were weighed last. Ties, and what differs by rounding only, are broken by `rng`.
    pub(crate) fn draw_best(&mut self, rng: &mut Stream) -> Action {
        let best = self.options.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        self.options.retain(|(_, value)| *value >= best - 1e-9);
        self.options[rng.index(self.options.len())].0
    }
}

/// The root of a monastery, city, road or field as seen by [`Evaluator::feature`].
fn worth<T: Evaluator>(evaluator: &mut T, board: &Board, root: Node) -> f64 {
    if board.meeples_on(root) == 0 {
        return 0.0;
    }
    let feature = board.feature(root);
    evaluator.feature(board, root, board.segment_kind(root), &feature)
}

fn fields(observation: &Observation<'_>) -> Fields {
    if observation.variant().farms { Fields::Joined } else { Fields::Ignored }
}

/// All fields with farmers.
fn farmed(board: &Board, roots: &mut Roots) {
    for (tile, placed) in board.tiles().iter().enumerate().filter(|(tile, _)| board.is_manned(*tile)) {
        // Asked for every placement, so only the fields of a tile are looked at.
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

/// Features that a tile touches: its own, and monasteries around it.
fn touched(board: &Board, tile: usize, placed: Placed, joined: Fields, roots: &mut Roots) {
    let piece = placed.piece();
    let mut segments = piece.buildings | if joined == Fields::Joined { piece.fields } else { 0 };
    while segments != 0 {
        roots.add(board.root(node_of(tile, segments.trailing_zeros() as usize)));
        segments &= segments - 1;
    }
    let mut near = board.monasteries_near(placed.cell);
    while near != 0 {
        roots.add(board.monastery(near.trailing_zeros() as usize));
        near &= near - 1;
    }
}

impl<T: Evaluator> Player<T> {
    fn ending(&self, scores: Option<Scores>) -> Option<f64> {
        scores.and_then(|scores| self.evaluator.ending(&scores))
    }

    /// What laying a tile changes, with the best claim on it.
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
        let joined = fields(observation);
        self.board.try_place(observation.tables(), (kind, cell, turns), joined, &mut self.undo);
        let value = self.laid(observation, me, scores);
        self.board.take_back(&self.undo);
        value
    }

    /// What the last tile on the board to try on changes, with the best claim on it.
    fn laid(&mut self, observation: &Observation<'_>, me: usize, mut scores: Option<Scores>) -> f64 {
        let (joined, variant) = (fields(observation), observation.variant());
        let (before, after) = (observation.board(), &*self.board);
        let tile = after.len() - 1;
        let placed = after.tiles()[tile];
        let (mut old, mut new) = (Roots::new(), Roots::new());
        touched(after, tile, placed, joined, &mut new);
        // What these features were before, and monasteries that were there already.
        self.undo.changed().for_each(|root| old.add(root));
        let completed = new
            .list()
            .iter()
            .any(|root| after.open(*root) == 0 && after.segment_kind(*root) == SegmentKind::City);
        if completed && joined == Fields::Joined {
            // A complete city feeds the fields around it, wherever their farmers stand.
            farmed(before, &mut old);
            farmed(after, &mut new);
        }
        if let Some(scores) = &mut scores {
            old.list().iter().for_each(|root| scores.lose(variant, before, *root));
            new.list().iter().for_each(|root| scores.gain(variant, after, *root));
        }
        let evaluator = &mut self.evaluator;
        let mut change = 0.0;
        evaluator.changed();
        for root in old.list() {
            let at = usize::from(*root);
            let known = self.before.find(at);
            change -= known.unwrap_or_else(|| self.before.keep(at, worth(evaluator, before, *root)));
        }
        evaluator.changed();
        for root in new.list() {
            change += worth(evaluator, after, *root);
        }
        self.best_claim(observation, me, tile, placed, change, scores)
    }

    /// What laying the tile brings with the best claim on it, or none; `change` is what it brings without.
    fn best_claim(
        &mut self,
        observation: &Observation<'_>,
        me: usize,
        tile: usize,
        placed: Placed,
        change: f64,
        scores: Option<Scores>,
    ) -> f64 {
        let without = self.ending(scores).unwrap_or(change);
        if observation.supply(me) == 0 {
            return without;
        }
        let free = self.board.claimable(placed.piece(), tile, fields(observation));
        let claims = (0..MAX_SEGMENTS).filter(|segment| free >> segment & 1 == 1);
        claims
            .map(|segment| {
                let claim = Claim::new(&self.board, node_of(tile, segment), me);
                claim.worth(&mut self.evaluator, observation, &self.board, change, scores)
            })
            .fold(without, f64::max)
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
                let claim = Claim::new(board, node_of(tile, segment), me);
                claim.worth(&mut self.evaluator, observation, board, 0.0, scores)
            }),
            Action::Pass => self.ending(scores).unwrap_or(0.0),
            Action::Floor(cell) => {
                let Some(tower) = board.tower_at(cell) else { return 0.0 };
                let height = board.towers()[tower].height + 1;
                let mut best = f64::NEG_INFINITY;
                let near = |node| Tower::reaches(cell, height, board.tiles()[tile_of(node)].cell);
                for (node, _) in board.meeples().filter(|(node, _)| near(*node)) {
                    let value = self.worth_of_capture(board, node, me);
                    best = best.max(self.without(board, node, scores).unwrap_or(value));
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
                self.without(board, node, scores).unwrap_or(value)
            }),
        }
    }

    /// If the game ends once this meeple has been taken away: how good that is.
    fn without(&mut self, board: &Board, node: Node, scores: Option<Scores>) -> Option<f64> {
        // A capture never brings points: without one the game would end as well.
        self.ending(scores)?;
        self.board.restart(board);
        self.board.unman(node);
        self.ending(self.evaluator.scores(&self.board))
    }

    /// What taking this meeple away brings.
    fn worth_of_capture(&mut self, board: &Board, node: Node, me: usize) -> f64 {
        let root = board.root(node);
        let Some(owner) = board.owner(node) else { return 0.0 };
        let kind = board.segment_kind(node);
        let mut feature = board.feature(root);
        let with = self.evaluator.feature(board, root, kind, &feature);
        feature.meeples[owner] -= 1;
        let without = match feature.most() {
            0 => 0.0,
            _ => self.evaluator.feature(board, root, kind, &feature),
        };
        let gone = if owner == me { self.evaluator.commitment(kind) } else { self.evaluator.capture(owner) };
        without - with + gone
    }
}

/// A feature with a meeple of the agent on it.
struct Claim {
    root: Node,
    kind: SegmentKind,
    feature: Feature,
}

impl Claim {
    fn new(board: &Board, node: Node, me: usize) -> Self {
        let (root, kind) = (board.root(node), board.segment_kind(node));
        // Nobody stands on what is claimed, and of a field that is all there is to know: fields are large.
        let mut feature = if kind == SegmentKind::Field { Feature::default() } else { board.feature(root) };
        feature.meeples[me] += 1;
        Self { root, kind, feature }
    }

    /// What it brings: the feature, less the meeple, beside `change`; or how the game ends by it.
    fn worth<T: Evaluator>(
        &self,
        evaluator: &mut T,
        observation: &Observation<'_>,
        board: &Board,
        change: f64,
        scores: Option<Scores>,
    ) -> f64 {
        let scores = scores.map(|mut scores| {
            scores.count(observation.variant(), board, self.root, self.kind, &self.feature, 1);
            scores
        });
        let ending = scores.and_then(|scores| evaluator.ending(&scores));
        ending.unwrap_or_else(|| {
            let claimed = evaluator.feature(board, self.root, self.kind, &self.feature);
            change + (claimed - evaluator.commitment(self.kind))
        })
    }
}
