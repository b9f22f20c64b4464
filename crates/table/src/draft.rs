//! Drafts: unconfirmed steps, visible only to their own seat.

use meeple_core::{
    ActionPart, Answer, AnyEpisode, EpisodeSeed, EpisodeView, Phase, PlayerLabel, Question, Seat, Viewer,
};

use crate::frame::{Drafted, DraftedStep};

/// Upper bound on steps of a draft; each holds a whole episode.
pub const MAX_STEPS: usize = 64;

/// Consecutive decisions of a seat, invisible to all others until confirmed.
///
/// The steps are applied to a determinization: a world imagined from the seat's own knowledge. Its display
/// therefore follows from that knowledge, and experiments reveal nothing. The result of a step that draws on
/// chance, or would reveal something to the seat, stays hidden until confirmation.
pub struct Draft {
    /// The question that the first step answers.
    pub question: Question,
    /// The version of the seat at which the draft began; the next version drops the draft.
    pub version: u64,
    /// The table's count of draft changes at the last change of this draft.
    pub revision: u64,
    world: Box<dyn AnyEpisode>,
    steps: Vec<Step>,
}

/// A step of a draft.
pub struct Step {
    /// The action's text.
    pub action: String,
    /// The action in words.
    words: String,
    /// The world after the step; `None` while that is hidden.
    after: Option<Box<dyn AnyEpisode>>,
}

impl Step {
    /// The information key of `seat` after the step; `None` while the result is hidden.
    pub fn key(&self, seat: Seat) -> Option<u128> {
        self.after.as_ref().map(|world| world.information_key(Viewer::Seat(seat)))
    }
}

impl Draft {
    /// An empty draft for a question.
    pub fn new(episode: &dyn AnyEpisode, question: Question, version: u64) -> Self {
        let viewer = Viewer::Seat(question.seat);
        // The world must be independent of everything hidden from the seat, above all of the table's seed.
        let world = episode.imagine(viewer, EpisodeSeed::new(0, question.number));
        Self { question, version, revision: 0, world, steps: Vec::new() }
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns the steps, in order.
    pub fn into_steps(self) -> Vec<Step> {
        self.steps
    }

    /// The displayed world: after the last step with a visible result.
    pub fn world(&self) -> &dyn AnyEpisode {
        let seen = self.steps.iter().rev().find_map(|step| step.after.as_deref());
        seen.unwrap_or(&*self.world)
    }

    /// Returns true if the seat can add a step.
    pub fn is_open(&self) -> bool {
        self.steps.last().is_none_or(|last| last.after.is_some()) && owes(self.world(), self.question.seat)
    }

    /// Tries a step without adding it.
    ///
    /// # Errors
    /// If the rules do not allow it, with the reason.
    pub fn step(&self, action: &str, players: &[PlayerLabel]) -> Result<Step, String> {
        let seat = self.question.seat;
        let world = self.world();
        let words = sentence(world.view(), seat, action, players);
        let mut next = world.fork();
        next.keep_moments(seat);
        next.decide(seat, Answer::Text(action)).map_err(|illegal| illegal.to_string())?;
        let after = next.fork();
        // An ended game shows everything. Otherwise an action that the rules let the seat take back has
        // revealed nothing.
        let is_free = next.view().phase() != Phase::Over && next.take_back(seat).is_ok();
        Ok(Step { action: action.to_owned(), words, after: is_free.then_some(after) })
    }

    /// Returns true if the same seat decides again directly after this step.
    pub fn goes_on(&self, step: &Step) -> bool {
        step.after.as_ref().is_some_and(|world| owes(&**world, self.question.seat))
    }

    /// Adds a step.
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Drops the last step.
    pub fn pop(&mut self) {
        self.steps.pop();
    }

    /// The draft as its seat sees it, beside the world.
    pub fn drafted(&self) -> Drafted {
        let step = |step: &Step| DraftedStep { action: step.action.clone(), words: step.words.clone() };
        Drafted {
            revision: self.revision,
            number: self.question.number,
            steps: self.steps.iter().map(step).collect(),
            hides_last: self.steps.last().is_some_and(|last| last.after.is_none()),
        }
    }
}

fn owes(world: &dyn AnyEpisode, seat: Seat) -> bool {
    matches!(world.view().phase(), Phase::Decide(owing) if owing.contains(seat)) && !world.holds(seat)
}

fn sentence(world: &dyn EpisodeView, seat: Seat, action: &str, players: &[PlayerLabel]) -> String {
    let index = world.legal_actions(seat).iter().position(|legal| legal == action);
    index.map_or_else(
        || action.to_owned(),
        |index| ActionPart::sentence(&world.action_parts(seat, players)[index]),
    )
}
