//! Watching an episode: the page after each step.

use meeple_core::{EpisodeView, EventCursor, Level, Phase, PlayerLabel, Replay, Viewer};
use meeple_replay::{FaultLog, Names, may_hear};

use crate::args::LevelArg;
use crate::console::ScreenPage;

/// Turns the steps of an episode into pages to read.
pub struct Spectator {
    level: LevelArg,
    viewer: Viewer,
    names: Names,
    /// Position after the last reported event.
    cursor: EventCursor,
    steps: usize,
    faults: Option<FaultLog>,
    /// Faults for the next page.
    faulted: Vec<String>,
}

impl Spectator {
    /// A spectator of an episode without stored faults, in the view of `viewer`.
    pub fn new(level: LevelArg, viewer: Viewer, players: &[PlayerLabel]) -> Self {
        Self {
            level,
            viewer,
            names: Names::new(players),
            cursor: EventCursor::default(),
            steps: 0,
            faults: None,
            faulted: Vec::new(),
        }
    }

    /// A spectator of a stored episode, who also reports the faults of its players.
    pub fn of(level: LevelArg, viewer: Viewer, replay: &Replay) -> Self {
        let faults = Some(FaultLog::new(viewer, replay));
        Self { faults, ..Self::new(level, viewer, &replay.players) }
    }

    /// The page to show now, if any. Call it at the start and after every step.
    pub fn page(&mut self, episode: &dyn EpisodeView) -> Option<ScreenPage> {
        let over = episode.phase() == Phase::Over;
        let decides = matches!(episode.phase(), Phase::Decide(_));
        if let Some(faults) = &mut self.faults {
            self.faulted.extend(faults.news(episode).into_iter().map(|fault| format!("* {fault}")));
        }
        match self.level {
            LevelArg::Totals => None,
            LevelArg::Game => over.then(|| ScreenPage {
                news: std::mem::take(&mut self.faulted),
                result: self.result(episode),
                ..ScreenPage::default()
            }),
            LevelArg::Round => self.round_page(episode, over),
            LevelArg::Turn | LevelArg::Detail if over || decides => Some(self.turn_page(episode, over)),
            LevelArg::Turn | LevelArg::Detail => None,
        }
    }

    fn new_events(&mut self, episode: &dyn EpisodeView) -> Vec<(Level, String)> {
        episode
            .news(self.viewer, &mut self.cursor)
            .into_iter()
            .map(|event| (event.level, event.text))
            .collect()
    }

    fn round_page(&mut self, episode: &dyn EpisodeView, over: bool) -> Option<ScreenPage> {
        let landmarks: Vec<String> = self
            .new_events(episode)
            .into_iter()
            .filter(|(level, _)| *level == Level::Round)
            .map(|(_, text)| text)
            .collect();
        if landmarks.is_empty() && self.faulted.is_empty() && !over {
            return None;
        }
        let mut news = std::mem::take(&mut self.faulted);
        news.extend(landmarks);
        let result = if over {
            self.result(episode)
        } else {
            // Before the end, a score that is private is known to its seat only.
            let scores = self.names.scores(episode, |seat| may_hear(episode, self.viewer, seat));
            if scores.is_empty() { scores } else { format!("  {scores}") }
        };
        Some(ScreenPage { news, result, ..ScreenPage::default() })
    }

    fn turn_page(&mut self, episode: &dyn EpisodeView, over: bool) -> ScreenPage {
        let mut news = std::mem::take(&mut self.faulted);
        if self.level == LevelArg::Detail {
            for index in self.steps..episode.steps() {
                if let Some((seat, action)) = episode.step_text(index).split_once(' ')
                    && let Ok(seat) = seat.parse::<usize>()
                    && may_hear(episode, self.viewer, seat)
                {
                    news.push(format!("  {} decides: {action}", self.names.name(seat)));
                }
            }
        }
        self.steps = episode.steps();
        for (level, text) in self.new_events(episode) {
            if level <= Level::Turn || self.level == LevelArg::Detail {
                news.push(format!("* {text}"));
            }
        }
        let screen = Some(episode.screen(self.viewer, self.names.players()));
        let result = if over { self.result(episode) } else { String::new() };
        ScreenPage { news, screen, result, ..ScreenPage::default() }
    }

    pub fn result(&self, episode: &dyn EpisodeView) -> String {
        match episode.outcome() {
            Some(_) => format!("\n{}", self.names.result(episode)),
            None => self.names.result(episode),
        }
    }
}
