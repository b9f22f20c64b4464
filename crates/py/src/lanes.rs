//! Episodes side by side for one learner among agents: what environments of Gymnasium are made of.

use std::sync::{Arc, Mutex};

use meeple_core::{AgentSpec, Answer, AnyEpisode, AnyGame, EpisodeSeed, Illegal, Phase, Seat};
use pyo3::prelude::*;

use crate::arrays::Target;
use crate::failure::{failure, guarded, illegal, quickly, usage, with};

/// Episodes in which one seat is decided for from outside.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct Lanes {
    game: Arc<dyn AnyGame>,
    bound: usize,
    numbers: usize,
    learner: Seat,
    players: Vec<Option<AgentSpec>>,
    episodes: Mutex<Vec<Option<Box<dyn AnyEpisode>>>>,
}

impl Lanes {
    pub(crate) fn new(
        game: Arc<dyn AnyGame>,
        count: usize,
        players: Vec<Option<AgentSpec>>,
    ) -> PyResult<Self> {
        let free: Vec<usize> = (0..players.len()).filter(|seat| players[*seat].is_none()).collect();
        let [learner] = free[..] else {
            return Err(usage(format!("expected one seat without an opponent, found {}", free.len())));
        };
        if players.len() != game.seats() {
            return Err(usage(format!("expected {} players, found {}", game.seats(), players.len())));
        }
        let agents: Vec<AgentSpec> = players.iter().flatten().cloned().collect();
        guarded(|| game.check_line_up(&agents))?.map_err(usage)?;
        let episodes = Mutex::new(guarded(|| (0..count).map(|_| None).collect())?);
        let numbers = game.encoding().map_or(0, |encoding| encoding.size);
        Ok(Self { bound: game.action_bound(), numbers, learner: Seat::new(learner), players, game, episodes })
    }

    /// Begins an episode.
    fn begin(&self, seed: EpisodeSeed) -> Result<Box<dyn AnyEpisode>, String> {
        let mut episode = self.game.episode(seed);
        for (seat, player) in Seat::all(self.players.len()).zip(&self.players) {
            if let Some(spec) = player {
                episode.seat_agent(seat, spec).map_err(|error| error.to_string())?;
            }
        }
        self.advance(&mut *episode).map_err(|error| error.to_string())?;
        Ok(episode)
    }

    /// Goes on until the learner owes a decision or it is over.
    fn advance(&self, episode: &mut dyn AnyEpisode) -> Result<(), Illegal> {
        loop {
            match episode.phase() {
                Phase::Chance => episode.step_chance(),
                Phase::Over => return Ok(()),
                Phase::Decide(seats) => {
                    for seat in seats {
                        if seat != self.learner && !episode.holds(seat) {
                            episode.let_agent_decide(seat, None).transpose()?;
                        }
                    }
                    if seats.clone().any(|seat| seat == self.learner) && !episode.holds(self.learner) {
                        return Ok(());
                    }
                }
            }
        }
    }
}

#[pymethods]
impl Lanes {
    /// Begins the episode of this index in the run with this seed.
    fn reset(&self, py: Python<'_>, lane: usize, seed: u64, index: u64) -> PyResult<()> {
        with(py, &self.episodes, |episodes| {
            let episode = self.begin(EpisodeSeed::new(seed, index))?;
            *episodes.get_mut(lane).ok_or_else(|| format!("there is no lane {lane}"))? = Some(episode);
            Ok::<(), String>(())
        })?
        .map_err(failure)
    }

    /// Takes the learner's action by its id, or the fallback action for `None`, and goes on.
    fn step(&self, py: Python<'_>, lane: usize, id: Option<u32>) -> PyResult<()> {
        with(py, &self.episodes, |episodes| {
            let episode = begun(episodes, lane)?;
            episode.decide(self.learner, id.map_or(Answer::Fallback, Answer::Id))?;
            self.advance(&mut **episode)
        })?
        .map_err(illegal)
    }

    /// Whether it is over, and the learner's score as it stands and utility (0 before the end).
    fn result(&self, lane: usize) -> PyResult<(bool, i64, f64)> {
        quickly(&self.episodes, |episodes| {
            let episode = begun(episodes, lane)?;
            let (score, outcome) = (episode.score(self.learner), episode.outcome());
            let utility = outcome.as_ref().map_or(0.0, |outcome| outcome.utility(self.learner));
            Ok::<_, Illegal>((outcome.is_some(), score, utility))
        })?
        .map_err(illegal)
    }

    /// Writes the learner's numbers and mask of a lane into rows of the caller's.
    fn observe_into(
        &self,
        py: Python<'_>,
        lane: usize,
        numbers: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let numbers_out = Target::<f32>::new(numbers, "numbers", "float32", &[self.numbers])?;
        let mask_out = Target::<i8>::new(mask, "mask", "int8", &[self.bound])?;
        let (numbers, mask) = quickly(&self.episodes, |episodes| {
            let episode = begun(episodes, lane)?;
            let (mut numbers, mut mask) = (vec![0.0; self.numbers], vec![0; self.bound]);
            episode.write_numbers(self.learner, &mut numbers);
            episode.write_mask(self.learner, &mut mask);
            Ok::<_, Illegal>((numbers, mask))
        })?
        .map_err(illegal)?;
        numbers_out.fill(py, &numbers)?;
        mask_out.fill(py, &mask.into_iter().map(|byte| byte as i8).collect::<Vec<i8>>())
    }

    /// The table of a lane as the learner sees it: text, or a picture in PNG of this width.
    fn screen(&self, py: Python<'_>, lane: usize) -> PyResult<String> {
        let (viewer, labels) = self.looks();
        with(py, &self.episodes, |episodes| Ok(begun(episodes, lane)?.screen(viewer, &labels).to_plain()))?
            .map_err(|error: Illegal| illegal(error))
    }

    /// The table of a lane as the learner sees it, in SVG.
    fn svg(&self, py: Python<'_>, lane: usize) -> PyResult<String> {
        let (viewer, labels) = self.looks();
        let options = meeple_scene::SvgOptions::default();
        with(py, &self.episodes, |episodes| {
            Ok(begun(episodes, lane)?.draw(viewer, &labels).to_svg(&options))
        })?
        .map_err(|error: Illegal| illegal(error))
    }
}

impl Lanes {
    /// From whose place the table is shown, and who sits around it.
    fn looks(&self) -> (meeple_core::Viewer, Vec<meeple_core::PlayerLabel>) {
        let name =
            |player: &Option<AgentSpec>| player.as_ref().map_or("learner".to_owned(), ToString::to_string);
        let labels = self.players.iter().map(|player| name(player).into()).collect();
        (meeple_core::Viewer::Seat(self.learner), labels)
    }
}

fn begun(
    episodes: &mut [Option<Box<dyn AnyEpisode>>],
    lane: usize,
) -> Result<&mut Box<dyn AnyEpisode>, Illegal> {
    let begun = episodes.get_mut(lane).and_then(Option::as_mut);
    begun.ok_or_else(|| {
        Illegal::new("expected an episode that was begun, found none\nhint: call reset() first")
    })
}
