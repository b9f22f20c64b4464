//! Recorded games of the original: fed with their inputs, the profile `oct-2020` reproduces every recorded
//! state. `MEEPLE_TRACES=DIR` also runs the recordings of another directory.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "reads recordings")]

use std::collections::VecDeque;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::GzDecoder;
use meeple_cartolan::{Action, Back, Cartolan, Chance, Conflict, Kind, Mark, Step, Target};
use meeple_core::{Defined as _, Episode, EpisodeSeed, Game, Params, Phase, Seat};
use serde_json::{Value, json};

pub struct Trace {
    pub name: String,
    json: Value,
}

impl Trace {
    fn read(path: &Path) -> Trace {
        let mut text = String::new();
        let file = std::fs::File::open(path).expect("the recording is there");
        GzDecoder::new(file).read_to_string(&mut text).expect("it is compressed text");
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        Trace { name, json: serde_json::from_str(&text).expect("it is JSON") }
    }

    pub fn player(&self, seat: usize) -> String {
        self.json["head"]["seats"][seat].as_str().expect("a type").to_lowercase()
    }

    pub fn seats(&self) -> usize {
        self.json["head"]["seats"].as_array().expect("a list").len()
    }

    pub fn events(&self) -> &[Value] {
        self.json["events"].as_array().expect("a list")
    }

    pub fn game(&self) -> Cartolan {
        let head = &self.json["head"];
        let mode = head["mode"].as_str().expect("a mode").to_lowercase();
        let mut variant = <Cartolan as Game>::Variant::default();
        let preset =
            Cartolan::definition().info.presets.iter().find(|preset| preset.name == mode).expect("a mode");
        let profile = Cartolan::definition()
            .info
            .profiles
            .iter()
            .find(|profile| profile.name == "oct-2020")
            .expect("there");
        for (name, value) in preset.set.iter().chain(profile.set) {
            variant.set(name, value).expect("presets fit");
        }
        for name in ["movement", "exploration"] {
            variant.set(name, head[name].as_str().expect("a word")).expect("the recording's words are ours");
        }
        Cartolan::new(variant, self.seats()).expect("it can be set up")
    }

    fn pile(&self, back: Back) -> VecDeque<String> {
        words(&self.json["head"]["piles_next_first"][back.word()])
    }
}

fn words(list: &Value) -> VecDeque<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
}

/// The recordings of the project, and those of `MEEPLE_TRACES`.
pub fn all() -> Vec<Trace> {
    let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/oct-2020"))];
    folders.extend(std::env::var_os("MEEPLE_TRACES").map(PathBuf::from));
    let mut traces = Vec::new();
    for folder in folders {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "gz"));
        assert!(!paths.is_empty(), "{}: no recordings (*.json.gz)", folder.display());
        paths.sort();
        traces.extend(paths.iter().map(|path| Trace::read(path)));
    }
    traces
}

/// A recording being fed to the engine.
pub struct Feed<'t> {
    trace: &'t Trace,
    pub episode: Episode<Cartolan>,
    piles: [VecDeque<String>; 2],
    at: usize,
}

type Check = Result<(), String>;

impl<'t> Feed<'t> {
    /// A feed at the start of the recording.
    pub fn new(trace: &'t Trace) -> Self {
        let mut episode = Episode::new(Arc::new(trace.game()), EpisodeSeed::new(0, 0));
        episode.force_chance(Chance::Start(0)).expect("the first seat begins");
        Feed { trace, episode, piles: [trace.pile(Back::Water), trace.pile(Back::Land)], at: 0 }
    }

    fn step(&self) -> Step {
        self.episode.game().observe(self.episode.state(), meeple_core::Viewer::Everything).step()
    }

    fn hero(&self) -> (u64, u64) {
        let observation = self.episode.game().observe(self.episode.state(), meeple_core::Viewer::Everything);
        (u64::from(observation.turn().seat), u64::from(observation.turn().adventurer))
    }

    fn act(&mut self, action: Action) -> Check {
        let seat = Seat::new(self.hero().0 as usize);
        self.episode.act(seat, &action).map_err(|illegal| illegal.reason)
    }

    /// Feeds the next recorded move: all events up to and including its `after`. Returns false at the end of
    /// the recording.
    pub fn feed(&mut self) -> Result<bool, String> {
        let events = self.trace.events();
        while self.at < events.len() && events[self.at]["t"] == "decide" {
            // These events are internal queries of players before a move.
            self.at += 1;
        }
        if self.at == events.len() {
            return Ok(false);
        }
        let start = self.at;
        let length =
            events[start..].iter().position(|event| event["t"] == "after").expect("every move has a result");
        let inside = &events[start + 1..start + length];
        let result = self.feed_move(&events[start], inside, &events[start + length]);
        self.at = start + length + 1;
        result.map_err(|reason| format!("{}: event {start} {}: {reason}", self.trace.name, events[start]))?;
        Ok(true)
    }

    /// The next move, and the queries before it.
    pub fn next_move(&self) -> Option<(&'t Value, &'t [Value])> {
        let events = self.trace.events();
        let ahead = events[self.at..].iter().position(|event| event["t"] != "decide")?;
        Some((&events[self.at + ahead], &events[self.at..self.at + ahead]))
    }

    /// Ends a turn in overtime, if the next move is another Adventurer's.
    pub fn close_overtime(&mut self, event: &Value) {
        let observation = self.episode.game().observe(self.episode.state(), meeple_core::Viewer::Everything);
        if observation.turn().overtime && event["adv"] != json!(self.hero()) {
            self.act(Action::End).expect("a turn that is over can end");
        }
    }

    fn feed_move(&mut self, event: &Value, inside: &[Value], after: &Value) -> Check {
        self.close_overtime(event);
        expect("step", &json!("Move"), &json!(format!("{:?}", self.step())))?;
        expect("adv", &event["adv"], &json!(self.hero()))?;
        let failed_before = self.failed();
        let (hero, from) = (self.hero(), self.place_of(self.hero()));
        let round = self.observation_json()["round"].clone();
        expect("round", &event["round"], &round)?;
        let mut moved = true;
        if event["t"] == "wait" {
            self.act(Action::Wait)?;
        } else {
            let go = Action::Go(event["d"].as_str().expect("a direction").parse()?);
            let seat = Seat::new(self.hero().0 as usize);
            moved = self.episode.legal_actions(seat).contains(&go);
            if moved {
                self.act(go)?;
            }
        }
        let mut inside: VecDeque<&Value> = inside.iter().collect();
        self.resolve(&mut inside)?;
        for left in inside {
            // The original offers rests, trades and restorations that its rules then refuse.
            let idle = left["t"] == "decide"
                && ["rest", "trade", "restore_agent"].contains(&left["what"].as_str().unwrap_or_default());
            let nothing_to_bank = left["what"] == "bank_wealth" && left["r"] == 0;
            if !idle && !nothing_to_bank {
                return Err(format!("the recording goes on with {left}, but the engine does not ask"));
            }
        }
        // An exploration that cannot draw ends the game and moves nobody.
        let stayed = self.failed() != failed_before
            || (event["t"] == "move" && self.episode.phase() == Phase::Over && self.place_of(hero) == from);
        expect("ok", &after["ok"], &json!(moved && !stayed))?;
        self.compare(&after["s"])
    }

    fn place_of(&self, (seat, number): (u64, u64)) -> u16 {
        let observation = self.episode.game().observe(self.episode.state(), meeple_core::Viewer::Everything);
        observation.players()[seat as usize].at[number as usize]
    }

    fn failed(&self) -> u32 {
        self.episode.game().observe(self.episode.state(), meeple_core::Viewer::Everything).failed()
    }

    fn observation_json(&self) -> Value {
        let observation = self.episode.game().observe(self.episode.state(), meeple_core::Viewer::Everything);
        serde_json::to_value(observation).expect("it serialises")
    }

    /// Answers the engine from the recording until the next move.
    fn resolve(&mut self, inside: &mut VecDeque<&Value>) -> Check {
        loop {
            let step = self.step();
            match (self.episode.phase(), step) {
                (Phase::Over, _) | (_, Step::Move) => return Ok(()),
                (Phase::Chance, Step::Explore(..)) => self.explore(inside)?,
                (Phase::Chance, Step::Conflict(..)) => {
                    let event = take(inside, |event| event["t"] == "attack" || event["t"] == "court")
                        .ok_or("the engine fights, but the recording does not")?;
                    let won = event["success"].as_bool().ok_or("expected whether it was won")?;
                    self.episode
                        .force_chance(Chance::Conflict(if won { Conflict::Won } else { Conflict::Lost }))
                        .map_err(|illegal| illegal.reason)?;
                }
                (Phase::Decide(_), Step::Act) => self.answer(inside)?,
                (_, Step::Bank) => {
                    let answer = decision(inside, "bank_wealth").ok_or("banking is not in the recording")?;
                    self.act(Action::Bank(answer["r"].as_u64().ok_or("expected a number")? as u16))?;
                }
                (_, Step::Buy) => {
                    let hires = decision(inside, "buy_adventurer").is_some_and(|answer| answer["r"] == true);
                    self.act(if hires { Action::HireAdventurer } else { Action::Done })?;
                }
                (phase, step) => return Err(format!("the engine is at {step:?} ({phase:?})")),
            }
        }
    }

    fn answer(&mut self, inside: &mut VecDeque<&Value>) -> Check {
        let seat = self.hero().0 as usize;
        let option = self.episode.legal_actions(Seat::new(seat))[0];
        let what = match option {
            Action::Trade => "trade",
            Action::Collect => "collect_wealth",
            Action::Rest => "rest",
            Action::AttackAgent => "attack_agent",
            Action::Restore => "restore_agent",
            Action::Attack { .. } => "attack_adventurer",
            Action::Place => "place_agent",
            Action::Court => "court_disaster",
            other => return Err(format!("the engine asks for {other}, which the original has not")),
        };
        let answer = decision(inside, what)
            .ok_or_else(|| format!("the engine asks for {option}, the recording has {inside:?}"))?;
        // Traders and routers rest inside the query, which returns nothing.
        let rests_anyway =
            option == Action::Rest && ["trader", "router"].contains(&self.trace.player(seat).as_str());
        let yes = answer["r"] == true || rests_anyway;
        if yes && let (Action::Attack { seat, adventurer }, Some(next)) = (option, inside.front()) {
            let target = json!(["adv", [seat, adventurer]]);
            if next["t"] == "attack" && next["target"] != target {
                return Err(format!(
                    "the engine attacks {}, the recording {next}",
                    json!(Target::Adventurer((seat, adventurer)))
                ));
            }
        }
        self.act(if yes { option } else { Action::Done })
    }

    fn explore(&mut self, inside: &mut VecDeque<&Value>) -> Check {
        let outcomes = self.episode.game().chance_outcomes(self.episode.state()).expect("tiles are listed");
        let Some((Chance::Tile(Kind { back, .. }) | Chance::TileAgain(Kind { back, .. }), _)) =
            outcomes.first()
        else {
            return Err("expected tiles to draw".into());
        };
        let back = *back;
        if let Some(refresh) = take(inside, |event| event["t"] == "refresh") {
            expect("refresh.pile", &refresh["pile"], &json!(back.word()))?;
            if !self.piles[back as usize].is_empty() {
                return Err(format!("refreshed with {:?} left", self.piles[back as usize]));
            }
            self.piles[back as usize] = words(&refresh["next_first"]);
        }
        let face = self.piles[back as usize].pop_front().ok_or("the recorded pile is empty")?;
        let mut kind: Kind = format!("{back} {face}").parse()?;
        let beginner = !self.episode.game().variant().inland;
        if beginner && kind.mark == Mark::Disaster {
            kind.mark = Mark::Plain;
        }
        let again = !outcomes.iter().any(|(outcome, _)| *outcome == Chance::Tile(kind));
        self.episode.force_chance(Chance::tile(kind, again)).map_err(|illegal| illegal.reason)?;
        if let Some(placed) = take(inside, |event| event["t"] == "placed") {
            expect("placed.tile", &placed["tile"], &json!(face))?;
            let at = (placed["at"][0].as_i64().unwrap() as i16, placed["at"][1].as_i64().unwrap() as i16);
            let observation =
                self.episode.game().observe(self.episode.state(), meeple_core::Viewer::Everything);
            let map = observation.map();
            let cell = map.find(at.0, at.1).map(|cell| map.cell(cell)).filter(|cell| cell.is_placed());
            let cell = cell.ok_or_else(|| format!("nothing was placed at {at:?}"))?;
            expect("placed.wind", &placed["wind"], &json!(cell.wind.word()))?;
            expect("placed.back", &placed["back"], &json!(cell.back.word()))?;
        }
        Ok(())
    }

    fn compare(&self, recorded: &Value) -> Check {
        let game = self.episode.game();
        let observation = game.observe(self.episode.state(), meeple_core::Viewer::Everything);
        let regular = game.variant().inland;
        let map = observation.map();
        let place = |cell: u16| (map.cell(cell).x, map.cell(cell).y);
        let turn = observation.turn();
        for (seat, player) in observation.players().iter().enumerate() {
            expect(&format!("v[{seat}]"), &recorded["v"][seat], &json!(player.vault))?;
            let mut adventurers = Vec::new();
            for number in 0..usize::from(player.adventurers) {
                let one = &player.adventurer[number];
                let (x, y) = place(player.at[number]);
                let acts = (usize::from(turn.seat), usize::from(turn.adventurer)) == (seat, number);
                let [land, up, down] =
                    if acts { [turn.land, turn.upwind, turn.downwind] } else { one.carried_moves };
                let mut fields = vec![
                    json!(x),
                    json!(y),
                    json!(one.chest),
                    json!(down),
                    json!(up),
                    json!(land),
                    json!(one.turns),
                ];
                if regular {
                    fields.push(json!(u8::from(one.pirate)));
                }
                adventurers.push(Value::Array(fields));
            }
            expect(&format!("a[{seat}]"), &recorded["a"][seat], &Value::Array(adventurers))?;
            let mut agents = Vec::new();
            for number in player.placed_agents() {
                let agent = &player.agent[usize::from(*number)];
                let (x, y) = place(agent.cell);
                let mut fields = vec![json!(x), json!(y), json!(agent.wealth)];
                if regular {
                    fields.push(json!(u8::from(agent.dispossessed)));
                }
                agents.push(Value::Array(fields));
            }
            expect(&format!("g[{seat}]"), &recorded["g"][seat], &Value::Array(agents))?;
        }
        for back in Back::ALL {
            let pile = observation.pile(*back);
            if *back == Back::Water || regular {
                let counts = json!([pile.left(), pile.discards_sum]);
                expect(&format!("n.{back}"), &recorded["n"][back.word()], &counts)?;
            }
        }
        Ok(())
    }

    fn compare_end(&self) -> Check {
        let end = &self.trace.json["end"];
        let outcome = self.episode.outcome().ok_or("the recording ends, the engine does not")?;
        let win_type = match Cartolan::definition().info.ends[outcome.end] {
            "margin" => "wealth difference",
            "water exhausted" => "exhausted water tiles",
            "land exhausted" => "exhausted land tiles",
            other => other,
        };
        expect("end.win_type", &end["win_type"], &json!(win_type))?;
        expect("end.vaults", &end["vaults"], &json!(outcome.scores))?;
        let winner = outcome.places.iter().position(|place| *place == 1);
        expect("end.winner", &end["winner"], &json!(winner))?;
        expect("end.failed", &end["failed"], &json!(self.failed()))?;
        expect("end.discards", &end["discards"], &self.observation_json()["discarded"])?;
        expect("end.rounds", &end["rounds"], &json!(self.episode.length()))
    }
}

fn take<'v>(inside: &mut VecDeque<&'v Value>, is: impl Fn(&Value) -> bool) -> Option<&'v Value> {
    let at = inside.iter().position(|event| is(event))?;
    inside.remove(at)
}

fn decision<'v>(inside: &mut VecDeque<&'v Value>, what: &str) -> Option<&'v Value> {
    take(inside, |event| event["t"] == "decide" && event["what"] == what)
}

fn expect(field: &str, recorded: &Value, found: &Value) -> Check {
    if recorded == found { Ok(()) } else { Err(format!("{field}: recorded {recorded}, found {found}")) }
}

#[test]
fn recorded_games_replay_without_a_difference() {
    let traces = all();
    assert!(traces.len() >= 12, "the twelve recordings are there");
    let mut wrong = Vec::new();
    for trace in &traces {
        let mut feed = Feed::new(trace);
        let result = loop {
            match feed.feed() {
                Ok(true) => {}
                Ok(false) => break feed.compare_end().map_err(|reason| format!("{}: {reason}", trace.name)),
                Err(reason) => break Err(reason),
            }
        };
        wrong.extend(result.err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
