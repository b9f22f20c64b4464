//! Drafts: unconfirmed steps, visible only to their own seat.

use meeple_core::{
    ActionPart, Answer, AnyEpisode, EpisodeSeed, EpisodeView, Phase, PlayerLabel, Question, Seat, Viewer,
};

use crate::frame::{Drafted, DraftedStep};

/// Maximum number of steps in a draft; each step holds a whole episode.
pub const MAX_STEPS: usize = 64;

/// Consecutive decisions of a seat, invisible to all others until confirmed.
///
/// The steps are applied to a determinization: an episode imagined from the seat's own knowledge. Everything
/// displayed follows from that knowledge, so experiments reveal nothing. A step that draws on chance, or
/// would reveal something to the seat, hides its result until confirmation.
pub struct Draft {
    /// The question that the first step answers.
    pub question: Question,
    /// Version of the seat's frame at which the draft began. The next version drops the draft.
    pub version: u64,
    /// The table's number of draft changes at the last change of this draft.
    pub revision: u64,
    world: Box<dyn AnyEpisode>,
    steps: Vec<DraftStep>,
}

/// A step of a draft.
pub struct DraftStep {
    /// The action's text.
    pub action: String,
    /// The action in words.
    words: String,
    /// The world after the step; `None` while the result is hidden.
    after: Option<Box<dyn AnyEpisode>>,
}

impl DraftStep {
    /// The information key of `seat` after the step; `None` while the result is hidden.
    pub fn key(&self, seat: Seat) -> Option<u128> {
        self.after.as_ref().map(|world| world.information_key(Viewer::Seat(seat)))
    }
}

impl Draft {
    /// An empty draft for a question.
    pub fn new(episode: &dyn AnyEpisode, question: Question, version: u64) -> Self {
        let viewer = Viewer::Seat(question.seat);
        // The world must be independent of everything hidden from the seat, especially of the table's seed.
        let world = episode.imagine(viewer, EpisodeSeed::new(0, question.number));
        Self { question, version, revision: 0, world, steps: Vec::new() }
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns the steps, in order.
    pub fn into_steps(self) -> Vec<DraftStep> {
        self.steps
    }

    /// The displayed world: the one after the last step with a visible result.
    pub fn world(&self) -> &dyn AnyEpisode {
        let seen = self.steps.iter().rev().find_map(|step| step.after.as_deref());
        seen.unwrap_or(&*self.world)
    }

    /// Returns true if the seat can add a step.
    pub fn is_open(&self) -> bool {
        self.steps.last().is_none_or(|last| last.after.is_some()) && owes(self.world(), self.question.seat)
    }

    /// Tries a step in the displayed world, and returns it without adding it.
    ///
    /// # Errors
    /// The reason why the rules do not allow the step.
    pub fn step(&self, action: &str, players: &[PlayerLabel]) -> Result<DraftStep, String> {
        let seat = self.question.seat;
        let world = self.world();
        let words = sentence(world.view(), seat, action, players);
        let mut next = world.fork();
        next.keep_moments(seat);
        next.decide(seat, Answer::Text(action)).map_err(|illegal| illegal.to_string())?;
        let after = next.fork();
        // The end of a game reveals everything, so a step that ends it stays hidden. Any other step that the
        // rules let the seat take back has revealed nothing.
        let is_free = next.view().phase() != Phase::Over && next.take_back(seat).is_ok();
        Ok(DraftStep { action: action.to_owned(), words, after: is_free.then_some(after) })
    }

    /// Returns true if the step's result is visible and the same seat decides again directly after it.
    pub fn goes_on(&self, step: &DraftStep) -> bool {
        step.after.as_ref().is_some_and(|world| owes(&**world, self.question.seat))
    }

    /// Adds a step.
    pub fn push(&mut self, step: DraftStep) {
        self.steps.push(step);
    }

    /// Drops the last step.
    pub fn pop(&mut self) {
        self.steps.pop();
    }

    /// The draft as its seat sees it, without the world.
    pub fn drafted(&self) -> Drafted {
        let step = |step: &DraftStep| DraftedStep { action: step.action.clone(), words: step.words.clone() };
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
