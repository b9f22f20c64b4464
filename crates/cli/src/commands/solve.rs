//! `meeple solve`: equilibria of small games.

use std::fmt::Write;
use std::ops::ControlFlow;

use anyhow::bail;
use meeple_core::{AnyGame, Domain, ParamSpec};
use meeple_games::{GameName, estimate_histories, parse_game, unroll};
use meeple_lab::text::grouped;
use meeple_lab::{Grid, Progress, StopFlag, table, texts};
use meeple_solve::{Objective, Settings, Size, Solution, SolveError, Unrolled, solve};
use serde_json::{Value, json};

use crate::args::SolveArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::failure::usage;
use crate::replay_file::{check_new_file, write_atomically};
use crate::settings::{settings, value_text};
use crate::terminal;
use crate::watch::{Bar, busy};

/// Maximal number of settings in a hint.
const MAX_SETTINGS: usize = 6;

pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    let set = settings(&args.variant)?;
    let game = name.entry.set_up(name.preset, &set, args.seats)?;
    if args.iterations == 0 {
        return Err(SolveError::NoIterations.into());
    }
    if let Some(path) = &args.out {
        check_new_file(path, args.force)?;
    }
    let stop = stop_on_interrupt()?;
    let unrolled = match grow(args, &*game, &stop) {
        Err(error @ (SolveError::TooLarge { .. } | SolveError::TooLong { .. })) => {
            let hint = smaller(name, &set, args)
                .unwrap_or_else(|| "other settings make it smaller; meeple games GAME lists them".to_owned());
            return Err(usage(format!("{}: {error}\nhint: {hint}", args.game)));
        }
        Err(error @ SolveError::Draws { .. }) => {
            let hint = "other settings may have fewer outcomes; meeple games GAME lists them";
            return Err(usage(format!("{error}\nhint: {hint}")));
        }
        grown => grown?,
    };
    let size = unrolled.tree().size();
    if !args.quiet {
        terminal::tell(format_args!("meeple: {}: {}", args.game, size_text(&size)));
    }
    let mut bar = Bar::of("iterations", args.quiet);
    bar.update(0, args.iterations, "");
    let mut reported = 0;
    let plan = Settings { iterations: args.iterations, seed: args.seed };
    let solution = solve(unrolled.tree(), &plan, |done, curve| {
        bar.update(done, args.iterations, "");
        if !args.quiet {
            for milestone in &curve[reported..] {
                let iterations = grouped(milestone.iterations);
                bar.say(&format!("{iterations} iterations: NashConv {}", decimals(milestone.nash_conv)));
            }
        }
        reported = curve.len();
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    bar.finish();
    let head = summary(args, &*game, &size, &solution);
    if args.json {
        terminal::print_json(&head)?;
    } else {
        terminal::print(&solution_text(args, &size, &solution)?)?;
    }
    if let Some(path) = &args.out {
        write_atomically(path, strategy_file(&head, &*unrolled, &solution)?.as_bytes())?;
        terminal::tell(format_args!("meeple: wrote {}", path.display()));
    }
    if solution.iterations < args.iterations {
        bail!("stopped after {} of {} iterations", solution.iterations, args.iterations);
    }
    Ok(())
}

fn grow(args: &SolveArgs, game: &dyn AnyGame, stop: &StopFlag) -> Result<Box<dyn Unrolled>, SolveError> {
    let sign = (!args.quiet).then(|| busy("unrolls the game"));
    let grown = unroll(game, args.pay_off, args.histories, &mut |histories| {
        if let Some(sign) = &sign {
            // The number is 0 until all histories are counted; only then are they unrolled.
            let what = match histories {
                0 => "counts histories".to_owned(),
                some => format!("{} histories unrolled", grouped(some as u64)),
            };
            sign.set_message(what);
        }
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let Some(sign) = sign {
        sign.finish_and_clear();
    }
    grown
}

/// A hint with settings that make the game small enough, or at least smaller. Settings are chosen greedily,
/// the most effective first. `None` if no setting reduces the estimate.
fn smaller(name: GameName<'_>, set: &[(String, String)], args: &SolveArgs) -> Option<String> {
    let size = |set: &[(String, String)]| -> f64 {
        let game = name.entry.set_up(name.preset, set, args.seats);
        game.ok().and_then(|game| estimate_histories(&*game).ok()).unwrap_or(f64::INFINITY)
    };
    let mut all = set.to_vec();
    let (mut left, before) = (size(&all), all.len());
    while left > args.histories as f64 && all.len() < before + MAX_SETTINGS {
        let values = name.entry.variant(name.preset, &all).ok()?;
        let given = |spec: &ParamSpec| all.iter().any(|(key, _)| key == spec.name);
        let tries = name.entry.params().into_iter().filter(|spec| !given(spec)).filter_map(|spec| {
            let least = least(&spec.domain, &values[spec.name])?;
            let mut with = all.clone();
            with.push((spec.name.to_owned(), least));
            Some((size(&with), with))
        });
        let (best, with) = tries.min_by(|one, other| one.0.total_cmp(&other.0))?;
        if best >= left {
            break;
        }
        (left, all) = (best, with);
    }
    let words: Vec<String> = all[before..]
        .iter()
        .map(|(key, value)| format!("--set {}", shell(&format!("{key}={value}"))))
        .collect();
    let so = if left.is_finite() { format!("about {left:.0e} histories") } else { return None };
    (!words.is_empty()).then(|| format!("{} leaves {so}", words.join(" ")))
}

fn shell(text: &str) -> String {
    meeple_bothost::quoted([text.to_owned()])
}

/// The smallest useful value of a parameter: the lowest number from 1 up, or the shortest list of at least
/// one item. `None` if the current value is as small, or if the domain is neither of numbers nor of lists.
fn least(domain: &Domain, now: &Value) -> Option<String> {
    match domain {
        Domain::Int { min, .. } => (now.as_i64() > Some(*min)).then(|| min.max(&1).to_string()),
        Domain::IntList { fewest, .. } => {
            let items = now.as_array()?;
            let kept = (*fewest).max(1);
            (items.len() > kept).then(|| value_text(&Value::Array(items[..kept].to_vec())))
        }
        _ => None,
    }
}

fn size_text(size: &Size) -> String {
    let sets: Vec<String> = size.information_sets.iter().map(|sets| grouped(*sets as u64)).collect();
    format!(
        "{} histories, {} of them ends; information sets by seat: {}; at most {} steps",
        grouped(size.histories as u64),
        grouped(size.ends as u64),
        sets.join(", "),
        size.steps
    )
}

fn summary(args: &SolveArgs, game: &dyn AnyGame, size: &Size, solution: &Solution) -> Value {
    let seat = |(seat, (value, regret)): (usize, (&f64, &f64))| json!({ "seat": seat, "value": value, "could_gain": regret });
    json!({
        "format": 1,
        "game": game.info().id,
        "variant": game.variant(),
        "pay_off": args.pay_off,
        "seed": args.seed,
        "size": size,
        "iterations": solution.iterations,
        "nash_conv": solution.nash_conv(),
        "seats": solution.values.iter().zip(&solution.regrets).enumerate().map(seat).collect::<Vec<_>>(),
        "curve": solution.curve,
    })
}

fn solution_text(args: &SolveArgs, size: &Size, solution: &Solution) -> anyhow::Result<String> {
    let gain = match args.pay_off {
        Objective::Win => "the share of the win",
        Objective::Score => "the score above the mean of the table",
        Objective::Own => "the own score",
    };
    let mut text = format!("{}: {}\n", args.game, size_text(size));
    let row = |(seat, (value, regret)): (usize, (&f64, &f64))| {
        vec![seat.to_string(), decimals(*value), decimals(*regret)]
    };
    let rows = solution.values.iter().zip(&solution.regrets).enumerate().map(row);
    let grid = Grid::new("", texts(["seat", "value", "could gain"]), rows, 0);
    let title = format!("Mean gain of each seat ({gain}), and its further gain by a best response");
    write!(text, "\n{title}\n{}", table::print(&grid, terminal::width()))?;
    let rows = solution.curve.iter();
    let rows = rows.map(|point| vec![grouped(point.iterations), decimals(point.nash_conv)]);
    let grid = Grid::new("", texts(["iterations", "NashConv"]), rows, 0);
    let title = "NashConv: the sum of all further gains; 0 in an equilibrium";
    write!(text, "\n{title}\n{}", table::print(&grid, terminal::width()))?;
    if solution.values.len() > 2 || (args.pay_off == Objective::Own && solution.values.len() == 2) {
        text.push_str(
            "\nWith more than two seats, or gains without a constant sum, NashConv need not \
                       converge to 0.\n",
        );
    }
    Ok(text)
}

/// Six decimals; tiny negative numbers, from rounding, become 0.
fn decimals(number: f64) -> String {
    let text = format!("{number:.6}");
    if text == "-0.000000" { text[1..].to_owned() } else { text }
}

/// The strategy file: a head with the results, and a line per information set.
fn strategy_file(head: &Value, unrolled: &dyn Unrolled, solution: &Solution) -> anyhow::Result<String> {
    let head = serde_json::to_string_pretty(head)?;
    let mut text = head.trim_end_matches(['\n', '}']).trim_end().to_owned();
    text.push_str(",\n  \"strategies\": [");
    let tree = unrolled.tree();
    for set in 0..tree.sets() {
        let situation = unrolled.situation(set);
        let actions: Vec<Value> = situation.actions.iter().map(|action| json!(action)).collect();
        let after = situation.after.map(|(set, action)| json!({ "set": set, "action": action }));
        let line = json!({
            "set": set,
            "seat": situation.seat,
            "after": after,
            "sees": situation.sees,
            "actions": actions,
            "probabilities": solution.profile.at(tree, set),
        });
        write!(text, "{}\n    {line}", if set == 0 { "" } else { "," })?;
    }
    text.push_str("\n  ]\n}\n");
    Ok(text)
}
