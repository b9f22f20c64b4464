//! `meeple play`: a person at the table, or agents to be watched.

use anyhow::bail;
use meeple_core::{AgentSpec, AnyEpisode, AnyGame, EpisodeSeed, Phase, Seat, SeatSet, Viewer};
use meeple_games::parse_game;
use meeple_lab::LineUp;
use meeple_scene::{Ink, Screen, cleaned};

use crate::args::{LevelArg, PlayArgs};
use crate::commands::{rules, settings};
use crate::failure::usage;
use crate::keyboard::Keyboard;
use crate::replay_file;
use crate::spectate::{Answer, Spectator, wait};
use crate::terminal;

/// Seats that the table of totals shows.
const SEATS_SHOWN: usize = 16;

/// The player that is you.
pub const HUMAN: &str = "human";

pub fn run(args: &PlayArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    let line_up = LineUp::parse(&args.line_up)?;
    let game = name.entry.set_up(name.preset, &settings(&args.variant)?, line_up.seats())?;
    line_up.check_colors(name.entry)?;
    let line_up = line_up.fill(game.seats(), game.info().filler)?;
    let players = line_up.players();
    let agents: Vec<AgentSpec> = players.iter().filter(|spec| spec.name != HUMAN).cloned().collect();
    game.check_line_up(&agents)?;
    if args.games == 0 {
        return Err(usage("expected at least 1 game, found 0"));
    }
    if let Some(path) = &args.save {
        replay_file::check_target(path)?;
    }

    let mut session = Session {
        game: &*game,
        names: line_up.labels(),
        players,
        level: args.level,
        step: args.step,
        totals: vec![(0, 0); game.seats()],
        games: 0,
        keyboard: Keyboard::new()?,
    };
    let root = match args.seed {
        Some(seed) => seed,
        None => fresh_seed(),
    };
    let mut last = None;
    for index in 0..args.games {
        let seed = EpisodeSeed::new(root, index);
        let (episode, flow) = session.play(seed, index + 1 == args.games)?;
        last = Some((episode, seed));
        if flow == Flow::Quit {
            break;
        }
    }
    if session.games > 1 || args.level == LevelArg::Totals {
        terminal::print(&session.summary())?;
    }
    if let (Some(path), Some((episode, seed))) = (&args.save, last) {
        replay_file::write(path, &episode.replay(&session.names, Some(seed)))?;
        eprintln!("meeple: wrote {}", path.display());
    }
    if session.keyboard.is_interrupted() {
        bail!("stopped before the end");
    }
    Ok(())
}

/// A seed that differs from call to call: whoever wants the same game again gives `--seed`.
fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 ^ u64::from(std::process::id()) << 32
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    Quit,
}

struct Session<'a> {
    game: &'a dyn AnyGame,
    players: Vec<AgentSpec>,
    names: Vec<String>,
    level: LevelArg,
    step: bool,
    /// Wins and sum of scores by seat.
    totals: Vec<(u64, i64)>,
    games: u64,
    keyboard: Keyboard,
}

impl Session<'_> {
    fn is_human(&self, seat: Seat) -> bool {
        self.players[seat.index()].name == HUMAN
    }

    /// Plays a game; `is_last` if none is to come.
    fn play(&mut self, seed: EpisodeSeed, is_last: bool) -> anyhow::Result<(Box<dyn AnyEpisode>, Flow)> {
        let mut episode = self.game.episode(seed);
        for seat in Seat::all(self.game.seats()) {
            if !self.is_human(seat) {
                episode.seat_agent(seat, &self.players[seat.index()])?;
            }
        }
        let watched = !Seat::all(self.game.seats()).any(|seat| self.is_human(seat));
        let mut spectator = Spectator::new(self.level, Viewer::Everything, &self.names);
        // Events that each human has been told; only used if there is one.
        let mut told = vec![0; self.game.seats()];
        let mut left = false;
        loop {
            if watched && let Some(page) = spectator.page(&*episode) {
                terminal::print(&page)?;
                let more = !is_last || episode.phase() != Phase::Over;
                if self.step && more && matches!(wait(&mut self.keyboard, false), Answer::Quit) {
                    // A game that is over counts.
                    left = true;
                }
            }
            if (left || self.keyboard.is_interrupted()) && episode.phase() != Phase::Over {
                return Ok((episode, Flow::Quit));
            }
            match episode.phase() {
                Phase::Chance => episode.step_chance(),
                Phase::Decide(seats) => {
                    if self.decide(&mut *episode, seats, &mut told)? == Flow::Quit {
                        eprintln!("meeple: you left the table");
                        return Ok((episode, Flow::Quit));
                    }
                }
                Phase::Over => break,
            }
        }
        self.count(&*episode);
        if !watched {
            self.farewell(&*episode, &spectator, &mut told)?;
        }
        let flow = if left || self.keyboard.is_interrupted() { Flow::Quit } else { Flow::On };
        Ok((episode, flow))
    }

    fn decide(
        &mut self,
        episode: &mut dyn AnyEpisode,
        seats: SeatSet,
        told: &mut [usize],
    ) -> anyhow::Result<Flow> {
        for seat in seats {
            if let Some(action) = episode.ask_agent(seat) {
                episode.act(seat, &action).map_err(|illegal| {
                    anyhow::anyhow!("agent {} at seat {seat}: {illegal}", self.names[seat.index()])
                })?;
            } else if self.ask_human(episode, seat, told)? == Flow::Quit {
                return Ok(Flow::Quit);
            }
        }
        Ok(Flow::On)
    }

    /// Shows the table and asks until a legal action comes.
    fn ask_human(
        &mut self,
        episode: &mut dyn AnyEpisode,
        seat: Seat,
        told: &mut [usize],
    ) -> anyhow::Result<Flow> {
        tell_news(episode, seat, told)?;
        terminal::print_screen(&episode.screen(Viewer::Seat(seat), &self.names))?;
        let legal = episode.legal_actions(seat);
        print_actions(&legal)?;
        loop {
            eprint!("seat {seat}, your action (help, quit)> ");
            let Some(line) = self.keyboard.line() else { return Ok(Flow::Quit) };
            let text = line.trim();
            match text {
                "q" | "quit" | "exit" => return Ok(Flow::Quit),
                "?" | "h" | "help" => {
                    eprintln!("{}\n", episode.info().input_help);
                    eprintln!(
                        "help: this text; list: all actions; rules: the rules; save FILE: a replay; quit"
                    );
                    continue;
                }
                "list" => {
                    terminal::print(&legal.join("\n"))?;
                    continue;
                }
                "save" => {
                    eprintln!("expected a file name, found none\nhint: as in save game.json");
                    continue;
                }
                "rules" => {
                    rules::print(episode.info().rules)?;
                    continue;
                }
                _ => {}
            }
            if let Some(path) = text.strip_prefix("save ") {
                let file: &std::path::Path = path.trim().as_ref();
                let replay = episode.replay(&self.names, None);
                match replay_file::check_target(file).and_then(|()| replay_file::write(file, &replay)) {
                    Ok(()) => eprintln!("wrote {}", path.trim()),
                    Err(error) => eprintln!("{error:#}"),
                }
                continue;
            }
            match read_action(episode, seat, &legal, text)
                .and_then(|action| episode.act(seat, &action).map_err(|illegal| illegal.reason))
            {
                Ok(()) => return Ok(Flow::On),
                Err(reason) => eprintln!("{}\nhint: help shows what you can type", cut(&reason)),
            }
        }
    }

    fn count(&mut self, episode: &dyn AnyEpisode) {
        self.games += 1;
        if let Some(outcome) = episode.outcome() {
            for (total, (place, score)) in
                self.totals.iter_mut().zip(outcome.places.iter().zip(&outcome.scores))
            {
                total.0 += u64::from(*place == 1);
                total.1 += score;
            }
        }
    }

    fn farewell(
        &self,
        episode: &dyn AnyEpisode,
        spectator: &Spectator,
        told: &mut [usize],
    ) -> anyhow::Result<()> {
        for seat in Seat::all(self.game.seats()).filter(|seat| self.is_human(*seat)) {
            tell_news(episode, seat, told)?;
        }
        terminal::print_screen(&episode.screen(Viewer::Everything, &self.names))?;
        terminal::print(&spectator.result(episode))
    }

    fn summary(&self) -> String {
        let columns = ["seat", "player", "games", "first places", "mean score"].map(str::to_owned);
        let games = self.games.max(1) as f64;
        let rows: Vec<Vec<String>> = self
            .totals
            .iter()
            .enumerate()
            .take(SEATS_SHOWN)
            .map(|(seat, (wins, score))| {
                vec![
                    seat.to_string(),
                    self.names[seat].clone(),
                    self.games.to_string(),
                    wins.to_string(),
                    format!("{:.1}", *score as f64 / games),
                ]
            })
            .collect();
        let more = self.totals.len().saturating_sub(SEATS_SHOWN);
        let rest = if more > 0 { format!("… and {more} more seats\n") } else { String::new() };
        format!("\n{}{rest}", terminal::table(&columns, &rows))
    }
}

/// Tells a seat what happened since it was last asked.
fn tell_news(episode: &dyn AnyEpisode, seat: Seat, told: &mut [usize]) -> anyhow::Result<()> {
    let events = episode.events(Viewer::Seat(seat), told[seat.index()]);
    let Some(last) = events.last() else {
        return Ok(());
    };
    told[seat.index()] = last.number + 1;
    let mut screen = Screen::new();
    screen.blank();
    for event in &events {
        screen.line().push_ink(format!("* {}", event.text), Ink::plain().dim());
    }
    terminal::print_screen(&screen)
}

/// Actions by number, as many as fit a screen.
fn print_actions(legal: &[String]) -> anyhow::Result<()> {
    const SHOWN: usize = 40;
    let mut text = String::new();
    for (index, action) in legal.iter().take(SHOWN).enumerate() {
        text.push_str(&format!("  {}) {action}", index + 1));
        if text.lines().last().is_some_and(|line| line.len() > 70) {
            text.push('\n');
        }
    }
    if legal.len() > SHOWN {
        text.push_str(&format!("\n  … {} in all: list shows them", legal.len()));
    }
    if text.is_empty() { Ok(()) } else { terminal::print(&text) }
}

/// A reason cut to a few lines, whatever it quotes; nothing in it can steer the terminal.
fn cut(reason: &str) -> String {
    const LONGEST: usize = 400;
    let reason = reason.lines().map(cleaned).collect::<Vec<_>>().join("\n");
    match reason.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &reason[..end]),
        None => reason,
    }
}

/// An action from its text, from what the game accepts besides, or from its number in the list.
fn read_action(episode: &dyn AnyEpisode, seat: Seat, legal: &[String], text: &str) -> Result<String, String> {
    if legal.iter().any(|action| action == text) {
        return Ok(text.to_owned());
    }
    episode.read_input(seat, text).or_else(|reason| {
        let number = text.trim_end_matches(')').parse::<usize>().ok();
        number.and_then(|number| legal.get(number.wrapping_sub(1))).cloned().ok_or(reason)
    })
}
