//! Episodes without their types.

use std::ops::Deref;
use std::sync::Arc;

use crate::agent::{Agent, AgentInfo, Budget, CancelToken, find_agent};
use crate::analysis::Analysis;
use crate::any::view::EpisodeView;
use crate::episode::{Episode, Step};
use crate::figure::FigureSheet;
use crate::phase::{Illegal, Phase, Viewer};
use crate::playable::Playable;
use crate::seat::Seat;
use crate::spec::{AgentError, AgentSpec};
use crate::stream::{EpisodeSeed, Stream};
use crate::take_back::{Final, Moments};

/// Decision as received from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer<'a> {
    /// Text form of the action.
    Text(&'a str),
    /// Index of a listed action, from 0.
    Index(usize),
    /// The dense id of a listed action; see [`Game::action_id`](crate::Game::action_id).
    Id(u32),
    /// The action as JSON; see [`Game::read_json`](crate::Game::read_json).
    Json(&'a str),
    /// No decision of the player; the seat takes [`Game::fallback_action`](crate::Game::fallback_action).
    Fallback,
}

/// An episode without its type. It dereferences to [`EpisodeView`] for reading.
pub trait AnyEpisode: Send {
    /// The episode's read-only interface.
    fn view(&self) -> &(dyn EpisodeView + 'static);
    /// Lets chance draw once, if a draw is due.
    fn step_chance(&mut self);
    /// Draws a random legal action for a seat that owes a decision, from the seat's own stream.
    fn sample_action(&mut self, seat: Seat) -> String;
    /// Takes an action, given as text, at once; see [`Episode::act`].
    ///
    /// # Errors
    /// If the text is no action or the action is illegal; the episode is unchanged then.
    fn act(&mut self, seat: Seat, action: &str) -> Result<(), Illegal>;
    /// Decides for a seat; see [`Episode::decide`].
    ///
    /// # Errors
    /// If the answer is no action or the action is illegal; the episode is unchanged then.
    fn decide(&mut self, seat: Seat, answer: Answer<'_>) -> Result<(), Illegal>;
    /// Returns true if a decision of the seat is held until others have decided; see [`Episode::decide`].
    fn holds(&self, seat: Seat) -> bool;
    /// The held decisions, as texts.
    fn held(&self) -> Vec<(Seat, String)>;
    /// Writes 1 at the id of every legal action of the seat and 0 elsewhere; all 0 if the seat has no open
    /// decision.
    ///
    /// # Panics
    /// If the mask is shorter than [`action_bound`](crate::AnyGame::action_bound).
    fn write_mask(&self, seat: Seat, mask: &mut [u8]);
    /// The ids of the seat's legal actions, in the order of listing. Empty if the seat has no open decision
    /// or its actions have no ids.
    fn legal_ids(&self, seat: Seat) -> Vec<u32>;
    /// Writes the seat's observation as numbers, `[size]` of the game's
    /// [`encoding`](crate::AnyGame::encoding). Writes nothing if the game has no encoding.
    ///
    /// # Panics
    /// If the slice has another length.
    fn write_numbers(&self, seat: Seat, numbers: &mut [f32]);
    /// The random streams of the agents, by seat; see [`Episode::agent_streams`].
    fn agent_streams(&mut self) -> Vec<&mut Stream>;
    /// Stops recording events; see [`Episode::keep_no_events`].
    fn keep_no_events(&mut self);
    /// Keeps the moments before decisions of this seat from now on, so the seat can take them back.
    fn keep_moments(&mut self, seat: Seat);
    /// Returns to the moment before a seat's last decision, and returns that decision's text. The seat's
    /// moments must be kept. Since that moment only the seat itself may have decided, and its decisions must
    /// not have revealed anything to it.
    ///
    /// # Errors
    /// The reason why the decision is final; the episode is unchanged then.
    fn take_back(&mut self, seat: Seat) -> Result<String, Final>;
    /// Lets this token end agents' decisions early; see [`Episode::cancel_by`].
    fn cancel_by(&mut self, token: &CancelToken);
    /// Gives the seat an agent.
    ///
    /// # Errors
    /// If the agent does not exist or cannot play.
    fn seat_agent(&mut self, seat: Seat, spec: &AgentSpec) -> Result<(), AgentError>;
    /// The seated agent's choice as text; it is not applied. `None` if the seat has no agent or owes no
    /// decision.
    fn ask_agent(&mut self, seat: Seat) -> Option<String>;
    /// The seated agent's choice within a budget, and its analysis, which includes `about` if given. The
    /// episode is unchanged. `None` as in [`ask_agent`](Self::ask_agent).
    ///
    /// # Errors
    /// If `about` is no legal action.
    fn analyse(
        &mut self,
        seat: Seat,
        budget: Budget,
        about: Option<&str>,
    ) -> Option<Result<(String, Analysis<String>), Illegal>>;
    /// Lets the seated agent decide, and returns its analysis (empty without a budget). `None` if the seat
    /// has no agent or no open decision.
    ///
    /// # Errors
    /// If the agent's action is illegal; the episode is unchanged then.
    fn let_agent_decide(
        &mut self,
        seat: Seat,
        budget: Option<Budget>,
    ) -> Option<Result<Analysis<String>, Illegal>>;
    /// As [`let_agent_decide`](Self::let_agent_decide), without an analysis.
    fn play_agent(&mut self, seat: Seat) -> Option<Result<(), Illegal>>;
    /// Advances until a seat without an agent owes a decision, or the episode is over. Chance draws, and
    /// seated agents decide. As in playouts, agents' actions are not checked.
    fn play_on(&mut self);
    /// A copy of the episode without its agents.
    fn fork(&self) -> Box<dyn AnyEpisode>;
    /// A determinization for the viewer, without agents; see [`Episode::determinize`].
    fn determinize(&self, viewer: Viewer, seed: EpisodeSeed) -> Box<dyn AnyEpisode>;
    /// A determinization with the events that the viewer has seen; see [`Episode::imagine`].
    fn imagine(&self, viewer: Viewer, seed: EpisodeSeed) -> Box<dyn AnyEpisode>;
    /// All outcomes of the pending chance draw as texts, with their probabilities. `None` if no draw is due
    /// or there are too many outcomes to list.
    fn chance_outcomes(&self) -> Option<Vec<(String, f64)>>;
    /// The probabilities of [`chance_outcomes`](Self::chance_outcomes), in the same order, without texts.
    fn chance_probabilities(&self) -> Option<Vec<f64>>;
    /// Applies the chance outcome at this index of [`chance_outcomes`](Self::chance_outcomes).
    ///
    /// # Errors
    /// If there is no such outcome; the episode is unchanged then.
    fn force_chance_at(&mut self, index: usize) -> Result<(), Illegal>;
    /// Applies the chance outcome with this text; see [`Episode::force_chance`].
    ///
    /// # Errors
    /// If no draw is due or chance cannot draw this outcome; the episode is unchanged then.
    fn force_chance(&mut self, chance: &str) -> Result<(), Illegal>;
    /// Starts another episode of the same game. The agent from seat `from[s]` moves to seat s.
    ///
    /// # Panics
    /// If `from` is no permutation of the seats.
    fn restart(&mut self, seed: EpisodeSeed, from: &[u16]);
    /// Number of decisions so far.
    fn decisions(&self) -> u64;
    /// Writes the figures of a finished episode: the game's own ones, and each seat's place in the turn order
    /// if that is drawn. Both arguments must be empty.
    fn write_figures(&self, figures: &mut FigureSheet, turn_places: &mut Vec<u16>);
}

impl<'a> Deref for dyn AnyEpisode + 'a {
    type Target = dyn EpisodeView + 'a;

    fn deref(&self) -> &Self::Target {
        self.view()
    }
}

/// An episode without its type; seats can get the agents listed in `agents`.
pub fn any_episode<G: Playable>(episode: Episode<G>, agents: Arc<[AgentInfo<G>]>) -> Box<dyn AnyEpisode> {
    let seats = episode.game().seats();
    let seated = (0..seats).map(|_| None).collect();
    let (kept, moments, legal) = (vec![false; seats], Moments(Vec::new()), Vec::new());
    Box::new(AnyEpisodeOf { agents, episode, seated, kept, moments, legal })
}

struct AnyEpisodeOf<G: Playable> {
    agents: Arc<[AgentInfo<G>]>,
    episode: Episode<G>,
    /// Agents by seat; `None` for seats without one.
    seated: Vec<Option<Box<dyn Agent<G>>>>,
    /// By seat: true if its decisions can be taken back.
    kept: Vec<bool>,
    moments: Moments<G>,
    /// Scratch buffer for lists of legal actions.
    legal: Vec<G::Action>,
}

impl<G: Playable> AnyEpisodeOf<G> {
    fn read(&mut self, seat: Seat, answer: Answer<'_>) -> Result<G::Action, Illegal> {
        match answer {
            Answer::Text(text) => {
                text.parse().map_err(|error| Illegal::new(format!("'{text}' is no action: {error}")))
            }
            Answer::Json(json) => self.episode.game().read_json(json).map_err(Illegal::new),
            Answer::Fallback => Ok(self.episode.game().fallback_action(self.episode.state(), seat)),
            Answer::Index(index) => {
                self.legal.clear();
                self.episode.list_legal_actions(seat, &mut self.legal);
                if index < self.legal.len() {
                    return Ok(self.legal.swap_remove(index));
                }
                let expected = match self.legal.len() {
                    0 => "an action that is not an index: they are not listed".to_owned(),
                    count => format!("an index below {count}"),
                };
                Err(Illegal::new(format!("expected {expected}, found {index}")))
            }
            Answer::Id(_) if !self.episode.is_open(seat) => Err(self.episode.why_not_open(seat)),
            Answer::Id(id) => {
                let (game, state) = (self.episode.game(), self.episode.state());
                let unknown = || Illegal::new(format!("no legal action has the id {id}"));
                game.action_of(state, seat, id).ok_or_else(unknown)
            }
        }
    }

    /// Checks and takes a decision of an open seat. If the seat may take decisions back, the moment before
    /// this one is kept.
    fn take(&mut self, seat: Seat, action: G::Action) -> Result<(), Illegal> {
        self.episode.game().check(self.episode.state(), seat, &action)?;
        self.take_unchecked(seat, action);
        Ok(())
    }

    /// As [`take`](Self::take), without a check, for a legal decision of an open seat.
    fn take_unchecked(&mut self, seat: Seat, action: G::Action) {
        let before = self.kept[seat.index()].then(|| self.episode.clone());
        self.episode.decide_unchecked(seat, action);
        if let Some(before) = before {
            self.moments.keep(before, seat);
        }
    }
}

impl<G: Playable> AnyEpisode for AnyEpisodeOf<G> {
    fn view(&self) -> &(dyn EpisodeView + 'static) {
        &self.episode
    }

    fn step_chance(&mut self) {
        self.episode.step_chance();
    }

    fn sample_action(&mut self, seat: Seat) -> String {
        self.episode.sample_action(seat).to_string()
    }

    fn act(&mut self, seat: Seat, action: &str) -> Result<(), Illegal> {
        let action = self.read(seat, Answer::Text(action))?;
        self.episode.act(seat, &action)
    }

    fn decide(&mut self, seat: Seat, answer: Answer<'_>) -> Result<(), Illegal> {
        if !self.episode.is_open(seat) {
            return Err(self.episode.why_not_open(seat));
        }
        let action = self.read(seat, answer)?;
        match answer {
            Answer::Fallback => {
                // A fallback is not the player's decision, so it cannot be taken back.
                self.moments.forget_all(seat);
                self.episode.decide(seat, action)
            }
            Answer::Text(_) | Answer::Json(_) => self.take(seat, action),
            // These actions need no check: they were found among the legal ones.
            Answer::Index(_) | Answer::Id(_) => {
                self.take_unchecked(seat, action);
                Ok(())
            }
        }
    }

    fn holds(&self, seat: Seat) -> bool {
        self.episode.holds(seat)
    }

    fn held(&self) -> Vec<(Seat, String)> {
        self.episode.held().iter().map(|(seat, action)| (*seat, action.to_string())).collect()
    }

    fn write_mask(&self, seat: Seat, mask: &mut [u8]) {
        let (game, state) = (self.episode.game(), self.episode.state());
        let mask = &mut mask[..game.action_bound() as usize];
        mask.fill(0);
        if self.episode.is_open(seat) {
            game.mark_ids(state, seat, &mut Vec::new(), mask);
        }
    }

    fn legal_ids(&self, seat: Seat) -> Vec<u32> {
        let (game, state) = (self.episode.game(), self.episode.state());
        let mut legal = Vec::new();
        if game.action_bound() > 0 && self.episode.is_open(seat) {
            game.legal_actions(state, seat, &mut legal);
        }
        legal.iter().map(|action| game.action_id(state, seat, action)).collect()
    }

    fn write_numbers(&self, seat: Seat, numbers: &mut [f32]) {
        let game = self.episode.game();
        if let Some(encoding) = game.encoding() {
            (encoding.write)(game, &game.observe(self.episode.state(), Viewer::Seat(seat)), seat, numbers);
        }
    }

    fn agent_streams(&mut self) -> Vec<&mut Stream> {
        self.episode.agent_streams().collect()
    }

    fn keep_no_events(&mut self) {
        self.episode.keep_no_events();
    }

    fn keep_moments(&mut self, seat: Seat) {
        self.kept[seat.index()] = true;
    }

    fn take_back(&mut self, seat: Seat) -> Result<String, Final> {
        if self.episode.holds(seat) {
            self.moments.forget(seat).ok_or(Final::Nothing)?;
            let action = self.episode.withdraw(seat).expect("it is held");
            return Ok(action.to_string());
        }
        let before = self.moments.take_back(&self.episode, seat)?;
        let decision = match &self.episode.steps()[before.steps().len()] {
            Step::Action(_, action) => action.to_string(),
            Step::Chance(chance) => chance.to_string(),
        };
        self.episode = before;
        Ok(decision)
    }

    fn cancel_by(&mut self, token: &CancelToken) {
        self.episode.cancel_by(token);
    }

    fn seat_agent(&mut self, seat: Seat, spec: &AgentSpec) -> Result<(), AgentError> {
        let mut agent =
            find_agent(self.episode.game().info(), &self.agents, spec)?.build(self.episode.game(), spec)?;
        agent.begin_episode(self.episode.game(), seat);
        self.seated[seat.index()] = Some(agent);
        Ok(())
    }

    fn ask_agent(&mut self, seat: Seat) -> Option<String> {
        let agent = self.seated[seat.index()].as_mut()?;
        self.episode.phase().owes(seat).then(|| self.episode.ask(seat, agent.as_mut()).to_string())
    }

    fn analyse(
        &mut self,
        seat: Seat,
        budget: Budget,
        about: Option<&str>,
    ) -> Option<Result<(String, Analysis<String>), Illegal>> {
        let read = about.map(|text| self.read(seat, Answer::Text(text)));
        let agent = self.seated[seat.index()].as_mut().filter(|_| self.episode.phase().owes(seat))?;
        let asked = match read {
            None => Ok(self.episode.analyse(seat, agent.as_mut(), budget)),
            Some(Ok(about)) => self.episode.analyse_with(seat, agent.as_mut(), budget, about),
            Some(Err(illegal)) => Err(illegal),
        };
        let text = |action: G::Action| action.to_string();
        Some(asked.map(|(action, analysis)| (text(action), analysis.map(text))))
    }

    fn let_agent_decide(
        &mut self,
        seat: Seat,
        budget: Option<Budget>,
    ) -> Option<Result<Analysis<String>, Illegal>> {
        let agent = self.seated[seat.index()].as_mut().filter(|_| self.episode.is_open(seat))?;
        let (action, analysis) = match budget {
            Some(budget) => self.episode.analyse(seat, agent.as_mut(), budget),
            None => (self.episode.ask(seat, agent.as_mut()), Analysis::default()),
        };
        Some(self.take(seat, action).map(|()| analysis.map(|action| action.to_string())))
    }

    fn play_agent(&mut self, seat: Seat) -> Option<Result<(), Illegal>> {
        let agent = self.seated[seat.index()].as_mut().filter(|_| self.episode.is_open(seat))?;
        let action = self.episode.ask(seat, agent.as_mut());
        Some(self.take(seat, action))
    }

    fn play_on(&mut self) {
        loop {
            let seats = match self.episode.phase() {
                Phase::Chance => {
                    self.episode.step_chance();
                    continue;
                }
                Phase::Over => return,
                Phase::Decide(seats) => seats,
            };
            let mut is_asked = false;
            for seat in seats {
                if self.episode.holds(seat) {
                    continue;
                }
                let Some(agent) = self.seated[seat.index()].as_mut() else {
                    is_asked = true;
                    continue;
                };
                let action = self.episode.ask(seat, agent.as_mut());
                self.take_unchecked(seat, action);
            }
            if is_asked {
                return;
            }
        }
    }

    fn fork(&self) -> Box<dyn AnyEpisode> {
        any_episode(self.episode.clone(), Arc::clone(&self.agents))
    }

    fn determinize(&self, viewer: Viewer, seed: EpisodeSeed) -> Box<dyn AnyEpisode> {
        any_episode(self.episode.determinize(viewer, seed), Arc::clone(&self.agents))
    }

    fn imagine(&self, viewer: Viewer, seed: EpisodeSeed) -> Box<dyn AnyEpisode> {
        any_episode(self.episode.imagine(viewer, seed), Arc::clone(&self.agents))
    }

    fn chance_outcomes(&self) -> Option<Vec<(String, f64)>> {
        let outcomes = self.episode.chance_outcomes()?.into_iter();
        Some(outcomes.map(|(chance, probability)| (chance.to_string(), probability)).collect())
    }

    fn chance_probabilities(&self) -> Option<Vec<f64>> {
        Some(self.episode.chance_outcomes()?.into_iter().map(|(_, probability)| probability).collect())
    }

    fn force_chance_at(&mut self, index: usize) -> Result<(), Illegal> {
        let mut outcomes = self.episode.chance_outcomes().unwrap_or_default();
        if index >= outcomes.len() {
            let reason = format!("expected an outcome below {}, found {index}", outcomes.len());
            return Err(Illegal::new(reason));
        }
        self.episode.force_chance(outcomes.swap_remove(index).0)
    }

    fn force_chance(&mut self, chance: &str) -> Result<(), Illegal> {
        let wrong = |error| Illegal::new(format!("'{chance}' is no outcome of chance: {error}"));
        self.episode.force_chance(chance.parse().map_err(wrong)?)
    }

    fn restart(&mut self, seed: EpisodeSeed, from: &[u16]) {
        self.episode.restart(seed);
        self.moments.0.clear();
        let mut left = std::mem::take(&mut self.seated);
        let seats = self.episode.game().seats();
        assert_eq!((left.len(), from.len()), (seats, seats), "every seat comes from one");
        self.seated = from.iter().map(|seat| left[usize::from(*seat)].take()).collect();
        for (seat, agent) in Seat::all(seats).zip(&mut self.seated) {
            if let Some(agent) = agent {
                agent.begin_episode(self.episode.game(), seat);
            }
        }
    }

    fn decisions(&self) -> u64 {
        self.episode.decisions()
    }

    fn write_figures(&self, figures: &mut FigureSheet, turn_places: &mut Vec<u16>) {
        let (game, state) = (self.episode.game(), self.episode.state());
        game.figures(state, figures);
        if game.draws_turn_order() {
            turn_places.extend(Seat::all(game.seats()).map(|seat| game.turn_place(state, seat) as u16));
        }
    }
}
