//! The profile of the original's engine (R9), and the files of the original.

use std::collections::BTreeMap;
use std::sync::Arc;

use meeple_carcassonne::{Carcassonne, Stage, State};
use meeple_core::{
    AgentSpec, Defined as _, Episode, EpisodeSeed, EpisodeView, Game, NoHost, Phase, PlayerLabel, ToolCall,
    ToolError, ToolOutput, Viewer,
};
use serde_json::{Value, json};

use crate::support::{act, game, kind, legal, points, stage, supply, tiles, with_meeples};

fn original(set: &[(&str, &str)]) -> Arc<Carcassonne> {
    game("syncs", set, 2)
}

#[test]
fn r9_1_what_a_tile_completes_scores_before_the_claim() {
    let game = original(&[("meeples", "1")]);
    let board = with_meeples(tiles("W 0,0; U 0,1"), "0 0,1 road N");
    let mut state = board.hand(0, kind("W")).hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place W 0,2 r2");
    assert_eq!(points(&game, &state), [3, 0]);
    // The returned meeple is used at once.
    assert_eq!(legal(&game, &state), ["pass", "claim road E", "claim road W"]);
    act(&game, &mut state, "claim road E");
    assert_eq!(supply(&game, &state, 0), 0);
}

#[test]
fn r9_1_a_claim_is_asked_for_even_if_there_is_none() {
    let game = original(&[("meeples", "0")]);
    let mut state = tiles("W 0,0").hand(0, kind("U")).hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place U 0,1 r0");
    assert_eq!(stage(&game, &state), Stage::Action);
    assert_eq!(legal(&game, &state), ["pass"]);
}

#[test]
fn r9_1_a_tile_may_end_the_game_before_its_claim() {
    let game = original(&[("point-limit", "3")]);
    let board = with_meeples(tiles("W 0,0; U 0,1"), "1 0,1 road N");
    let mut state = board.hand(0, kind("W")).build(&game).unwrap();
    act(&game, &mut state, "place W 0,2 r2");
    assert_eq!(game.phase(&state), Phase::Over);
    assert_eq!(points(&game, &state), [0, 3]);
}

/// A road of three tiles between junctions with two meeples of seat 0 and one of seat 1, completed by seat 0.
fn crowded(game: &Carcassonne) -> State {
    let board = with_meeples(tiles("W 0,0; U 0,1; U 0,2"), "0 0,0 road S; 0 0,1 road N; 1 0,2 road N");
    let mut state = board.hand(0, kind("W")).hand(1, kind("B")).build(game).unwrap();
    act(game, &mut state, "place W 0,3 r2");
    state
}

#[test]
fn r9_2_everybody_with_a_meeple_is_paid() {
    let game = original(&[]);
    assert_eq!(points(&game, &crowded(&game)), [4, 4]);
    let standard = original(&[("pays", "majority")]);
    assert_eq!(points(&standard, &crowded(&standard)), [4, 0]);
}

#[test]
fn r9_2_in_the_end_the_majority_counts() {
    let game = original(&[]);
    let board = with_meeples(tiles("W 0,0; U 0,1; U 0,2"), "0 0,0 road S; 0 0,1 road N; 1 0,2 road N");
    let state = board.build(&game).unwrap();
    assert_eq!(points(&game, &state), [3, 0]);
}

#[test]
fn r9_3_what_has_scored_cannot_be_claimed_again() {
    let game = original(&[]);
    let state = crowded(&game);
    assert_eq!(legal(&game, &state), ["pass", "claim road E", "claim road W"]);
}

#[test]
fn r9_4_a_complete_city_is_claimed_without_its_banners() {
    // M (two edges, a banner) closed by two E: three tiles and one banner.
    let claim = |set: &[(&str, &str)]| {
        let game = original(set);
        let board = tiles("M 0,0; E 0,-1 r2");
        let mut state = board.hand(0, kind("E")).hand(1, kind("B")).build(&game).unwrap();
        act(&game, &mut state, "place E -1,0 r1");
        act(&game, &mut state, "claim city E");
        points(&game, &state)
    };
    assert_eq!(claim(&[]), [6, 0]);
    assert_eq!(claim(&[("claimed-banners", "on")]), [8, 0]);
}

#[test]
fn r9_4_a_city_that_was_claimed_before_pays_its_banners() {
    let game = original(&[]);
    let board = with_meeples(tiles("M 0,0; E 0,-1 r2"), "1 0,0 city N");
    let mut state = board.hand(0, kind("E")).hand(1, kind("B")).build(&game).unwrap();
    act(&game, &mut state, "place E -1,0 r1");
    assert_eq!(points(&game, &state), [0, 8]);
}

#[test]
fn r9_5_a_banner_in_an_incomplete_city_pays_two() {
    let game = original(&[]);
    let state = with_meeples(tiles("M 0,0"), "1 0,0 city N").build(&game).unwrap();
    assert_eq!(points(&game, &state), [0, 3]);
}

/// An episode played by agents.
fn episode(preset: &str, set: &[(&str, &str)], seats: usize, number: u64) -> Episode<Carcassonne> {
    let game = game(preset, set, seats);
    let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(5, number));
    let mut agents: Vec<_> = (0..seats)
        .map(|_| {
            let spec = AgentSpec::parse("greedy");
            let greedy =
                Carcassonne::definition().agents.into_iter().find(|agent| agent.name == "greedy").unwrap();
            greedy.build(&game, &spec).unwrap()
        })
        .collect();
    loop {
        match Episode::phase(&episode) {
            Phase::Chance => episode.step_chance(),
            Phase::Over => return episode,
            Phase::Decide(owing) => {
                for seat in owing {
                    let action = episode.ask(seat, agents[seat.index()].as_mut());
                    episode.act(seat, &action).unwrap();
                }
            }
        }
    }
}

fn export(episode: &Episode<Carcassonne>, words: &[&str]) -> Result<ToolOutput, ToolError> {
    let players: Vec<PlayerLabel> =
        (0..EpisodeView::seats(episode)).map(|seat| PlayerLabel::from(seat.to_string())).collect();
    let text = EpisodeView::replay(episode, &players, None).to_text();
    let arguments: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let tool = Carcassonne::definition().tools.into_iter().find(|tool| tool.name == "syncs").unwrap();
    let mut call = ToolCall {
        game: episode.game(),
        arguments: &arguments,
        seed: 0,
        read_file: &mut |_| Ok(text.clone()),
        tell: &mut |_| {},
        host: &NoHost,
    };
    (tool.run)(&mut call)
}

/// The files by name, as JSON.
fn files(episode: &Episode<Carcassonne>, words: &[&str]) -> BTreeMap<String, Value> {
    let words: Vec<&str> = ["export", "game.replay", "-o", "out"].iter().chain(words).copied().collect();
    let files = export(episode, &words).unwrap().files;
    files
        .into_iter()
        .map(|(name, text)| (name.replace("out/", ""), serde_json::from_str(&text).unwrap()))
        .collect()
}

/// A summary of the events: points, tiles on the board, meeples on the board, tiles in the hands.
fn fold(events: &[Value], seats: usize, meeples: i64) -> (Vec<i64>, usize, Vec<i64>, Vec<i64>) {
    let mut points = vec![0; seats];
    let mut supply = vec![meeples; seats];
    let mut hands = vec![0; seats];
    let mut standing: BTreeMap<String, u64> = BTreeMap::new();
    let mut laid = 0;
    for event in events {
        let seat = event["player_id"].as_u64().unwrap_or(0) as usize;
        let place = format!("{} {}", event["tile"]["pos"], event["placed_on"]);
        match event["event_type"].as_str().unwrap() {
            "event_starting_tile_placed" | "event_river_phase_completed" => laid += 1,
            "move_place_tile" => {
                laid += 1;
                hands[seat] -= 1;
                assert!(event["player_tile_index"].as_i64().unwrap() <= hands[seat]);
            }
            "event_player_drew_tiles" => hands[seat] += event["num_tiles"].as_i64().unwrap(),
            "event_player_discarded_tile" => hands[seat] -= 1,
            "move_place_meeple" => {
                supply[seat] -= 1;
                assert_eq!(standing.insert(place, seat as u64), None, "{event}");
            }
            "event_player_meeple_freed" => {
                points[seat] += event["reward"].as_i64().unwrap();
                supply[seat] += 1;
                assert_eq!(standing.remove(&place), Some(seat as u64), "{event}");
            }
            _ => {}
        }
    }
    (points, laid, supply, hands)
}

#[test]
fn the_log_of_the_original_tells_the_whole_game() {
    for (number, (preset, set)) in [
        ("syncs", &[][..]),
        ("river", &[]),
        ("syncs", &[("point-limit", "0")]),
        ("river", &[("point-limit", "0")]),
    ]
    .into_iter()
    .enumerate()
    {
        let episode = episode(preset, set, 4, number as u64);
        let state = episode.state();
        let seen = episode.game().observe(state, Viewer::Everything);
        let files = files(&episode, &[]);
        let events = files["game.json"].as_array().unwrap();
        let (points, laid, _, hands) = fold(events, 4, 7);
        let wanted: Vec<i64> = (0..4).map(|seat| i64::from(seen.points(seat))).collect();
        assert_eq!(points, wanted, "{preset}: what was freed pays what was scored");
        assert_eq!(laid, seen.board().len());
        let held: Vec<i64> = (0..4).map(|seat| seen.hand_size(seat) as i64).collect();
        assert_eq!(hands, held);
        // Every turn is logged once: a tile, then a meeple or none, unless the tile has ended the game.
        let count = |kind: &str| events.iter().filter(|event| event["event_type"] == kind).count();
        let decided = count("move_place_meeple") + count("move_place_meeple_pass");
        let turns = count("move_place_tile");
        assert_eq!(turns, count("event_player_turn_started"));
        assert!(decided == turns || (decided + 1 == turns && preset == "syncs"), "{decided} of {turns}");
        let result = &files["results.json"];
        assert_eq!(result["result_type"], "SUCCESS");
        let mut ranking: Vec<u64> = (0..4).collect();
        ranking.sort_by_key(|seat| std::cmp::Reverse(wanted[*seat as usize]));
        assert_eq!(result["ranking"], json!(ranking));
        assert_eq!(result["score"]["2"], json!(wanted[2]));
        assert_eq!(events.last().unwrap()["event_type"], "event_player_won");
        let shown = files["visualiser_forwards_differential.json"].as_array().unwrap();
        assert!(shown.iter().all(|event| events.contains(event)) && shown.len() > turns);
        assert!(shown.iter().all(|event| event["event_type"] != "event_player_drew_tiles"));
    }
}

#[test]
fn a_ban_ends_the_log() {
    let episode = episode("river", &[], 4, 9);
    let files = files(&episode, &["--ban", "2", "40", "INVALID_MOVE", "not there"]);
    let banned = json!({
        "result_type": "PLAYER_BANNED", "ban_type": "INVALID_MOVE", "player": 2, "reason": "not there",
    });
    assert_eq!(files["results.json"], banned);
    let events = files["game.json"].as_array().unwrap();
    let last = events.last().unwrap();
    assert_eq!(last["event_type"], "event_player_banned");
    assert_eq!(last["player_id"], 2);
    assert!(events.len() < 90, "{}", events.len());
}

#[test]
fn bad_requests_are_explained() {
    let episode = episode("river", &[], 2, 1);
    for (words, expected) in [
        (&["export"][..], "expected a replay and where to write"),
        (
            &["export", "f", "-o", "d", "--ban", "x", "1", "TIMEOUT", "r"],
            "expected the number of a seat, found 'x'",
        ),
        (&["export", "f", "-o", "d", "--ban", "0", "1", "BORED", "r"], "expected one of TIMEOUT"),
    ] {
        let error = export(&episode, words).unwrap_err();
        assert!(matches!(&error, ToolError::Usage(text) if text.contains(expected)), "{error}");
    }
}
