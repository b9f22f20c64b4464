//! The table as drawings and screens show it. Between rounds and after the game it is that of the previous
//! round, reconstructed from events.

use std::borrow::Cow;

use meeple_core::{Seat, View};

use crate::card::Card;
use crate::event::Event;
use crate::game::IncanGold;
use crate::observe::Observation;

pub(crate) struct Table<'a> {
    pub(crate) heading: String,
    pub(crate) path: Cow<'a, [Card]>,
    /// False if the shown round is over.
    pub(crate) goes_on: bool,
    /// Seats that lost their backpacks in the finished round.
    losers: &'a [u16],
}

impl<'a> Table<'a> {
    pub(crate) fn of(view: &View<'a, IncanGold>) -> Self {
        let observation = &view.observation;
        let rounds = u32::from(observation.variant().rounds);
        let (round, turn) = (observation.round(), observation.turn());
        let is_over = round > rounds;
        let last = if is_over || turn == 0 { LastRound::of(view.events) } else { LastRound::default() };
        let heading = match last.end {
            _ if is_over => "The game is over".to_owned(),
            Some(ref end) => format!("Round {} of {rounds} is over: {end}", round - 1),
            None => format!("Round {round} of {rounds}, turn {turn}"),
        };
        let shows_last = last.end.is_some();
        Self {
            heading,
            path: if shows_last { last.path.into() } else { observation.path().into() },
            goes_on: !is_over && !shows_last,
            losers: last.losers,
        }
    }

    pub(crate) fn whereabouts(&self, seat: Seat) -> &'static str {
        let lost = self.losers.iter().any(|loser| usize::from(*loser) == seat.index());
        if lost { "busted" } else { "in the tent" }
    }
}

pub(crate) fn deadly_cards(observation: &Observation<'_>) -> u32 {
    let deadly = |card: &Card| matches!(card, Card::Hazard(kind) if observation.hazard_seen(*kind));
    observation.deck().filter(|(card, _)| deadly(card)).map(|(_, count)| count).sum()
}

pub(crate) fn count(number: u32, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The previous round, reconstructed from events.
#[derive(Default)]
struct LastRound<'a> {
    /// Reason for the end; `None` if no round is finished.
    end: Option<String>,
    path: Vec<Card>,
    losers: &'a [u16],
}

impl<'a> LastRound<'a> {
    fn of(events: &[&'a Event]) -> Self {
        let mut last = Self::default();
        for event in events.iter().rev() {
            match event {
                // This round has no card yet.
                Event::RoundStarted { .. } if last.path.is_empty() => {}
                Event::RoundStarted { .. } => break,
                Event::CardDrawn { card, .. } => last.path.push(*card),
                Event::Busted { card, seats } => {
                    last.end = Some(format!("a second {card}"));
                    last.losers = seats;
                }
                _ => {}
            }
        }
        if !last.path.is_empty() && last.end.is_none() {
            last.end = Some("everybody is in the tent".to_owned());
        }
        last.path.reverse();
        last
    }
}
