//! Exploration: drawing, fitting, discovering.

use crate::cards::{CARDS, Card, Effect};
use crate::event::{Event, Events};
use crate::game::{Cartolan, domain_of};
use crate::info::end;
use crate::map::CAPITAL;
use crate::map::{Laid, NO_AGENT, visit_bit};
use crate::patterns::turned_winds;
use crate::pile::total;
use crate::rules::options;
use crate::state::{After, Chart, State, Step};
use crate::tiles::{Back, Dir, Edges, Kind, Mark, Wind};
use crate::variant::{CityEdges, DisasterReturn, MAX_CHEST, PirateAtDisaster};

impl Cartolan {
    #[inline]
    fn colour_for(&self, state: &State, dir: Dir) -> usize {
        let cell = state.map.cell(state.here());
        self.crossing(state, cell, dir).draws(self.variant.inland) as usize
    }

    #[inline]
    pub(crate) fn explore(&self, state: &mut State, dir: Dir, events: &mut impl Events) {
        if state.hero().charts > 0 {
            state.step = Step::TryChart(dir);
        } else {
            self.draw_next(state, dir, 0, events);
        }
    }

    /// Prepares the draw after `tried` tiles. If no tile is left, the game ends.
    #[inline]
    pub(crate) fn draw_next(&self, state: &mut State, dir: Dir, tried: u8, events: &mut impl Events) {
        let colour = self.colour_for(state, dir);
        if state.piles[colour].left() == 0 {
            if state.piles[colour].discards_sum == 0 {
                // R27: an impossible draw ends the game.
                state.hero_mut().turns += 1;
                state.failed += 1;
                state.owner_mut().tally.failed += 1;
                return self.exhausted(state, colour, events);
            }
            self.refill(state, colour, events);
        }
        state.step = Step::Explore(dir, tried, colour as u8);
    }

    /// Reshuffles the discards into an empty pile before a draw.
    #[inline]
    fn refill(&self, state: &mut State, colour: usize, events: &mut impl Events) {
        if state.piles[colour].left() == 0 {
            state.piles[colour].reshuffle();
            events.tell(|| Event::Reshuffled { tile_back: Back::ALL[colour] });
        }
    }

    #[inline]
    pub(crate) fn draw_colour(&self, state: &State) -> usize {
        match state.step {
            Step::Explore(_, _, colour) | Step::Chart(_, _, colour) => usize::from(colour),
            _ => 0,
        }
    }

    #[inline]
    pub(crate) fn drawn(&self, state: &mut State, (kind, again): (u8, bool), events: &mut impl Events) {
        let Step::Explore(dir, tried, colour) = state.step else { return };
        let colour = usize::from(colour);
        state.piles[colour].take(kind, again);
        let tile = self.kinds[colour][usize::from(kind)];
        if let Some(wind) = self.fitting_wind(state, dir, tile) {
            return self.place_tile(state, dir, tile, wind, events);
        }
        state.piles[colour].discard(kind);
        state.discarded += 1;
        let at = state.place(state.map.neighbour(state.here(), dir));
        events.tell(|| Event::Discarded { at, tile });
        if tried + 1 < self.variant.tries {
            return self.draw_next(state, dir, tried + 1, events);
        }
        // R10: the move is spent, and the Adventurer cannot act on the tile.
        state.failed += 1;
        state.owner_mut().tally.failed += 1;
        events.tell(|| Event::Failed { who: self.who(state), at });
        self.after_move(state, events);
    }

    /// The first orientation in which a tile fits beside the acting Adventurer's tile.
    #[inline(always)]
    pub(crate) fn fitting_wind(&self, state: &State, dir: Dir, tile: Kind) -> Option<Wind> {
        let here = state.map.cell(state.here());
        let cell = state.map.cell(here.neighbours[dir.index()]);
        let all = match self.variant.city_edges {
            CityEdges::Land => Edges::LAND,
            CityEdges::Water => Edges::WATER,
        };
        let edges = if tile.mark == Mark::City { all } else { tile.edges };
        let fits = |wind: Wind| cell.fits(wind.land_sides(edges));
        if fits(here.wind) {
            return Some(here.wind);
        }
        let is_across = here.wind.blows_across(dir);
        let [first, second] = turned_winds(self.variant.exploration, here.wind, is_across);
        if fits(first) { Some(first) } else { fits(second).then_some(second) }
    }

    fn place_tile(&self, state: &mut State, dir: Dir, tile: Kind, wind: Wind, events: &mut impl Events) {
        let v = &self.variant;
        let target = state.map.neighbour(state.here(), dir);
        let cell = state.map.cell(target);
        let (water, land) = cell.gap(dir.opposite());
        let surveyor = if v.cards { u32::from(state.hero().count(Effect::Rewards)) } else { 0 };
        let reward = cell.gap_wealth(dir.opposite(), v)
            + surveyor * (water + land)
            + if cell.known == 15 { u32::from(v.gap_closed) } else { 0 };
        let at = (cell.x, cell.y);
        let laid = Laid { back: tile.back, edges: tile.edges, mark: tile.mark, wind };
        let mut cities = self.cities(state);
        if tile.mark == Mark::City {
            state.second_city = target;
            cities[1] = Some(at);
        }
        let domain = domain_of(v, cities);
        state.map.lay(at, laid, v.city_edges == CityEdges::Land, &domain);
        if tile.mark == Mark::City {
            for cell in state.map.cells_mut() {
                cell.in_domain = domain(cell.x, cell.y);
            }
        }
        state.owner_mut().tally.tiles += 1;
        events.tell(|| Event::Placed { at, tile, wind });
        if reward > 0 {
            let wealth = reward as u16;
            self.gain(state, wealth);
            events.tell(|| Event::Gap { who: self.who(state), wealth });
        }
        self.arrive(state, target, true, events);
    }

    #[inline]
    pub(crate) fn gain(&self, state: &mut State, wealth: u16) {
        let hero = state.hero_mut();
        hero.chest = hero.chest.saturating_add(wealth).min(MAX_CHEST);
    }

    pub(crate) fn discover_wonder(&self, state: &mut State, events: &mut impl Events) {
        let cell = *state.map.cell(state.here());
        state.owner_mut().tally.wonders += 1;
        if cell.in_domain {
            // 9.1: inside a domain the discovery is a trade, which pirates cannot make.
            return self.trade_or_act(state, events);
        }
        // R39: a parameter decides if pirates get the reward.
        let unrewarded = state.hero().pirate && !self.variant.pirate_rewards;
        // R38, R50: a discovery without a reward also uses the wonder.
        match self.variant.discovery_uses_trade || unrewarded {
            true => state.hero_mut().used |= 1 << cell.wonder,
            false => state.turn.done.options |= 1 << options::TRADE,
        }
        if unrewarded {
            return self.settle_act(state, events);
        }
        if total(&state.deck) + total(&state.deck_discards) > 0 {
            state.step = Step::Reward;
        } else {
            self.take_reward(state, events);
        }
    }

    pub(crate) fn take_reward(&self, state: &mut State, events: &mut impl Events) {
        let cell = state.map.cell(state.here());
        let wealth = self.variant.reward(cell.back);
        let (who, at) = (self.who(state), (cell.x, cell.y));
        self.gain(state, wealth);
        events.tell(|| Event::Discovered { who, at, wealth });
        self.settle_act(state, events);
    }

    pub(crate) fn draw_card(&self, state: &mut State) {
        if total(&state.deck) == 0 {
            state.deck = state.deck_discards;
            state.deck_discards = [0; CARDS];
        }
        state.step = Step::Discover;
    }

    pub(crate) fn discovery(&self, state: &mut State, card: Card, events: &mut impl Events) {
        state.deck[card.index()] -= 1;
        let who = self.who(state);
        let Some(effect) = card.effect() else {
            state.deck_discards[card.index()] += 1;
            events.tell(|| Event::Drawn { who, card });
            return match card {
                Card::Season => self.season(state, events),
                _ => self.sickness(state, events),
            };
        };
        let seat = usize::from(who.0);
        state.hands[seat][effect.index()] += 1;
        let owner = meeple_core::Seat::new(seat);
        events.emit(meeple_core::Audience::only(owner), || Event::Drawn { who, card });
        events.tell(|| Event::DrewTechnology { who });
        self.settle_act(state, events);
    }

    /// Reverses the winds of the tiles around the cities; their edges stay.
    fn season(&self, state: &mut State, events: &mut impl Events) {
        for city in [CAPITAL, state.second_city] {
            if usize::from(city) >= state.map.cells().len() {
                continue;
            }
            for cell in state.map.cell(city).neighbours {
                if state.map.cell(cell).is_placed() {
                    state.map.cell_mut(cell).reverse_wind();
                }
            }
        }
        events.tell(|| Event::Season);
        self.settle_act(state, events);
    }

    /// Applies sickness: it dispossesses the Agents on tiles that the Adventurer has visited since its last
    /// city. The Adventurer loses its Chest and is sent back, and every Vault is halved.
    fn sickness(&self, state: &mut State, events: &mut impl Events) {
        let bit = visit_bit(self.who(state));
        for index in 0..state.map.cells().len() {
            let cell = state.map.cells()[index];
            if cell.visited & bit != 0 && cell.agent != NO_AGENT {
                state.agent_mut(cell.agent).dispossessed = true;
            }
        }
        let who = self.who(state);
        let at = state.place(state.here());
        let lost = state.hero().chest;
        state.hero_mut().chest = 0;
        events.tell(|| Event::Lost { who, at, wealth: lost });
        self.send_back(state, who, events);
        for player in &mut state.players {
            // R28: halved Vaults are rounded down.
            player.vault /= 2;
        }
        if !self.vault_changed(state, events) {
            self.end_sub_turn(state, events);
        }
    }

    /// Returns true if the acting Adventurer, which has just met a disaster, is sent back.
    #[inline]
    pub(crate) fn falls_to_disaster(&self, state: &State, new_tile: bool) -> bool {
        // R39: a pirate that turns over a disaster stays there, unless the variant sends it back.
        !state.hero().pirate || (new_tile && self.variant.pirate_at_disaster == PirateAtDisaster::SentBack)
    }

    /// Applies a disaster to a non-pirate, which loses its Chest and is sent back.
    pub(crate) fn meet_disaster(&self, state: &mut State, events: &mut impl Events) {
        let here = state.here();
        let (who, at) = (self.who(state), state.place(here));
        let lost = std::mem::take(&mut state.hero_mut().chest);
        let cell = state.map.cell_mut(here);
        cell.dropped = cell.dropped.saturating_add(lost).min(MAX_CHEST);
        events.tell(|| Event::Lost { who, at, wealth: lost });
        if self.is_scripted() {
            // The original does not clear the list of rests when a disaster ends the turn.
            state.hero_mut().barred = state.turn.rested;
        }
        self.disaster_sends_back(state, who, events);
        if self.is_scripted() && !state.turn.done.new_tile {
            // The original sends an Adventurer back from a known disaster in the middle of its script. The
            // script then continues in the city, so the arrival is a visit, and one turn too many is counted.
            state.hero_mut().turns += 1;
            return self.visit_city(state, state.here(), false, events);
        }
        self.end_sub_turn(state, events);
    }

    /// R16: a disaster sends the acting Adventurer back, to its last city or the Capital.
    pub(crate) fn disaster_sends_back(&self, state: &mut State, who: (u8, u8), events: &mut impl Events) {
        if self.variant.disaster_return == DisasterReturn::Capital {
            state.hero_mut().last_city = CAPITAL;
        }
        self.send_back(state, who, events);
    }

    /// Sends an Adventurer back to its last city. Its used wonders are reset, and it is no longer a pirate.
    pub(crate) fn send_back(&self, state: &mut State, who: (u8, u8), events: &mut impl Events) {
        let (seat, number) = (usize::from(who.0), usize::from(who.1));
        state.clock += 1;
        let clock = state.clock;
        let player = &mut state.players[seat];
        let adventurer = &mut player.adventurer[number];
        (adventurer.arrived, adventurer.used, adventurer.pirate) = (clock, 0, false);
        let city = adventurer.last_city;
        let from = std::mem::replace(&mut player.at[number], city);
        if who == (state.turn.seat, state.turn.adventurer) {
            state.turn.here = city;
        }
        state.map.cell_mut(from).ships -= 1;
        state.map.cell_mut(city).ships += 1;
        self.forget_visits(state, who);
        let (from, to) = (state.place(from), state.place(city));
        events.tell(|| Event::SentBack { who, from, to });
    }

    /// Clears an Adventurer's visits, because it has come to a city.
    pub(crate) fn forget_visits(&self, state: &mut State, who: (u8, u8)) {
        if self.variant.cards {
            let bit = visit_bit(who);
            for cell in state.map.cells_mut() {
                cell.visited &= !bit;
            }
        }
    }

    /// Tries a carried map tile.
    pub(crate) fn try_chart(&self, state: &mut State, which: u8, events: &mut impl Events) {
        let Step::TryChart(dir) = state.step else { return };
        let tile = self.chart(state.hero(), which);
        match self.fitting_wind(state, dir, tile) {
            Some(wind) => {
                state.hero_mut().hand_over_chart(which);
                self.place_tile(state, dir, tile, wind, events);
            }
            None => self.draw_next(state, dir, 0, events),
        }
    }

    pub(crate) fn chart(&self, adventurer: &crate::state::Adventurer, which: u8) -> Kind {
        let chart = adventurer.chart[usize::from(which)];
        self.kinds[chart.colour()][usize::from(chart.kind())]
    }

    /// Draws map tiles until the Adventurer carries its full number, then continues with `after`.
    pub(crate) fn take_charts(
        &self,
        state: &mut State,
        who: (u8, u8),
        after: After,
        events: &mut impl Events,
    ) {
        let adventurer = state.adventurer(who);
        if self.variant.cards && adventurer.charts < adventurer.count(Effect::Maps) {
            let next = usize::from(adventurer.next_chart);
            // R48: the other colour is drawn only if neither pile nor discards of this one are left.
            let colour = [next, 1 - next].into_iter().find(|colour| state.piles[*colour].remaining() > 0);
            if let Some(colour) = colour {
                self.refill(state, colour, events);
                state.after = after;
                state.step = Step::Chart(who.0, who.1, colour as u8);
                return;
            }
        }
        match after {
            After::Person => self.next_person(state, events),
            After::Act => self.settle_act(state, events),
            After::City => self.to_the_bank(state, events),
            After::NextAdventurer => self.next_adventurer(state, events),
        }
    }

    /// Applies the draw of a map tile to carry.
    pub(crate) fn charted(&self, state: &mut State, (kind, again): (u8, bool), events: &mut impl Events) {
        let Step::Chart(seat, number, colour) = state.step else { return };
        state.piles[usize::from(colour)].take(kind, again);
        let adventurer = state.adventurer_mut((seat, number));
        adventurer.chart[usize::from(adventurer.charts)] = Chart::new(colour, kind);
        adventurer.charts += 1;
        adventurer.next_chart = 1 - colour;
        let tile = self.kinds[usize::from(colour)][usize::from(kind)];
        events.tell(|| Event::Charted { who: (seat, number), tile });
        self.take_charts(state, (seat, number), state.after, events);
    }

    /// Drops the map tiles that the remaining cards cannot carry, after a card was put away. If there is a
    /// choice, the owner decides.
    pub(crate) fn shed_charts(&self, state: &mut State, events: &mut impl Events) {
        // R36: the capacity is the number of map cards.
        while state.hero().charts > state.hero().count(Effect::Maps) {
            if state.hero().charts > 1 {
                state.step = Step::Drop;
                return;
            }
            self.drop_chart(state, 0, events);
        }
        self.take_charts(state, self.who(state), After::NextAdventurer, events);
    }

    /// Moves a carried map tile to the discards of its colour.
    pub(crate) fn drop_chart(&self, state: &mut State, which: u8, events: &mut impl Events) {
        let chart = state.hero_mut().hand_over_chart(which);
        state.piles[chart.colour()].discard(chart.kind());
        let (who, tile) = (self.who(state), self.kinds[chart.colour()][usize::from(chart.kind())]);
        events.tell(|| Event::Dropped { who, tile });
    }

    /// Ends the game because a colour is exhausted.
    pub(crate) fn exhausted(&self, state: &mut State, colour: usize, events: &mut impl Events) {
        state.owner_mut().vault += u32::from(self.variant.exhaustion_bonus);
        state.lead = self.lead(state);
        self.over(state, end::WATER + colour as u8, events);
    }
}
