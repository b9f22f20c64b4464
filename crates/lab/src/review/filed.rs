//! Files of a review: JSON, curve, report.

use std::path::Path;

use serde_json::{Value, json};

use super::review::Review;
use super::shown::{review_grids, review_plots};
use super::words::review_words;
use crate::error::LabError;
use crate::grid::{Grid, texts};
use crate::report::{ReportPage, page, parameters};
use crate::results::{Directory, Existing};

/// A directory for a review, opened before any analysis.
pub struct ReviewFiles {
    directory: Directory,
    plan: Value,
}

impl ReviewFiles {
    /// Opens or creates a directory for a review of this game by this agent.
    ///
    /// # Errors
    /// If the directory holds foreign files, is in use, or is not writable.
    pub fn open(path: &Path, existing: Existing, game: &str, agent: &str) -> Result<Self, LabError> {
        let plan = json!({ "format": 1, "kind": "review", "game": game, "agent": agent });
        Ok(Self { directory: Directory::open(path, existing, &plan, None)?, plan })
    }

    /// Writes and commits all files. `command` reproduces this review.
    ///
    /// # Errors
    /// If a write fails.
    pub fn write(mut self, review: &Review, command: &str) -> Result<(), LabError> {
        let plots = review_plots(review)?;
        self.directory.write_json("summary.json", review)?;
        self.directory.write_plots(&plots)?;
        let of = &review.of;
        let players = of.players.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let facts = [
            ("Game", of.game.clone()),
            ("Players", players),
            ("Judged by", of.agent.clone()),
            ("Decisions", format!("{} of {}", review.decisions.len(), of.asked)),
            ("Seed", of.seed.to_string()),
        ];
        let words = review_words(review).into_iter().map(|sentence| vec![sentence]);
        let mut grids = vec![Grid::new("In words", texts(["how it went"]), words, 1)];
        grids.extend(review_grids(review));
        let html = page(&ReportPage {
            title: format!("Review of a game of {}", of.game),
            facts: &facts,
            words: &[],
            stopped: (!review.complete).then_some("The review was stopped: what came later was not judged."),
            grids,
            legend: "Intervals hold with 95 % and are of the agent's sampling alone: whether it judges well is another matter.",
            files: &[],
            plots: &plots,
            command,
            settings: parameters(&of.variant),
        });
        self.directory.write("report.html", html.as_bytes())?;
        self.directory.write_json("plan.json", &self.plan)?;
        self.directory.commit()
    }
}
