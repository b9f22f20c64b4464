//! Going on from a state to the end, without a tree.

use meeple_core::{
    Agent, AgentInfo, AgentSpec, AskedSeat, ChanceStreams, EpisodeSeed, Game, NoEvents, Odds, Phase,
    Position, Seat, Stream, Turn, find_agent,
};

/// Who decides where the tree does not: anybody, or an agent at every seat.
pub(crate) struct Rollout<G: Game> {
    /// By seat; empty if actions are drawn.
    advisors: Vec<Advisor<G>>,
    epsilon: Odds,
    /// How many rollouts have begun.
    number: u64,
    seed: EpisodeSeed,
    scratch: Vec<G::Action>,
}

struct Advisor<G: Game> {
    agent: Box<dyn Agent<G>>,
    asked: AskedSeat<G>,
    /// The rollout that it was told of last.
    number: u64,
}

/// The word for actions that are drawn.
const ANY: &str = "any";

impl<G: Game> Rollout<G> {
    /// `known` are the agents that may be named.
    pub(crate) fn new(game: &G, known: &[AgentInfo<G>], name: &str, epsilon: f64) -> Result<Self, String> {
        let mut advisors = Vec::new();
        if name != ANY {
            let spec = AgentSpec::parse(name);
            let explain = |error| format!("rollout: {error}, or '{ANY}' for any legal action");
            let info = find_agent(known, &spec).map_err(explain)?;
            for seat in Seat::all(game.seats()) {
                let agent = info.build(game, &spec).map_err(explain)?;
                let asked = AskedSeat::new(EpisodeSeed::from_bits(0), seat);
                advisors.push(Advisor { agent, asked, number: 0 });
            }
        }
        let (seed, epsilon) = (EpisodeSeed::from_bits(0), Odds::new(epsilon));
        Ok(Self { advisors, epsilon, number: 0, seed, scratch: Vec::new() })
    }

    /// Whether somebody gives advice.
    #[inline]
    pub(crate) fn has_advisors(&self) -> bool {
        !self.advisors.is_empty()
    }

    /// Another rollout begins; all who are asked in it begin anew.
    #[inline]
    pub(crate) fn begin(&mut self, seed: u64) {
        self.number += 1;
        self.seed = EpisodeSeed::from_bits(seed);
    }

    /// What the agent at this seat would do; `None` if actions are drawn.
    pub(crate) fn advice(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Action> {
        let advisor = self.advisors.get_mut(seat.index())?;
        if advisor.number != self.number {
            advisor.number = self.number;
            advisor.asked.restart(self.seed, seat);
            advisor.agent.begin_episode(game, seat);
        }
        Some(advisor.agent.act(Turn::new(&Position::new(game, state), &mut advisor.asked)))
    }

    /// What this seat does in a rollout.
    #[inline]
    pub(crate) fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        stream: &mut Stream,
    ) -> G::Action {
        if self.has_advisors()
            && !stream.hits(self.epsilon)
            && let Some(action) = self.advice(game, state, seat)
        {
            return action;
        }
        self.draw(game, state, seat, stream)
    }

    /// Any legal action of this seat.
    #[inline]
    pub(crate) fn draw(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        self.scratch.clear();
        game.sample_action(state, seat, stream, &mut self.scratch)
    }

    /// Takes back an action after use.
    #[inline]
    pub(crate) fn recycle(&mut self, seat: Seat, action: G::Action) {
        if let Some(advisor) = self.advisors.get_mut(seat.index()) {
            advisor.asked.recycle(action);
        }
    }

    /// Plays on to the end, but for at most `depth` decisions (and those of the same moment).
    #[inline]
    pub(crate) fn play_out(
        &mut self,
        game: &G,
        state: &mut G::State,
        chance: &mut ChanceStreams,
        stream: &mut Stream,
        depth: u32,
    ) {
        let mut decisions = 0;
        loop {
            match game.phase(state) {
                Phase::Over => return,
                Phase::Chance => game.resolve_chance(state, chance, &mut NoEvents),
                Phase::Decide(_) if decisions >= depth => return,
                Phase::Decide(seats) => {
                    for seat in seats {
                        let action = self.choose(game, state, seat, stream);
                        game.apply_unchecked(state, seat, &action, &mut NoEvents);
                        self.recycle(seat, action);
                        decisions += 1;
                    }
                }
            }
        }
    }
}
