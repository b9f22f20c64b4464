//! `meeple replay`: a stored episode, verified step by step and shown.

use std::time::Duration;

use anyhow::{Context, bail};
use meeple_core::{
    AgentSpec, AnyEpisode, Budget, EpisodeSeed, EpisodeView, ForeignRecord, ForeignRecordError, Phase,
    PlayerLabel, Replay, Seat, Viewer,
};
use meeple_games::games;
use meeple_replay::{FaultLog, MomentWatcher, StepEvents};
use meeple_scene::Screen;

use crate::args::{LevelArg, ReplayArgs};
use crate::console::{PageTurning, Pages, ScreenPage};
use crate::failure::usage;
use crate::replay_file;
use crate::spectate::Spectator;
use crate::terminal;

/// Duration of a film's frame if its game defines none.
const HOLD: Duration = Duration::from_millis(700);

pub fn run(args: &ReplayArgs) -> anyhow::Result<()> {
    let (replay, entry) = if args.episode.is_some() || args.file.is_dir() {
        replay_file::read_episode(&args.file, args.episode)?
    } else {
        let text = replay_file::read_text(&args.file)?;
        if let Some(read) = games().iter().find_map(|entry| entry.foreign_record(&text, &args.looks)) {
            return match read {
                Ok(record) => show_record(args, record),
                Err(ForeignRecordError::Look(reason)) => Err(usage(reason)),
                Err(ForeignRecordError::Record(reason)) => bail!("{}: {reason}", args.file.display()),
            };
        }
        replay_file::parse(&args.file, &text)?
    };
    if let Some(word) = args.looks.first() {
        return Err(usage(format!(
            "--look {word}: expected a game record of another program, found a replay"
        )));
    }
    let viewer = replay_file::viewer(&args.viewer, replay.players.len().max(1))?;
    // The whole replay is verified before any of it is shown.
    let whole = || args.file.display().to_string();
    let mut last = entry.replay(&replay, viewer, &mut |_| {}).with_context(whole)?;
    let finished = last.phase() == Phase::Over;
    if args.check {
        let steps = replay.steps.len();
        let state = if finished { "finished" } else { "broken off" };
        let s = if steps == 1 { "" } else { "s" };
        terminal::print(&format!("{}: {steps} step{s}, {state}, every step is right", args.file.display()))?;
        for fault in FaultLog::new(viewer, &replay).news(&*last) {
            terminal::print(&format!("* {fault}"))?;
        }
        let result = Spectator::new(args.level, viewer, &replay.players).result(&*last);
        if finished {
            terminal::print(result.trim_start())?;
        }
        if args.again {
            let asked = ask_again(&replay, &mut *last).with_context(whole)?;
            terminal::print(&format!("asked again: {asked}"))?;
        }
        return Ok(());
    }
    let turned = match (args.step, args.film) {
        (true, _) => PageTurning::ByHand,
        (_, true) => PageTurning::ByTime,
        _ => PageTurning::AtOnce,
    };
    // A film shows the table at every moment, as `--level turn` does.
    let level = if args.film { LevelArg::Turn } else { args.level };
    let mut spectator = Spectator::of(level, viewer, &replay);
    let mut film = Reel {
        viewer,
        players: &replay.players,
        moments: MomentWatcher::new(viewer),
        faults: FaultLog::new(viewer, &replay),
        heard: Vec::new(),
        last: None,
    };
    let mut shown = Shown::new(Pages::new(turned, level >= LevelArg::Turn, args.speed)?);
    entry
        .replay(&replay, viewer, &mut |episode| {
            if shown.has_ended() {
                return;
            }
            let page = if args.film { film.page(episode) } else { spectator.page(episode) };
            if let Some(mut page) = page {
                if args.film && episode.phase() == Phase::Over {
                    page.result = spectator.result(episode);
                }
                shown.add(page);
            }
        })
        .with_context(whole)?;
    shown.finish()?;
    if !finished {
        terminal::tell("meeple: the episode was broken off here");
    }
    Ok(())
}

/// Replays an episode from its seed: chance outcomes and decisions of our agents must be the stored ones.
/// Returns a sentence with the numbers of repeated draws and decisions.
fn ask_again(replay: &Replay, episode: &mut dyn AnyEpisode) -> anyhow::Result<String> {
    let seed = replay.seed.as_deref().and_then(|seed| u64::from_str_radix(seed, 16).ok());
    let seed =
        seed.context("expected a seed in the replay, found none\nhint: --save of meeple play writes it")?;
    let seats = episode.seats();
    let unmoved: Vec<u16> = (0..seats as u16).collect();
    episode.restart(EpisodeSeed::from_bits(seed), &unmoved);
    // Players that are not agents are people or bots; their actions are taken from the replay.
    let is_agent = |seat: &Seat| {
        let spec = AgentSpec::parse(&replay.players[seat.index()].name);
        episode.seat_agent(*seat, &spec).is_ok()
    };
    let agents: Vec<Seat> = Seat::all(seats).filter(is_agent).collect();
    let (mut decisions, mut draws) = (0, 0);
    for (number, text) in replay.steps.iter().enumerate() {
        let other = |who: String, found: &str| {
            anyhow::anyhow!(
                "step {} ('{text}'): asked again, {who} '{found}'\nhint: was it played with another version, or its \
                 agents by other rules than those of meeple play and of tournaments?",
                number + 1
            )
        };
        let (who, action) = text.split_once(' ').unwrap_or((text, ""));
        let Ok(seat) = who.parse::<Seat>() else {
            episode.step_chance();
            let drawn = episode.step_text(number);
            if drawn != *text {
                return Err(other("chance draws".to_owned(), &drawn));
            }
            draws += 1;
            continue;
        };
        if agents.contains(&seat) {
            let decided = match replay.iterations.get(&number) {
                Some(iterations) => {
                    let asked = episode.analyse(seat, Budget::Iterations(*iterations), None);
                    asked.map(|asked| asked.expect("it was asked about nothing").0)
                }
                None => episode.ask_agent(seat),
            };
            let decided = decided.context("an agent is asked only when it decides")?;
            if decided != action {
                return Err(other(format!("the agent at seat {seat} decides"), &decided));
            }
            decisions += 1;
        }
        episode.act(seat, action).map_err(|illegal| anyhow::anyhow!(illegal.to_string()))?;
    }
    let timed = match replay.iterations.len() {
        0 => String::new(),
        timed => format!(", {timed} of them with the iterations that are stored"),
    };
    Ok(format!("{draws} draws and {decisions} decisions of agents are the same{timed}"))
}

struct Reel<'a> {
    viewer: Viewer,
    players: &'a [PlayerLabel],
    moments: MomentWatcher,
    faults: FaultLog,
    /// Events and faults that the next page shows.
    heard: Vec<String>,
    last: Option<Screen>,
}

impl Reel<'_> {
    fn page(&mut self, episode: &dyn EpisodeView) -> Option<ScreenPage> {
        let StepEvents { texts, shown, .. } = self.moments.news(episode);
        let faults = self.faults.news(episode);
        self.heard.extend(faults.into_iter().chain(texts).map(|text| format!("* {text}")));
        if !shown {
            return None;
        }
        let screen = episode.screen(self.viewer, self.players);
        // Simultaneous decisions leave the table unchanged until the last of them, so the earlier ones add no
        // page.
        if self.heard.is_empty() && self.last.as_ref() == Some(&screen) {
            return None;
        }
        self.last = Some(screen.clone());
        let hold = screen.hold.unwrap_or(HOLD);
        Some(ScreenPage {
            news: std::mem::take(&mut self.heard),
            screen: Some(screen),
            hold,
            ..ScreenPage::default()
        })
    }
}

/// Shows a page only when the next one is added or the episode ends, because the last page is shown
/// differently.
struct Shown {
    pages: Pages,
    next: Option<ScreenPage>,
    /// True once the person has left, or the error of a page.
    ended: anyhow::Result<bool>,
}

impl Shown {
    fn new(pages: Pages) -> Self {
        Self { pages, next: None, ended: Ok(false) }
    }

    fn add(&mut self, page: ScreenPage) {
        if !self.has_ended()
            && let Some(page) = self.next.replace(page)
        {
            self.ended = self.pages.show(page, false).map(|goes_on| !goes_on);
        }
    }

    fn has_ended(&self) -> bool {
        !matches!(self.ended, Ok(false))
    }

    fn finish(mut self) -> anyhow::Result<()> {
        if !self.ended?
            && let Some(page) = self.next.take()
        {
            self.pages.show(page, true)?;
        }
        match self.pages.finish()? {
            false => Ok(()),
            true => bail!("stopped before the end"),
        }
    }
}

/// Shows a record of another program: as a film in a terminal; otherwise its last moment.
fn show_record(args: &ReplayArgs, record: ForeignRecord) -> anyhow::Result<()> {
    if args.check {
        let shown = args.file.display();
        return terminal::print(&format!("{shown}: every move is possible; {}", record.summary));
    }
    let page = |screen: Screen| {
        let hold = screen.hold.unwrap_or(HOLD);
        ScreenPage { screen: Some(screen), hold, ..ScreenPage::default() }
    };
    let mut pages = record.frames.map(page);
    let turned = if args.step { PageTurning::ByHand } else { PageTurning::ByTime };
    let mut shown = Shown::new(Pages::new(turned, true, args.speed)?);
    if args.step || args.film || terminal::size().is_some() {
        // The iterator draws a page when it is asked for it, so pages after an early end are never drawn.
        while let (false, Some(page)) = (shown.has_ended(), pages.next()) {
            shown.add(page);
        }
    } else if let Some(last) = pages.by_ref().last() {
        shown.add(last);
    }
    shown.finish()?;
    terminal::print(&record.summary)
}
