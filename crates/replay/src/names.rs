//! Players and results as text for people.

use meeple_core::{EpisodeView, PlayerLabel, Seat};
use meeple_scene::cleaned;

/// Printable names of players. Characters that could control a terminal are replaced.
pub struct Names {
    players: Vec<PlayerLabel>,
}

impl Names {
    pub fn new(players: &[PlayerLabel]) -> Self {
        Self { players: players.iter().map(|player| cleaned(&player.to_string()).into()).collect() }
    }

    pub fn players(&self) -> &[PlayerLabel] {
        &self.players
    }

    pub fn name(&self, seat: usize) -> String {
        let player = self.players.get(seat).map_or("", |player| player.name.as_str());
        format!("seat {seat} {player}").trim_end().to_owned()
    }

    /// The scores of those of the first sixteen seats that the predicate includes.
    pub fn scores(&self, episode: &dyn EpisodeView, includes: impl Fn(usize) -> bool) -> String {
        let shown = episode.seats().min(16);
        let list: Vec<String> = Seat::all(shown)
            .filter(|seat| includes(seat.index()))
            .map(|seat| format!("{}: {}", self.name(seat.index()), episode.score(seat)))
            .collect();
        let more = episode.seats() - shown;
        if more > 0 && !list.is_empty() {
            format!("{}, and {more} more", list.join(", "))
        } else {
            list.join(", ")
        }
    }

    /// The winners, the end reason, the length and all scores, in two lines.
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
            "{who} ({}; {} {})\n  {} {}",
            info.ends[outcome.end],
            episode.length(),
            info.length_unit,
            info.score_unit,
            self.scores(episode, |_| true)
        )
    }
}
