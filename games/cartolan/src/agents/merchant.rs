//! An agent that knows the costs of paths and maximises the gain per move.
//!
//! Every errand (a trade, an own Agent's wealth, an unknown cell, a pirate to arrest, a robbery) has a value
//! and a cost in moves: the path there, plus the growth of the path home. The merchant runs the errand whose
//! value most exceeds its cost at the current price, and banks when none does.

use meeple_core::{Agent, AgentInfo, Seat, Turn};

use crate::action::Action;
use crate::agents::plain::{first_wanted, plain_choice};
use crate::agents::sites::{Best, Errand, Sites, cost};
use crate::game::Cartolan;
use crate::map::{Ground, NO_AGENT};
use crate::observe::Observation;
use crate::odds::AllOdds;
use crate::rules::options;
use crate::state::{Player, Step, half_taken};
use crate::tiles::Dir;
use crate::variant::{ActOrder, MAX_ADVENTURERS, PirateAtDisaster};
use crate::ways::MAX_HOME;
use crate::ways::chart::Charted;
use crate::ways::routes::{FirstMove, MAX_PATH, NOWHERE, Routes, Step as WayStep};
use crate::ways::turn_states::TurnStates;
use crate::worth::{Prospect, TUNED, Terms, Weights, visit, wins_by_banking};

pub(crate) struct Merchant {
    weights: Weights,
    seat: usize,
    /// The states of a turn, one entry per set of limits seen so far.
    turn_states: Vec<TurnStates>,
    current: usize,
    routes: Routes,
    odds: Box<AllOdds>,
    /// Adventurers on their way home because tiles run out.
    due: [bool; MAX_ADVENTURERS],
    /// Sites for non-pirates and for pirates, and the last version number given to sites.
    sites: [Sites; 2],
    last_sites: u64,
    /// The position on arrival at the goal; `None` if there is no path.
    goal: Option<u16>,
    errand: Errand,
    /// The path home of the fast merchant, last step first.
    steps: Vec<WayStep>,
    looks: Looks,
    /// Masks of the sides already evaluated, by cell; scratch.
    done: Vec<u8>,
}

impl Agent<Cartolan> for Merchant {
    fn begin_episode(&mut self, _game: &Cartolan, seat: Seat) {
        self.seat = seat.index();
        self.forget();
    }

    fn act(&mut self, turn: Turn<'_, Cartolan>) -> Action {
        self.decide(&turn.observe())
    }
}

/// Number of moves beyond the best errand so far to which the fast merchant extends its search.
const SEARCH_BEYOND: usize = 2;

/// Times at which the piles are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// Before every decision.
    Always,
    /// Only in [`Merchant::look_once`].
    Never,
}

impl Merchant {
    /// The merchant with tuned parameters.
    pub(crate) fn tuned() -> Self {
        Self::new(meeple_core::defaults_with(TUNED))
    }

    pub(crate) fn new(weights: Weights) -> Self {
        Self {
            weights,
            seat: 0,
            turn_states: Vec::new(),
            current: 0,
            routes: Routes::new(),
            odds: Box::new(AllOdds::new()),
            due: [false; MAX_ADVENTURERS],
            sites: [Sites::new(), Sites::new()],
            last_sites: 0,
            goal: None,
            errand: Errand::Home,
            steps: Vec::new(),
            looks: Looks::Always,
            done: Vec::new(),
        }
    }

    pub(crate) fn sit_down(&mut self, seat: usize) {
        self.seat = seat;
    }

    /// Exchanges the flags of Adventurers on their way home.
    pub(crate) fn swap_due(&mut self, due: &mut [bool; MAX_ADVENTURERS]) {
        std::mem::swap(&mut self.due, due);
    }

    pub(crate) fn charted_mut(&mut self) -> &mut [Charted; 2] {
        self.routes.charted_mut()
    }

    pub(crate) fn routes(&self) -> &Routes {
        &self.routes
    }

    /// The path just chosen, last step first.
    pub(crate) fn retrace(&self, steps: &mut Vec<WayStep>) {
        match self.goal {
            Some(position) => self.routes.ways().retrace(position, steps),
            None => steps.extend_from_slice(&self.steps),
        }
    }

    pub(crate) fn errand(&self) -> Errand {
        self.errand
    }

    /// Reads the piles now and never again by itself; see [`Looks::Never`].
    pub(crate) fn look_once(&mut self, observation: &Observation<'_>) {
        self.odds.look(observation);
        self.looks = Looks::Never;
    }

    /// Sets the times at which the piles are read, and returns the previous setting.
    pub(crate) fn look(&mut self, looks: Looks) -> Looks {
        std::mem::replace(&mut self.looks, looks)
    }

    /// Exchanges the chances with those of the caller.
    pub(crate) fn swap_odds(&mut self, odds: &mut Box<AllOdds>) {
        std::mem::swap(&mut self.odds, odds);
        self.sites.iter_mut().for_each(Sites::forget_odds);
    }

    pub(crate) fn decide(&mut self, observation: &Observation<'_>) -> Action {
        match observation.step() {
            Step::Move => self.sail(observation),
            Step::Act => first_wanted(observation, |option| self.wants(observation, option)),
            Step::Bank => Action::Bank(observation.hero().chest),
            Step::Buy => self.shop(observation),
            _ => plain_choice(observation),
        }
    }

    fn sail(&mut self, observation: &Observation<'_>) -> Action {
        if observation.turn().overtime {
            return Action::End;
        }
        self.chart(observation);
        self.steps.clear();
        if self.looks == Looks::Always {
            self.odds.look(observation);
        }
        let (first_move, errand) = self.choose(observation);
        self.errand = errand;
        let (go, _) = observation.ways();
        let action = match (first_move, errand) {
            (FirstMove::Here, Errand::Explore(dir)) | (FirstMove::Go(dir), _) if go & dir.bit() != 0 => {
                Action::Go(dir)
            }
            _ => Action::Wait,
        };
        let pays = first_move == FirstMove::Here && self.wait_pays(observation, errand);
        if action == Action::Wait && !pays { self.stop(observation) } else { action }
    }

    /// Ends the turn, or first rolls for a gust towards home. In the order of the original's script a turn
    /// ends by waiting.
    pub(crate) fn stop(&self, observation: &Observation<'_>) -> Action {
        if observation.variant().act_order == ActOrder::Scripted {
            return Action::Wait;
        }
        self.drift(observation).unwrap_or(Action::End)
    }

    fn find_turn_states(&mut self, observation: &Observation<'_>) {
        let limits = observation.limits();
        let known = self.turn_states.iter().position(|turn_states| turn_states.limits == limits);
        self.current = known.unwrap_or_else(|| {
            self.turn_states.push(TurnStates::new(observation.variant(), limits));
            self.turn_states.len() - 1
        });
    }

    pub(crate) fn chart(&mut self, observation: &Observation<'_>) {
        self.find_turn_states(observation);
        self.routes.chart(observation, &self.turn_states[self.current], self.current, self.seat);
    }

    pub(crate) fn forget(&mut self) {
        self.forget_findings();
        self.due = [false; MAX_ADVENTURERS];
    }

    fn forget_findings(&mut self) {
        self.charted_mut().iter_mut().for_each(Charted::forget);
        self.odds.forget();
        self.sites.iter_mut().for_each(Sites::forget_odds);
    }

    /// Returns true if a wait here has an effect.
    fn wait_pays(&self, observation: &Observation<'_>, errand: Errand) -> bool {
        let here = observation.here();
        let cell = observation.map().cell(here);
        errand == Errand::Wait || (errand == Errand::Home && cell.ground == Ground::City)
    }

    /// A roll for a gust to a tile from which the path home is more than 2 moves shorter; `None` with an
    /// empty Chest.
    fn drift(&self, observation: &Observation<'_>) -> Option<Action> {
        let (_, gust) = observation.ways();
        let here = observation.here();
        let now = self.routes.home_in(here, 0);
        let better = |dir: &Dir| {
            let to = observation.map().neighbour(here, *dir);
            gust & dir.bit() != 0
                && observation.map().cell(to).is_placed()
                && self.routes.home_in(to, 0).saturating_add(2) < now
                && observation.hero().chest > 0
        };
        Dir::ALL.iter().copied().find(better).map(Action::Gust)
    }

    fn choose(&mut self, observation: &Observation<'_>) -> (FirstMove, Errand) {
        let hero = observation.hero();
        let variant = observation.variant();
        let lead = observation.lead_of(self.seat);
        if wins_by_banking(observation, lead, hero.chest) {
            return self.home(observation);
        }
        let state = self.turn_states[self.current].current(observation.turn(), variant.movement);
        let home = self.routes.home_in(observation.here(), state);
        let due = &mut self.due[usize::from(observation.turn().adventurer)];
        *due = self.weights.fears_end::<f64>(observation, hero.chest, home, *due);
        if *due {
            return self.home(observation);
        }
        let stays = hero.pirate && variant.pirate_at_disaster == PirateAtDisaster::Stays;
        let at_risk = if stays { 0 } else { hero.chest };
        let terms: Terms<f64> = self.weights.terms(observation, lead, hero.chest, at_risk);
        // Going home is an errand of value 0 and the fallback. With an empty Chest any other errand
        // gains more.
        let none = match hero.chest {
            0 => f64::MIN,
            _ => -terms.price * self.weights.haste * f64::from(home.min(MAX_HOME)),
        };
        let best = match self.looks {
            Looks::Always => self.best_errand(observation, state, none, &terms),
            Looks::Never => self.near_errand(observation, state, none, &terms),
        };
        match best {
            Some((position, errand)) => {
                self.goal = Some(position);
                (self.routes.ways().first_move_to(position), errand)
            }
            None => self.home(observation),
        }
    }

    /// The errand with the largest gain above `none`, first among equals, and its position on arrival.
    fn best_errand(
        &mut self,
        observation: &Observation<'_>,
        state: usize,
        none: f64,
        terms: &Terms<f64>,
    ) -> Option<(u16, Errand)> {
        let here = observation.here();
        let (now, chart) = self.routes.chart_now();
        let sites = &mut self.sites[now];
        sites.update(observation, self.seat, chart, &mut self.odds, &mut self.last_sites);
        let (ways, net) = self.routes.look(here, state);
        sites.follow(here, ways, net, &self.turn_states[self.current], self.weights.haste);
        let mut best = Best::above(none);
        sites.offer(observation, self.seat, ways, terms, &mut best);
        if !observation.variant().inland {
            return best.errand;
        }
        // Pirates to arrest, and Adventurers to rob.
        let hero = observation.hero();
        let chance = observation.variant().conflict_probability();
        for player in observation.others(self.seat) {
            for (other, cell) in player.crew() {
                let position = ways.first_of(cell);
                if position == NOWHERE || observation.map().cell(cell).ground == Ground::City {
                    continue;
                }
                let prize: f64 = self.weights.prize(observation, hero, other);
                let (more, errand) = Errand::to_meet(cell, here);
                let home = net.home_in(cell, ways.state_at(cell, position));
                let cost = cost(self.weights.haste, ways.cost_to(position) + more, home);
                best.offer(prize * chance, terms.price * cost, position, errand);
            }
        }
        best.errand
    }

    /// An errand with a large gain, for the fast merchant. The search expands paths, nearest places first,
    /// and ends soon after the first find. Not inlining it saves a tenth of the instructions.
    #[inline(never)]
    fn near_errand(
        &mut self,
        observation: &Observation<'_>,
        state: usize,
        none: f64,
        terms: &Terms<f64>,
    ) -> Option<(u16, Errand)> {
        let (map, hero, variant, here) =
            (observation.map(), observation.hero(), observation.variant(), observation.here());
        let Self { weights, seat, odds, routes, turn_states, current, done, .. } = self;
        let (turn_states, seat) = (&turn_states[*current], *seat);
        let chance = variant.conflict_probability();
        done.resize(map.cells().len().max(done.len()), 0);
        let (mut best, mut below) = (Best::above(none), MAX_PATH);
        routes.look_about(here, state, |position, cell, state, there, home, is_first| {
            let tile = map.cell(cell);
            if is_first {
                done[usize::from(cell)] = if tile.ground == Ground::City { 15 } else { 0 };
            }
            let mut offer = |value: f64, there: usize, errand: Errand| {
                let cost = terms.price * cost(weights.haste, there as u16, home);
                if best.offer(value, cost, position, errand) {
                    below = below.min(there + SEARCH_BEYOND);
                }
            };
            if is_first {
                if cell != here && (tile.ground == Ground::Wonder || tile.agent != NO_AGENT) {
                    offer(visit(observation, seat, hero, tile).into(), there, Errand::Visit);
                }
                if tile.ships > 0 && variant.inland && tile.ground != Ground::City {
                    let (more, errand) = Errand::to_meet(cell, here);
                    let crews = observation.others(seat).flat_map(Player::crew);
                    for (other, _) in crews.filter(|(_, at)| *at == cell) {
                        let prize: f64 = weights.prize(observation, hero, other);
                        offer(prize * chance, there + usize::from(more), errand);
                    }
                }
            }
            let open = tile.open & !done[usize::from(cell)];
            for side in Dir::ALL.iter().copied().filter(|side| open & side.bit() != 0) {
                let crossing = observation.crossing(cell, side);
                if turn_states.may(crossing) >> state & 1 == 0 {
                    continue;
                }
                done[usize::from(cell)] |= side.bit();
                let back = crossing.draws(variant.inland);
                let prospect = Prospect::of(observation, odds, hero.pirate, (cell, side), back);
                offer(prospect.value(back, terms), there + 1, Errand::Explore(side));
            }
            Some(below.max(there + 1))
        });
        best.errand
    }

    fn home(&mut self, observation: &Observation<'_>) -> (FirstMove, Errand) {
        if self.looks == Looks::Never {
            self.steps.clear();
            self.goal = None;
            let turn_states = &self.turn_states[self.current];
            if self.routes.find_way_home(observation, turn_states, &mut self.steps) {
                let first = self.steps.last().map_or(FirstMove::Here, |step| step.taken);
                return (first, Errand::Home);
            }
        }
        let state =
            self.turn_states[self.current].current(observation.turn(), observation.variant().movement);
        let ways = self.routes.look_home(observation.here(), state);
        let cities = [Some(0), observation.second_city()];
        let arrivals = cities.into_iter().flatten().map(|city| ways.first_of(city));
        let nearest = arrivals.filter(|position| *position != NOWHERE);
        self.goal = nearest.min_by_key(|position| ways.cost_to(*position));
        (self.goal.map_or(FirstMove::Here, |position| ways.first_move_to(position)), Errand::Home)
    }

    fn wants(&self, observation: &Observation<'_>, option: u8) -> bool {
        let hero = observation.hero();
        let cell = observation.map().cell(observation.here());
        let (turn, variant) = (observation.turn(), observation.variant());
        match option {
            options::TRADE | options::COLLECT => true,
            options::RESTORE => hero.chest > variant.price_restore + 1,
            options::REST if usize::from(cell.agent.seat()) == self.seat => turn.total() > 0,
            options::REST => {
                turn.total() + 1 >= observation.limits().moves && hero.chest > variant.price_rest
            }
            options::ATTACK_AGENT => false,
            options::COURT => {
                let won = observation.variant().courting_probability();
                won * f64::from(half_taken(cell.dropped)) > (1.0 - won) * f64::from(hero.chest)
            }
            options::PLACE => {
                let player = &observation.players()[self.seat];
                self.weights.settle > 0
                    && hero.chest >= self.weights.settle
                    && player.agents_placed < observation.variant().agents
                    && cell.ground == Ground::Wonder
            }
            options::COURIER.. => false,
            _ => {
                let other = observation.attacked(option);
                other.pirate || self.weights.would_rob(hero.chest, other.chest)
            }
        }
    }

    fn shop(&self, observation: &Observation<'_>) -> Action {
        let player = &observation.players()[self.seat];
        let price = u32::from(observation.variant().price_adventurer);
        let wealthy = player.vault >= u32::from(self.weights.wealthy);
        let lead = observation.lead_of(self.seat);
        let margin = i64::from(observation.variant().margin);
        // Spending must let nobody else win, and a lead close to the margin is kept.
        let others = observation.others(self.seat);
        let best = others.map(|other| i64::from(other.vault + other.chests())).max().unwrap_or(0);
        let safe = best - (i64::from(player.vault) - i64::from(price)) < margin;
        if observation.can_hire_adventurer() && wealthy && safe && lead * 2 < margin + i64::from(price) {
            return Action::HireAdventurer;
        }
        Action::Done
    }
}

pub(crate) fn all() -> [AgentInfo<Cartolan>; 2] {
    let build = |_: &Cartolan, weights: Weights| Ok(Merchant::new(weights));
    let doc = "Weighs every errand against its way there and home, arrests pirates, and banks in time.";
    let tuned = "The merchant, with numbers that were tuned against it.";
    [AgentInfo::new("merchant", doc, build), AgentInfo::with_settings("merchant-tuned", tuned, TUNED, build)]
}

/// The merchant without caches, for tests: its decisions must equal those of the one with caches.
struct Forgetful(Merchant);

impl Agent<Cartolan> for Forgetful {
    fn begin_episode(&mut self, game: &Cartolan, seat: Seat) {
        self.0.begin_episode(game, seat);
    }

    fn act(&mut self, turn: Turn<'_, Cartolan>) -> Action {
        self.0.forget_findings();
        self.0.act(turn)
    }
}

/// The agent `forgetful`: the merchant without caches, for tests that compare its decisions with the
/// merchant's.
pub(crate) fn forgetful() -> AgentInfo<Cartolan> {
    AgentInfo::new("forgetful", "The merchant, without what it keeps.", |_: &Cartolan, weights: Weights| {
        Ok(Forgetful(Merchant::new(weights)))
    })
}
