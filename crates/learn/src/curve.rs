use std::fmt::Write;

use meeple_lab::plots::{Caption, Plot, PlotSeries, lines};

use crate::error::LearnError;
use crate::gauntlet::GauntletResult;

const COLUMNS: &str = "round,against,share,share_low,share_high,score,score_half";

/// Evaluations of a training, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearningCurve(pub Vec<GauntletResult>);

impl LearningCurve {
    pub fn to_csv(&self) -> String {
        let mut text = format!("{COLUMNS}\n");
        for GauntletResult { against, round, share, share_low, share_high, score, score_half } in &self.0 {
            let against = against.replace('"', "\"\"");
            let shares = format!("{share:.4},{share_low:.4},{share_high:.4}");
            writeln!(text, "{round},\"{against}\",{shares},{score:.4},{score_half:.4}").expect("texts grow");
        }
        text
    }

    /// Reads the text of [`to_csv`](Self::to_csv) up to round `until`; malformed lines are skipped.
    pub fn from_csv(text: &str, until: u32) -> Self {
        let result = |line: &str| {
            let mut ends = line.rsplitn(6, ',');
            let mut number = || ends.next()?.parse::<f64>().ok();
            let [score_half, score, share_high, share_low, share] =
                [number()?, number()?, number()?, number()?, number()?];
            let (round, against) = ends.next()?.split_once(',')?;
            let against = against.strip_prefix('"')?.strip_suffix('"')?.replace("\"\"", "\"");
            let round = round.parse().ok()?;
            Some(GauntletResult { against, round, share, share_low, share_high, score, score_half })
        };
        Self(text.lines().skip(1).filter_map(result).filter(|line| line.round <= until).collect())
    }

    /// The evaluations of the last evaluated round.
    pub fn last(&self) -> Vec<GauntletResult> {
        let round = self.0.iter().map(|result| result.round).max();
        self.0.iter().filter(|result| Some(result.round) == round).cloned().collect()
    }

    /// Plots the shares of the win in percent against each agent, or a lone player's mean score.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn plot(&self, game: &str) -> Result<Plot, LearnError> {
        let mut courses: Vec<PlotSeries> = Vec::new();
        let alone = self.0.iter().all(|result| result.against.is_empty());
        for result in &self.0 {
            let value = match alone {
                true => result.score,
                false => 100.0 * result.share,
            };
            let interval = match alone {
                true => [-1.0, 1.0].map(|side| result.score + side * result.score_half),
                false => [100.0 * result.share_low, 100.0 * result.share_high],
            };
            let name = if alone { "alone".to_owned() } else { format!("against {}", result.against) };
            let point = (f64::from(result.round), value, interval);
            match courses.iter_mut().find(|(known, _)| *known == name) {
                Some((_, points)) => points.push(point),
                None => courses.push((name, vec![point])),
            }
        }
        let caption = Caption {
            name: "curve".to_owned(),
            title: format!("Learning {game}"),
            note: "Bars: 95 % intervals, over deals that no training has seen.".to_owned(),
            alt: format!("How good the player was after each round, {} lines.", courses.len()),
            axis: if alone { "mean score" } else { "share of the win in %" }.to_owned(),
            columns: String::new(),
        };
        Ok(lines(&caption, "rounds learned from", &courses, (!alone).then_some(50.0))?)
    }
}
