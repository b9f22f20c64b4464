//! `meeple learn respond`: a lower bound on a player's exploitability.

use super::players::player;
use super::train;
use crate::args::RespondArgs;
use crate::failure::usage;
use crate::terminal;

pub fn run(args: &RespondArgs) -> anyhow::Result<()> {
    let mut plan = train::read_plan(&args.train.plan)?;
    if plan.seats < 2 {
        return Err(usage(format!(
            "{}: expected two or more seats, found {}\nhint: exploiting a player takes an opponent",
            args.train.plan.display(),
            plan.seats
        )));
    }
    // The fixed player takes all other seats, in training and in evaluations. At least one evaluation takes
    // place.
    let opponent = player(&args.to).to_string();
    plan.self_play = 0.0;
    plan.opponents = vec![opponent.clone()];
    plan.gauntlet = vec![opponent];
    plan.examine_every = plan.rounds.min(plan.examine_every);
    let even = 1.0 / plan.seats as f64;
    for examined in train::run(&args.train, plan)? {
        let bound = (examined.share_low - even).max(0.0);
        terminal::print(&format!(
            "{} can be exploited for at least {:.1} percentage points of the win: the response has {:.1} % \
             [{:.1}, {:.1}], {:.1} % would be even\n",
            args.to,
            100.0 * bound,
            100.0 * examined.share,
            100.0 * examined.share_low,
            100.0 * examined.share_high,
            100.0 * even
        ))?;
    }
    Ok(())
}
