//! A review in a few sentences.

use meeple_core::Seat;

use super::review::{Review, Swing};
use super::verdict::Worth;

impl Review {
    /// True if values are shares of the win.
    pub(super) fn counts_shares(&self) -> bool {
        self.of.even.is_some()
    }

    /// A value with its interval; shares in per cent.
    pub(super) fn worth_text(&self, worth: Worth) -> String {
        worth.text_with_interval(self.counts_shares())
    }

    pub(super) fn bare(&self, value: f64) -> String {
        Worth { value, half: None }.value_text(self.counts_shares())
    }

    pub(super) fn unit(&self) -> &'static str {
        if self.counts_shares() { "%" } else { "points" }
    }

    pub(super) fn name(&self, seat: Seat) -> String {
        let name = self.of.players.get(seat.index()).map_or("", |player| player.name.as_str());
        format!("seat {seat} ({name})")
    }
}

/// The course of the episode, one sentence per text. A narrow terminal may wrap them.
pub fn review_words(review: &Review) -> Vec<String> {
    let viewpoint = review.of.viewpoint;
    let own: Vec<_> = review.of_seat(viewpoint).collect();
    let name = review.name(viewpoint);
    let (Some(first), Some(last)) = (own.first(), own.last()) else {
        return vec![format!("No decision of {name} was judged.")];
    };
    let in_words = |worth: Worth| format!("{} {}", review.bare(worth.value), review.unit());
    let meaning = match review.of.even {
        Some(even) => format!("its share of the win; nobody is ahead at {} %", review.bare(even)),
        None => "points".to_owned(),
    };
    let mut words =
        vec![format!("Expected result of {name}, as estimated by {} ({meaning}):", review.of.agent)];
    let at = |part: usize| own[(own.len() * part / 3).min(own.len() - 1)];
    let mut course = format!("{} at its first decision (moment {})", in_words(first.expected), first.moment);
    if own.len() >= 6 {
        let [early, late] = [at(1), at(2)];
        course += &format!(
            ", {} after a third (moment {}), {} after two thirds (moment {})",
            in_words(early.expected),
            early.moment,
            in_words(late.expected),
            late.moment
        );
    }
    course += &format!(", {} at its last decision (moment {})", in_words(last.expected), last.moment);
    if let Some(ends) = review.of.ends.as_ref().filter(|_| review.complete) {
        course += &format!("; the end was worth {} {}", review.bare(ends[viewpoint.index()]), review.unit());
    }
    words.push(course + ".");
    words.extend(lead(review));
    words.extend(review.swings.iter().find(|swing| swing.is_clear()).map(|swing| turned(review, swing)));
    words
}

/// A sentence on the moment since which the viewpoint has been ahead or behind.
fn lead(review: &Review) -> Option<String> {
    let even = review.of.even?;
    let own: Vec<_> = review.of_seat(review.of.viewpoint).collect();
    let is_ahead = |index: usize| own[index].expected.value >= even;
    let last = own.len().checked_sub(1)?;
    let since = (0..last).rev().find(|index| is_ahead(*index) != is_ahead(last)).map_or(0, |index| index + 1);
    let side = if is_ahead(last) { "ahead" } else { "behind" };
    Some(match since {
        0 => format!("It was {side} all the time."),
        _ => format!("From moment {} on it stayed {side}.", own[since].moment),
    })
}

fn turned(review: &Review, swing: &Swing) -> String {
    let to = if swing.to == review.of.steps { "the end".to_owned() } else { format!("moment {}", swing.to) };
    let unit = review.unit();
    let mut text = format!(
        "The largest turn: from {} to {} {unit} between moment {} and {to}",
        review.bare(swing.before),
        review.bare(swing.after),
        swing.from
    );
    if let (Some(own), Some(rest)) = (swing.own, swing.rest) {
        let signed = |value: f64| {
            let sign = if value > 0.0 { "+" } else { "" };
            format!("{sign}{}", review.bare(value))
        };
        text += &format!(" ({} by its own decision, {} by other causes)", signed(own), signed(rest));
    }
    text + "."
}
