//! The form that opens a table, generated from what games declare.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use meeple_core::{AgentDoc, AgentSpec, AnyEntry, Domain, ParamSpec, PlayerLabel, PublicName, Replay};
use meeple_table::{Holder, NoTimeControl};
use serde_json::Value;

use crate::effort::check_agents;
use crate::hub::Order;

/// Upper bound on seats in a form. Games with more fill the rest themselves.
pub const MAX_SEATS: usize = 8;

/// The form's value for a seat of the user. Agents are given by their text.
pub const ME: &str = "me";
/// The form's value for a person who is invited by a link.
pub const FRIEND: &str = "friend";
/// The form's value for an unused seat.
pub const NOBODY: &str = "nobody";

/// The form's value for the agents that played in the replay.
pub const AS_PLAYED: &str = "as played";

/// Form fields, in the order the browser sent them.
pub type Fields = Vec<(String, String)>;

/// The first non-empty value of a field, trimmed.
pub fn field<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    fields
        .iter()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.trim())
        .filter(|value| !value.is_empty())
}

/// The table that a form describes. `me` is the name of the user.
pub fn read(entry: &dyn AnyEntry, fields: &Fields, me: &PublicName) -> Result<Order, String> {
    let info = entry.info();
    let preset = preset(entry, fields);
    let settings = settings(entry, fields)?;
    // Checked first, so that the error names the wrong parameter.
    entry.variant(Some(preset), &settings).map_err(|error| error.to_string())?;
    let mut mine = 0;
    let mut holders = Vec::new();
    for seat in 0..MAX_SEATS {
        let who = field(fields, &format!("agent.{seat}")).or_else(|| field(fields, &format!("seat.{seat}")));
        holders.push(match who {
            None | Some(NOBODY) => continue,
            Some(ME) => {
                mine += 1;
                let name = if mine == 1 { me.clone() } else { format!("{me} {mine}").into() };
                Holder::Person { name }
            }
            Some(FRIEND) => Holder::Open,
            Some(agent) => Holder::Agent(agent.to_owned()),
        });
    }
    if holders.is_empty() {
        return Err("expected somebody at a seat, found nobody\nhint: choose \"me\" at one".to_owned());
    }
    let root = number(fields, "seed")?;
    let game = format!("{}/{preset}", info.id);
    let listed = field(fields, "listed").is_some();
    let time = field(fields, "time").map(str::parse).transpose();
    let time = time.map_err(|wrong: NoTimeControl| wrong.to_string())?;
    Ok(Order { game, settings, holders, steps: Vec::new(), listed, root, owner: None, time })
}

/// A table that continues a replay after its first `steps` steps. `me` plays at one seat. The agent plays at
/// the others, or with [`AS_PLAYED`] the agents that played there.
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

/// The agents of a game that need only their names under some preset. Agents that need files, or that this
/// build lacks, are left out.
pub fn offered(entry: &dyn AnyEntry) -> Vec<AgentDoc> {
    /// Cached per game, because setting agents up may take long.
    static OFFERED: Mutex<BTreeMap<&'static str, Vec<&'static str>>> = Mutex::new(BTreeMap::new());
    let info = entry.info();
    let mut known = OFFERED.lock().unwrap_or_else(PoisonError::into_inner);
    let names = known.entry(info.id).or_insert_with(|| {
        let seats = (*info.seats.end()).min(2).max(*info.seats.start());
        let games: Vec<_> = info
            .presets
            .iter()
            .filter_map(|preset| entry.set_up(Some(preset.name), &[], seats).ok())
            .collect();
        let plays =
            |name: &str| games.iter().any(|game| game.check_line_up(&[AgentSpec::parse(name)]).is_ok());
        entry.agents().into_iter().map(|agent| agent.name).filter(|name| plays(name)).collect()
    });
    entry.agents().into_iter().filter(|agent| names.contains(&agent.name)).collect()
}

pub fn game(id: &str) -> Result<&'static dyn AnyEntry, String> {
    meeple_games::find_game(id).map_err(|error| error.to_string())
}

/// The preset that a form selects; the first by default.
pub fn preset<'a>(entry: &dyn AnyEntry, fields: &'a Fields) -> &'a str {
    field(fields, "preset").unwrap_or(entry.info().presets[0].name)
}

/// The parameters of a form that differ from its preset.
pub fn settings(entry: &dyn AnyEntry, fields: &Fields) -> Result<Vec<(String, String)>, String> {
    let known = entry.variant(Some(preset(entry, fields)), &[]).map_err(|error| error.to_string())?;
    let mut settings = Vec::new();
    for param in entry.params() {
        if let Some(value) = field(fields, &format!("set.{}", param.name))
            && value != value_text(&known, &param)
        {
            settings.push((param.name.to_owned(), value.to_owned()));
        }
    }
    Ok(settings)
}

pub fn line_up(fields: &Fields) -> Vec<String> {
    let who = (0..MAX_SEATS).filter_map(|seat| {
        field(fields, &format!("agent.{seat}")).or_else(|| field(fields, &format!("seat.{seat}")))
    });
    who.filter(|who| *who != NOBODY).map(str::to_owned).collect()
}

pub fn number(fields: &Fields, name: &str) -> Result<Option<u64>, String> {
    let parse = |text: &str| {
        text.parse().map_err(|_| format!("{name}: expected a whole number from 0, found '{text}'"))
    };
    field(fields, name).map(parse).transpose()
}

/// A parameter's value as text, from the object that [`AnyEntry::variant`] gives.
pub fn value_text(variant: &Value, param: &ParamSpec) -> String {
    match (&variant[param.name], &param.domain) {
        (Value::Bool(on), _) => if *on { "on" } else { "off" }.to_owned(),
        (Value::String(text), _) => text.clone(),
        (Value::Array(items), Domain::IntList { .. }) => {
            items.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
        }
        (Value::Null, _) => param.default.clone(),
        (value, _) => value.to_string(),
    }
}

/// The seats of a quick game: the user first, then agents of the demo line-up.
pub fn quick_seats(entry: &dyn AnyEntry) -> Vec<String> {
    let info = entry.info();
    let most = (*info.seats.end()).min(MAX_SEATS);
    let agents = info.demo.iter().rev().map(|spec| (*spec).to_owned());
    let wanted = info.demo.len().clamp((*info.seats.start()).max(2), 4).min(most);
    std::iter::once(ME.to_owned()).chain(agents.cycle()).take(wanted).collect()
}
