//! What a person tries out before anybody else sees it.

use meeple_core::{
    ActionPart, Answer, AnyEpisode, EpisodeSeed, EpisodeView, Phase, PlayerLabel, Question, Seat, Viewer,
};

use crate::frame::{Drafted, DraftedStep};

/// Steps of a draft; each holds a whole episode.
pub const MOST_STEPS: usize = 64;

/// Decisions of a seat that nobody else is shown, one after another, until they are confirmed.
///
/// They are tried out in a world that is imagined from what the seat knows. So whatever it is shown of them follows from
/// what it knew before, and nothing can be found out by trying. What comes of a step that draws on chance, or would show
/// the seat something, is not shown before it is confirmed.
pub struct Draft {
    /// The question that the first step answers.
    pub question: Question,
    /// At which of the seat's moments it was begun: with the next it is gone.
    pub version: u64,
    /// Of the changes of all drafts of the table, the last of this one.
    pub revision: u64,
    world: Box<dyn AnyEpisode>,
    steps: Vec<Step>,
}

/// A step of a draft.
pub struct Step {
    /// The action's text.
    pub action: String,
    /// The same in words.
    words: String,
    /// The world after it; `None` if that is not to be seen yet.
    after: Option<Box<dyn AnyEpisode>>,
}

impl Step {
    /// The key of what `seat` knows after it, as long as that is no secret.
    pub fn key(&self, seat: Seat) -> Option<u128> {
        self.after.as_ref().map(|world| world.information_key(Viewer::Seat(seat)))
    }
}

impl Draft {
    /// Nothing has been tried yet.
    pub fn new(episode: &dyn AnyEpisode, question: Question, version: u64) -> Self {
        let viewer = Viewer::Seat(question.seat);
        // Which world it is must not hang on what the seat does not know, the table's seed above all.
        let world = episode.imagine(viewer, EpisodeSeed::new(0, question.number));
        Self { question, version, revision: 0, world, steps: Vec::new() }
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The steps.
    pub fn into_steps(self) -> Vec<Step> {
        self.steps
    }

    /// The world as it is shown: after the last step that may be seen.
    pub fn world(&self) -> &dyn AnyEpisode {
        let seen = self.steps.iter().rev().find_map(|step| step.after.as_deref());
        seen.unwrap_or(&*self.world)
    }

    /// Whether the seat can add a step.
    pub fn is_open(&self) -> bool {
        self.steps.last().is_none_or(|last| last.after.is_some()) && owes(self.world(), self.question.seat)
    }

    /// What would come of a step.
    ///
    /// # Errors
    /// Why the rules do not allow it.
    pub fn step(&self, action: &str, players: &[PlayerLabel]) -> Result<Step, String> {
        let seat = self.question.seat;
        let world = self.world();
        let words = sentence(world.view(), seat, action, players);
        let mut next = world.fork();
        next.keep_moments(seat);
        next.decide(seat, Answer::Text(action)).map_err(|illegal| illegal.to_string())?;
        let after = next.fork();
        // At the end everything is shown. Otherwise the rules of taking back tell whether it has shown the seat anything.
        let is_free = next.view().phase() != Phase::Over && next.take_back(seat).is_ok();
        Ok(Step { action: action.to_owned(), words, after: is_free.then_some(after) })
    }

    /// Whether the same seat decides again after this step, with nothing in between.
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

    /// What its seat is shown of it beside the world.
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

/// An action in words, as far as it is listed.
fn sentence(world: &dyn EpisodeView, seat: Seat, action: &str, players: &[PlayerLabel]) -> String {
    let index = world.legal_actions(seat).iter().position(|legal| legal == action);
    index.map_or_else(
        || action.to_owned(),
        |index| ActionPart::sentence(&world.action_parts(seat, players)[index]),
    )
}
