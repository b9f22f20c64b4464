//! Orders of new tables, from forms and programs, and to continue a replay.

use meeple_core::{AgentSpec, AnyEntry, PlayerLabel, PublicName, Replay};
use meeple_table::{Holder, NoTimeControl, TimeControl};

use crate::limits::effort::check_agents;
use crate::page::form::{Fields, MAX_SEATS, SEAT_NOBODY, field, number, preset, settings, value_text};

#[derive(Clone, Debug)]
pub struct Order {
    /// The game and its preset, as `game/preset`.
    pub game: String,
    /// Parameters that differ from the preset.
    pub settings: Vec<(String, String)>,
    /// The holders that were given, from seat 0.
    pub holders: Vec<Holder>,
    /// Steps to play before the table opens.
    pub steps: Vec<String>,
    pub listed: bool,
    /// The root seed; random if `None`.
    pub root: Option<u64>,
    /// The account that controls people's seats. If `None`, people get keys.
    pub owner: Option<String>,
    /// The time control; unlimited if `None`.
    pub time: Option<TimeControl>,
}

impl Order {
    /// The order with its time control, if its settings are valid and it has a holder.
    pub fn checked(self, entry: &dyn AnyEntry, time: Option<&str>) -> Result<Self, String> {
        // Settings are checked first, so that the error names the wrong parameter.
        let preset = self.game.split_once('/').map(|(_, preset)| preset);
        entry.variant(preset, &self.settings).map_err(|error| error.to_string())?;
        if self.holders.is_empty() {
            return Err("expected somebody at a seat, found nobody\nhint: a seat takes a person, an open place or an agent".to_owned());
        }
        let time = time.map(str::parse).transpose();
        let time = time.map_err(|wrong: NoTimeControl| wrong.to_string())?;
        Ok(Self { time, ..self })
    }
}

/// The form's value for a seat that the user plays. The value for an agent is its text.
pub const SEAT_ME: &str = "me";

/// The form's value for a person who is invited by a link.
pub const SEAT_FRIEND: &str = "friend";

/// The form's value for the agents that played in the replay.
pub const AS_PLAYED: &str = "as played";

/// The order that a form describes. `me` is the name of the user.
pub fn read(entry: &dyn AnyEntry, fields: &Fields, me: &PublicName) -> Result<Order, String> {
    let info = entry.info();
    let preset = preset(entry, fields);
    let settings = settings(entry, fields)?;
    let mut mine = 0;
    let mut holders = Vec::new();
    for seat in 0..MAX_SEATS {
        let who = field(fields, &format!("agent.{seat}")).or_else(|| field(fields, &format!("seat.{seat}")));
        holders.push(match who {
            None | Some(SEAT_NOBODY) => continue,
            Some(SEAT_ME) => {
                mine += 1;
                let name = if mine == 1 { me.clone() } else { format!("{me} {mine}").into() };
                Holder::Person { name }
            }
            Some(SEAT_FRIEND) => Holder::Open,
            Some(agent) => Holder::Agent(agent.to_owned()),
        });
    }
    let order = Order {
        game: format!("{}/{preset}", info.id),
        settings,
        holders,
        steps: Vec::new(),
        listed: field(fields, "listed").is_some(),
        root: number(fields, "seed")?,
        owner: None,
        time: None,
    };
    order.checked(entry, field(fields, "time"))
}

/// An order that continues a replay after its first `steps` steps. The user, called `name`, plays at seat
/// `me`. `agent` plays at the others. With [`AS_PLAYED`] they keep their agents, or get a substitute if those
/// cannot play.
pub fn play_on(
    entry: &dyn AnyEntry,
    replay: &Replay,
    steps: usize,
    me: usize,
    agent: &str,
    name: &PublicName,
) -> Result<Order, String> {
    let info = entry.info();
    let preset = info.presets[0].name;
    let known = entry.variant(Some(preset), &[]).map_err(|error| error.to_string())?;
    let values = entry.params().into_iter().map(|param| {
        (param.name.to_owned(), value_text(&replay.variant, &param), value_text(&known, &param))
    });
    let settings: Vec<(String, String)> =
        values.filter(|(_, value, usual)| value != usual).map(|(name, value, _)| (name, value)).collect();
    let seats = replay.players.len();
    let game = entry.set_up(Some(preset), &settings, seats).map_err(|error| error.to_string())?;
    let can_play = |name: &str| {
        check_agents(entry, [name]).is_ok() && game.check_line_up(&[AgentSpec::parse(name)]).is_ok()
    };
    let stand_in = if info.advisor.is_empty() { "random" } else { info.advisor };
    let holder = |(seat, player): (usize, &PlayerLabel)| match agent {
        _ if seat == me => Holder::Person { name: name.clone() },
        AS_PLAYED if can_play(&player.name) => Holder::Agent(player.name.to_string()),
        AS_PLAYED => Holder::Agent(stand_in.to_owned()),
        agent => Holder::Agent(agent.to_owned()),
    };
    Ok(Order {
        game: format!("{}/{preset}", info.id),
        settings,
        holders: replay.players.iter().enumerate().map(holder).collect(),
        steps: replay.steps[..steps].to_vec(),
        listed: false,
        root: None,
        owner: None,
        time: None,
    })
}

/// The seats of a quick game: the user first, then agents of the demo line-up.
pub fn quick_seats(entry: &dyn AnyEntry) -> Vec<String> {
    let info = entry.info();
    let most = (*info.seats.end()).min(MAX_SEATS);
    let agents = info.demo.iter().rev().map(|spec| (*spec).to_owned());
    let wanted = info.demo.len().clamp((*info.seats.start()).max(2), 4).min(most);
    std::iter::once(SEAT_ME.to_owned()).chain(agents.cycle()).take(wanted).collect()
}
