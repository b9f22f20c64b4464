//! The order of play: Adventurers, players, rounds; named cards and Technologies.

use crate::cards::Effect;
use crate::event::{Event, Events};
use crate::game::Cartolan;
use crate::info::end;
use crate::map::AgentSet;
use crate::state::{After, State, Step, SubTurn};
use crate::tiles::Back;
use crate::variant::{BuyFirst, CardDraw, Discards};

impl Cartolan {
    pub(crate) fn begin(&self, state: &mut State, seat: u8, events: &mut impl Events) {
        state.first = seat;
        state.start_turn(seat, 0, 0);
        events.tell(|| Event::Began { seat });
        for (tile_back, (wanted, dealt)) in Back::ALL.iter().copied().zip(self.supplies) {
            if dealt < wanted {
                // R2: the deal is capped at the tiles of the catalogue.
                events.tell(|| Event::Capped { tile_back, wanted, dealt });
            }
        }
        self.next_person(state, events);
    }

    /// Draws a named card for the next Adventurer without one. When all have one, the game or the purchases
    /// continue.
    pub(crate) fn next_person(&self, state: &mut State, events: &mut impl Events) {
        if self.variant.cards && state.persons.iter().any(|count| *count > 0) {
            for seat in 0..self.seats {
                let unnamed = state.players[seat].crew().position(|(one, _)| one.person.is_none());
                if let Some(number) = unnamed {
                    state.step = Step::Person(seat as u8, number as u8, None);
                    return;
                }
            }
        }
        if state.begun {
            self.buy_on(state, events);
        } else {
            state.begun = true;
            events.tell(|| Event::Round { round: 1 });
            self.next_adventurer(state, events);
        }
    }

    pub(crate) fn person(&self, state: &mut State, effect: Effect, events: &mut impl Events) {
        let Step::Person(seat, number, first) = state.step else { return };
        state.persons[effect.index()] -= 1;
        let choice = self.variant.card_draw == CardDraw::ChooseOfTwo;
        match first {
            None if choice && state.persons.iter().any(|count| *count > 0) => {
                state.step = Step::Person(seat, number, Some(effect));
            }
            None => self.name(state, (seat, number), effect, events),
            Some(first) if first == effect => {
                state.persons[effect.index()] += 1;
                self.name(state, (seat, number), effect, events);
            }
            Some(first) => {
                let (low, high) = (first.min(effect), first.max(effect));
                state.step = Step::ChoosePerson(seat, number, low, high);
            }
        }
    }

    /// Applies the owner's choice between two named cards. The other card goes back.
    pub(crate) fn choose_person(&self, state: &mut State, effect: Effect, events: &mut impl Events) {
        let Step::ChoosePerson(seat, number, low, high) = state.step else { return };
        let other = if effect == low { high } else { low };
        state.persons[other.index()] += 1;
        self.name(state, (seat, number), effect, events);
    }

    fn name(&self, state: &mut State, who: (u8, u8), effect: Effect, events: &mut impl Events) {
        state.adventurer_mut(who).person = Some(effect);
        events.tell(|| Event::Named { who, effect });
        self.take_charts(state, who, After::Person, events);
    }

    #[inline]
    pub(crate) fn begin_sub_turn(&self, state: &mut State, number: u8) {
        state.start_turn(state.turn.seat, state.turn.moved, number);
        state.turn.rested = std::mem::take(&mut state.hero_mut().barred);
        let [land, upwind, downwind] = std::mem::take(&mut state.hero_mut().carried_moves);
        (state.turn.land, state.turn.upwind, state.turn.downwind) = (land, upwind, downwind);
        self.move_on(state, self.allowed(state));
    }

    /// Bits of the player's Adventurers that have yet to move.
    #[inline]
    pub(crate) fn unmoved(&self, state: &State) -> u8 {
        let player = state.owner();
        let scripted = self.is_scripted();
        let mut ready = 0;
        for (number, adventurer) in player.adventurer.iter().enumerate() {
            let may = match scripted {
                true => adventurer.turns < state.round,
                false => adventurer.moves_from <= state.round,
            };
            ready |= u8::from(may) << number;
        }
        ready & ((1 << player.adventurers) - 1) & !state.turn.moved
    }

    /// Continues with the player's next Adventurer, or with the next player.
    #[inline]
    pub(crate) fn next_adventurer(&self, state: &mut State, events: &mut impl Events) {
        loop {
            let unmoved = self.unmoved(state);
            if unmoved != 0 {
                if unmoved & (unmoved - 1) == 0 || self.is_scripted() {
                    self.begin_sub_turn(state, unmoved.trailing_zeros() as u8);
                } else {
                    // The choice clears the last turn, so the state holds no outdated values.
                    state.start_turn(state.turn.seat, state.turn.moved, 0);
                    state.step = Step::Pick;
                }
                return;
            }
            let next = match state.turn.seat + 1 {
                next if usize::from(next) == self.seats => 0,
                next => next,
            };
            (state.turn.seat, state.turn.moved) = (next, 0);
            if next == state.first {
                if state.round >= self.variant.rounds {
                    state.start_turn(next, 0, 0);
                    return self.over(state, end::ROUNDS, events);
                }
                state.round += 1;
                let round = state.round;
                events.tell(|| Event::Round { round });
            }
        }
    }

    /// Ends the turn of the acting Adventurer.
    #[inline]
    pub(crate) fn end_sub_turn(&self, state: &mut State, events: &mut impl Events) {
        let number = state.turn.adventurer;
        state.hero_mut().turns += 1;
        state.turn.moved |= 1 << number;
        (state.turn.land, state.turn.upwind, state.turn.downwind) = (0, 0, 0);
        if self.is_scripted() && state.hero().pirate && state.turn.done.waited && !state.turn.over {
            // A quirk of the original: after a wait, a pirate's turn is over but not closed, so it may go on
            // to attack.
            state.turn.overtime = true;
            state.turn.rested = AgentSet::EMPTY;
            self.move_on(state, self.allowed(state));
            return;
        }
        self.close_sub_turn(state, events);
    }

    /// Continues with a change of Technology or the next Adventurer, unless the game ends.
    #[inline]
    pub(crate) fn close_sub_turn(&self, state: &mut State, events: &mut impl Events) {
        if state.turn.overtime {
            let SubTurn { land, upwind, downwind, rested, .. } = state.turn;
            let hero = state.hero_mut();
            hero.carried_moves = [land, upwind, downwind];
            hero.barred = rested;
        }
        if self.variant.discards == Discards::EverySubturn {
            for (tile_back, pile) in Back::ALL.iter().copied().zip(&mut state.piles) {
                if pile.discards_sum > 0 {
                    pile.reshuffle();
                    events.tell(|| Event::Reshuffled { tile_back });
                }
            }
        }
        if self.variant.purchase_before_margin_check == BuyFirst::Yes && self.check_margin(state, events) {
            return;
        }
        // R27: an exhausted colour also ends the game.
        for colour in 0..=usize::from(self.variant.inland) {
            if state.piles[colour].remaining() == 0 {
                return self.exhausted(state, colour, events);
            }
        }
        if self.equippable(state) != 0 {
            state.step = Step::Equip;
        } else {
            self.next_adventurer(state, events);
        }
    }

    /// Bits of the Technologies in hand that differ from the one in use.
    pub(crate) fn equippable(&self, state: &State) -> u16 {
        let mut mask = 0;
        if self.variant.cards {
            let hand = &state.hands[usize::from(state.turn.seat)];
            for effect in Effect::ALL.iter().copied() {
                if hand[effect.index()] > 0 && state.hero().gear != Some(effect) {
                    mask |= 1 << effect.index();
                }
            }
        }
        mask
    }

    pub(crate) fn equip(&self, state: &mut State, effect: Effect, events: &mut impl Events) {
        let seat = usize::from(state.turn.seat);
        state.hands[seat][effect.index()] -= 1;
        // Returned Technologies are public. Of two equal ones, the public one is used first.
        let seen = &mut state.seen_hands[seat];
        seen[effect.index()] = seen[effect.index()].saturating_sub(1);
        if let Some(old) = state.hero_mut().gear.replace(effect) {
            state.hands[seat][old.index()] += 1;
            state.seen_hands[seat][old.index()] += 1;
        }
        events.tell(|| Event::Equipped { who: self.who(state), effect });
        self.shed_charts(state, events);
    }
}
