//! Games in the API.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use meeple_core::{AgentDoc, AnyEntry, ParamSpec};
use meeple_games::{find_game, games, parse_game};

use crate::api::answers::{Answer, Refusal, json};
use crate::api::messages::{Agent, Code, Game, GameInDetail, Games, Parameter, Preset};
use crate::page::form::offered;

pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/games", get(all_games)).route("/games/{game}", get(one_game))
}

fn entry(id: &str) -> Result<&'static dyn AnyEntry, Refusal> {
    find_game(id).map_err(|error| Refusal::new(StatusCode::NOT_FOUND, Code::NotFound, &error.to_string()))
}

fn game(entry: &dyn AnyEntry) -> Game {
    let info = entry.info();
    let presets = info.presets.iter().map(|preset| Preset { name: preset.name, doc: preset.doc });
    Game {
        id: info.id,
        name: info.name,
        summary: info.summary,
        least_seats: *info.seats.start(),
        most_seats: *info.seats.end(),
        presets: presets.collect(),
    }
}

fn parameters(params: Vec<ParamSpec>) -> Vec<Parameter> {
    let parameter = |param: ParamSpec| Parameter {
        name: param.name,
        default: param.default,
        values: param.domain.to_string(),
        doc: param.doc,
    };
    params.into_iter().map(parameter).collect()
}

async fn all_games() -> Response {
    json(&Games { games: games().into_iter().map(game).collect() })
}

async fn one_game(Path(id): Path<String>) -> Answer {
    let entry = entry(&id)?;
    let agent =
        |agent: AgentDoc| Agent { name: agent.name, doc: agent.doc, parameters: parameters(agent.params) };
    Ok(json(&GameInDetail {
        game: game(entry),
        parameters: parameters(entry.params()),
        agents: offered(entry).into_iter().map(agent).collect(),
        input_help: entry.info().input_help,
    }))
}

/// A game's entry, its name with the preset, and the parameters that differ from it.
type Setting = (&'static dyn AnyEntry, String, Vec<(String, String)>);

/// Resolves a game, `game` or `game/preset`, with these parameters.
pub fn setting(name: &str, settings: BTreeMap<String, String>) -> Result<Setting, Refusal> {
    let found = parse_game(name)
        .map_err(|error| Refusal::new(StatusCode::NOT_FOUND, Code::NotFound, &error.to_string()))?;
    let info = found.entry.info();
    let preset = info.preset_or_first(found.preset);
    let settings: Vec<(String, String)> = settings.into_iter().collect();
    Ok((found.entry, format!("{}/{preset}", info.id), settings))
}
