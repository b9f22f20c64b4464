//! `meeple play`: a person at the table, or agents to watch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use meeple_core::{
    AgentSpec, Answer, AnyGame, Budget, Driver, Due, EpisodeSeed, EpisodeView, Information, Level, Phase,
    PlayerLabel, Question, Seat, Viewer,
};
use meeple_games::parse_game;
use meeple_lab::LineUp;
use meeple_scene::{Line, Part, cleaned};

use crate::args::{LevelArg, PlayArgs};
use crate::commands::rules;
use crate::console::{Console, PageTurning, Pages, TableScreen, Text};
use crate::failure::usage;
use crate::opinion::Asker;
use crate::prompt::{self, Word};
use crate::replay_file;
use crate::settings::{HUMAN, refuse_bots, settings};
use crate::spectate::Spectator;
use crate::terminal;

/// Maximal number of seats in the table of totals.
const SEATS_SHOWN: usize = 16;

/// An agent whose last decision took longer than this is named while it decides.
const LONG_THOUGHT: Duration = Duration::from_millis(200);

pub fn run(args: &PlayArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    refuse_bots("play", &args.game, &args.line_up)?;
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

    let watched = !players.iter().any(|player| player.name == HUMAN);
    let turned = if args.step { PageTurning::ByHand } else { PageTurning::AtOnce };
    let mut session = Session {
        game: &*game,
        names: line_up.labels(),
        level: args.level,
        totals: vec![(0, 0); game.seats()],
        games: 0,
        host: if watched {
            Host::Pages(Pages::new(turned, args.level >= LevelArg::Turn, 1.0)?)
        } else {
            Host::Console(Box::new(Console::new(args.plain)?))
        },
        think: args.think,
        slow: vec![false; game.seats()],
        last_asked: None,
        players,
    };
    let root = args.seed.unwrap_or_else(fresh_seed);
    let mut last = None;
    for index in 0..args.games {
        let seed = EpisodeSeed::new(root, index);
        let (driver, flow) = session.play(seed, index + 1 == args.games)?;
        last = Some((driver, seed));
        if flow == Flow::Quit {
            break;
        }
    }
    let interrupted = session.is_interrupted();
    let summary = session.summary();
    let games = session.games;
    let names = session.names.clone();
    // Dropping the host restores the shell's screen.
    match session.host {
        Host::Console(console) => drop(console),
        Host::Pages(pages) => {
            pages.finish()?;
        }
    }
    if games > 1 || args.level == LevelArg::Totals {
        terminal::print(&summary)?;
    }
    if let (Some(path), Some((driver, seed))) = (&args.save, last) {
        replay_file::write(path, &driver.replay(&names, Some(seed)))?;
        terminal::tell(format_args!("meeple: wrote {}", path.display()));
    }
    if interrupted {
        bail!("stopped before the end");
    }
    Ok(())
}

/// A seed from the clock and the process id, for calls without `--seed`.
fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 ^ u64::from(std::process::id()) << 32
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    Quit,
}

enum Host {
    Console(Box<Console>),
    Pages(Pages),
}

struct Session<'a> {
    game: &'a dyn AnyGame,
    players: Vec<AgentSpec>,
    names: Vec<PlayerLabel>,
    level: LevelArg,
    /// First places and sum of scores, by seat.
    totals: Vec<(u64, i64)>,
    games: u64,
    host: Host,
    /// Thinking time of agents per decision; `None` for no limit.
    think: Option<Duration>,
    slow: Vec<bool>,
    last_asked: Option<Seat>,
}

impl Session<'_> {
    fn is_human(&self, seat: Seat) -> bool {
        self.players[seat.index()].name == HUMAN
    }

    fn humans(&self) -> impl Iterator<Item = Seat> {
        Seat::all(self.game.seats()).filter(|seat| self.is_human(*seat))
    }

    fn is_interrupted(&self) -> bool {
        match &self.host {
            Host::Console(console) => console.is_interrupted(),
            Host::Pages(pages) => pages.is_interrupted(),
        }
    }

    fn play(&mut self, seed: EpisodeSeed, is_last: bool) -> anyhow::Result<(Driver, Flow)> {
        let mut driver = Driver::new(self.game.episode(seed));
        for seat in Seat::all(self.game.seats()) {
            if self.is_human(seat) {
                driver.seat_person(seat);
            } else {
                driver.seat_agent(seat, &self.players[seat.index()])?;
            }
        }
        let mut spectator = Spectator::new(self.level, Viewer::Everything, &self.names);
        let mut left = false;
        loop {
            if let Host::Pages(pages) = &mut self.host
                && let Some(page) = spectator.page(driver.view())
            {
                // If the person leaves on the last page, the finished game still counts.
                left |= !pages.show(page, is_last && driver.view().phase() == Phase::Over)?;
            }
            let due = driver.due();
            if (left || self.is_interrupted()) && due != Due::Over {
                return Ok((driver, Flow::Quit));
            }
            match due {
                Due::Chance => driver.draw_chance(),
                Due::Decide(questions) => {
                    if self.decide(&mut driver, &questions)? == Flow::Quit {
                        self.console().close_window();
                        terminal::tell("meeple: you left the table");
                        return Ok((driver, Flow::Quit));
                    }
                }
                Due::Over => break,
            }
        }
        self.count(driver.view());
        left |= self.farewell(&mut driver, &spectator, is_last)? == Flow::Quit;
        let flow = if left || self.is_interrupted() { Flow::Quit } else { Flow::On };
        Ok((driver, flow))
    }

    fn decide(&mut self, driver: &mut Driver, questions: &[Question]) -> anyhow::Result<Flow> {
        for question in questions {
            if self.is_human(question.seat) {
                // The person may have undone decisions, so the remaining questions may be outdated.
                return self.ask_human(driver, *question);
            }
            self.ask_agent(driver, *question)?;
        }
        Ok(Flow::On)
    }

    fn ask_agent(&mut self, driver: &mut Driver, question: Question) -> anyhow::Result<()> {
        let seat = question.seat;
        let name = &self.names[seat.index()].name;
        if let (true, Host::Console(console)) = (self.slow[seat.index()], &mut self.host) {
            console.wait_for(&format!("seat {seat} ({name}) decides"))?;
        }
        let start = Instant::now();
        let asked = match self.think {
            Some(limit) => within(limit, |budget| driver.ask_agent_within(question, budget).map(drop)),
            None => driver.ask_agent(question),
        };
        asked.map_err(|refusal| anyhow::anyhow!("agent {name} at seat {seat}: {refusal}"))?;
        self.slow[seat.index()] = start.elapsed() > LONG_THOUGHT;
        Ok(())
    }

    /// Shows the table and asks until the person enters a legal action.
    fn ask_human(&mut self, driver: &mut Driver, question: Question) -> anyhow::Result<Flow> {
        let Question { seat, mut number } = question;
        let hidden = driver.view().info().information == Information::Hidden;
        let is_other = self.last_asked.is_some_and(|last| last != seat);
        if self.last_asked.replace(seat).is_none() {
            self.console()
                .tell("type help, guide (how the game goes), hint (advice), analyse, undo, or quit");
        } else if is_other && hidden && self.console().hand_over(&format!("seat {seat}"))?.is_none() {
            return Ok(Flow::Quit);
        }
        let mut news = news(driver, seat);
        loop {
            let legal = driver.view().legal_actions(seat);
            let screen = driver.view().screen(Viewer::Seat(seat), &self.names);
            let words: Vec<String> =
                prompt::WORDS.iter().map(|word| (*word).to_owned()).chain(legal.iter().cloned()).collect();
            let actions = legal.clone();
            self.console().show(TableScreen { screen, news: std::mem::take(&mut news), actions })?;
            loop {
                let line = self.console().ask(&format!("seat {seat}, your action (help, quit)"), &words)?;
                let Some(line) = line else { return Ok(Flow::Quit) };
                let text = line.trim();
                let word = if legal.iter().any(|action| action == text) { None } else { prompt::read(text) };
                match word {
                    Some(Ok(Word::Quit)) => return Ok(Flow::Quit),
                    Some(Ok(Word::Undo)) => match driver.take_back(seat) {
                        Ok(decision) => {
                            self.console().tell(&format!("taken back: {decision}"));
                            break;
                        }
                        Err(reason) => self.console().tell(&reason.to_string()),
                    },
                    Some(Ok(word)) => self.serve(driver, seat, &legal, word)?,
                    Some(Err(reason)) => self.console().tell(&reason),
                    None => {
                        let acted = read_action(driver.view(), seat, &legal, text).and_then(|action| {
                            let answer = Answer::Text(&action);
                            driver.answer(seat, number, answer).map_err(|refusal| refusal.to_string())
                        });
                        match acted {
                            Ok(()) => return Ok(Flow::On),
                            Err(reason) => {
                                let reason = format!("{}\nhint: help shows what you can type", cut(&reason));
                                self.console().tell(&reason);
                            }
                        }
                    }
                }
                if self.is_interrupted() {
                    return Ok(Flow::Quit);
                }
            }
            // After an undo, events that happened before are not shown again.
            driver.news(seat);
            if let Due::Decide(questions) = driver.due()
                && let Some(again) = questions.iter().find(|question| question.seat == seat)
            {
                number = again.number;
            }
        }
    }

    /// Executes an input word that leaves the game unchanged.
    fn serve(&mut self, driver: &Driver, seat: Seat, legal: &[String], word: Word) -> anyhow::Result<()> {
        let episode = driver.view();
        let info = episode.info();
        let names: Vec<String> = self.names.iter().map(|label| label.name.to_string()).collect();
        match word {
            Word::Help => {
                let page = prompt::guide_section(info.guide, meeple_core::GUIDE_SECTIONS[0]);
                let tips = prompt::guide_section(info.guide, meeple_core::GUIDE_SECTIONS[2]);
                let help = format!(
                    "# What you can type\n\n```\n{}\n\n{}\n```\n\n{page}\n\n{tips}\n",
                    info.input_help,
                    prompt::help(info.advisor)
                );
                self.console().read("help", &Text::Markdown(help))
            }
            Word::List => {
                let listed: Vec<String> = legal
                    .iter()
                    .enumerate()
                    .map(|(index, action)| format!("{:>4}) {action}", index + 1))
                    .collect();
                // If the actions are too many to enumerate, the game's screen lists the plausible ones.
                let listed = if listed.is_empty() { choices(episode, seat) } else { listed };
                if listed.is_empty() {
                    self.console()
                        .tell("the actions of this game are too many to list: help shows their form");
                    return Ok(());
                }
                self.console().read("all actions", &Text::Plain(listed.join("\n")))
            }
            Word::Hint(agent) => {
                let hint = Asker { driver, seat, legal, names: &names }.hint(agent.as_deref());
                self.console().tell(&cut(&hint));
                Ok(())
            }
            Word::Analyse(agent) => {
                let asked = agent.as_deref().unwrap_or("the agent");
                self.console().wait_for(&format!("{asked} thinks"))?;
                let asker = Asker { driver, seat, legal, names: &names };
                match asker.analysis(agent.as_deref()) {
                    Ok(text) => self.console().read("analysis", &Text::Plain(terminal::harmless(&text))),
                    Err(reason) => {
                        self.console().tell(&cut(&format!("no analysis: {reason}")));
                        Ok(())
                    }
                }
            }
            Word::Board => self.console().show_all(),
            Word::Overview => self.console().overview(),
            Word::Scroll(columns, lines) => self.console().scroll(columns, lines),
            Word::Follow => self.console().scroll(0, 0),
            Word::Log(lines) => {
                // Nothing is hidden after the end.
                let over = episode.phase() == Phase::Over;
                let viewer = if over { Viewer::Everything } else { Viewer::Seat(seat) };
                let events = episode.event_lines(viewer);
                let first = lines.map_or(0, |lines| events.len().saturating_sub(lines));
                let log: Vec<String> =
                    events[first..].iter().map(|event| format!("* {}", cleaned(&event.text))).collect();
                self.console().read("log", &Text::Plain(log.join("\n")))
            }
            Word::Rules => self.console().read("rules", &Text::Markdown(rules::text(info))),
            Word::Guide => self.console().read("guide", &Text::Markdown(info.guide.to_owned())),
            Word::Save(path) => {
                let file: &std::path::Path = path.as_ref();
                let replay = driver.replay(&self.names, None);
                let message =
                    match replay_file::check_target(file).and_then(|()| replay_file::write(file, &replay)) {
                        Ok(()) => format!("wrote {path}"),
                        Err(error) => format!("{error:#}"),
                    };
                self.console().tell(&message);
                Ok(())
            }
            Word::Quit | Word::Undo => Ok(()),
        }
    }

    fn console(&mut self) -> &mut Console {
        match &mut self.host {
            Host::Console(console) => console,
            Host::Pages(_) => unreachable!("only people are asked, and for them there is a console"),
        }
    }

    fn count(&mut self, episode: &dyn EpisodeView) {
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
        &mut self,
        driver: &mut Driver,
        spectator: &Spectator,
        is_last: bool,
    ) -> anyhow::Result<Flow> {
        let Some(first) = self.humans().next() else { return Ok(Flow::On) };
        let humans: Vec<Seat> = self.humans().collect();
        let mut events = news(driver, first);
        // Later people add only news that the first person has not seen.
        for seat in &humans[1..] {
            let more = news(driver, *seat);
            events.extend(more.into_iter().filter(|text| !events.contains(text)).collect::<Vec<_>>());
        }
        let episode = driver.view();
        let screen = episode.screen(Viewer::Everything, &self.names);
        let table = TableScreen { screen, news: events, actions: Vec::new() };
        let result = spectator.result(episode);
        let mut flow = Flow::On;
        if self.console().is_window() {
            self.console().show(table.clone())?;
            loop {
                self.console().tell(result.trim_start());
                let line = self.console().ask("the game is over (Enter, log, board, save)", &[])?;
                match line.as_deref().map(|line| (line.trim().is_empty(), prompt::read(line))) {
                    None | Some((_, Some(Ok(Word::Quit)))) => {
                        flow = Flow::Quit;
                        break;
                    }
                    Some((true, _)) => break,
                    Some((_, Some(Ok(word)))) => self.serve(driver, first, &[], word)?,
                    Some((_, Some(Err(reason)))) => self.console().tell(&reason),
                    Some((_, None)) => {}
                }
            }
            if is_last || flow == Flow::Quit {
                self.console().close_window();
            }
        }
        if !self.console().is_window() {
            self.console().show(table)?;
            terminal::print(&result)?;
        }
        Ok(flow)
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
                    self.names[seat].name.to_string(),
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

/// A seat's events that are not yet shown, of level [`Level::Turn`] or a more important one.
fn news(driver: &mut Driver, seat: Seat) -> Vec<String> {
    let worth = driver.news(seat).into_iter().filter(|event| event.level <= Level::Turn);
    worth.map(|event| format!("* {}", event.text)).collect()
}

/// Decides within a time limit: the budget's flag is raised when the limit expires.
fn within<R>(limit: Duration, decide: impl FnOnce(Budget) -> R) -> R {
    let flag = Arc::new(AtomicBool::new(false));
    let (decided, decision) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let raised = Arc::clone(&flag);
        scope.spawn(move || {
            // An error means that the time is up, or that the decision has been taken.
            let _ = decision.recv_timeout(limit);
            raised.store(true, Ordering::Relaxed);
        });
        let result = decide(Budget::Until(flag));
        drop(decided);
        result
    })
}

fn choices(episode: &dyn EpisodeView, seat: Seat) -> Vec<String> {
    let screen = episode.screen(Viewer::Seat(seat), &[]);
    let panels = screen.panels.iter().filter(|panel| panel.part == Part::Choices);
    let text = |line: &Line| line.iter().map(|span| span.text.as_str()).collect();
    panels.flat_map(|panel| panel.lines.iter().map(text)).collect()
}

/// A reason of limited length, without control characters, which could control the terminal.
fn cut(reason: &str) -> String {
    const MAX_CHARS: usize = 400;
    let reason = reason.lines().map(cleaned).collect::<Vec<_>>().join("\n");
    match reason.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{} …", &reason[..end]),
        None => reason,
    }
}

/// Parses an action: its text, another form that the game accepts, or its number in the list.
fn read_action(
    episode: &dyn EpisodeView,
    seat: Seat,
    legal: &[String],
    text: &str,
) -> Result<String, String> {
    if legal.iter().any(|action| action == text) {
        return Ok(text.to_owned());
    }
    episode.read_input(seat, text).or_else(|reason| {
        let number = text.trim_end_matches(')').parse::<usize>().ok();
        number.and_then(|number| legal.get(number.wrapping_sub(1))).cloned().ok_or(reason)
    })
}
