//! `meeple shard`: a simulation, sweep or tournament in parts, on any number of machines.
//!
//! A part is a pure function of the command and its number. It becomes a file in a shared folder, written
//! atomically: a killed machine leaves nothing behind, and existing parts are not played again.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Parser;
use meeple_arena::{RecordStore, RunEnd, RunOptions, TournamentPlan, shard as arena_shard};
use meeple_games::parse_game;
use meeple_lab::{Shard, StopFlag, merge_into, merge_sweep_into, shard};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::{
    ArenaArgs, Cli, Command, RunArgs, ShardArgs, ShardMergeArgs, ShardRunArgs, ShardStep, SimArgs, SweepArgs,
    TournamentArgs,
};
use crate::commands::sim::{output, stop_on_interrupt};
use crate::commands::{arena, sim, sweep, tournament};
use crate::failure::usage;
use crate::replay_file::write_atomically;
use crate::settings::quoted;
use crate::terminal;
use crate::watch::Bar;

pub fn run(args: &ShardArgs) -> anyhow::Result<()> {
    match &args.step {
        ShardStep::Run(args) => play(args),
        ShardStep::Merge(args) => merge(args),
    }
}

fn play(args: &ShardRunArgs) -> anyhow::Result<()> {
    let parts = Parts { folder: args.folder.clone(), command: args.command.clone(), shards: args.shards };
    if args.shards == 0 || args.index.is_some_and(|index| index >= args.shards) {
        let found = args.index.map_or("0 shards".to_owned(), |index| format!("{index} of {}", args.shards));
        return Err(usage(format!("--index: expected a number below that of --shards, found {found}")));
    }
    let mut job = Job::read(&args.command)?;
    job.threads(args.threads);
    std::fs::create_dir_all(&args.folder)
        .with_context(|| format!("cannot make the folder {}", args.folder.display()))?;
    parts.check()?;
    job.go_on(&parts)?;
    let stop = stop_on_interrupt()?;
    for index in args.index.map_or(0..args.shards, |index| index..index + 1) {
        if parts.read(index)?.is_some() {
            continue;
        }
        let mut bar = Bar::new(args.quiet);
        let rows = (!args.no_rows).then(|| parts.rows(index));
        let played = job.play(&parts, index, rows.as_deref(), &mut bar, &stop);
        bar.finish();
        match played? {
            Played::Stopped => {
                bail!("stopped in shard {index}, which is not stored\nhint: the same command plays it again")
            }
            Played::Whole(shard) => parts.write(index, shard)?,
            Played::None => parts.write(index, Value::Null)?,
        }
    }
    let missing = parts.missing()?;
    if !args.quiet {
        let folder = args.folder.display();
        terminal::tell(match missing.len() as u64 {
            0 => format!(
                "meeple: all of {} shards are in {folder}; merge them with: {}",
                args.shards,
                parts.merge()
            ),
            left => format!("meeple: {} of {} shards are in {folder}", args.shards - left, args.shards),
        });
    }
    Ok(())
}

fn merge(args: &ShardMergeArgs) -> anyhow::Result<()> {
    let parts = Parts::of_folder(&args.folder)?;
    let missing = parts.missing()?;
    if let Some(first) = missing.first() {
        let numbers: Vec<String> = missing.iter().take(10).map(u64::to_string).collect();
        let more = if missing.len() > 10 { ", …" } else { "" };
        bail!(
            "{}: expected {} shards, found {}; missing: {}{more}\nhint: play it: {}",
            args.folder.display(),
            parts.shards,
            parts.shards - missing.len() as u64,
            numbers.join(", "),
            parts.again(*first),
        );
    }
    let mut job = Job::read(&parts.command)?;
    job.show_as(args);
    job.go_on(&parts)?;
    let stop = stop_on_interrupt()?;
    job.merge(&parts, &stop)
}

enum Job {
    Sim(SimArgs),
    Sweep(SweepArgs),
    /// The flags, with an existing shard if there is one; its plan holds for all shards.
    Tournament(Box<TournamentArgs>, Option<meeple_arena::TournamentShard>),
}

enum Played {
    Stopped,
    Whole(Value),
    None,
}

impl Job {
    /// Parses the command after `--` with the parser of the program itself.
    fn read(words: &[String]) -> anyhow::Result<Self> {
        let parsed = Cli::try_parse_from(std::iter::once("meeple").chain(words.iter().map(String::as_str)));
        // The message says that the error is in the command after `--`.
        let wrong = |error: clap::Error| usage(format!("after `--`: {}", error.to_string().trim_end()));
        let found = words.first().map_or("nothing", String::as_str);
        match parsed.map_err(wrong)?.command {
            Command::Sim(args) => check_run(&args.run).map(|()| Self::Sim(args)),
            Command::Sweep(args) => check_run(&args.run).map(|()| Self::Sweep(args)),
            Command::Tournament(args) => {
                check_arena(&args)?;
                Ok(Self::Tournament(Box::new(args), None))
            }
            _ => Err(usage(format!("after `--`: expected sim, sweep or tournament, found {found}"))),
        }
    }

    fn threads(&mut self, threads: Option<usize>) {
        let Some(threads) = threads else { return };
        match self {
            Self::Sim(args) => args.run.threads = threads,
            Self::Sweep(args) => args.run.threads = threads,
            Self::Tournament(args, _) => args.arena.threads = threads,
        }
    }

    /// Adopts the rules of existing shards, which an older release may have written.
    fn go_on(&mut self, parts: &Parts) -> anyhow::Result<()> {
        let Some((index, first)) = parts.first()? else { return Ok(()) };
        let damaged = || parts.damaged(index);
        let (run, game) = match self {
            Self::Sim(args) => (&mut args.run, &args.game),
            Self::Sweep(args) => (&mut args.run, &args.game),
            Self::Tournament(_, shard) => {
                *shard = Some(serde_json::from_value(first).with_context(damaged)?);
                return Ok(());
            }
        };
        let shard: Shard = serde_json::from_value(first).with_context(damaged)?;
        let name = parse_game(game)?;
        run.variant.go_on(&name, |set| Ok(shard.settings(name.entry, set)))
    }

    /// Applies the output flags of `shard merge` to the divided command.
    fn show_as(&mut self, args: &ShardMergeArgs) {
        let of_run = |run: &mut RunArgs| {
            (run.out, run.force) = (args.out.clone(), args.force);
            (run.json, run.no_times, run.quiet) = (args.json, args.no_times, args.quiet);
        };
        match self {
            Self::Sim(sim) => of_run(&mut sim.run),
            Self::Sweep(sweep) => of_run(&mut sweep.run),
            Self::Tournament(tournament, _) => {
                let arena: &mut ArenaArgs = &mut tournament.arena;
                (arena.out, arena.json, arena.quiet) = (args.out.clone(), args.json, args.quiet);
            }
        }
    }

    fn play(
        &self,
        parts: &Parts,
        index: u64,
        rows: Option<&Path>,
        bar: &mut Bar,
        stop: &StopFlag,
    ) -> anyhow::Result<Played> {
        let of = |ranges: Vec<Range<u64>>| ranges.get(index as usize).cloned();
        match self {
            Self::Sim(args) => {
                let set_up = sim::set_up(args)?;
                let simulation = sim::simulation(args, &set_up);
                let Some(range) = of(shard::ranges(&simulation, parts.shards)?) else {
                    return Ok(Played::None);
                };
                let played = shard::play(&simulation, range.clone(), rows, bar, stop)?;
                kept(&played, played.episodes() == range)
            }
            Self::Sweep(args) => {
                let (plan, options) = sweep::plan(args)?;
                let ranges = shard::sweep_ranges(&plan, &options, parts.shards)?;
                let Some(range) = of(ranges) else { return Ok(Played::None) };
                let played = shard::play_sweep(&plan, &options, range.clone(), bar, stop)?;
                kept(&played, played.episodes() == range)
            }
            Self::Tournament(args, shard) => {
                let plan = tournament_plan(args, shard.as_ref())?;
                let ranges = arena_shard::ranges(&plan, parts.shards.try_into().unwrap_or(u16::MAX));
                let Some(range) = of(ranges) else { return Ok(Played::None) };
                let mut options = RunOptions { threads: args.arena.threads, progress: bar, stop };
                let played = arena_shard::play(&plan, range.clone(), &mut options)?;
                kept(&played, played.episodes() == range)
            }
        }
    }

    fn merge(&self, parts: &Parts, stop: &StopFlag) -> anyhow::Result<()> {
        match self {
            Self::Sim(args) => {
                let set_up = sim::set_up(args)?;
                let simulation = sim::simulation(args, &set_up);
                let Some(directory) = &args.run.out else {
                    let run = shard::merge(&simulation, parts.shards()?.into_iter().map(|(_, shard)| shard))?;
                    return sim::show(args, meeple_lab::Filed { played: run, written: Ok(()) });
                };
                let shards = parts.shards()?.into_iter().map(|(index, shard)| (shard, parts.rows(index)));
                let output = output(&args.run, sim::command(args));
                sim::show(args, merge_into(&simulation, shards, directory, &output, stop)?)
            }
            Self::Sweep(args) => {
                let (plan, options) = sweep::plan(args)?;
                let shards = parts.shards()?.into_iter().map(|(_, shard)| shard);
                let filed = match &args.run.out {
                    Some(directory) => {
                        let output = output(&args.run, sweep::command(args));
                        merge_sweep_into(&plan, &options, shards, directory, &output, stop)?
                    }
                    None => meeple_lab::Filed {
                        played: shard::merge_sweep(&plan, &options, shards)?,
                        written: Ok(()),
                    },
                };
                sweep::show(args, &plan, filed)
            }
            Self::Tournament(args, shard) => {
                let plan = tournament_plan(args, shard.as_ref())?;
                let shards: Vec<(u64, meeple_arena::TournamentShard)> = parts.shards()?;
                let command = quoted(parts.command.iter().cloned());
                let directory = args.arena.out.as_deref();
                let mut store = match directory {
                    Some(directory) => RecordStore::create(directory, &plan, &command)?,
                    None => RecordStore::in_memory(&plan, &command)?,
                };
                let end = arena_shard::merge(&plan, &mut store, shards.into_iter().map(|(_, shard)| shard))?;
                debug_assert_ne!(end, RunEnd::Stopped, "no part is missing");
                arena::conclude(&plan, store, end, &args.arena, directory).map(drop)
            }
        }
    }
}

/// The content of a part's file, unless the part was stopped before its end.
fn kept(shard: &impl Serialize, whole: bool) -> anyhow::Result<Played> {
    Ok(if whole { Played::Whole(serde_json::to_value(shard)?) } else { Played::Stopped })
}

fn tournament_plan(
    args: &TournamentArgs,
    shard: Option<&meeple_arena::TournamentShard>,
) -> anyhow::Result<TournamentPlan> {
    let plan = arena::plan(&mut tournament::request(args)?, &args.arena)?;
    Ok(match shard {
        Some(shard) => shard.plan(plan)?,
        None => plan,
    })
}

/// Refuses flags of output, which have no use in a part.
fn check_run(args: &RunArgs) -> anyhow::Result<()> {
    refuse(&[
        ("--out", args.out.is_some()),
        ("--json", args.json),
        ("--quiet", args.quiet),
        ("--verbose", args.verbose),
    ])
}

fn check_arena(args: &TournamentArgs) -> anyhow::Result<()> {
    let arena = &args.arena;
    refuse(&[
        ("--resume", args.resume.is_some()),
        ("--out", arena.out.is_some()),
        ("--json", arena.json),
        ("--csv", arena.csv),
        ("--quiet", arena.quiet),
    ])?;
    // The seed may come from a tournament file instead of a flag.
    if tournament::request(args)?.seed.is_none() {
        return Err(usage(
            "after `--`: expected a seed, which all shards share, found none\nhint: add --seed N",
        ));
    }
    Ok(())
}

fn refuse(flags: &[(&str, bool)]) -> anyhow::Result<()> {
    match flags.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(usage(format!(
            "after `--`: expected what is played, found {flag}\nhint: flags for output belong to `meeple \
             shard merge`"
        ))),
    }
}

struct Parts {
    folder: PathBuf,
    command: Vec<String>,
    shards: u64,
}

#[derive(Serialize, Deserialize)]
struct Part {
    format: u32,
    command: Vec<String>,
    shards: u64,
    index: u64,
    /// Null for a part without episodes: there are more parts than deal groups.
    shard: Value,
}

const FORMAT: u32 = 1;

impl Parts {
    fn of_folder(folder: &Path) -> anyhow::Result<Self> {
        let names = std::fs::read_dir(folder)
            .map_err(|error| usage(format!("cannot read the folder {}: {error}", folder.display())))?;
        let mut names: Vec<PathBuf> = names.filter_map(Result::ok).map(|entry| entry.path()).collect();
        names.sort();
        let is_part = |path: &&PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("part-") && name.ends_with(".json")
        };
        let first = names.iter().find(is_part).ok_or_else(|| {
            usage(format!(
                "{}: expected shards, found none\nhint: meeple shard run {0} --shards N -- sim GAME AGENT…",
                folder.display()
            ))
        })?;
        let Part { command, shards, .. } = read(first)?;
        Ok(Self { folder: folder.to_owned(), command, shards })
    }

    fn check(&self) -> anyhow::Result<()> {
        match Self::of_folder(&self.folder) {
            Ok(there) if (&there.command, there.shards) != (&self.command, self.shards) => {
                Err(usage(format!(
                    "{}: expected shards of `{}`, found others: {} of `{}`\nhint: name another folder",
                    self.folder.display(),
                    quoted(self.command.iter().cloned()),
                    there.shards,
                    quoted(there.command.iter().cloned()),
                )))
            }
            // A folder without parts is fine; an unreadable part is reported when it is read.
            _ => Ok(()),
        }
    }

    fn file(&self, index: u64) -> PathBuf {
        self.folder.join(format!("part-{index:05}.json"))
    }

    fn rows(&self, index: u64) -> PathBuf {
        self.file(index).with_extension("parquet")
    }

    fn read(&self, index: u64) -> anyhow::Result<Option<Part>> {
        let path = self.file(index);
        if !path.try_exists().with_context(|| format!("cannot read {}", path.display()))? {
            return Ok(None);
        }
        let part = read(&path)?;
        if (part.index, part.shards, &part.command) != (index, self.shards, &self.command) {
            bail!(
                "{}: expected shard {index} of {} of `{}`, found {} of {} of `{}`\nhint: remove it, and play it again: {}",
                path.display(),
                self.shards,
                quoted(self.command.iter().cloned()),
                part.index,
                part.shards,
                quoted(part.command.iter().cloned()),
                self.again(index),
            );
        }
        Ok(Some(part))
    }

    fn write(&self, index: u64, shard: Value) -> anyhow::Result<()> {
        let part = Part { format: FORMAT, command: self.command.clone(), shards: self.shards, index, shard };
        write_atomically(&self.file(index), &serde_json::to_vec(&part)?)
    }

    fn missing(&self) -> anyhow::Result<Vec<u64>> {
        let there = |index: &u64| self.file(*index).try_exists().unwrap_or(false);
        Ok((0..self.shards).filter(|index| !there(index)).collect())
    }

    /// The first existing part with episodes.
    fn first(&self) -> anyhow::Result<Option<(u64, Value)>> {
        for index in 0..self.shards {
            if let Some(part) = self.read(index)?.filter(|part| !part.shard.is_null()) {
                return Ok(Some((index, part.shard)));
            }
        }
        Ok(None)
    }

    /// All parts with episodes, in order.
    fn shards<T: DeserializeOwned>(&self) -> anyhow::Result<Vec<(u64, T)>> {
        let mut shards = Vec::new();
        for index in 0..self.shards {
            let Some(part) = self.read(index)? else { bail!("shard {index} was removed") };
            if !part.shard.is_null() {
                let shard = serde_json::from_value(part.shard);
                shards.push((index, shard.with_context(|| self.damaged(index))?));
            }
        }
        Ok(shards)
    }

    fn damaged(&self, index: u64) -> String {
        format!("{}: expected a shard\nhint: remove it, and play it again", self.file(index).display())
    }

    fn again(&self, index: u64) -> String {
        let folder = self.folder.display().to_string();
        let words = [
            "shard",
            "run",
            &folder,
            "--shards",
            &self.shards.to_string(),
            "--index",
            &index.to_string(),
            "--",
        ]
        .map(str::to_owned);
        quoted(words.into_iter().chain(self.command.iter().cloned()))
    }

    fn merge(&self) -> String {
        let words = ["shard", "merge", &self.folder.display().to_string(), "--out", "DIR"].map(str::to_owned);
        quoted(words)
    }
}

fn read(path: &Path) -> anyhow::Result<Part> {
    let wrong = || format!("{}: expected a shard\nhint: remove it, and play it again", path.display());
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!("{} was removed", path.display()),
        read => read.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let part: Part = serde_json::from_slice(&bytes).with_context(wrong)?;
    if part.format != FORMAT {
        bail!("{}: expected a shard of format {FORMAT}, found {}", path.display(), part.format);
    }
    Ok(part)
}
