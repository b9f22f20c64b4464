//! Gates: who becomes the champion, and whether champions beat each other in a ring.
//!
//! A hundred games tell little of two players that are nearly alike, so that a chain of "better" ones may lead nowhere. So a
//! candidate must win a sequential test against the champion, and lose to none that was one before.

use meeple_core::AgentSpec;
use meeple_lab::StopFlag;
use meeple_lab::sprt::{MeanTest, Sprt, Verdict};
use meeple_theory::{Square, cyclic};
use serde::Serialize;

use crate::error::LearnError;
use crate::meeting::{Ground, Met};

/// The test of a new champion: half of the others are left behind, or 55 of 100.
pub const TEST: MeanTest = MeanTest { low: 0.5, high: 0.55, alpha: 0.05, beta: 0.05 };
/// What the lower end of the interval against every former champion must reach.
pub const LEAST_LOW: f64 = 0.47;

/// Who wants to become the champion.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The candidate.
    pub candidate: AgentSpec,
    /// The champion.
    pub champion: AgentSpec,
    /// Those that were it before.
    pub former: Vec<AgentSpec>,
    /// Deal groups of the test, at most, and of the games against every former champion.
    pub groups: u64,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Gated {
    /// Whether the candidate is the new champion.
    pub passed: bool,
    /// The sequential test: `high` is passed; `open` ran out of games.
    pub verdict: Verdict,
    /// How the candidate did against the champion, as far as the test went.
    pub champion: Met,
    /// The logarithm of the likelihood ratio of 55 % to 50 %.
    pub log_ratio: f64,
    /// How it did against those before.
    pub former: Vec<Met>,
    /// Whether it loses to none of them: half at least, and surely [`LEAST_LOW`].
    pub loses_to_none: bool,
}

impl Gate {
    /// Plays. Former champions are met only by a candidate that has passed the test. Nothing if it was stopped.
    ///
    /// # Errors
    /// If somebody cannot play.
    pub fn play(&self, ground: &Ground<'_>, stop: &StopFlag) -> Result<Option<Gated>, LearnError> {
        let mut test = Sprt::new();
        ground.meet(&self.candidate, &self.champion, self.groups, stop, |share| {
            test.add_mean(&TEST, share);
            test.verdict() == Verdict::Open
        })?;
        let mut former = Vec::new();
        if test.verdict() == Verdict::High {
            for other in &self.former {
                former.push(ground.compare(&self.candidate, other, self.groups, stop)?);
            }
        }
        let (mean, deviation) = test.mean_and_deviation();
        let loses_to_none = former.iter().all(|met| met.share >= 0.5 && met.interval[0] >= LEAST_LOW);
        Ok((!stop.is_stopped()).then(|| Gated {
            passed: test.verdict() == Verdict::High && loses_to_none,
            verdict: test.verdict(),
            champion: Met::of(test.groups(), mean, deviation),
            log_ratio: test.log_ratio_of_means(&TEST),
            former,
            loses_to_none,
        }))
    }
}

/// Everybody against everybody.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Crosstable {
    /// By player, then other: how the player has done; nothing against itself.
    pub met: Vec<Vec<Option<Met>>>,
    /// By player: mean share more than a half against all.
    pub strength: Vec<f64>,
    /// The share of the margins that no rating can express, from 0 to 1: what is left are rings, and chance.
    pub cyclic: f64,
    /// Three of whom each surely beats the next and the last the first, if there are any: intervals of all three are above a half.
    pub ring: Option<[usize; 3]>,
}

/// Lets all players meet each other. Nothing if it was stopped.
///
/// # Errors
/// If somebody cannot play.
pub fn crosstable(
    ground: &Ground<'_>,
    players: &[AgentSpec],
    groups: u64,
    stop: &StopFlag,
    mut each: impl FnMut(usize),
) -> Result<Option<Crosstable>, LearnError> {
    let size = players.len();
    let mut met: Vec<Vec<Option<Met>>> = vec![vec![None; size]; size];
    let (mut margins, mut sure, mut done) = (Square::new(size), Square::new(size), 0);
    for first in 0..size {
        for second in first + 1..size {
            let own = ground.compare(&players[first], &players[second], groups, stop)?;
            if stop.is_stopped() {
                return Ok(None);
            }
            for (one, other, met_by) in [(first, second, own), (second, first, own.turned())] {
                met[one][other] = Some(met_by);
                margins.set(one, other, met_by.share - 0.5);
                // What may be chance is no margin.
                let [low, high] = met_by.interval;
                sure.set(one, other, (low - 0.5).max(0.0) + (high - 0.5).min(0.0));
            }
            done += 1;
            each(done);
        }
    }
    let all = cyclic(&margins);
    let ring = cyclic(&sure).clearest;
    Ok(Some(Crosstable { met, strength: all.potentials, cyclic: all.share, ring }))
}
