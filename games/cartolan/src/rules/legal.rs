//! The legal actions, and explanations of illegal ones.

use std::ops::Range;

use meeple_core::{Illegal, Stream};

use crate::action::Action;
use crate::cards::Effect;
use crate::game::Cartolan;
use crate::map::{CellId, Crossing, Ground, NO_AGENT};
use crate::rules::options;
use crate::state::{State, Step};
use crate::tiles::Dir;
use crate::variant::Gust;

trait Menu {
    fn one(&mut self, action: Action);

    /// Takes one action per set bit, lowest first.
    #[inline]
    fn bits(&mut self, mask: u32, action: impl Fn(u8) -> Action) {
        let mut left = mask;
        while left != 0 {
            self.one(action(left.trailing_zeros() as u8));
            left &= left - 1;
        }
    }

    /// Takes one action per number.
    #[inline]
    fn numbers(&mut self, numbers: Range<u16>, action: impl Fn(u16) -> Action) {
        numbers.for_each(|number| self.one(action(number)));
    }
}

impl Menu for Vec<Action> {
    #[inline]
    fn one(&mut self, action: Action) {
        self.push(action);
    }
}

struct Find<F> {
    is_meant: F,
    found: Option<Action>,
}

impl<F: Fn(Action) -> bool> Menu for Find<F> {
    #[inline]
    fn one(&mut self, action: Action) {
        if self.found.is_none() && (self.is_meant)(action) {
            self.found = Some(action);
        }
    }
}

/// A menu that passes every action to a function.
struct Each<F>(F);

impl<F: FnMut(Action)> Menu for Each<F> {
    #[inline]
    fn one(&mut self, action: Action) {
        (self.0)(action);
    }
}

/// A menu that takes the action at index `left`. The wrapped countdown also gives the number of actions.
struct Nth {
    left: usize,
    taken: Option<Action>,
}

impl Nth {
    /// Skips `count` actions. Returns the index of the wanted action if it is one of them.
    #[inline]
    fn among(&mut self, count: usize) -> Option<usize> {
        let place = self.left;
        self.left = self.left.wrapping_sub(count);
        (place < count && self.taken.is_none()).then_some(place)
    }
}

impl Menu for Nth {
    #[inline]
    fn one(&mut self, action: Action) {
        if self.among(1).is_some() {
            self.taken = Some(action);
        }
    }

    #[inline]
    fn bits(&mut self, mask: u32, action: impl Fn(u8) -> Action) {
        if let Some(place) = self.among(mask.count_ones() as usize) {
            self.taken = Some(action(nth_bit(mask, place)));
        }
    }

    #[inline]
    fn numbers(&mut self, numbers: Range<u16>, action: impl Fn(u16) -> Action) {
        if let Some(place) = self.among(numbers.len()) {
            self.taken = Some(action(numbers.start + place as u16));
        }
    }
}

/// The set bit at this index, counted from the lowest.
#[inline]
fn nth_bit(mask: u32, place: usize) -> u8 {
    let higher = (0..place).fold(mask, |mask, _| mask & mask.wrapping_sub(1));
    higher.trailing_zeros() as u8
}

/// Bits of moves. Bits 0 to 3 are moves over the sides, 4 to 7 gusts over them; then follow a wait and the
/// end of the turn.
const WAIT: u8 = 8;
const END: u8 = 9;

/// The action of a bit of [`Cartolan::moves`].
#[inline]
fn move_action(bit: u8) -> Action {
    match bit {
        0..4 => Action::Go(Dir::from_index(usize::from(bit))),
        WAIT => Action::Wait,
        END => Action::End,
        _ => Action::Gust(Dir::from_index(usize::from(bit))),
    }
}

impl Cartolan {
    /// Appends the legal actions, sorted.
    pub(crate) fn list(&self, state: &State, actions: &mut Vec<Action>) {
        self.tell_legal(state, self.ways_now(state), actions);
        if matches!(state.step, Step::Buy) {
            actions.sort_unstable();
        }
    }

    pub(crate) fn is_legal(&self, state: &State, action: Action) -> bool {
        self.find_legal(state, |other| other == action).is_some()
    }

    /// The first legal action that satisfies a condition. Places of Agents to hire are searched in order of
    /// discovery, not sorted.
    pub(crate) fn find_legal(&self, state: &State, is_meant: impl Fn(Action) -> bool) -> Option<Action> {
        let mut menu = Find { is_meant, found: None };
        self.tell_legal(state, self.ways_now(state), &mut menu);
        menu.found
    }

    /// Sets a mask to 1 at the ids of the legal actions, without listing them.
    pub(crate) fn mark_all(&self, state: &State, mask: &mut [u8]) {
        let mark = |action| mask[self.id_of(state, action) as usize] = 1;
        self.tell_legal(state, self.ways_now(state), &mut Each(mark));
    }

    /// Draws a legal action uniformly. The result equals a draw from the list.
    #[inline]
    pub(crate) fn sample_legal(&self, state: &State, rng: &mut Stream, scratch: &mut Vec<Action>) -> Action {
        match state.step {
            // Nearly all decisions belong to these two steps.
            Step::Move => {
                let moves = self.moves(state, self.ways(state));
                move_action(nth_bit(moves, rng.index(moves.count_ones() as usize)))
            }
            Step::Act => {
                let offered = state.turn.done.offered;
                let place = rng.index(offered.count_ones() as usize + 1);
                if place == offered.count_ones() as usize {
                    Action::Done
                } else {
                    options::action(nth_bit(offered, place))
                }
            }
            Step::Buy => {
                self.list(state, scratch);
                scratch[rng.index(scratch.len())]
            }
            _ => {
                let mut all = Nth { left: usize::MAX, taken: None };
                self.tell_legal(state, (0, 0), &mut all);
                let mut nth = Nth { left: rng.index(usize::MAX - all.left), taken: None };
                self.tell_legal(state, (0, 0), &mut nth);
                nth.taken.expect("the place is below the number of actions")
            }
        }
    }

    /// The legal moves and gusts of a move step; zeros in other steps.
    #[inline]
    fn ways_now(&self, state: &State) -> (u8, u8) {
        if matches!(state.step, Step::Move) { self.ways(state) } else { (0, 0) }
    }

    /// Bits of the acting Adventurer's moves, given its ways; see [`move_action`].
    #[inline]
    fn moves(&self, state: &State, (go, gust): (u8, u8)) -> u32 {
        let ends = !self.is_scripted() || state.turn.overtime;
        u32::from(go | gust << 4) | 1 << WAIT | u32::from(ends) << END
    }

    /// Passes the legal actions to a menu, given the ways. They are sorted, except for Agents to hire.
    #[inline]
    fn tell_legal(&self, state: &State, ways: (u8, u8), menu: &mut impl Menu) {
        match state.step {
            Step::Pick => menu.bits(u32::from(self.unmoved(state)), Action::Pick),
            Step::Move => {
                menu.bits(self.moves(state, ways), move_action);
            }
            Step::TryChart(_) => {
                menu.numbers(0..u16::from(state.hero().charts), |which| Action::Chart(which as u8));
                menu.one(Action::Draw);
            }
            Step::Reward => {
                menu.one(Action::Wealth);
                menu.one(Action::Card);
            }
            Step::Act => {
                menu.bits(state.turn.done.offered, options::action);
                menu.one(Action::Done);
            }
            Step::Relocate(..) => {
                let player = state.owner();
                let placed = (0..self.variant.agents).filter(|at| player.agent[usize::from(*at)].is_placed());
                menu.bits(placed.fold(0, |mask, agent| mask | 1 << agent), Action::Relocate);
            }
            Step::Send(_) => menu.numbers(1..state.hero().chest + 1, Action::Send),
            Step::Bank => menu.numbers(0..state.hero().chest + 1, Action::Bank),
            Step::Buy => {
                menu.one(Action::Done);
                if self.can_hire_adventurer(state) {
                    menu.one(Action::HireAdventurer);
                }
                let cells = 0..state.map.cells().len() as CellId;
                for cell in cells.filter(|cell| self.hire_price(state, *cell).is_some()) {
                    let (x, y) = state.place(cell);
                    menu.one(Action::HireAgent { x, y });
                }
            }
            Step::Equip => {
                menu.bits(u32::from(self.equippable(state)), |effect| {
                    Action::Equip(Effect::ALL[usize::from(effect)])
                });
                menu.one(Action::Keep);
            }
            Step::Drop => menu.numbers(0..u16::from(state.hero().charts), |which| Action::Drop(which as u8)),
            Step::ChoosePerson(_, _, low, high) => {
                menu.one(Action::Name(low));
                menu.one(Action::Name(high));
            }
            _ => {}
        }
    }

    /// The reason why an action that is not listed is illegal.
    pub(crate) fn explain(&self, state: &State, action: Action) -> Illegal {
        let reason = match (state.step, action) {
            (Step::Move, Action::Go(dir) | Action::Gust(dir)) => self.explain_way(state, dir, action),
            (Step::Act | Step::Move, _) => self.explain_act(state, action),
            (Step::Bank, Action::Bank(wealth)) => {
                format!("10.1: expected a part of the Chest's {}, found {wealth}", state.hero().chest)
            }
            (Step::Send(_), Action::Send(wealth)) => {
                format!("12.4: expected 1 up to the Chest's {}, found {wealth}", state.hero().chest)
            }
            (Step::Buy, Action::HireAdventurer) => self.explain_hire(state),
            (Step::Buy, Action::HireAgent { x, y }) => self.explain_hire_agent(state, x, y),
            (Step::Equip, Action::Equip(effect)) => {
                format!("12.3: expected a Technology of the hand other than the one in use, found {effect}")
            }
            (Step::Pick, Action::Pick(number)) => {
                format!("5.2: Adventurer {number} has moved already or is not in play")
            }
            _ => String::new(),
        };
        if !reason.is_empty() {
            return Illegal::new(reason);
        }
        let mut legal = Vec::new();
        self.list(state, &mut legal);
        let shown: Vec<String> = legal.iter().take(20).map(Action::to_string).collect();
        let more = if legal.len() > 20 { format!(" … ({} in all)", legal.len()) } else { String::new() };
        Illegal::new(format!("5.1: expected one of {}{more}, found {action}", shown.join(", ")))
    }

    fn explain_way(&self, state: &State, dir: Dir, action: Action) -> String {
        let cell = state.map.cell(state.here());
        let crossing = self.crossing(state, cell, dir);
        let limits = self.limits(state);
        let total = state.turn.total();
        if !self.may_enter(state, cell.neighbours[dir.index()]) {
            return format!(
                "6.5: only pirates move onto a known Disaster tile, and one lies to the {}",
                dir.long()
            );
        }
        if matches!(action, Action::Gust(_)) {
            return match (self.variant.gust, crossing) {
                (Gust::Off, _) => "6.4: there are no gusts in this game".into(),
                (_, Crossing::Upwind) => format!("6.4: no gust is needed, go {dir} is legal"),
                _ => format!("6.4: a gust helps against the wind only, and {} is not upwind", dir.long()),
            };
        }
        let (what, limit) = match crossing {
            Crossing::Land => ("a land", limits.land),
            Crossing::Upwind => ("an upwind", limits.upwind),
            Crossing::Downwind => ("a downwind", limits.moves),
        };
        let gust = match self.ways(state).1 & dir.bit() != 0 {
            true => format!("; gust {dir} may be tried"),
            false => String::new(),
        };
        format!(
            "6.2: {} is {what} move; with {} land, {} upwind and {} downwind moves made ({total} in all) it needs fewer than {limit} under {} movement{gust}",
            dir.long(),
            state.turn.land,
            state.turn.upwind,
            state.turn.downwind,
            self.variant.movement
        )
    }

    fn explain_act(&self, state: &State, action: Action) -> String {
        let cell = state.map.cell(state.here());
        let hero = state.hero();
        let turn = &state.turn;
        let v = &self.variant;
        let agent = (cell.agent != NO_AGENT).then(|| state.agent(cell.agent));
        let after_move = self.options(state);
        let is_option = |bit: u8| after_move >> bit & 1 == 1 && options::action(bit) == action;
        if state.step == Step::Move && (0..32).any(is_option) {
            return "5.3: an Adventurer acts after a move to a tile or a wait".into();
        }
        match action {
            Action::Bank(_) | Action::HireAdventurer | Action::HireAgent { .. } => {
                "10.1: banking and hiring belong to a visit, on arriving in a city or waiting there".into()
            }
            Action::Trade if cell.ground != Ground::Wonder => "9.2: there is no wonder here".into(),
            Action::Trade if hero.pirate => "9.3: pirates cannot trade".into(),
            Action::Trade if !hero.has_used(cell) => {
                "9.2: whoever discovers a wonder trades there on a later visit".into()
            }
            Action::Trade => "9.2: this wonder was used since the last city visit".into(),
            Action::Collect | Action::Rest | Action::AttackAgent | Action::Restore if agent.is_none() => {
                "8.1: there is no Agent here".into()
            }
            Action::Collect => "8.6: expected an own Agent with wealth".into(),
            Action::Rest if agent.is_some_and(|agent| agent.dispossessed) => {
                "8.8: a dispossessed Agent gives no rest".into()
            }
            Action::Rest if turn.rested.contains(cell.agent) => {
                "8.4: this Agent cannot rest this Adventurer again in this turn".into()
            }
            Action::Rest if !turn.just_placed.is_empty() => {
                "8.5: an Agent just placed gives rest from the next move on".into()
            }
            Action::Rest if hero.pirate => "11.5: pirates cannot rest at others' Agents".into(),
            Action::Rest => format!("8.4: a rest costs {}, the Chest has {}", v.price_rest, hero.chest),
            Action::Restore => {
                format!("8.8: expected an own dispossessed Agent and {} in the Chest", v.price_restore)
            }
            Action::AttackAgent => {
                "11.1: expected another player's active Agent, not attacked in this move".into()
            }
            Action::Attack { .. } if !v.inland => "11.1: there are no attacks in the Beginner game".into(),
            Action::Attack { .. } if cell.ground == Ground::City && !v.city_attacks => {
                "11.2: no attacks in cities".into()
            }
            Action::Attack { seat, adventurer } => format!(
                "11.1: Adventurer {seat}.{adventurer} is no target: expected another player's, on this tile, not attacked in this move"
            ),
            Action::Court => "10.6: only pirates on a Disaster tile court it, once per move".into(),
            Action::Place if !turn.done.new_tile => "8.2: Agents are placed on tiles just explored".into(),
            Action::Place if cell.in_domain => format!("8.3: no Agents within {} of a city", v.domain),
            Action::Place if cell.ground == Ground::Disaster => "8.2: no Agents on Disaster tiles".into(),
            Action::Place => format!("8.2: an Agent costs {}, the Chest has {}", v.price_place, hero.chest),
            Action::Courier(_) => {
                "12.4: expected the courier's card, an Agent here and wealth in the Chest".into()
            }
            _ => String::new(),
        }
    }

    fn explain_hire(&self, state: &State) -> String {
        let player = state.owner();
        if player.adventurers >= self.variant.adventurers {
            return format!("10.3: all {} Adventurers are in play", self.variant.adventurers);
        }
        format!("10.3: an Adventurer costs {}, the Vault has {}", self.variant.price_adventurer, player.vault)
    }

    fn explain_hire_agent(&self, state: &State, x: i16, y: i16) -> String {
        let Some(cell) = state.map.find(x, y).map(|id| state.map.cell(id)).filter(|cell| cell.is_placed())
        else {
            return format!("8.3: there is no tile at ({x}, {y})");
        };
        match cell.ground {
            Ground::City => return "8.3: no Agents in cities".into(),
            Ground::Disaster => return "8.3: no Agents on Disaster tiles".into(),
            _ => {}
        }
        if cell.in_domain {
            return format!("8.3: ({x}, {y}) is within {} of a city", self.variant.domain);
        }
        if self.has_active_agent(state, cell.agent) {
            return format!("8.3: an active Agent is at ({x}, {y})");
        }
        let vault = state.owner().vault;
        format!(
            "8.3: expected a tile without another player's Adventurer and {} ({} beside an own one) in the Vault, which has {vault}",
            self.variant.price_hire, self.variant.price_hire_near
        )
    }
}
