//! `meeple match`: all players at one table, with an optional sequential test.

use meeple_arena::{RecordStore, Request, SprtMatch, schedule::Kind};

use meeple_games::parse_game;

use crate::args::MatchArgs;
use crate::commands::arena::{apply, plan, play_new};
use crate::commands::simulator;
use crate::failure::usage;
use crate::interrupt::{Interrupt, NOTHING_PLAYED};
use crate::terminal;

/// Number of deals with a sequential test if `--deals` is missing; the test usually decides earlier.
const MAX_DEALS: u64 = 100_000;

pub fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let mut request = Request::new(&args.game);
    let bots = match args.adapter {
        Some(simulator) => {
            simulator::check(simulator, &args.game)?;
            simulator::bots(simulator, &args.bots)?
        }
        None => {
            simulator::refuse_copies(&args.game, &args.bots)?;
            args.bots.clone()
        }
    };
    for word in &bots {
        request.add(word);
    }
    request.schedule = Some(if bots.len() == 1 { Kind::Alone } else { Kind::Single });
    apply(&args.arena, &mut request)?;
    if let Some(simulator) = args.adapter {
        simulator::apply(simulator, &args.arena, &mut request);
    }
    if let Some(text) = &args.sprt {
        let wrong = || {
            usage(format!(
                "--sprt: expected LOW,HIGH, found '{text}'\nhint: as in --sprt=0,0.1 or --sprt=-0.1,0.1"
            ))
        };
        let (low, high) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| wrong());
        request.sprt = Some(SprtMatch {
            low: number(low)?,
            high: number(high)?,
            alpha: args.alpha,
            beta: args.beta,
            by: args.by,
        });
        request.deals = request.deals.or(Some(MAX_DEALS));
    }
    let plan = plan(&mut request, &args.arena)?;
    if let [only] = bots.as_slice() {
        let filler = parse_game(&args.game)?.entry.info().filler;
        let others = filler.map_or(String::new(), |filler| format!(" against the game's fillers ({filler})"));
        terminal::tell(format_args!(
            "meeple: {only} has no opponent, so it plays alone{others}, as with --schedule {}; name another for a match",
            Kind::Alone.name()
        ));
    }
    let interrupt = Interrupt::new(NOTHING_PLAYED)?;
    play_new(plan.clone(), None, &args.arena, &interrupt)?;
    match (args.adapter, &args.arena.out) {
        (Some(simulator), Some(directory)) => {
            simulator::write_files(simulator, &plan, &mut RecordStore::open(directory)?, directory)
        }
        _ => Ok(()),
    }
}
