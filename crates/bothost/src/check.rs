//! Checks of a bot, which send it every message of the protocol, including unusual ones, and explain its
//! errors.

use std::time::{Duration, Instant};

use meeple_core::{ActionKind, AgentSpec, AnyEntry, AnyGame, EpisodeSeed, Phase, Seat, Viewer};
use serde::Serialize;
use serde_json::{Value, json};

use crate::episode::{EpisodeRecord, FaultPolicy, SeatPlan, Who, play_episode};
use crate::fault::{Fault, FaultCode};
use crate::limits::{Clock, Limits};
use crate::player::Player;
use crate::process::end::Ending;
use crate::process::{BotProcess, LaunchError};
use crate::sandbox::Sandbox;
use crate::spec::BotSpec;

/// The verdict of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// Correct behaviour.
    Passed,
    /// Allowed behaviour that the author should know of.
    Warning,
    /// Wrong behaviour.
    Failed,
}

impl CheckVerdict {
    fn of(self, check: &str, detail: impl Into<String>) -> Finding {
        Finding { check: check.to_owned(), verdict: self, detail: detail.into() }
    }
}

/// One check and its verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The subject of the check.
    pub check: String,
    /// Severity of the finding.
    pub verdict: CheckVerdict,
    /// Text for people: the observation, or the expectation and what was found instead, with a hint.
    pub detail: String,
}

/// The parameters of the checks.
pub struct CheckSetting<'a> {
    /// The bot under test.
    pub spec: &'a BotSpec,
    /// The sandbox of the bot.
    pub sandbox: &'a Sandbox,
    /// The resource limits of the bot.
    pub limits: &'a Limits,
    /// The games to be played.
    pub games: &'a [&'a dyn AnyEntry],
    /// The bot's thinking time in the episodes.
    pub clock: Clock,
    /// The checks to run, beside the start.
    pub parts: &'a [CheckPart],
    /// Time from the start of the checks during which the machine's load is not held against the bot.
    pub patience: Duration,
}

/// The parts of a check after the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckPart {
    /// Whole episodes of its games.
    Episodes,
    /// Messages that no ordinary episode contains.
    Messages,
    /// Exits of the bot once nothing is left to play.
    Endings,
}

impl CheckPart {
    /// All parts, in order.
    pub const ALL: [Self; 3] = [Self::Episodes, Self::Messages, Self::Endings];
}

#[derive(Clone, Copy)]
struct Check<'a> {
    setting: &'a CheckSetting<'a>,
    patient_until: Instant,
}

impl Check<'_> {
    fn launch(&self) -> Result<BotProcess, LaunchError> {
        let CheckSetting { spec, sandbox, limits, .. } = self.setting;
        BotProcess::launch_with_patience(spec, sandbox, limits, Some(self.patient_until))
    }
}

/// Runs the checks in order. Never fails: errors are in the findings.
///
/// The machine's load is not held against the bot. An overlong wall time fails only if the bot slept through
/// it, or used more CPU time than allowed. An undecidable case is a warning.
pub fn check(setting: &CheckSetting<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let began = Instant::now();
    let check = Check { setting, patient_until: began + setting.patience };
    let mut bot = match check.launch() {
        Ok(bot) => bot,
        Err(error) => return vec![not_launched("starts and says hello", &error)],
    };
    findings.push(CheckVerdict::Passed.of(
        "starts and says hello",
        format!(
            "after {} ms, as '{}' {}, protocol version {}",
            began.elapsed().as_millis(),
            bot.hello().name,
            bot.hello().bot_version,
            bot.hello().version
        ),
    ));
    if !bot.measures_cpu() {
        let detail = "its CPU time cannot be measured here; the clock counts time on the wall";
        findings.push(CheckVerdict::Warning.of("CPU clock", detail));
    }
    let own = bot.hello().games.clone();
    let played: Vec<&dyn AnyEntry> = setting
        .games
        .iter()
        .copied()
        .filter(|entry| own.is_empty() || own.iter().any(|id| id == entry.info().id))
        .collect();
    if played.is_empty() {
        let asked: Vec<&str> = setting.games.iter().map(|entry| entry.info().id).collect();
        let detail =
            format!("expected one of {} in \"games\" of hello, found {}", asked.join(", "), own.join(", "));
        findings.push(CheckVerdict::Failed.of("plays a game", detail));
        return findings;
    }
    let wanted = |part| setting.parts.contains(&part);
    if wanted(CheckPart::Episodes) {
        let mut dropped = 0;
        for entry in &played {
            match check_game(setting, *entry, &mut bot, &mut dropped) {
                Ok(both) => findings.extend(both),
                Err(wrong) => findings.push(wrong),
            }
        }
        if dropped > 0 {
            let limit = setting.limits.stderr_bytes;
            let detail = format!(
                "{dropped} bytes on stderr were dropped, because it wrote more than {limit} in an episode\n\
                 hint: that is no fault; write less, or raise stderr_bytes, if the log matters"
            );
            findings.push(CheckVerdict::Warning.of("log", detail));
        }
    }
    drop(bot);
    let Some(game) = table(played[0]) else { return findings };
    if wanted(CheckPart::Messages) {
        let talked = |attempt: Attempt| Talk::new(check, &*game).and_then(|mut talk| attempt(&mut talk));
        findings.extend(NASTY.map(|(name, attempt)| match talked(attempt) {
            Ok(detail) => CheckVerdict::Passed.of(name, detail),
            Err(fault) => faulty(name, "", &fault),
        }));
    }
    if wanted(CheckPart::Endings) {
        findings.extend([("ends after bye", true), ("ends when its input is closed", false)].map(
            |(name, with_bye)| match check.launch() {
                Err(error) => not_launched(name, &error),
                Ok(mut bot) => check_ending(name, bot.ending(with_bye)),
            },
        ));
    }
    findings
}

fn check_ending(name: &str, ending: Ending) -> Finding {
    let (seen, hint) = match ending {
        Ending::Ended => return CheckVerdict::Passed.of(name, ""),
        Ending::Sleeps => ("it sleeps and will be killed", "leave the loop when there are no more lines"),
        Ending::Works => ("it goes on and will be killed", "leave the loop when there are no more lines"),
        Ending::Starved => ("the machine had no time for the bot, so the result is undecided", AGAIN),
    };
    CheckVerdict::Warning.of(name, format!("{seen}\nhint: {hint}"))
}

const AGAIN: &str = "check again when the machine is less busy";

/// The finding of a fault: a failure, or a warning if the machine was too busy to decide.
fn faulty(name: &str, at: &str, fault: &Fault) -> Finding {
    if !fault.starved {
        return CheckVerdict::Failed.of(name, format!("{at}{}", fault.explain()));
    }
    let detail = format!(
        "{at}{fault}, but the machine had no time for the bot, so the result is undecided\nhint: {AGAIN}"
    );
    CheckVerdict::Warning.of(name, detail)
}

fn not_launched(name: &str, error: &LaunchError) -> Finding {
    match error {
        LaunchError::Hello { fault, .. } => faulty(name, "", fault),
        other => CheckVerdict::Failed.of(name, other.to_string()),
    }
}

fn table(entry: &dyn AnyEntry) -> Option<Box<dyn AnyGame>> {
    let seats = &entry.info().seats;
    [2.max(*seats.start()), *seats.start(), 1]
        .into_iter()
        .find_map(|named| entry.set_up(None, &[], named).ok())
}

/// Plays one episode with the bot at one seat, and the game's filler or random agents at the others.
fn episode(
    game: &dyn AnyGame,
    bot: &mut BotProcess,
    seat: Seat,
    index: u64,
    clock: Clock,
) -> Result<EpisodeRecord, String> {
    let filler = game.info().filler.unwrap_or("random");
    let mut seats: Vec<SeatPlan<'_>> = Seat::all(game.seats())
        .map(|_| SeatPlan { name: filler.into(), who: Who::Native(AgentSpec::parse(filler)) })
        .collect();
    seats[seat.index()] = SeatPlan { name: "bot".into(), who: Who::Player(bot) };
    let policy = FaultPolicy { clock, strikes: Some(1), reveal_names: true, ..FaultPolicy::default() };
    play_episode(game, EpisodeSeed::new(1, index), &mut seats, &policy).map_err(|error| error.to_string())
}

/// Plays whole episodes of one game and repeats the first. Adds the bytes that the bot wrote to stderr beyond
/// its limit to `dropped`.
fn check_game(
    setting: &CheckSetting<'_>,
    entry: &dyn AnyEntry,
    bot: &mut BotProcess,
    dropped: &mut u64,
) -> Result<[Finding; 2], Finding> {
    let name = format!("plays {}", entry.info().id);
    let game =
        table(entry).ok_or_else(|| CheckVerdict::Failed.of(&name, "the game cannot be set up for two"))?;
    let last = Seat::new(game.seats().min(2) - 1);
    let mut longest = 0;
    let mut texts = Vec::new();
    // The first and the last episode are the same, so the bot should make the same moves.
    for (index, seat) in [(0, Seat::new(0)), (1, last), (0, Seat::new(0))] {
        let record = episode(&*game, bot, seat, index, setting.clock)
            .map_err(|error| CheckVerdict::Failed.of(&name, error))?;
        if let Some(fault) = record.faults.first() {
            let at =
                fault.turn.map_or("before its first turn".to_owned(), |turn| format!("at its turn {turn}"));
            return Err(faulty(&name, &format!("seat {seat}, {at}: "), &fault.fault));
        }
        longest = longest.max(record.seats[seat.index()].longest_us);
        *dropped += record.seats[seat.index()].dropped_bytes;
        texts.push((record.seats[seat.index()], record.replay.map(|replay| replay.steps)));
    }
    let (own, _) = texts[0];
    let decisions = own.decisions.max(1);
    let mean = own.used.cpu_us.unwrap_or(own.used.wall_us) / decisions;
    let played = format!(
        "3 episodes without a fault; {decisions} decisions in the first, {mean} µs each, longest {longest} µs"
    );
    let again = format!("{name} the same again");
    let same = if texts[0].1 == texts[2].1 {
        CheckVerdict::Passed.of(&again, "the same seed gave the same moves")
    } else {
        let detail = "the same episode differed when it was repeated\n\
                      hint: draw random numbers from \"seed\" of start only, and forget the last episode";
        CheckVerdict::Warning.of(&again, detail)
    };
    Ok([CheckVerdict::Passed.of(&name, played), same])
}

/// A check that talks to the bot directly. Returns a detail for its finding.
type Attempt = fn(&mut Talk<'_>) -> Result<String, Fault>;

/// Messages that no ordinary episode contains, but that a future version or game may send.
const NASTY: [(&str, Attempt); 7] = [
    ("ignores fields it does not know", |talk| {
        talk.play(&|message| {
            message["x-check"] = json!({ "nested": [1, null, "\u{1F3B2} \"quoted\" \\ / \n"] });
        })
    }),
    ("ignores messages it does not know", |talk| {
        talk.say(&json!({ "t": "x-news", "text": "nothing to answer" }))?;
        talk.play(&|_| ())
    }),
    ("takes a refusal without an answer", |talk| {
        talk.play(&|_| ())?;
        let bad = json!({
            "t": "bad", "g": talk.game, "n": 0, "code": "INVALID_MOVE", "msg": "only a check", "then": "fallback"
        });
        talk.say(&bad)?;
        talk.turn(1, &|_| ())
    }),
    ("takes an episode without a turn", |talk| {
        talk.start(&|_| ())?;
        talk.end()?;
        talk.play(&|_| ())
    }),
    ("takes large numbers", |talk| {
        talk.game = 5_000_000_000;
        talk.start(&|_| ())?;
        talk.turn(3_000_000_000, &|_| ())
    }),
    ("takes names as people have them", |talk| {
        let seats = talk.table.seats();
        talk.start(&|message| {
            let name = "Zoë \"the \\\"quick\\\"\" 李\u{1F98A}\t{\"t\":\"bye\"}";
            message["names"] = json!(vec![name; seats]);
        })?;
        talk.turn(0, &|_| ())
    }),
    ("takes long lines", |talk| {
        talk.play(&|message| {
            if message["t"] == "turn" {
                let event = json!({ "event": "x-check", "text": "long ".repeat(2_000) });
                message["ev"] = Value::Array(vec![event; 60]);
            }
        })
    }),
];

/// A conversation with a fresh process, message by message.
struct Talk<'a> {
    bot: BotProcess,
    table: &'a dyn AnyGame,
    clock: Clock,
    game: u64,
}

impl<'a> Talk<'a> {
    fn new(check: Check<'_>, table: &'a dyn AnyGame) -> Result<Self, Fault> {
        let bot = check.launch().map_err(|error| match error {
            LaunchError::Hello { fault, .. } => *fault,
            other => Fault::new(FaultCode::Crash, other.to_string()).fatal(),
        })?;
        Ok(Self { bot, table, clock: check.setting.clock, game: 0 })
    }

    fn say(&mut self, message: &Value) -> Result<(), Fault> {
        self.bot.send_raw(&message.to_string())
    }

    fn hear(&mut self, due: &str) -> Result<Value, Fault> {
        let at_most = self.clock.ceiling(Duration::from_millis(self.clock.start_ms.max(1_000)));
        let line = self.bot.line_within(at_most, Instant::now(), due)?;
        let message: Value = serde_json::from_str(&line)
            .map_err(|error| self.wrong(format!("expected {due}, found a line that is no JSON: {error}")))?;
        if message["t"] != due || message["g"] != self.game {
            return Err(self.wrong(format!("expected {due} with g {}", self.game)));
        }
        Ok(message)
    }

    fn wrong(&mut self, detail: String) -> Fault {
        self.bot.fault(FaultCode::InvalidMessage, detail)
    }

    /// Begins an episode with a message that may be modified.
    fn start(&mut self, change: &dyn Fn(&mut Value)) -> Result<(), Fault> {
        self.game += 1;
        let info = self.table.info();
        let mut message = json!({
            "t": "start", "g": self.game, "game": info.id, "rules": info.rules_version,
            "opts": self.table.variant(), "seat": 0, "seats": self.table.seats(), "names": null,
            "seed": "00000000000000a7",
            "clock": { "start_ms": 1000, "bank_ms": 5000, "inc_ms": 50, "move_ms": null, "basis": "cpu" },
        });
        change(&mut message);
        self.say(&message)?;
        self.hear("ready").map(drop)
    }

    /// Asks for the first decision of a new episode, and checks the answer.
    fn turn(&mut self, number: u64, change: &dyn Fn(&mut Value)) -> Result<String, Fault> {
        let mut episode = self.table.episode(EpisodeSeed::new(2, 0));
        let seat = loop {
            match episode.phase() {
                Phase::Chance => episode.step_chance(),
                Phase::Decide(mut seats) => break seats.next().expect("a phase of decisions has seats"),
                Phase::Over => return Ok("the game was over at once".into()),
            }
        };
        let viewer = Viewer::Seat(seat);
        let events: Vec<Value> = episode.events(viewer, 0).into_iter().map(|event| event.json).collect();
        let listed = episode.info().actions == ActionKind::Listed;
        let legal = if listed {
            json!(episode.legal_actions(seat))
        } else {
            json!({ "spec": format!("{}/moves", episode.info().id), "schema": self.table.action_schema() })
        };
        let count = legal.as_array().map_or(0, Vec::len) as u64;
        let mut message = json!({
            "t": "turn", "g": self.game, "n": number, "sim": episode.info().simultaneous,
            "obs": episode.observation(viewer), "ev": events, "legal": legal,
            "bank_us": 5_000_000, "used_us": 0,
        });
        change(&mut message);
        self.say(&message)?;
        let answer = self.hear("move")?;
        if answer["n"] != number {
            return Err(self.wrong(format!("expected a move with n {number}")));
        }
        if !answer["error"].is_null() {
            return Err(self.wrong("the bot has no move".into()));
        }
        let fits = if listed {
            answer["a"].as_u64().is_some_and(|index| index < count)
        } else {
            !answer["m"].is_null()
        };
        if fits { Ok(String::new()) } else { Err(self.wrong(format!("expected a legal move of {count}"))) }
    }

    fn end(&mut self) -> Result<(), Fault> {
        let places = vec![1; self.table.seats()];
        let scores = vec![0; self.table.seats()];
        self.say(&json!({ "t": "end", "g": self.game, "places": places, "scores": scores, "why": "check" }))
    }

    /// Plays a start and a turn.
    fn play(&mut self, change: &dyn Fn(&mut Value)) -> Result<String, Fault> {
        self.start(change)?;
        self.turn(0, change)
    }
}
