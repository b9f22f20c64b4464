//! How good a player was while it learned.

use std::fmt::Write;

use meeple_lab::plots::{Caption, Course, Plot, lines};

use crate::error::LearnError;
use crate::examination::Examined;

/// The columns of a curve as text.
const COLUMNS: &str = "round,against,share,share_low,share_high,score,score_half";

/// All examinations of a training, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve(pub Vec<Examined>);

impl Curve {
    /// As comma-separated values with a line of names.
    pub fn to_csv(&self) -> String {
        let mut text = format!("{COLUMNS}\n");
        for Examined { against, round, share, share_low, share_high, score, score_half } in &self.0 {
            let against = against.replace('"', "\"\"");
            let shares = format!("{share:.4},{share_low:.4},{share_high:.4}");
            writeln!(text, "{round},\"{against}\",{shares},{score:.4},{score_half:.4}").expect("texts grow");
        }
        text
    }

    /// Reads what [`to_csv`](Self::to_csv) wrote, up to a round. Lines that are none are left out.
    pub fn from_csv(text: &str, until: u32) -> Self {
        let examined = |line: &str| {
            let mut ends = line.rsplitn(6, ',');
            let mut number = || ends.next()?.parse::<f64>().ok();
            let [score_half, score, share_high, share_low, share] =
                [number()?, number()?, number()?, number()?, number()?];
            let (round, against) = ends.next()?.split_once(',')?;
            let against = against.strip_prefix('"')?.strip_suffix('"')?.replace("\"\"", "\"");
            let round = round.parse().ok()?;
            Some(Examined { against, round, share, share_low, share_high, score, score_half })
        };
        Self(text.lines().skip(1).filter_map(examined).filter(|line| line.round <= until).collect())
    }

    /// The examinations of the last round that was examined.
    pub fn last(&self) -> Vec<Examined> {
        let round = self.0.iter().map(|examined| examined.round).max();
        self.0.iter().filter(|examined| Some(examined.round) == round).cloned().collect()
    }

    /// The curve drawn: shares of the win in percent against everybody; a lone player's mean score.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn plot(&self, game: &str) -> Result<Plot, LearnError> {
        let mut courses: Vec<Course> = Vec::new();
        let alone = self.0.iter().all(|examined| examined.against.is_empty());
        for examined in &self.0 {
            let value = match alone {
                true => examined.score,
                false => 100.0 * examined.share,
            };
            let interval = match alone {
                true => [-1.0, 1.0].map(|side| examined.score + side * examined.score_half),
                false => [100.0 * examined.share_low, 100.0 * examined.share_high],
            };
            let name = if alone { "alone".to_owned() } else { format!("against {}", examined.against) };
            let point = (f64::from(examined.round), value, interval);
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
