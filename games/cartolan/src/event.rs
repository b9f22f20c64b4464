//! Events, for logs, drawings and bots. All events are public, except the cards in a hand.

use std::fmt;

use meeple_core::{Audience, EventSink};
use serde::Serialize;

use crate::cards::{Card, Effect};
use crate::tiles::{Dir, Kind, Wind};

/// A place on the map: tiles east and north of the Capital.
pub type Place = (i16, i16);

/// An Adventurer: seat and number.
pub type Who = (u8, u8);

/// The target of a conflict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    Adventurer(Who),
    /// An Agent: seat and number.
    Agent(Who),
    Disaster,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// This seat plays first.
    Began { seat: u8 },
    /// Fewer tiles were dealt than the players are entitled to, because the catalogue has no more.
    Capped { tile_back: crate::tiles::Back, wanted: u16, dealt: u16 },
    /// A round begins.
    Round { round: u16 },
    /// An Adventurer moved from tile to tile.
    Moved { who: Who, from: Place, to: Place },
    /// An Adventurer spent a move on its tile.
    Waited { who: Who, at: Place },
    /// The die did not help an Adventurer against the wind.
    Becalmed { who: Who, at: Place, dir: Dir },
    /// The die carried an Adventurer against the wind.
    Gusted { who: Who, at: Place, dir: Dir },
    /// A tile was placed.
    Placed { at: Place, tile: Kind, wind: Wind },
    /// A drawn tile was discarded, because it did not fit.
    Discarded { at: Place, tile: Kind },
    /// An exploration failed: none of the tiles tried fitted.
    Failed { who: Who, at: Place },
    /// Discards were shuffled into their pile.
    Reshuffled { tile_back: crate::tiles::Back },
    /// Wealth was earned for filling a gap.
    Gap { who: Who, wealth: u16 },
    /// A discovery of a wonder or city was rewarded.
    Discovered { who: Who, at: Place, wealth: u16 },
    /// An Adventurer traded at a wonder.
    Traded { who: Who, at: Place, wealth: u16 },
    /// An Adventurer collected the wealth of an own Agent.
    Collected { who: Who, at: Place, wealth: u16 },
    /// An Adventurer rested at an Agent, which resets the counts of moves.
    Rested { who: Who, at: Place, agent: Who },
    /// An Agent was placed, hired or moved here.
    AgentPlaced { agent: Who, at: Place },
    /// An Agent went back to its owner's supply.
    AgentRemoved { agent: Who, at: Place },
    /// A dispossessed Agent is active again.
    Restored { agent: Who, at: Place },
    /// Wealth went to an own Agent.
    Sent { who: Who, agent: Who, wealth: u16 },
    /// An attack, with its result and the wealth that it brought.
    Attacked { who: Who, target: Target, at: Place, won: bool, wealth: u16 },
    /// An Adventurer lost its Chest to a disaster.
    Lost { who: Who, at: Place, wealth: u16 },
    /// An Adventurer was sent back to a city.
    SentBack { who: Who, from: Place, to: Place },
    /// Wealth went into the Vault.
    Banked { who: Who, wealth: u16 },
    /// An Adventurer was hired.
    Hired { who: Who, at: Place },
    /// An Adventurer received a named card.
    Named { who: Who, effect: Effect },
    /// A Discovery card was drawn. The drawer alone sees a Technology; all see a card that happens at once.
    Drawn { who: Who, card: Card },
    /// A Technology was drawn; the other players see only this.
    DrewTechnology { who: Who },
    /// An Adventurer equipped a Technology.
    Equipped { who: Who, effect: Effect },
    /// An Adventurer took a map tile to carry.
    Charted { who: Who, tile: Kind },
    /// An Adventurer put a carried map tile away.
    Dropped { who: Who, tile: Kind },
    /// The winds around the cities turned.
    Season,
    /// The game is over.
    Over { end: u8 },
}

impl Event {
    pub(crate) fn place(&self) -> Option<Place> {
        match *self {
            Event::Moved { to: at, .. }
            | Event::SentBack { to: at, .. }
            | Event::Waited { at, .. }
            | Event::Becalmed { at, .. }
            | Event::Gusted { at, .. }
            | Event::Placed { at, .. }
            | Event::Discarded { at, .. }
            | Event::Failed { at, .. }
            | Event::Discovered { at, .. }
            | Event::Traded { at, .. }
            | Event::Collected { at, .. }
            | Event::Rested { at, .. }
            | Event::AgentPlaced { at, .. }
            | Event::AgentRemoved { at, .. }
            | Event::Restored { at, .. }
            | Event::Attacked { at, .. }
            | Event::Lost { at, .. }
            | Event::Hired { at, .. } => Some(at),
            _ => None,
        }
    }
}

struct Name(Who);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Adventurer {}.{}", self.0.0, self.0.1)
    }
}

struct At(Place);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.0.0, self.0.1)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Event::Began { seat } => write!(f, "seat {seat} begins"),
            Event::Capped { tile_back, wanted, dealt } => {
                write!(f, "{dealt} {tile_back}-backed tiles are dealt, not {wanted}: there are no more")
            }
            Event::Round { round } => write!(f, "round {round}"),
            Event::Moved { who, from, to } => {
                write!(f, "{} moves from {} to {}", Name(who), At(from), At(to))
            }
            Event::Waited { who, at } => write!(f, "{} waits at {}", Name(who), At(at)),
            Event::Becalmed { who, dir, .. } => {
                write!(f, "{} finds no gust to the {}", Name(who), dir.long())
            }
            Event::Gusted { who, dir, .. } => write!(f, "a gust carries {} to the {}", Name(who), dir.long()),
            Event::Placed { at, tile, wind } => write!(f, "{tile} is placed at {}, wind {wind}", At(at)),
            Event::Discarded { at, tile } => write!(f, "{tile} does not fit at {}", At(at)),
            Event::Failed { who, at } => write!(f, "{} finds no way to {}", Name(who), At(at)),
            Event::Reshuffled { tile_back } => write!(f, "the {tile_back} discards are shuffled"),
            Event::Gap { who, wealth } => write!(f, "{} gains {wealth} for filling a gap", Name(who)),
            Event::Discovered { who, at, wealth } => {
                write!(f, "{} discovers what is at {} and gains {wealth}", Name(who), At(at))
            }
            Event::Traded { who, wealth, .. } => write!(f, "{} trades for {wealth}", Name(who)),
            Event::Collected { who, wealth, .. } => write!(f, "{} collects {wealth}", Name(who)),
            Event::Rested { who, agent, .. } => {
                write!(f, "{} rests at Agent {}.{}", Name(who), agent.0, agent.1)
            }
            Event::AgentPlaced { agent, at } => {
                write!(f, "Agent {}.{} settles at {}", agent.0, agent.1, At(at))
            }
            Event::AgentRemoved { agent, at } => write!(f, "Agent {}.{} leaves {}", agent.0, agent.1, At(at)),
            Event::Restored { agent, .. } => write!(f, "Agent {}.{} is restored", agent.0, agent.1),
            Event::Sent { who, agent, wealth } => {
                write!(f, "{} sends {wealth} to Agent {}.{}", Name(who), agent.0, agent.1)
            }
            Event::Attacked { who, target, won, wealth, .. } => {
                write!(f, "{} ", Name(who))?;
                f.write_str(if won { "attacks with success: " } else { "attacks in vain: " })?;
                match target {
                    Target::Adventurer(target) => write!(f, "{}", Name(target))?,
                    Target::Agent((seat, number)) => write!(f, "Agent {seat}.{number}")?,
                    Target::Disaster => f.write_str("the disaster")?,
                }
                if won { write!(f, ", gaining {wealth}") } else { Ok(()) }
            }
            Event::Lost { who, at, wealth } => write!(f, "{} leaves {wealth} at {}", Name(who), At(at)),
            Event::SentBack { who, to, .. } => write!(f, "{} is back at {}", Name(who), At(to)),
            Event::Banked { who, wealth } => write!(f, "{} banks {wealth}", Name(who)),
            Event::Hired { who, at } => write!(f, "{} is hired at {}", Name(who), At(at)),
            Event::Named { who, effect } => write!(f, "{} is {}", Name(who), effect.cards().person),
            Event::Drawn { who, card } => match card.effect() {
                Some(effect) => write!(f, "{} draws {}", Name(who), effect.cards().thing),
                None => write!(f, "{} draws {card}", Name(who)),
            },
            Event::DrewTechnology { who } => write!(f, "{} draws a Technology", Name(who)),
            Event::Equipped { who, effect } => write!(f, "{} now uses {}", Name(who), effect.cards().thing),
            Event::Charted { who, tile } => write!(f, "{} takes {tile} along", Name(who)),
            Event::Dropped { who, tile } => write!(f, "{} puts {tile} away", Name(who)),
            Event::Season => f.write_str("the winds around the cities turn"),
            Event::Over { end } => write!(f, "the game is over: {}", crate::info::ENDS[usize::from(end)]),
        }
    }
}

pub(crate) trait Events: EventSink<Event> {
    #[inline]
    fn tell(&mut self, event: impl FnOnce() -> Event) {
        self.emit(Audience::All, event);
    }
}

impl<T: EventSink<Event>> Events for T {}
