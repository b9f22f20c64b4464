//! Forms for designers' questions about a game.

use maud::{Markup, html};
use meeple_core::{AnyEntry, EntryError};

use crate::page::controls::{Values, agent_ticks, complaint, presets, rules};
use crate::page::form::{Fields, MAX_SEATS, field};
use crate::page::frame::page;

/// Default number of episodes over all tables.
pub const EPISODES: u64 = 20_000;
/// Default number of episodes per change of the rules. It is small, because there are many changes.
pub const EPISODES_OF_RULES: u64 = 2_000;

/// A designer's question, which selects the part of the answer that is shown first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DesignQuestion {
    /// Dominant agents.
    #[default]
    Agents,
    /// The value of seats and of the order of turns.
    Seats,
    /// The length of games, and how they end.
    Length,
    /// The share of luck.
    Luck,
    /// The parameter with the largest effect.
    Rules,
}

impl DesignQuestion {
    pub const ALL: [Self; 5] = [Self::Agents, Self::Seats, Self::Length, Self::Luck, Self::Rules];

    /// The name of the question in forms.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agents => "agents",
            Self::Seats => "seats",
            Self::Length => "length",
            Self::Luck => "luck",
            Self::Rules => "rules",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.name() == name)
    }

    fn words(self) -> &'static str {
        match self {
            Self::Agents => "Does one agent dominate?",
            Self::Seats => "What is a seat, or going first, worth?",
            Self::Length => "How long is a game, and how does it end?",
            Self::Luck => "How much is luck?",
            Self::Rules => "Which rule matters most?",
        }
    }

    /// The prefix of the anchor that its answer has on the page of answers.
    pub fn anchor(self) -> &'static str {
        match self {
            Self::Agents => "which-strategies-survive",
            Self::Seats => "what-is",
            Self::Length => "how-long-does-it-take",
            Self::Luck => "how-much-is-luck",
            Self::Rules => "which-parameter-moves-the-length-most",
        }
    }
}

pub fn usual_seats(entry: &dyn AnyEntry) -> usize {
    let seats = &entry.info().seats;
    if entry.info().filler.is_some() { 2 } else { 2.clamp(*seats.start(), *seats.end()) }
}

fn buttons() -> Markup {
    html! {
        div class="choices" {
            @for about in DesignQuestion::ALL { button type="submit" name="about" value=(about.name()) { (about.words()) } }
        }
    }
}

/// The quick form: all agents of the game answer questions about a preset's rules.
pub fn questions(entry: &dyn AnyEntry, preset: &str) -> Markup {
    let id = entry.info().id;
    html! {
        section aria-labelledby="questions" {
            h2 id="questions" { "Ask about the game" }
            p { "All agents of the game meet each other on the same deals, each from every seat. The answers are sentences with intervals, tables, plots, and the command that repeats them." }
            form method="post" action={ "/lab/" (id) "/ask" } {
                input type="hidden" name="preset" value=(preset);
                (buttons())
            }
            p class="links" { a href={ "/lab/" (id) "/ask?preset=" (preset) } { "Ask about other agents, or by other rules" } }
        }
    }
}

/// The form with a choice of agents and rules.
pub fn form(
    entry: &dyn AnyEntry,
    preset: Option<&str>,
    entered: &Fields,
    wrong: Option<&str>,
) -> Result<Markup, EntryError> {
    let info = entry.info();
    let preset = info.preset_or_first(preset);
    let values = entry.variant(Some(preset), &[])?;
    let title = format!("Ask about {}", info.name);
    let own = entry.own_agents();
    let usual = |name: &str| own.contains(&name);
    let seats = usual_seats(entry).to_string();
    Ok(page(
        &title,
        false,
        &html! {
            h1 { (title) }
            p { "Every agent meets every other agent and itself, at tables of the size below. Fewer agents \
                 give more certain answers." }
            (complaint(wrong))
            (presets(info, &format!("/lab/{}/ask", info.id), preset))
            form method="post" action={ "/lab/" (info.id) "/ask" } class="sheet" {
                input type="hidden" name="preset" value=(preset);
                (agent_ticks(entry, "Agents", entered, &usual, ""))
                p {
                    label for="seats" { "Seats of a table" }
                    input id="seats" name="seats" type="number" min="2" max=(MAX_SEATS) value=(field(entered, "seats").unwrap_or(&seats));
                }
                p {
                    label for="episodes" { "Episodes" }
                    input id="episodes" name="episodes" inputmode="numeric" value=[field(entered, "episodes")] placeholder=(EPISODES) aria-describedby="episodes-doc";
                    span class="small" id="episodes-doc" { "Of all tables together, " (EPISODES) " by default; of each change of a rule " (EPISODES_OF_RULES) "." }
                }
                (rules(entry, &values, entered, wrong, Values::One))
                p {
                    label for="seed" { "Seed" }
                    input id="seed" name="seed" inputmode="numeric" value=(field(entered, "seed").unwrap_or("1"));
                }
                h2 { "What do you want to know?" }
                (buttons())
            }
        },
    ))
}
