//! The value of hidden information: the same deals as they are, and with open cards for the first player.

use meeple_core::{AnyRunner, EpisodeReport, Seat, Seating};
use meeple_lab::pool::{self, Panicked, PoolWorker};
use meeple_lab::text::number;
use meeple_lab::{Grid, LabError, Progress, SetUp, StopFlag, mean_interval, texts, win_share_of_units};
use serde::Serialize;

use crate::answers::Estimate;

/// Maximum number of seats at which players rotate through all places of a deal; at larger tables they are
/// shuffled.
const MAX_ROTATED: usize = 8;

/// The gain that the first player of a line-up would have from complete information.
#[derive(Clone, Debug, Serialize)]
pub struct Hidden {
    pub player: String,
    /// Number of deals. Each is played twice, from every seat; at large tables from a single seat.
    pub deals: u64,
    /// Number of deals without any difference in win share or margin.
    pub same: u64,
    pub win_share: Compared,
    /// Score minus the best score of the others; the score itself if there is one seat.
    pub margin: Compared,
}

/// A figure with closed and with open cards, and the difference deal by deal.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    pub closed: Estimate,
    pub open: Estimate,
    /// Open minus closed.
    pub gap: Estimate,
}

#[derive(Clone, Copy, Debug)]
pub struct HiddenOptions {
    pub deals: u64,
    pub seed: u64,
    /// Number of threads; 0 for one per core. Results do not depend on it.
    pub threads: usize,
}

/// Share of the win and margin of the first player: in an episode, or the mean over the episodes of a deal.
type Gain = [f64; 2];

/// Runners with closed and open cards.
type Kept = Option<[Box<dyn AnyRunner>; 2]>;

/// Plays every deal of a table with closed and with open cards; `None` if stopped.
///
/// # Errors
/// If there are no deals, or an agent cannot play or panics.
pub fn hidden(
    set_up: &SetUp,
    options: &HiddenOptions,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Option<Hidden>, LabError> {
    let HiddenOptions { deals, seed, threads } = *options;
    if deals == 0 {
        return Err(LabError::Episodes { found: 0 });
    }
    let seats = set_up.game.seats();
    let (seating, group) = match seats {
        0..=MAX_ROTATED => (Seating::DealGroups, seats as u64),
        _ => (Seating::Shuffle, 1),
    };
    let work = |worker: &mut PoolWorker<'_, usize, Kept>, deal: u64| -> Result<[Gain; 2], LabError> {
        let runners = match &mut worker.kept {
            Some(runners) => runners,
            none => none.insert(runners(set_up)?),
        };
        Ok(runners.each_mut().map(|runner| {
            let mut sum = [0.0; 2];
            runner.run(seed, seating, deal * group..(deal + 1) * group, &mut |report| {
                let [share, margin] = gain(report);
                sum = [sum[0] + share, sum[1] + margin];
                true
            });
            sum.map(|sum| sum / group as f64)
        }))
    };
    let mut gains: Vec<[Gain; 2]> = Vec::new();
    pool::in_order(threads, (0..deals).map(|deal| (deal, deal)), stop, work, |deal, both| {
        let (first, last) = (deal * group, (deal + 1) * group - 1);
        gains.push(both.map_err(|Panicked { message }| LabError::Panic { first, last, message })??);
        progress.update(gains.len() as u64, deals, "");
        Ok::<_, LabError>(())
    })?;
    let player = set_up.line_up.players()[0].to_string();
    Ok((gains.len() as u64 == deals).then(|| Hidden {
        player,
        deals,
        same: gains.iter().filter(|[closed, open]| closed == open).count() as u64,
        win_share: compared(&gains, 0),
        margin: compared(&gains, 1),
    }))
}

/// Runners with closed cards, and with open cards for the first player.
fn runners(set_up: &SetUp) -> Result<[Box<dyn AnyRunner>; 2], LabError> {
    let players = set_up.line_up.players();
    let closed = set_up.game.runner(&players)?;
    let mut open = set_up.game.runner(&players)?;
    open.open_cards(0);
    Ok([closed, open])
}

/// The first player's gain in an episode.
fn gain(report: &EpisodeReport<'_>) -> Gain {
    let seat =
        report.player_at.iter().position(|player| *player == 0).expect("the first player sits somewhere");
    let scores = report.outcome.scores.iter().enumerate();
    let best = scores.filter(|(other, _)| *other != seat).map(|(_, score)| *score).max();
    [report.outcome.win_share(Seat::new(seat)), (report.outcome.scores[seat] - best.unwrap_or(0)) as f64]
}

fn compared(gains: &[[Gain; 2]], figure: usize) -> Compared {
    let all = |of: &dyn Fn(&[Gain; 2]) -> f64| {
        let n = gains.len() as f64;
        let value = gains.iter().map(of).sum::<f64>() / n;
        let squares: f64 = gains.iter().map(|gain| (of(gain) - value).powi(2)).sum();
        let sd = (squares / (n - 1.0).max(1.0)).sqrt();
        (Estimate { value, interval: mean_interval(value, sd, n) }, sd)
    };
    let alone = |of: &dyn Fn(&[Gain; 2]) -> f64| {
        let (own, sd) = all(of);
        match figure {
            // Only the first figure is a share of the win.
            0 => {
                Estimate { interval: Some(win_share_of_units(own.value, sd * sd, gains.len() as u64)), ..own }
            }
            _ => own,
        }
    };
    Compared {
        closed: alone(&|[closed, _]| closed[figure]),
        open: alone(&|[_, open]| open[figure]),
        gap: all(&|[closed, open]| open[figure] - closed[figure]).0,
    }
}

impl Hidden {
    pub fn sentence(&self) -> String {
        let Self { player, deals, same, win_share: Compared { gap, .. }, .. } = self;
        if same == deals {
            return format!(
                "Nothing changes for `{player}` if it sees everything, in none of {deals} deals: nothing is hidden here, or it does not \
                 imagine what is. Only agents that search do."
            );
        }
        let [low, high] = gap.times(100.0).ends();
        let points = 100.0 * gap.value;
        let says = match (low > 0.0, high < 0.0) {
            (true, _) => "What is hidden decides games",
            (_, true) => "It plays worse when it sees more: its search is at fault",
            _ => "What is hidden makes no difference that these deals can show",
        };
        format!(
            "{says}: `{player}` wins {points:+.1} points of a hundred more if it sees everything [{low:+.1}, {high:+.1}]."
        )
    }

    pub fn grid(&self) -> Grid {
        let row = |name: &str, figure: &Compared, scale: f64, digits: usize| {
            let text = |estimate: &Estimate| {
                let Some([low, high]) = estimate.interval else { return number(scale * estimate.value) };
                let half = (high - low) / 2.0;
                format!("{:.digits$} ± {:.digits$}", scale * estimate.value, scale * half)
            };
            vec![name.to_owned(), text(&figure.closed), text(&figure.open), text(&figure.gap)]
        };
        let rows =
            [row("share of the win, %", &self.win_share, 100.0, 1), row("margin", &self.margin, 1.0, 2)];
        let title = format!("{} with closed and open cards, {} deals", self.player, self.deals);
        Grid::new(title, texts(["figure", "closed", "open", "difference"]), rows, 1)
            .noted("Intervals of 95 % over deals; each deal is played with closed and with open cards, with the same luck.")
    }
}
