//! Champion gates, and crosstables that show rings.
//!
//! A hundred games do not separate players of nearly equal strength, and a chain of "better" ones may be a
//! ring. A candidate must therefore pass a sequential test against the champion, and lose to no former one.

use meeple_core::AgentSpec;
use meeple_lab::StopFlag;
use meeple_lab::sprt::{MeanTest, Sprt, SprtVerdict};
use meeple_theory::{Square, cyclic};
use serde::Serialize;

use crate::error::LearnError;
use crate::head_to_head::{MatchResult, MatchSetup};

/// Test of a candidate against the champion: H0 is a mean share of 50 %, H1 of 55 %.
pub const TEST: MeanTest = MeanTest { low: 0.5, high: 0.55, alpha: 0.05, beta: 0.05 };
/// Minimum lower end of the interval of the share against every former champion.
pub const MIN_FORMER_LOW: f64 = 0.47;

#[derive(Clone, Debug)]
pub struct ChampionGate {
    pub candidate: AgentSpec,
    pub champion: AgentSpec,
    pub former: Vec<AgentSpec>,
    /// Maximum number of deal groups of the test, and number of deal groups against every former champion.
    pub groups: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GateResult {
    pub passed: bool,
    /// `high`: H1 is accepted; `low`: H0 is accepted; `open`: the games ran out.
    pub verdict: SprtVerdict,
    /// Result against the champion, up to the end of the test.
    pub champion: MatchResult,
    /// Log likelihood ratio of H1 to H0.
    pub log_ratio: f64,
    pub former: Vec<MatchResult>,
    /// True if every share against a former champion is at least ½, and its interval begins at
    /// [`MIN_FORMER_LOW`] or higher.
    pub loses_to_none: bool,
}

impl ChampionGate {
    /// Plays the test and, if passed, the matches against former champions; `None` if stopped.
    ///
    /// # Errors
    /// If a player cannot play.
    pub fn play(&self, setup: &MatchSetup<'_>, stop: &StopFlag) -> Result<Option<GateResult>, LearnError> {
        let mut test = Sprt::new();
        setup.play(&self.candidate, &self.champion, self.groups, stop, |share| {
            test.add_mean(&TEST, share);
            test.verdict() == SprtVerdict::Open
        })?;
        let mut former = Vec::new();
        if test.verdict() == SprtVerdict::High {
            for other in &self.former {
                former.push(setup.compare(&self.candidate, other, self.groups, stop)?);
            }
        }
        let (mean, deviation) = test.mean_and_deviation();
        let loses_to_none = former.iter().all(|met| met.share >= 0.5 && met.interval[0] >= MIN_FORMER_LOW);
        Ok((!stop.is_stopped()).then(|| GateResult {
            passed: test.verdict() == SprtVerdict::High && loses_to_none,
            verdict: test.verdict(),
            champion: MatchResult::new(test.groups(), mean, deviation),
            log_ratio: test.log_ratio_of_means(&TEST),
            former,
            loses_to_none,
        }))
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Crosstable {
    /// `[n_players, n_players]`; `None` on the diagonal.
    pub met: Vec<Vec<Option<MatchResult>>>,
    /// Mean share above ½ against all, `[n_players]`.
    pub strength: Vec<f64>,
    /// Share of the squared margins that no rating can express, in `0..=1`: rings and chance.
    pub cyclic: f64,
    /// Three players in a ring, each above ½ against the next by its whole interval.
    pub ring: Option<[usize; 3]>,
}

/// Plays all pairs, and calls `each` with the number of finished matches; `None` if stopped.
///
/// # Errors
/// If a player cannot play.
pub fn crosstable(
    setup: &MatchSetup<'_>,
    players: &[AgentSpec],
    groups: u64,
    stop: &StopFlag,
    mut each: impl FnMut(usize),
) -> Result<Option<Crosstable>, LearnError> {
    let size = players.len();
    let mut met: Vec<Vec<Option<MatchResult>>> = vec![vec![None; size]; size];
    let (mut margins, mut sure, mut done) = (Square::new(size), Square::new(size), 0);
    for first in 0..size {
        for second in first + 1..size {
            let own = setup.compare(&players[first], &players[second], groups, stop)?;
            if stop.is_stopped() {
                return Ok(None);
            }
            for (one, other, result) in [(first, second, own), (second, first, own.reversed())] {
                met[one][other] = Some(result);
                margins.set(one, other, result.share - 0.5);
                // Distance of the interval from ½, with its sign; 0 if the interval contains ½.
                let [low, high] = result.interval;
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
