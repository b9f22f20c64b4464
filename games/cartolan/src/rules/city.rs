//! Cities: banking, hiring, and the winner.

use crate::event::{Event, Events};
use crate::game::Cartolan;
use crate::info::end;
use crate::map::{CellId, Ground};
use crate::state::{Adventurer, After, State, Step};
use crate::variant::{BuyFirst, CityOrder, HireMoves, MAX_SEATS, Tie};

impl Cartolan {
    pub(crate) fn visit_city(
        &self,
        state: &mut State,
        city: CellId,
        discovered: bool,
        events: &mut impl Events,
    ) {
        let who = self.who(state);
        if discovered {
            let wealth = self.variant.reward_city;
            self.gain(state, wealth);
            events.tell(|| Event::Discovered { who, at: state.place(city), wealth });
        }
        let hero = state.hero_mut();
        hero.pirate = false;
        hero.last_city = city;
        hero.used = 0;
        self.forget_visits(state, who);
        self.take_charts(state, who, After::City, events);
    }

    pub(crate) fn to_the_bank(&self, state: &mut State, events: &mut impl Events) {
        if state.hero().chest > 0 {
            state.step = Step::Bank;
        } else {
            self.after_bank(state, events);
        }
    }

    /// R33: banks a part of the Chest, for good.
    pub(crate) fn bank(&self, state: &mut State, wealth: u16, events: &mut impl Events) {
        state.hero_mut().chest -= wealth;
        state.owner_mut().vault += u32::from(wealth);
        events.tell(|| Event::Banked { who: self.who(state), wealth });
        self.after_bank(state, events);
    }

    fn after_bank(&self, state: &mut State, events: &mut impl Events) {
        if self.vault_changed_in_city(state, events) {
            return;
        }
        if self.attacks_before_purchases() {
            state.turn.done.will_buy = true;
            self.settle_act(state, events);
        } else {
            self.buy_on(state, events);
        }
    }

    /// R51: returns true if attacks in a city precede purchases.
    pub(crate) fn attacks_before_purchases(&self) -> bool {
        self.variant.city_attacks && self.variant.city_order == CityOrder::AttacksFirst
    }

    pub(crate) fn buy_on(&self, state: &mut State, events: &mut impl Events) {
        if self.can_hire_adventurer(state) || self.can_hire_agent(state) {
            state.step = Step::Buy;
        } else {
            self.leave_city(state, events);
        }
    }

    /// Ends the visit and the turn. If purchases precede attacks, attacks in the city may still follow.
    pub(crate) fn leave_city(&self, state: &mut State, events: &mut impl Events) {
        state.turn.over = true;
        if self.attacks_before_purchases() {
            self.after_move(state, events);
        } else {
            self.settle_act(state, events);
        }
    }

    pub(crate) fn can_hire_adventurer(&self, state: &State) -> bool {
        let player = state.owner();
        player.adventurers < self.variant.adventurers
            && player.vault >= u32::from(self.variant.price_adventurer)
    }

    fn can_hire_agent(&self, state: &State) -> bool {
        let v = &self.variant;
        let vault = state.owner().vault;
        vault >= u32::from(v.price_hire.min(v.price_hire_near))
            && (0..state.map.cells().len() as CellId).any(|cell| self.hire_price(state, cell).is_some())
    }

    /// The price of an Agent for this cell, if the player can hire one for it.
    #[inline]
    pub(crate) fn hire_price(&self, state: &State, id: CellId) -> Option<u16> {
        let v = &self.variant;
        let cell = state.map.cell(id);
        // R24: no Agent is hired for a tile in a domain.
        if !matches!(cell.ground, Ground::Plain | Ground::Wonder)
            || cell.in_domain
            || v.agents == 0
            || self.has_active_agent(state, cell.agent)
        {
            return None;
        }
        let seat = usize::from(state.turn.seat);
        let stands = |player: &crate::state::Player| cell.ships > 0 && player.at.contains(&id);
        let others = state.players[..self.seats]
            .iter()
            .enumerate()
            .any(|(other, player)| other != seat && stands(player));
        if others {
            return None;
        }
        // R25: the Agent is cheaper on a tile with an own Adventurer.
        let price = if stands(&state.players[seat]) { v.price_hire_near } else { v.price_hire };
        (state.players[seat].vault >= u32::from(price)).then_some(price)
    }

    pub(crate) fn hire_adventurer(&self, state: &mut State, events: &mut impl Events) {
        let city = state.here();
        let moves_from = match self.variant.hire_moves {
            // R6: a hired Adventurer moves in the same round.
            HireMoves::Now => state.round,
            HireMoves::NextRound => state.round + 1,
        };
        let round = state.round;
        state.clock += 1;
        let arrived = state.clock;
        let player = state.owner_mut();
        let number = player.adventurers;
        player.vault -= u32::from(self.variant.price_adventurer);
        player.adventurers += 1;
        player.at[usize::from(number)] = city;
        player.adventurer[usize::from(number)] =
            Adventurer { last_city: city, moves_from, turns: round, arrived, ..Adventurer::none() };
        state.map.cell_mut(city).ships += 1;
        let (seat, at) = (state.turn.seat, state.place(city));
        events.tell(|| Event::Hired { who: (seat, number), at });
        if self.vault_changed_in_city(state, events) {
            return;
        }
        if self.variant.cards && state.persons.iter().any(|count| *count > 0) {
            state.step = Step::Person(seat, number, None);
        } else {
            self.buy_on(state, events);
        }
    }

    pub(crate) fn hire_agent(&self, state: &mut State, (x, y): (i16, i16), events: &mut impl Events) {
        let Some(cell) = state.map.find(x, y) else { return };
        let Some(price) = self.hire_price(state, cell) else { return };
        self.clear_dispossessed(state, cell, events);
        match self.spare_agent(state) {
            Some(number) => {
                state.owner_mut().vault -= u32::from(price);
                self.put_agent(state, number, cell, events);
                if !self.vault_changed_in_city(state, events) {
                    self.buy_on(state, events);
                }
            }
            None => state.step = Step::Relocate(cell, price),
        }
    }

    /// Lead of the first Vault over the second.
    pub(crate) fn lead(&self, state: &State) -> u32 {
        let (mut first, mut second) = (0, 0);
        for player in &state.players[..self.seats] {
            if player.vault > first {
                (first, second) = (player.vault, first);
            } else if player.vault > second {
                second = player.vault;
            }
        }
        first - second
    }

    /// The ranking keys of a finished game, by seat. The greatest key ranks first; equal keys share a rank.
    pub(crate) fn ranking(&self, state: &State) -> [(u32, usize); MAX_SEATS] {
        let players = &state.players[..self.seats];
        let penniless = players.iter().all(|player| player.vault == 0);
        let mut keys = [(0, 0); MAX_SEATS];
        for (seat, player) in players.iter().enumerate() {
            // 10.5: if all Vaults are empty, the fullest Chest decides.
            let wealth = match penniless {
                true => player.crew().map(|(one, _)| u32::from(one.chest)).max().unwrap_or(0),
                false => player.vault,
            };
            // R14: by default equal wealth shares the rank.
            let early = if self.variant.tie == Tie::FirstSeat { MAX_SEATS - seat } else { 0 };
            keys[seat] = (wealth, early);
        }
        keys
    }

    /// Handles a change of a Vault. Returns true if it ends the game.
    pub(crate) fn vault_changed(&self, state: &mut State, events: &mut impl Events) -> bool {
        state.lead = self.lead(state);
        self.check_margin(state, events)
    }

    /// Handles a change of a Vault in a city, where the check of the margin may wait for purchases. Returns
    /// true if the change ends the game.
    pub(crate) fn vault_changed_in_city(&self, state: &mut State, events: &mut impl Events) -> bool {
        state.lead = self.lead(state);
        self.variant.purchase_before_margin_check == BuyFirst::No && self.check_margin(state, events)
    }

    /// Ends the game if the lead is large enough. Returns true if it did.
    pub(crate) fn check_margin(&self, state: &mut State, events: &mut impl Events) -> bool {
        let won = state.lead >= self.variant.winning_lead();
        if won {
            self.over(state, end::MARGIN, events);
        }
        won
    }

    pub(crate) fn over(&self, state: &mut State, reason: u8, events: &mut impl Events) {
        state.step = Step::Over(reason);
        events.tell(|| Event::Over { end: reason });
    }
}
