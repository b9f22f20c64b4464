//! Pending decisions of agents, detached from the table.

use meeple_core::{
    AgentError, AgentSpec, Analysis, AnyEpisode, Budget, CancelToken, EpisodeSeed, Question, Seat, Stream,
};

/// A pending decision of an agent, with a copy of the game for the computation.
pub struct Thought {
    question: Question,
    spec: AgentSpec,
    stream: Stream,
    episode: Box<dyn AnyEpisode>,
}

impl Thought {
    pub(crate) fn new(
        question: Question,
        spec: AgentSpec,
        seed: EpisodeSeed,
        episode: Box<dyn AnyEpisode>,
    ) -> Self {
        // Every decision has its own random stream, independent of earlier decisions.
        let base = seed.agent(question.seat).seed();
        let stream = Stream::from_seed(EpisodeSeed::new(base, question.number).bits());
        Self { question, spec, stream, episode }
    }

    /// The open question that the decision answers.
    pub fn question(&self) -> Question {
        self.question
    }

    /// The deciding seat.
    pub fn seat(&self) -> Seat {
        self.question.seat
    }

    /// Computes the decision, and stops early if the token is raised. Without cancellation, the action
    /// depends only on the table and the question.
    ///
    /// # Errors
    /// If the agent does not exist or cannot play.
    pub fn decide(mut self, cancel: &CancelToken) -> Result<String, AgentError> {
        self.sit_down(cancel)?;
        Ok(self.episode.ask_agent(self.question.seat).expect("the question was open when the copy was made"))
    }

    /// As [`decide`](Self::decide), and also returns an analysis. The analysis includes the legal action
    /// `about` if given.
    ///
    /// # Errors
    /// As [`decide`](Self::decide).
    ///
    /// # Panics
    /// If `about` is no legal action.
    pub fn analyse(
        mut self,
        about: Option<&str>,
        cancel: &CancelToken,
    ) -> Result<(String, Analysis<String>), AgentError> {
        self.sit_down(cancel)?;
        let asked = self.episode.analyse(self.question.seat, Budget::Own, about);
        let asked = asked.expect("the question was open when the copy was made");
        Ok(asked.expect("what is asked about is legal"))
    }

    /// Gives the seat the agent, with the random stream of this decision.
    fn sit_down(&mut self, cancel: &CancelToken) -> Result<(), AgentError> {
        let seat = self.question.seat;
        self.episode.cancel_by(cancel);
        self.episode.seat_agent(seat, &self.spec)?;
        *self.episode.agent_streams()[seat.index()] = self.stream.clone();
        Ok(())
    }
}
