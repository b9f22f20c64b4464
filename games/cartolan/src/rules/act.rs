//! Acts of an Adventurer on its tile.

use crate::cards::Effect;
use crate::event::{Event, Events};
use crate::game::Cartolan;
use crate::map::{AgentId, CellId, Ground, NO_AGENT, NO_CELL};
use crate::rules::options;
use crate::state::{Agent, State, Step};
use crate::variant::{PlacedAgentRest, Trading};

impl Cartolan {
    /// Offers the options on the tile. If there is none, it ends the move.
    #[inline(always)]
    pub(crate) fn settle_act(&self, state: &mut State, events: &mut impl Events) {
        state.turn.done.offered = self.offered(state);
        if state.turn.done.offered != 0 {
            state.step = Step::Act;
        } else {
            self.after_move(state, events);
        }
    }

    /// Marks an option as taken, so that it is not offered again in this move.
    #[inline]
    fn taken(&self, state: &mut State, option: u8) {
        state.turn.done.options |= 1 << option;
        // Targets of attacks are ordered by arrival, not by option, so the cursor stays at the first attack.
        let is_attack = (options::ATTACK..options::COURT).contains(&option);
        state.turn.done.cursor = if is_attack { options::ATTACK } else { option + 1 };
    }

    /// Declines the next option in the scripted order, or all options in the free order. In a purchase step
    /// it ends the purchases.
    pub(crate) fn done(&self, state: &mut State, events: &mut impl Events) {
        if matches!(state.step, Step::Buy) {
            return self.leave_city(state, events);
        }
        if self.is_scripted() {
            let option = state.turn.done.offered.trailing_zeros() as u8;
            self.taken(state, option);
            return self.settle_act(state, events);
        }
        self.after_move(state, events);
    }

    /// Makes an automatic trade at a wonder, if possible, then continues with the other options.
    #[inline]
    pub(crate) fn trade_or_act(&self, state: &mut State, events: &mut impl Events) {
        // R37: a parameter makes trades automatic.
        let automatic = self.variant.trading == Trading::Automatic;
        if automatic && options::can_trade(state.hero(), state.map.cell(state.here())) {
            self.trade(state, events);
        } else {
            self.settle_act(state, events);
        }
    }

    #[inline]
    pub(crate) fn trade(&self, state: &mut State, events: &mut impl Events) {
        let cell = *state.map.cell(state.here());
        self.taken(state, options::TRADE);
        state.hero_mut().used |= 1 << cell.wonder;
        let wealth = self.variant.trade;
        self.gain(state, wealth);
        state.owner_mut().tally.trades += 1;
        events.tell(|| Event::Traded { who: self.who(state), at: (cell.x, cell.y), wealth });
        if self.has_active_agent(state, cell.agent) {
            state.agent_mut(cell.agent).gain(self.variant.trade_bonus);
        }
        self.settle_act(state, events);
    }

    /// Collects all wealth of the own Agent.
    pub(crate) fn collect(&self, state: &mut State, events: &mut impl Events) {
        let cell = *state.map.cell(state.here());
        self.taken(state, options::COLLECT);
        let wealth = std::mem::take(&mut state.agent_mut(cell.agent).wealth);
        self.gain(state, wealth);
        events.tell(|| Event::Collected { who: self.who(state), at: (cell.x, cell.y), wealth });
        self.settle_act(state, events);
    }

    /// Rests at the Agent, which resets the counts of moves.
    pub(crate) fn rest(&self, state: &mut State, events: &mut impl Events) {
        let cell = *state.map.cell(state.here());
        self.taken(state, options::REST);
        if cell.agent.seat() != state.turn.seat {
            let price = self.rest_price(state);
            if price < self.variant.price_rest {
                state.turn.free_rest_used = true;
            }
            state.hero_mut().chest -= price;
            state.agent_mut(cell.agent).gain(price);
        }
        let rests = &mut state.owner_mut().tally.rests;
        *rests = rests.saturating_add(1);
        // R7: an Adventurer rests once per Agent and turn.
        state.turn.rested.insert(cell.agent);
        (state.turn.land, state.turn.upwind, state.turn.downwind) = (0, 0, 0);
        let who = self.who(state);
        events.tell(|| Event::Rested { who, at: (cell.x, cell.y), agent: cell.agent.who() });
        self.take_charts(state, who, crate::state::After::Act, events);
    }

    pub(crate) fn restore(&self, state: &mut State, events: &mut impl Events) {
        let cell = *state.map.cell(state.here());
        self.taken(state, options::RESTORE);
        state.hero_mut().chest -= self.variant.price_restore;
        state.agent_mut(cell.agent).dispossessed = false;
        if state.hero().count(Effect::Agents) == 0 {
            state.turn.rested.insert(cell.agent);
        }
        events.tell(|| Event::Restored { agent: cell.agent.who(), at: (cell.x, cell.y) });
        self.settle_act(state, events);
    }

    pub(crate) fn place_here(&self, state: &mut State, events: &mut impl Events) {
        let price = self.place_price(state).unwrap_or(0);
        self.taken(state, options::PLACE);
        let here = state.here();
        self.clear_dispossessed(state, here, events);
        match self.spare_agent(state) {
            Some(number) => {
                state.hero_mut().chest -= price;
                self.put_agent(state, number, here, events);
                self.bar_rest(state, number);
                self.settle_act(state, events);
            }
            None => state.step = Step::Relocate(here, price),
        }
    }

    /// R8: an Adventurer cannot rest at once at an Agent that it has just placed.
    fn bar_rest(&self, state: &mut State, number: u8) {
        if state.hero().count(Effect::Agents) > 0 {
            return;
        }
        let agent = AgentId::new(state.turn.seat, number);
        match self.variant.placed_agent_rest {
            PlacedAgentRest::LaterMove => state.turn.just_placed.insert(agent),
            PlacedAgentRest::NextTurn => state.turn.rested.insert(agent),
        }
    }

    /// Moves an Agent on the map: to the acting Adventurer's tile, or from a city to any place.
    pub(crate) fn relocate(&self, state: &mut State, number: u8, events: &mut impl Events) {
        let Step::Relocate(cell, price) = state.step else { return };
        let old = state.owner_mut().agent[usize::from(number)].cell;
        state.map.cell_mut(old).agent = NO_AGENT;
        // R12: the Agent keeps its wealth.
        state.owner_mut().agent[usize::from(number)].dispossessed = false;
        self.put_agent(state, number, cell, events);
        if state.map.cell(state.here()).ground == Ground::City {
            state.owner_mut().vault -= u32::from(price);
            if !self.vault_changed_in_city(state, events) {
                self.buy_on(state, events);
            }
        } else {
            state.hero_mut().chest -= price;
            self.bar_rest(state, number);
            self.settle_act(state, events);
        }
    }

    /// The number of an Agent in the player's supply.
    pub(crate) fn spare_agent(&self, state: &State) -> Option<u8> {
        let player = state.owner();
        (0..self.variant.agents).find(|number| !player.agent[usize::from(*number)].is_placed())
    }

    /// Puts the player's Agent on a cell that has none.
    pub(crate) fn put_agent(&self, state: &mut State, number: u8, cell: CellId, events: &mut impl Events) {
        let seat = state.turn.seat;
        state.map.cell_mut(cell).agent = AgentId::new(seat, number);
        let player = state.owner_mut();
        let agent = &mut player.agent[usize::from(number)];
        if !agent.is_placed() {
            *agent = Agent::NONE;
            player.agents[usize::from(player.agents_placed)] = number;
            player.agents_placed += 1;
        }
        player.agent[usize::from(number)].cell = cell;
        events.tell(|| Event::AgentPlaced { agent: (seat, number), at: state.place(cell) });
    }

    /// Removes the dispossessed Agent of a cell, because another Agent is placed there.
    pub(crate) fn clear_dispossessed(&self, state: &mut State, cell: CellId, events: &mut impl Events) {
        let agent = state.map.cell(cell).agent;
        if agent != NO_AGENT {
            self.remove_agent(state, agent, events);
        }
    }

    pub(crate) fn remove_agent(&self, state: &mut State, agent: AgentId, events: &mut impl Events) {
        let (seat, number) = agent.who();
        let player = &mut state.players[usize::from(seat)];
        let cell = player.agent[usize::from(number)].cell;
        player.agent[usize::from(number)] = Agent::NONE;
        let order = player.placed_agents().iter().position(|other| *other == number);
        if let Some(order) = order {
            player.agents.copy_within(order + 1.., order);
            player.agents_placed -= 1;
            let end = usize::from(player.agents_placed);
            player.agents[end..].fill(0);
        }
        if cell != NO_CELL {
            state.map.cell_mut(cell).agent = NO_AGENT;
            events.tell(|| Event::AgentRemoved { agent: (seat, number), at: state.place(cell) });
        }
    }

    pub(crate) fn send(&self, state: &mut State, wealth: u16, events: &mut impl Events) {
        let Step::Send(number) = state.step else { return };
        self.taken(state, options::COURIER + number);
        state.hero_mut().chest -= wealth;
        state.owner_mut().agent[usize::from(number)].gain(wealth);
        let who = self.who(state);
        events.tell(|| Event::Sent { who, agent: (who.0, number), wealth });
        self.settle_act(state, events);
    }

    /// Starts an attack or a courtship.
    pub(crate) fn attack(&self, state: &mut State, option: u8) {
        self.taken(state, option);
        if option == options::COURT && self.is_scripted() {
            // In the original, courting a disaster ends the options.
            state.turn.done.cursor = options::COURIER;
        }
        let (wins, losses) = self.odds(state, option);
        let on_a_pirate = match option {
            options::ATTACK_AGENT => false,
            options::COURT => true,
            _ => state.adventurer(options::attacked(option)).pirate,
        };
        // R19: an attacker turns pirate before the rolls, whether it wins or loses, unless the target is a
        // pirate or a disaster.
        if !on_a_pirate {
            state.hero_mut().pirate = true;
        }
        if option != options::COURT {
            state.owner_mut().tally.attacks += 1;
        }
        state.step = Step::Conflict(option, wins, losses);
    }
}
