//! `meeple learn`: training by a plan, and commands for trained players.

mod export;
mod gate;
mod people;
mod players;
mod respond;
mod table;
mod train;

use crate::args::{LearnArgs, LearnVerb};

pub fn run(args: &LearnArgs) -> anyhow::Result<()> {
    match (&args.verb, &args.train) {
        (Some(LearnVerb::Export(args)), _) => export::run(args),
        (Some(LearnVerb::Gate(args)), _) => gate::run(args),
        (Some(LearnVerb::Table(args)), _) => table::run(args),
        (Some(LearnVerb::Respond(args)), _) => respond::run(args),
        (None, Some(args)) => train::run(args, train::read_plan(&args.plan)?).map(drop),
        (None, None) => unreachable!("without a verb, what is needed to train is asked for"),
    }
}
