//! Training of a player by a plan.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use meeple_core::{AgentSpec, AnyEntry, param_text};
use meeple_games::{environment, parse_game};
use meeple_lab::{Progress, StopFlag, remove_leftovers};
use meeple_learn::{
    Checkpoint, GauntletResult, LearnError, LearningCurve, Training, TrainingPlan, play_gauntlet,
};
use serde_json::Value;

use super::people;
use super::players::read_network;
use crate::args::TrainArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::failure::usage;
use crate::replay_file::write_atomically;
use crate::settings::read_file;
use crate::terminal;
use crate::watch::Bar;

/// File of the network, in the form that agents read.
const NETWORK: &str = "net.safetensors";
/// File of the network with the state that resuming needs.
const TRAINING: &str = "training.safetensors";
/// Folder with a network of every evaluation, for `--keep-checkpoints`.
const CHECKPOINTS: &str = "checkpoints";
const CURVE: &str = "curve.csv";
const PLOT: &str = "curve.svg";

pub fn read_plan(path: &Path) -> anyhow::Result<TrainingPlan> {
    let text = read_file(&path.to_string_lossy())?;
    TrainingPlan::parse(&text).map_err(|error| usage(format!("{}: {error}", path.display())))
}

/// The folder of a training: that of `--out`, or one in the current directory with the plan's name.
fn folder(args: &TrainArgs) -> anyhow::Result<PathBuf> {
    if let Some(out) = &args.out {
        return Ok(out.clone());
    }
    let stem = args.plan.file_stem().unwrap_or(args.plan.as_os_str());
    let out = PathBuf::from(stem);
    if out.exists() && !out.join(TRAINING).exists() {
        bail!(usage(format!(
            "expected no {} here but that of this training, found one\nhint: -o names another folder",
            out.display()
        )));
    }
    Ok(out)
}

/// The settings to continue a training with. Parameters that are newer than its stored plan are added to it.
fn continued(entry: &dyn AnyEntry, given: &[(String, String)], plan: &mut Value) -> BTreeMap<String, String> {
    let stored = plan["set"].as_object().into_iter().flatten();
    let stored: Vec<(String, String)> =
        stored.map(|(name, value)| (name.clone(), param_text(value))).collect();
    let complete = entry.settings_of_stored(&stored, &Value::Null).into_iter();
    plan["set"] = complete.map(|(name, value)| (name, Value::String(value))).collect();
    entry.settings_of_stored(given, &plan["set"]).into_iter().collect()
}

/// Trains by the plan, and returns the last evaluations. If all rounds are done already, they come from the
/// stored curve.
pub fn run(args: &TrainArgs, mut plan: TrainingPlan) -> anyhow::Result<Vec<GauntletResult>> {
    let out = folder(args)?;
    let name = parse_game(&args.game)?;
    let file = |name: &str| out.join(name);
    let mut earlier = match (file(TRAINING).exists(), args.resume) {
        (true, false) => bail!(usage(format!(
            "{} holds a training already\nhint: --resume goes on with it, or name another folder",
            out.display()
        ))),
        (true, true) => Some(read_network(&file(TRAINING))?),
        (false, _) => None,
    };
    let given: Vec<(String, String)> = plan.set.clone().into_iter().collect();
    plan.set = match &mut earlier {
        None => {
            let variant = name.entry.set_up(name.preset, &given, plan.seats)?.variant();
            name.entry.settings_to_store(&variant, given).into_iter().collect()
        }
        Some(earlier) => continued(name.entry, &given, &mut earlier.about.plan),
    };
    let set: Vec<(String, String)> = plan.set.clone().into_iter().collect();
    let game = name.entry.set_up(name.preset, &set, plan.seats)?;
    // Opponents are checked first, because a training may take hours.
    for opponent in &plan.gauntlet {
        game.check_line_up(&vec![AgentSpec::parse(opponent); game.seats()])?;
    }
    let mut environment = environment(&*game)?;
    if !plan.replays.is_empty() {
        let folder = args.plan.parent().unwrap_or(Path::new(""));
        let games = people::read_all(folder, &plan.replays)?;
        environment.set_replays(&games)?;
        terminal::tell(format_args!("meeple: also learns from {}", people::counted(games.len())));
    }
    let mut training = match earlier {
        Some(earlier) => Training::resume(&*environment, plan, earlier)?,
        None => Training::new(&*environment, plan)?,
    };
    std::fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    remove_leftovers(&out);
    remove_leftovers(&file(CHECKPOINTS));
    let mut curve = match std::fs::read_to_string(file(CURVE)) {
        Ok(curve) if args.resume => LearningCurve::from_csv(&curve, training.round()),
        _ => LearningCurve::default(),
    };
    if training.round() == training.plan().rounds {
        terminal::tell(format_args!("meeple: {} has learned all {} rounds", out.display(), training.round()));
        return Ok(curve.last());
    }
    let stop = stop_on_interrupt()?;
    let mut bar = Bar::of("rounds", args.quiet);
    let mut shown = String::new();
    let rounds = training.plan().rounds;
    bar.update(training.round().into(), rounds.into(), "");
    let mut failed = None;
    let ended = training.run(args.threads, &stop, |training, round| {
        let last = round.round == rounds || stop.is_stopped();
        if last || round.round % training.plan().examine_every == 0 {
            let mut kept = || -> anyhow::Result<()> {
                let learned = training.checkpoint();
                let network = Checkpoint { pending: None, ..learned.clone() };
                write_atomically(&file(NETWORK), &network.to_bytes())?;
                if args.keep_checkpoints {
                    let folder = file(CHECKPOINTS);
                    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
                    let kept = folder.join(format!("net-{:06}.safetensors", round.round));
                    write_atomically(&kept, &network.to_bytes())?;
                }
                let examined = play_gauntlet(
                    &*game,
                    training.plan(),
                    &file(NETWORK),
                    round.round,
                    args.threads,
                    &StopFlag::new(),
                )?;
                curve.0.extend(examined.iter().cloned());
                write_atomically(&file(CURVE), curve.to_csv().as_bytes())?;
                if !curve.0.is_empty() {
                    let plot = curve.plot(&title(&args.game, &learned))?;
                    write_atomically(&file(PLOT), plot.to_svg().as_bytes())?;
                }
                // This file is written last, so that a resumed run finds the other files complete.
                write_atomically(&file(TRAINING), &learned.to_bytes())?;
                shown = results_text(&examined);
                if !args.quiet {
                    bar.say(&format!("round {}: {shown}", round.round));
                }
                Ok(())
            };
            if let Err(error) = kept() {
                failed = Some(error);
                return Ok(false);
            }
        }
        bar.update(round.round.into(), rounds.into(), &format!("error {:.3}  {shown}", round.error));
        Ok::<bool, LearnError>(true)
    });
    bar.finish();
    failed.map_or(Ok(()), Err)?;
    ended?;
    let network = file(NETWORK);
    terminal::print(&format!("{shown}\n"))?;
    if let Some(people) = training.checkpoint().about.people {
        let (games, all) = (people::counted(people.games), training.checkpoint().about.episodes);
        terminal::print(&format!("learned from {games} in {} of {all} episodes\n", people.episodes))?;
    }
    terminal::tell(format_args!("meeple: wrote {}; play it as net:{}", out.display(), network.display()));
    if training.round() < rounds {
        bail!(
            "stopped after {} of {rounds} rounds\nhint: the same command with --resume goes on",
            training.round()
        );
    }
    Ok(curve.last())
}

fn title(game: &str, learned: &Checkpoint) -> String {
    match &learned.about.people {
        None => game.to_owned(),
        Some(people) => format!("{game}, with {}", people::counted(people.games)),
    }
}

fn results_text(examined: &[GauntletResult]) -> String {
    let one = |one: &GauntletResult| match one.against.as_str() {
        "" => format!("score {:.2} ± {:.2}", one.score, one.score_half),
        against => format!(
            "{:.1} % [{:.1}, {:.1}] against {against}",
            one.share * 100.0,
            one.share_low * 100.0,
            one.share_high * 100.0
        ),
    };
    examined.iter().map(one).collect::<Vec<_>>().join(", ")
}
