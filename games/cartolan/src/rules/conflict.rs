//! Conflicts: robbery, arrest, courting disasters.

use crate::cards::Effect;
use crate::event::{Event, Events, Target};
use crate::game::Cartolan;
use crate::map::CellId;
use crate::rules::options;
use crate::state::{State, Step, half_taken};
use crate::variant::{ArrestTo, CourtedWealth, MAX_CHEST};

impl Cartolan {
    fn count_at(&self, state: &State, seat: usize, cell: CellId) -> u8 {
        state.players[seat].at.iter().filter(|at| **at == cell).count() as u8
    }

    /// The number of conflicts to win, and the number of losses that end the attempt.
    pub(crate) fn odds(&self, state: &State, option: u8) -> (u8, u8) {
        if option == options::COURT {
            return (1, 1);
        }
        let here = state.here();
        let defender = match option {
            options::ATTACK_AGENT => usize::from(state.map.cell(here).agent.seat()),
            _ => usize::from(options::attacked(option).0),
        };
        let (mut wins, mut losses) = (1, 1);
        if self.variant.numbers_matter {
            let attackers = self.count_at(state, usize::from(state.turn.seat), here);
            // R21: without Adventurers, an Agent counts as one defender.
            let defenders = self.count_at(state, defender, here).max(1);
            losses += attackers.saturating_sub(defenders);
            wins += defenders.saturating_sub(attackers);
        }
        if self.variant.cards && option != options::ATTACK_AGENT {
            wins += state.adventurer(options::attacked(option)).count(Effect::Defence);
        }
        (wins, losses)
    }

    pub(crate) fn win_probability(&self, state: &State, option: u8) -> f64 {
        let base = self.conflict_probability;
        if option == options::COURT {
            return self.variant.courting_probability();
        }
        if self.variant.cards && state.hero().count(Effect::Attack) > 0 {
            return (2.0 * base).min(1.0);
        }
        base
    }

    pub(crate) fn fought(&self, state: &mut State, won: bool, events: &mut impl Events) {
        let Step::Conflict(option, wins, losses) = state.step else { return };
        match (won, wins, losses) {
            (true, 2.., _) => state.step = Step::Conflict(option, wins - 1, losses),
            (false, _, 2..) => state.step = Step::Conflict(option, wins, losses - 1),
            _ if option == options::COURT => self.courted(state, won, events),
            (false, ..) => {
                let target = self.target(state, option);
                let (who, at) = (self.who(state), state.place(state.here()));
                events.tell(|| Event::Attacked { who, target, at, won: false, wealth: 0 });
                self.settle_act(state, events);
            }
            (true, ..) => {
                state.owner_mut().tally.attacks_won += 1;
                match option {
                    options::ATTACK_AGENT => self.rob_agent(state, events),
                    _ => self.beat_adventurer(state, options::attacked(option), events),
                }
            }
        }
    }

    fn target(&self, state: &State, option: u8) -> Target {
        match option {
            options::ATTACK_AGENT => Target::Agent(state.map.cell(state.here()).agent.who()),
            _ => Target::Adventurer(options::attacked(option)),
        }
    }

    /// Skips a target after an arrest. The original iterates over the Adventurers on the tile while an arrest
    /// removes one, so it misses the next.
    fn skip_after_arrest(&self, state: &mut State, arrived: u32) {
        if !self.is_scripted() {
            return;
        }
        let here = state.here();
        let mut next: Option<(u32, usize, usize)> = None;
        for (seat, player) in state.players[..self.seats].iter().enumerate() {
            for number in 0..usize::from(player.adventurers) {
                let when = player.adventurer[number].arrived;
                let later = player.at[number] == here && when > arrived;
                if later && next.is_none_or(|(earliest, ..)| when < earliest) {
                    next = Some((when, seat, number));
                }
            }
        }
        if let Some((_, seat, number)) = next
            && seat != usize::from(state.turn.seat)
        {
            state.turn.done.options |= 1 << options::attack(seat as u8, number as u8);
        }
    }

    fn rob_agent(&self, state: &mut State, events: &mut impl Events) {
        let here = state.here();
        let agent = state.map.cell(here).agent;
        let loot = std::mem::take(&mut state.agent_mut(agent).wealth);
        let wealth = loot.saturating_add(self.variant.agent_loot);
        state.agent_mut(agent).dispossessed = true;
        self.gain(state, wealth);
        let (who, at) = (self.who(state), state.place(here));
        let target = Target::Agent(agent.who());
        events.tell(|| Event::Attacked { who, target, at, won: true, wealth });
        if self.variant.cards && state.hero().count(Effect::Damage) > 0 {
            self.remove_agent(state, agent, events);
        }
        self.settle_act(state, events);
    }

    fn beat_adventurer(&self, state: &mut State, (seat, number): (u8, u8), events: &mut impl Events) {
        let (who, at) = (self.who(state), state.place(state.here()));
        let target = Target::Adventurer((seat, number));
        let victim = state.adventurer_mut((seat, number));
        if victim.pirate {
            // The victim is a pirate, so the attack is an arrest.
            victim.chest = 0;
            let arrived = victim.arrived;
            let wealth = self.variant.arrest_reward;
            self.skip_after_arrest(state, arrived);
            events.tell(|| Event::Attacked { who, target, at, won: true, wealth });
            self.send_back(state, (seat, number), events);
            // R18: by default the reward goes to the Vault.
            match self.variant.arrest_to {
                ArrestTo::Chest => self.gain(state, wealth),
                ArrestTo::Vault => {
                    state.owner_mut().vault += u32::from(wealth);
                    // R51: in a city where purchases come first, the check of the margin waits for them.
                    let is_over = match state.turn.done.will_buy {
                        true => self.vault_changed_in_city(state, events),
                        false => self.vault_changed(state, events),
                    };
                    if is_over {
                        return;
                    }
                }
            }
        } else {
            let wealth = half_taken(victim.chest);
            victim.chest -= wealth;
            self.gain(state, wealth);
            events.tell(|| Event::Attacked { who, target, at, won: true, wealth });
            if self.variant.cards && state.hero().count(Effect::Damage) > 0 {
                state.adventurer_mut((seat, number)).chest = 0;
                self.send_back(state, (seat, number), events);
            }
        }
        self.settle_act(state, events);
    }

    fn courted(&self, state: &mut State, won: bool, events: &mut impl Events) {
        let here = state.here();
        let (who, at) = (self.who(state), state.place(here));
        let cell = state.map.cell_mut(here);
        let wealth = half_taken(cell.dropped);
        if won {
            if self.variant.courted_wealth == CourtedWealth::Taken {
                cell.dropped -= wealth;
            }
            self.gain(state, wealth);
            events.tell(|| Event::Attacked { who, target: Target::Disaster, at, won, wealth });
            return self.settle_act(state, events);
        }
        events.tell(|| Event::Attacked { who, target: Target::Disaster, at, won, wealth: 0 });
        let lost = std::mem::take(&mut state.hero_mut().chest);
        let cell = state.map.cell_mut(here);
        cell.dropped = cell.dropped.saturating_add(lost).min(MAX_CHEST);
        events.tell(|| Event::Lost { who, at, wealth: lost });
        self.disaster_sends_back(state, who, events);
        self.end_sub_turn(state, events);
    }
}
