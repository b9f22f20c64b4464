//! `meeple learn gate`: test of a candidate against the champion.

use anyhow::bail;
use meeple_lab::sprt::SprtVerdict;
use meeple_learn::{ChampionGate, GateResult, MIN_FORMER_LOW, TEST};
use serde_json::json;

use super::players::{game, ground, groups, player, share_text};
use crate::args::GateArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::terminal;

pub fn run(args: &GateArgs) -> anyhow::Result<()> {
    let game = game(&args.game, &args.candidate, &args.ground)?;
    let gate = ChampionGate {
        candidate: player(&args.candidate),
        champion: player(&args.champion),
        former: args.former.iter().map(|former| player(former)).collect(),
        groups: groups(args.episodes, &*game),
    };
    // Players are checked before minutes of games.
    for player in std::iter::once(&gate.champion).chain(&gate.former) {
        game.check_line_up(&vec![player.clone(); game.seats()])?;
    }
    let stop = stop_on_interrupt()?;
    let Some(gated) = gate.play(&ground(&*game, &args.ground), &stop)? else {
        bail!("stopped before the test was decided\nhint: the same command starts again from the beginning")
    };
    if args.ground.json {
        terminal::print_json(&json!({
            "format": 1, "game": args.game, "seats": game.seats(), "seed": args.ground.seed, "candidate": args.candidate,
            "against": args.champion, "earlier": args.former, "result": gated,
        }))?;
    } else {
        terminal::print(&in_words(&gated, args))?;
    }
    if !gated.passed {
        bail!("{}: not the new champion", args.candidate);
    }
    Ok(())
}

fn in_words(gated: &GateResult, args: &GateArgs) -> String {
    let [low, high] = [TEST.low, TEST.high].map(|share| 100.0 * share);
    let verdict = match gated.verdict {
        SprtVerdict::High => format!("more than {low:.0} %, by the test"),
        SprtVerdict::Low => format!("not {high:.0} %, by the test"),
        SprtVerdict::Open => "undecided: more games may decide".to_owned(),
    };
    let mut text =
        format!("against the champion {}: {}: {verdict}\n", args.champion, share_text(&gated.champion));
    for (former, met) in args.former.iter().zip(&gated.former) {
        let lost = met.share < 0.5 || met.interval[0] < MIN_FORMER_LOW;
        let verdict = if lost { "may be lost" } else { "not lost" };
        text.push_str(&format!("against the former {former}: {}: {verdict}\n", share_text(met)));
    }
    if gated.passed {
        text.push_str(&format!("{} is the new champion\n", args.candidate));
    }
    text
}
