//! `meeple tune`: parameters of an agent, tuned by results.

use std::fmt::Write;

use anyhow::bail;
use meeple_core::AgentSpec;
use meeple_games::parse_game;
use meeple_lab::Progress;
use meeple_learn::{FitnessEstimate, Tuning, TuningMethod, TuningResult, tune};

use crate::args::TuneArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::settings::settings;
use crate::terminal;
use crate::watch::Bar;

pub fn run(args: &TuneArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    let game = name.entry.set_up(name.preset, &settings(&args.variant)?, args.seats)?;
    let (generations, episodes, noun) = match args.method {
        TuningMethod::Cma => (30, 400, "generation"),
        TuningMethod::Ntbea => (300, 40, "candidate"),
    };
    let generations = args.generations.unwrap_or(generations);
    let tuning = Tuning {
        agent: AgentSpec::parse(&args.agent),
        method: args.method,
        only: args.only.clone(),
        against: args.against.clone(),
        generations,
        episodes: args.episodes.unwrap_or(episodes),
        final_episodes: args.final_episodes,
        seed: args.seed,
        threads: args.threads,
    };
    let stop = stop_on_interrupt()?;
    let mut bar = Bar::of(&format!("{noun}s"), args.quiet);
    bar.update(0, generations.into(), "");
    let alone = game.seats() == 1;
    let tuned = tune(name.entry, &*game, &tuning, &stop, |done, mean, agent| {
        bar.update(done.into(), generations.into(), "");
        if !args.quiet {
            let mean = if alone { format!("{mean:.2}") } else { format!("{:.1} %", 100.0 * mean) };
            bar.say(&match args.method {
                TuningMethod::Cma => format!("generation {done}: {mean} in the mean, around {agent}"),
                TuningMethod::Ntbea => format!("candidate {done}: {mean}; the best so far {agent}"),
            });
        }
    });
    bar.finish();
    let tuned = tuned?;
    terminal::print(&result_text(&tuned, alone)?)?;
    if tuned.generations < generations {
        bail!("stopped after {} of {generations} {noun}s", tuned.generations);
    }
    Ok(())
}

fn result_text(tuned: &TuningResult, alone: bool) -> Result<String, std::fmt::Error> {
    let worth = |worth: &FitnessEstimate| match alone {
        true => format!("{:.2} [{:.2}, {:.2}]", worth.mean, worth.low, worth.high),
        false => format!("{:.1} % [{:.1}, {:.1}]", 100.0 * worth.mean, 100.0 * worth.low, 100.0 * worth.high),
    };
    let mut text = format!("{}\n", tuned.agent);
    for (against, now, before) in &tuned.compared {
        let against = if alone { String::new() } else { format!(" against {against}") };
        writeln!(text, "{}{against}; it was {}", worth(now), worth(before))?;
    }
    Ok(text)
}
