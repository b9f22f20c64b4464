//! Watching an episode: what is shown after which step.

use meeple_core::{EpisodeView, Information, Level, Phase, PlayerLabel, Seat, Viewer};

use meeple_scene::cleaned;

use crate::args::LevelArg;
use crate::console::Page;

/// Turns the steps of an episode into pages to read.
pub struct Spectator {
    level: LevelArg,
    viewer: Viewer,
    players: Vec<PlayerLabel>,
    /// Events that have been told.
    events: usize,
    /// Steps that have been told.
    steps: usize,
}

impl Spectator {
    /// Watches at a level, from somebody's place. The players' names may come from anywhere: what could steer
    /// the terminal is taken out of them.
    pub fn new(level: LevelArg, viewer: Viewer, players: &[PlayerLabel]) -> Self {
        Self {
            level,
            viewer,
            players: players.iter().map(|player| cleaned(&player.to_string()).into()).collect(),
            events: 0,
            steps: 0,
        }
    }

    /// What is to be shown now, if anything. Called at the start and after every step.
    pub fn page(&mut self, episode: &dyn EpisodeView) -> Option<Page> {
        let over = episode.phase() == Phase::Over;
        let decides = matches!(episode.phase(), Phase::Decide(_));
        match self.level {
            LevelArg::Totals => None,
            LevelArg::Game => over.then(|| Page { result: self.result(episode), ..Page::default() }),
            LevelArg::Round => self.round_page(episode, over),
            LevelArg::Turn | LevelArg::Detail if over || decides => Some(self.turn_page(episode, over)),
            LevelArg::Turn | LevelArg::Detail => None,
        }
    }

    fn new_events(&mut self, episode: &dyn EpisodeView) -> Vec<(Level, String)> {
        let events = episode.events(self.viewer, self.events);
        if let Some(last) = events.last() {
            self.events = last.number + 1;
        }
        events.into_iter().map(|event| (event.level, event.text)).collect()
    }

    fn round_page(&mut self, episode: &dyn EpisodeView, over: bool) -> Option<Page> {
        let landmarks: Vec<String> = self
            .new_events(episode)
            .into_iter()
            .filter(|(level, _)| *level == Level::Round)
            .map(|(_, text)| text)
            .collect();
        if landmarks.is_empty() && !over {
            return None;
        }
        let result = if over {
            self.result(episode)
        } else {
            // Where seats know different things, a score before the end is its seat's own business.
            let scores = self.scores(episode, |seat| may_hear(episode, self.viewer, seat));
            if scores.is_empty() { scores } else { format!("  {scores}") }
        };
        Some(Page { news: landmarks, result, ..Page::default() })
    }

    fn turn_page(&mut self, episode: &dyn EpisodeView, over: bool) -> Page {
        let mut news = Vec::new();
        if self.level == LevelArg::Detail {
            for index in self.steps..episode.steps() {
                if let Some((seat, action)) = episode.step_text(index).split_once(' ')
                    && let Ok(seat) = seat.parse::<usize>()
                    && may_hear(episode, self.viewer, seat)
                {
                    news.push(format!("  {} decides: {action}", self.name(seat)));
                }
            }
        }
        self.steps = episode.steps();
        for (level, text) in self.new_events(episode) {
            if level <= Level::Turn || self.level == LevelArg::Detail {
                news.push(format!("* {text}"));
            }
        }
        let screen = Some(episode.screen(self.viewer, &self.players));
        let result = if over { self.result(episode) } else { String::new() };
        Page { news, screen, result, ..Page::default() }
    }

    fn name(&self, seat: usize) -> String {
        let player = self.players.get(seat).map_or("", |player| player.name.as_str());
        format!("seat {seat} {player}").trim_end().to_owned()
    }

    /// The scores of these seats, sixteen at most.
    fn scores(&self, episode: &dyn EpisodeView, told: impl Fn(usize) -> bool) -> String {
        let shown = episode.seats().min(16);
        let list: Vec<String> = Seat::all(shown)
            .filter(|seat| told(seat.index()))
            .map(|seat| format!("{}: {}", self.name(seat.index()), episode.score(seat)))
            .collect();
        let more = episode.seats() - shown;
        if more > 0 && !list.is_empty() {
            format!("{}, and {more} more", list.join(", "))
        } else {
            list.join(", ")
        }
    }

    /// Who won, with the scores.
    pub fn result(&self, episode: &dyn EpisodeView) -> String {
        let Some(outcome) = episode.outcome() else {
            return "the episode is not over".to_owned();
        };
        let winners: Vec<String> = Seat::all(episode.seats())
            .filter(|seat| outcome.places[seat.index()] == 1)
            .map(|seat| self.name(seat.index()))
            .collect();
        let who = match winners.as_slice() {
            [winner] => format!("{winner} wins"),
            [first, .., last] if winners.len() > 4 => {
                format!("{first} … {last}: {} share the win", winners.len())
            }
            _ => format!("{} share the win", winners.join(" and ")),
        };
        let info = episode.info();
        format!(
            "\n{who} ({}; {} {})\n  {} {}",
            info.ends[outcome.end],
            episode.length(),
            info.length_unit,
            info.score_unit,
            self.scores(episode, |_| true)
        )
    }
}

/// Finds the moments of an episode that are worth a picture.
pub struct Moments {
    viewer: Viewer,
    /// Events that have been heard.
    events: usize,
    /// Whether nothing has been asked yet.
    starts: bool,
}

impl Moments {
    /// Of what this viewer sees.
    pub fn new(viewer: Viewer) -> Self {
        Self { viewer, events: 0, starts: true }
    }

    /// What is new since the last call.
    pub fn news(&mut self, episode: &dyn EpisodeView) -> News {
        let events = episode.events(self.viewer, self.events);
        if let Some(last) = events.last() {
            self.events = last.number + 1;
        }
        let landmark = events.iter().any(|event| event.level == Level::Round);
        let shown = std::mem::take(&mut self.starts) || episode.phase() != Phase::Chance || landmark;
        News { texts: events.into_iter().map(|event| event.text).collect(), shown, landmark }
    }
}

/// What a viewer has heard since it was shown something.
pub struct News {
    /// The events.
    pub texts: Vec<String>,
    /// Whether there is something to look at: somebody to decide, the start or the end, or chance about to act
    /// after a landmark, as when a round has ended.
    pub shown: bool,
    /// Whether there was a landmark.
    pub landmark: bool,
}

/// Whether a viewer may hear what a seat has decided. Where seats know different things, what a decision shows
/// of itself is for the events to tell.
pub fn may_hear(episode: &dyn EpisodeView, viewer: Viewer, seat: usize) -> bool {
    let own = seat < episode.seats() && viewer.sees(Seat::new(seat));
    own || episode.info().information != Information::Hidden
}
