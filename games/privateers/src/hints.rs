//! Hints of the game for searches.
//!
//! Rollouts and priors use the tuned admiral. At the searching seat the admiral has played since the episode
//! began, so it knows its course. At other seats it takes over in mid-voyage.
//!
//! The priors add a few decisive actions to its choice. These are attacks at even odds or better, sailing to
//! or away from a ship, and arming. Other actions have no weight.

use meeple_core::{Hints, Position, Seat, Stream, Viewer};

use crate::action::Action;
use crate::agents::admiral::{Admiral, AdmiralParams};
use crate::fight::Fighter;
use crate::game::Privateers;
use crate::goods::Product;
use crate::map::Cell;
use crate::observe::{CargoView, Observation};
use crate::prospects::{GROWTH, HORIZON, Prospects, grown, supposed_cannons, wealth};
use crate::reach::Reach;
use crate::ship::Class;
use crate::state::Stage;

/// Number of rounds for which the present cannons are assumed to decide fights.
const FIGHT_HORIZON_ROUNDS: f64 = 30.0;

/// Largest sailing distance to a ship that priors consider.
const MAX_PRIOR_DISTANCE: u16 = 12;

/// Largest sailing distance to a hunted ship.
const MAX_HUNT_DISTANCE: u16 = 10;
/// Smallest probability of winning for a hunt, in a duel with respawns.
const MIN_DUEL_HUNT_ODDS: f64 = 0.8;
/// Smallest probability of winning for an attack, in a duel with respawns.
const MIN_DUEL_ATTACK_ODDS: f64 = 0.7;
/// Smallest probability of winning for hunts and attacks in other games: sunk ships do not return, or a third
/// player gains from every fight.
const MIN_ODDS: f64 = 0.98;
/// Smallest probability of winning for an attack that priors consider. Sampled worlds estimate the others'
/// cannons badly, so searches overrate such attacks: at lower odds they lost five of six.
const MIN_PRIOR_ODDS: f64 = 0.5;
/// Assumed minimal share of filled mounts of a ship with unknown contents.
const MIN_MOUNTS_SHARE: f64 = 0.5;
/// Smallest increase of the own share of the win that justifies a hunt, because a hunt costs turns of trade.
const MIN_HUNT_GAIN: f64 = 0.04;

/// Search settings. Only own decisions are searched, each over up to four actions, with common random numbers
/// and a strong prior. Rollouts take about four turns of two seats. The tree has only its root.
pub(crate) const SETTINGS: &str = "iterations=40,tree=self,halving=4,common=on,rescale=on,prior=10,entries=4,rollout=hints,\
    epsilon=0,depth=40,value=hints";

/// Prior of the best action.
const BEST_PRIOR: f64 = 1.0;
/// Prior of the admiral's action and of attacks, if another action is best.
const SECOND_PRIOR: f64 = 0.4;
/// Prior of buying a cannon.
const CANNON_PRIOR: f64 = 0.15;
/// Prior of sailing towards a rival.
const APPROACH_PRIOR: f64 = 0.15;
/// Prior of sailing away from a rival.
const RETREAT_PRIOR: f64 = 0.1;

pub(crate) fn hints(game: &Privateers) -> Box<dyn Hints<Privateers>> {
    Box::new(Advice::new(game))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    Free,
    Peaceful,
}

#[derive(Clone, PartialEq)]
struct Moment {
    stage: Stage,
    turns: u32,
    cell: Cell,
    budget: u8,
    class: Class,
    cargo: Option<CargoView>,
    stay: u32,
}

impl Moment {
    fn of(obs: &Observation<'_>, seat: Seat) -> Self {
        Self {
            stage: obs.stage(),
            turns: obs.turns(),
            cell: obs.cell(seat),
            budget: obs.budget(),
            class: obs.class(seat),
            cargo: obs.cargo(seat),
            stay: obs.stay(seat),
        }
    }
}

struct Captain {
    admiral: Admiral,
    episode: u64,
}

struct Advice {
    captains: Vec<Captain>,
    /// An admiral that sees every decision of the searching seat, and keeps its plans.
    companion: Admiral,
    /// True once the companion has been asked in this episode.
    is_asked: bool,
    /// The root of the search, and the companion's choice there.
    root: Option<(Moment, Action)>,
    seat: Seat,
    /// An admiral without memory, which rates actions.
    adviser: Admiral,
    episode: u64,
    reach: Reach,
}

impl Advice {
    fn new(game: &Privateers) -> Self {
        // The table of distances is computed here, so that the first search does not wait for it.
        game.map().distance(game.map().port_cell(0), game.map().port_cell(1));
        let admiral = || Admiral::new(AdmiralParams::tuned(game));
        let captains = (0..game.seats).map(|_| Captain { admiral: admiral(), episode: 0 });
        Self {
            captains: captains.collect(),
            companion: admiral(),
            is_asked: false,
            root: None,
            seat: Seat::new(0),
            adviser: admiral(),
            episode: 1,
            reach: Reach::default(),
        }
    }

    fn ask_admiral(&mut self, obs: &Observation<'_>, seat: Seat, mood: Mood) -> Action {
        match &self.root {
            Some((moment, first)) if seat == self.seat => {
                if mood == Mood::Free && *moment == Moment::of(obs, seat) {
                    return *first;
                }
                self.adviser.follow(&self.companion);
            }
            _ => self.adviser.take_over(obs, seat),
        }
        match mood {
            Mood::Free => self.adviser.decide(obs, seat),
            Mood::Peaceful => self.adviser.decide_in_peace(obs, seat),
        }
    }

    /// Passes every action worth considering in a turn to `tell`, with its prior.
    fn look(&mut self, obs: &Observation<'_>, seat: Seat, mut tell: impl FnMut(Action, f64)) {
        let admiral = self.ask_admiral(obs, seat, Mood::Free);
        if obs.stage() != Stage::Act {
            tell(admiral, BEST_PRIOR);
            return;
        }
        let first = self.lead(obs, seat, admiral);
        tell(first, BEST_PRIOR);
        tell(admiral, SECOND_PRIOR);
        for other in obs.targets() {
            if odds_now(obs, seat, other) >= MIN_PRIOR_ODDS {
                tell(Action::Attack(other), SECOND_PRIOR);
            }
        }
        let mut calm = first;
        if let Action::Attack(_) = first {
            calm = self.ask_admiral(obs, seat, Mood::Peaceful);
            tell(calm, SECOND_PRIOR);
        }
        let build = obs.game().build(obs.class(seat));
        if obs.mounted(seat).is_some_and(|mounted| mounted < build.mounts) && obs.buyable(Product::Cannon) > 0
        {
            tell(Action::Buy(Product::Cannon), CANNON_PRIOR);
        }
        if !matches!(calm, Action::Move(_) | Action::EndTurn) {
            return;
        }
        let (map, cell) = (obs.map(), obs.cell(seat));
        let rivals = obs.living().filter(|other| *other != seat);
        let nearest = rivals.min_by_key(|other| map.distance(cell, obs.cell(*other)));
        let Some(rival) = nearest.filter(|other| map.distance(cell, obs.cell(*other)) <= MAX_PRIOR_DISTANCE)
        else {
            return;
        };
        tell(self.ask_admiral(obs, seat, Mood::Peaceful), SECOND_PRIOR);
        obs.reach(&mut self.reach);
        let at = obs.cell(rival);
        let (mut nearest, mut farthest) = ((u32::MAX, cell), (0, cell));
        self.reach.each(|cell, cost| {
            let distance = u32::from(map.distance(at, cell));
            let (near, far) = (100 * distance + u32::from(cost), 100 * distance + 99 - u32::from(cost));
            if near < nearest.0 {
                nearest = (near, cell);
            }
            if far > farthest.0 {
                farthest = (far, cell);
            }
        });
        if odds(obs, seat, rival, obs.game().build(obs.class(seat)).range) >= MIN_PRIOR_ODDS {
            tell(self.step(nearest.1), APPROACH_PRIOR);
        }
        tell(self.step(farthest.1), RETREAT_PRIOR);
    }

    /// The best action: the admiral's choice, unless an attack or a hunt has good odds.
    fn lead(&mut self, obs: &Observation<'_>, seat: Seat, admiral: Action) -> Action {
        let (game, map, cell) = (obs.game(), obs.map(), obs.cell(seat));
        let range = game.build(obs.class(seat)).range;
        let is_duel = game.respawns() && game.seats == 2;
        let (hunted, attacked) =
            if is_duel { (MIN_DUEL_HUNT_ODDS, MIN_DUEL_ATTACK_ODDS) } else { (MIN_ODDS, MIN_ODDS) };
        for other in obs.targets() {
            if odds_now(obs, seat, other) >= attacked {
                return Action::Attack(other);
            }
        }
        if !matches!(admiral, Action::Move(_) | Action::EndTurn) {
            return admiral;
        }
        let away = |other: &Seat| map.distance(cell, obs.cell(*other));
        let preys = obs
            .living()
            .filter(|other| *other != seat && !obs.fought(*other) && away(other) <= MAX_HUNT_DISTANCE);
        let preys = preys.filter(|other| odds(obs, seat, *other, range) >= hunted);
        let mut prospects = None;
        let preys = preys.filter(|other| {
            let prospects = prospects.get_or_insert_with(|| Prospects::new(obs, seat));
            prospects.rivalry(*other).gain >= MIN_HUNT_GAIN
        });
        let Some(prey) = preys.min_by_key(away) else { return admiral };
        obs.reach(&mut self.reach);
        let (at, mut best) = (obs.cell(prey), (u32::MAX, cell));
        self.reach.each(|cell, cost| {
            let in_range = game.attack_distance(cell, at).is_some_and(|distance| distance <= range);
            let way = if in_range { 0 } else { u32::from(map.distance(at, cell)).max(1) };
            let price = 100 * way + u32::from(cost);
            if price < best.0 {
                best = (price, cell);
            }
        });
        self.step(best.1)
    }

    /// The first step of the way to a reachable cell.
    fn step(&self, cell: Cell) -> Action {
        self.reach.first_step(cell).map_or(Action::EndTurn, Action::Move)
    }
}

/// Estimated probability of winning an attack from this distance; 0 for a ship without cannons, which could
/// take nothing.
fn odds(obs: &Observation<'_>, seat: Seat, other: Seat, distance: u8) -> f64 {
    match obs.mounted(seat) {
        Some(1..) => obs.win_probability(other, feared_cannons(obs, other), distance),
        _ => 0.0,
    }
}

/// Assumed number of mounted cannons, raised for a ship with unknown contents.
fn feared_cannons(obs: &Observation<'_>, other: Seat) -> u16 {
    let supposed = supposed_cannons(obs, other);
    if obs.is_fresh(other) || obs.sighting(other).is_some_and(|seen| seen.exact) {
        return supposed;
    }
    supposed.max((MIN_MOUNTS_SHARE * f64::from(obs.game().build(obs.class(other)).mounts)) as u16)
}

/// The odds of an attack from the present cell.
fn odds_now(obs: &Observation<'_>, seat: Seat, other: Seat) -> f64 {
    let distance = obs.game().attack_distance(obs.cell(seat), obs.cell(other)).unwrap_or(0);
    odds(obs, seat, other, distance)
}

impl Hints<Privateers> for Advice {
    fn begin_episode(&mut self, _game: &Privateers, _seat: Seat) {
        (self.is_asked, self.root) = (false, None);
    }

    fn begin(&mut self, _game: &Privateers, observation: &Observation<'_>, seat: Seat) {
        self.episode += 1;
        if !self.is_asked || self.seat != seat {
            self.companion.take_over(observation, seat);
            (self.is_asked, self.seat) = (true, seat);
        }
        self.companion.leave_course();
        let action = self.companion.decide(observation, seat);
        self.root = Some((Moment::of(observation, seat), action));
    }

    fn imagine(&mut self, _game: &Privateers) {
        self.episode += 1;
    }

    fn prior(
        &mut self,
        position: &Position<'_, Privateers>,
        seat: Seat,
        actions: &[Action],
        weights: &mut Vec<f64>,
    ) {
        weights.resize(actions.len(), 0.0);
        let obs = position.observe(Viewer::Seat(seat));
        self.look(&obs, seat, |action, weight| {
            if let Ok(at) = actions.binary_search(&action) {
                weights[at] = weights[at].max(weight);
            }
        });
    }

    fn is_settled(&mut self, position: &Position<'_, Privateers>) -> bool {
        let obs = position.observe(Viewer::Public);
        obs.stage() == Stage::Act && obs.moves_left() == obs.variant().max_moves
    }

    fn scores(&mut self, position: &Position<'_, Privateers>, scores: &mut Vec<f64>) -> Option<f64> {
        let game = position.game();
        let public = position.observe(Viewer::Public);
        let rounds = public.rounds_left().map_or(HORIZON, f64::from).min(HORIZON);
        let again = if game.respawns() { grown(GROWTH[0], rounds) } else { 0.0 };
        let views = Seat::all(game.seats).map(|seat| (seat, position.observe(Viewer::Seat(seat))));
        let mut mean = 0.0;
        // Probability of a fight before the cannons of either side change.
        let meets = rounds.min(FIGHT_HORIZON_ROUNDS) / (rounds.min(FIGHT_HORIZON_ROUNDS) + 40.0);
        let rivals = (public.living().len() as f64 - 1.0).max(1.0);
        for (seat, obs) in views {
            if !obs.lives(seat) {
                scores.push(0.0);
                continue;
            }
            let now = wealth(&obs, seat, rounds);
            let then = grown(now, rounds);
            let mut score = then;
            let own = Fighter::new(obs.class(seat), obs.mounted(seat).unwrap_or(0));
            for other in obs.living().filter(|other| *other != seat) {
                let theirs = position.observe(Viewer::Seat(other));
                let them = Fighter::new(theirs.class(other), theirs.mounted(other).unwrap_or(0));
                let begins = game.win_probability(own, them, game.build(own.class).range);
                let waits = 1.0 - game.win_probability(them, own, game.build(them.class).range);
                let win = 0.5 * (begins + waits);
                let loot = wealth(&theirs, other, rounds) - f64::from(game.build(them.class).price);
                let gain = grown(now + loot.max(0.0), rounds) - then;
                score += meets / rivals * (win * gain - (1.0 - win) * (then - again));
            }
            scores.push(score);
            mean += then / rivals;
        }
        Some(50.0 + mean * (0.25 * (rounds / HORIZON).sqrt() + 0.5 * meets))
    }

    fn act(&mut self, position: &Position<'_, Privateers>, seat: Seat, _rng: &mut Stream) -> Option<Action> {
        let obs = position.observe(Viewer::Seat(seat));
        let captain = &mut self.captains[seat.index()];
        if captain.episode != self.episode {
            captain.episode = self.episode;
            if self.root.is_some() && seat == self.seat {
                captain.admiral.follow(&self.companion);
            } else {
                captain.admiral.take_over(&obs, seat);
            }
        }
        Some(captain.admiral.decide(&obs, seat))
    }
}
