use meeple_core::{
    Agent, AgentInfo, AgentSpec, AskedSeat, CancelToken, ChanceStreams, EpisodeSeed, Game, Hints, NoEvents,
    Odds, Phase, Position, Seat, Stream, Turn, find_agent,
};

use crate::averages::Averages;
use crate::params::{CutValue, MctsParams};

enum Guide<G: Game> {
    Nobody,
    Hints,
    Advisors(Vec<Advisor<G>>),
}

pub(crate) struct Rollout<G: Game> {
    guide: Guide<G>,
    epsilon: Odds,
    /// Decisions after which the rollout may be cut.
    depth: u32,
    cut: CutValue,
    averages: Averages,
    number: u64,
    seed: EpisodeSeed,
    scratch: Vec<G::Action>,
    cancel: Option<CancelToken>,
}

struct Advisor<G: Game> {
    agent: Box<dyn Agent<G>>,
    asked: AskedSeat<G>,
    /// Number of the last rollout whose start the agent was notified of.
    number: u64,
}

/// Reserved words: `ANY` for random actions, `HINTS` for the advice of the game's hints.
const ANY: &str = "any";
const HINTS: &str = "hints";

/// Number of decisions beyond `depth` after which a position counts as settled in any case.
const SETTLED_AFTER_DECISIONS: u32 = 1000;

impl<G: Game> Rollout<G> {
    pub(crate) fn new(game: &G, known: &[AgentInfo<G>], params: &MctsParams) -> Result<Self, String> {
        let guide = match params.rollout.as_str() {
            ANY => Guide::Nobody,
            HINTS => Guide::Hints,
            name => {
                let spec = AgentSpec::parse(name);
                let explain = |error| {
                    format!(
                        "rollout: {error}, or '{ANY}' for any legal action, '{HINTS}' for the game's advice"
                    )
                };
                let info = find_agent(game.info(), known, &spec).map_err(explain)?;
                let advisor = |seat| {
                    let agent = info.build(game, &spec).map_err(explain)?;
                    let asked = AskedSeat::new(EpisodeSeed::from_bits(0), seat);
                    Ok(Advisor { agent, asked, number: 0 })
                };
                Guide::Advisors(Seat::all(game.seats()).map(advisor).collect::<Result<_, String>>()?)
            }
        };
        Ok(Self {
            guide,
            epsilon: Odds::new(params.epsilon),
            depth: params.depth,
            cut: params.value.clone(),
            averages: Averages::new(game, params.mast),
            number: 0,
            seed: EpisodeSeed::from_bits(0),
            scratch: Vec::new(),
            cancel: None,
        })
    }

    /// Sets the token that ends rollouts early.
    pub(crate) fn cancel_by(&mut self, token: Option<CancelToken>) {
        self.cancel = token;
    }

    #[inline]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    pub(crate) fn restart(&mut self) {
        self.averages.restart();
    }

    /// Begins a rollout. Agents that decide in it begin a new episode.
    #[inline]
    pub(crate) fn begin(&mut self, seed: u64) {
        self.number += 1;
        self.seed = EpisodeSeed::from_bits(seed);
        self.averages.begin();
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// The action advised by hints or an agent; `None` if actions are drawn at random.
    pub(crate) fn advice(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        hints: &mut dyn Hints<G>,
        stream: &mut Stream,
    ) -> Option<G::Action> {
        let position = Position::new(game, state);
        match &mut self.guide {
            Guide::Nobody => None,
            Guide::Hints => hints.act(&position, seat, stream),
            Guide::Advisors(advisors) => {
                let advisor = &mut advisors[seat.index()];
                if advisor.number != self.number {
                    advisor.number = self.number;
                    advisor.asked.restart(self.seed, seat);
                    advisor.agent.begin_episode(game, seat);
                }
                Some(advisor.agent.act(Turn::new(&position, &mut advisor.asked)))
            }
        }
    }

    #[inline]
    pub(crate) fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        hints: &mut dyn Hints<G>,
        stream: &mut Stream,
    ) -> G::Action {
        if !matches!(self.guide, Guide::Nobody)
            && !stream.hits(self.epsilon)
            && let Some(action) = self.advice(game, state, seat, hints, stream)
        {
            return action;
        }
        if self.averages.are_kept() {
            return self.averages.choose(game, state, seat, stream, &mut self.scratch);
        }
        self.draw(game, state, seat, stream)
    }

    #[inline]
    pub(crate) fn draw(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        self.scratch.clear();
        game.sample_action(state, seat, stream, &mut self.scratch)
    }

    #[inline]
    pub(crate) fn recycle(&mut self, seat: Seat, action: G::Action) {
        if let Guide::Advisors(advisors) = &mut self.guide {
            advisors[seat.index()].asked.recycle(action);
        }
    }

    /// Learns the values of an episode's end, on the scale of `0..=1`.
    #[inline]
    pub(crate) fn learn(&mut self, worth: impl Fn(Seat) -> f64) {
        self.averages.learn(worth);
    }

    /// Plays on to the end, or until the position is settled after `depth` decisions. Simultaneous decisions
    /// are completed first.
    #[inline]
    pub(crate) fn play_out(
        &mut self,
        game: &G,
        state: &mut G::State,
        chance: &mut ChanceStreams,
        hints: &mut dyn Hints<G>,
        stream: &mut Stream,
    ) {
        let mut decisions = 0;
        loop {
            match game.phase(state) {
                Phase::Over => return,
                Phase::Chance => game.resolve_chance(state, chance, &mut NoEvents),
                Phase::Decide(_) if self.is_cancelled() => return,
                Phase::Decide(_)
                    if decisions >= self.depth && self.may_cut(game, state, hints, decisions) =>
                {
                    return;
                }
                Phase::Decide(seats) => {
                    for seat in seats {
                        let action = self.choose(game, state, seat, hints, stream);
                        game.apply_unchecked(state, seat, &action, &mut NoEvents);
                        self.recycle(seat, action);
                        decisions += 1;
                    }
                }
            }
        }
    }

    /// Returns true if the rollout may be cut here: the position is settled, is valued by scores alone, or
    /// has waited for [`SETTLED_AFTER_DECISIONS`].
    fn may_cut(&self, game: &G, state: &G::State, hints: &mut dyn Hints<G>, decisions: u32) -> bool {
        self.cut == CutValue::Scores
            || decisions >= self.depth.saturating_add(SETTLED_AFTER_DECISIONS)
            || hints.is_settled(&Position::new(game, state))
    }
}
