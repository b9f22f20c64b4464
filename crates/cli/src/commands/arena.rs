//! Common parts of `match`, `tournament` and `rank`: flags, launching, playing, printing.

use std::path::Path;

use anyhow::bail;
use meeple_arena::{
    ArenaError, Bots, DATABASE, Failed, RecordStore, Request, RunEnd, RunOptions, Standings, TournamentPlan,
    launch, ranking, report, run, schedule::Kind, sprt::SprtVerdict, write_results,
};
use meeple_bothost::{Sandbox, SandboxLevel};

use crate::args::ArenaArgs;
use crate::failure::usage;
use crate::interrupt::Interrupt;
use crate::sandbox::choose;
use crate::settings::{given_command, quoted, settings};
use crate::terminal;
use crate::watch::Bar;

pub fn apply(args: &ArenaArgs, request: &mut Request) -> anyhow::Result<()> {
    // Flags override the file.
    let set = settings(&args.variant)?;
    request.set.retain(|(name, _)| set.iter().all(|(given, _)| given != name));
    request.set.extend(set);
    let faults = &mut request.faults;
    let clock = &mut faults.clock;
    clock.bank_ms = args.bank_ms.unwrap_or(clock.bank_ms);
    clock.increment_ms = args.increment_ms.unwrap_or(clock.increment_ms);
    if let Some(move_ms) = args.move_ms {
        clock.move_ms = Some(move_ms).filter(|ms| *ms > 0);
    }
    args.limits.apply(&mut request.limits)?;
    faults.on_fault = args.on_fault.unwrap_or(faults.on_fault);
    request.strikes = args.strikes.or(request.strikes);
    let ban = &mut request.ban;
    ban.mean_ms = args.ban_ms.or(ban.mean_ms);
    ban.faulted_episodes = args.ban_after.or(ban.faulted_episodes);
    ban.waiting_ms = args.ban_wait.or(ban.waiting_ms);
    check_jobs(args.jobs)?;
    request.original |= args.original;
    request.deals = args.deals.or(request.deals);
    request.rotations = args.rotations.or(request.rotations);
    request.seed = args.seed.or(request.seed);
    request.anchor = args.anchor.clone().or(request.anchor.take());
    request.resamples = args.resamples.unwrap_or(request.resamples);
    if let Some(level) = &args.sandbox {
        if level != AUTO {
            level
                .parse::<SandboxLevel>()
                .map_err(|reason| usage(format!("--sandbox: {reason}, or {AUTO}")))?;
        }
        request.sandbox.clone_from(level);
    }
    request.order = args.order.or(request.order);
    request.replays = args.replays.or(request.replays);
    Ok(())
}

/// The plan of a request. A missing seed is drawn, and then printed and stored in the request.
pub fn plan(request: &mut Request, args: &ArenaArgs) -> anyhow::Result<TournamentPlan> {
    let plan = request.plan()?;
    let seed = plan.schedule.seed;
    if request.seed.replace(seed).is_none() {
        let again = match &args.out {
            Some(directory) => format!("it is kept in {}", directory.join(DATABASE).display()),
            None => "with --seed it gives the same deals again".to_owned(),
        };
        let secret = "\nmeeple: keep it secret until the end: it reveals every deal";
        terminal::tell(format_args!(
            "meeple: drew the seed {seed}; {again}{}",
            if plan.is_native() { "" } else { secret }
        ));
    } else if seed.is_guessable() && !plan.is_native() {
        terminal::tell(format_args!(
            "warning: the seed {seed} can be guessed: a bot that tries small numbers knows every deal \
             (hint: without --seed a secret one is drawn)"
        ));
    }
    Ok(plan)
}

const AUTO: &str = "auto";

/// Checks that parallel episodes number from 1 to the machine's cores. With more of them, bots would wait for
/// each other.
fn check_jobs(jobs: usize) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if (1..=cores).contains(&jobs) {
        return Ok(());
    }
    Err(usage(format!(
        "--jobs: expected 1 to {cores}, as this machine has cores, found {jobs}\nhint: bots that share a core would lose time to each other"
    )))
}

/// The requested sandbox, tested on this machine. Prints a warning if it is weak.
pub fn sandbox(asked: &str, args: &ArenaArgs) -> anyhow::Result<Sandbox> {
    choose(Some(asked).filter(|level| *level != AUTO), args.python.as_deref())
}

/// The sandbox for a plan's bots. If deals recur, the bots' readable files are kept in memory, so that the
/// page cache tells nothing of earlier plays.
fn sandbox_of(plan: &TournamentPlan, args: &ArenaArgs) -> anyhow::Result<Sandbox> {
    let sandbox = sandbox(&plan.sandbox, args)?;
    Ok(if plan.schedule.repeats_deals() { sandbox.with_files_in_memory() } else { sandbox })
}

/// Plays a new tournament, in a directory or in memory, and prints its standings.
pub fn play_new(
    mut plan: TournamentPlan,
    bots: Option<Bots>,
    args: &ArenaArgs,
    interrupt: &Interrupt,
) -> anyhow::Result<Standings> {
    let bots = match bots {
        Some(bots) => bots,
        None if plan.is_native() => Bots::none(),
        None => {
            let shut_in = sandbox_of(&plan, args)?;
            interrupt.outlive(launch_all(&plan, &shut_in, args))?
        }
    };
    bots.sign(&mut plan.competitors);
    // The printed command contains the seed, so that it gives the same deals.
    let mut command = given_command();
    if args.seed.is_none() {
        command.push_str(&format!(" --seed {}", plan.schedule.seed));
    }
    let store = match &args.out {
        Some(directory) => RecordStore::create(directory, &plan, &command)?,
        None => RecordStore::in_memory(&plan, &command)?,
    };
    play(&plan, store, bots, args, args.out.as_deref(), interrupt)
}

/// Plays a new tournament among the competitors that start. All results also name those that do not, with the
/// reason; `left_out` are further ones, known before. Under the rules of the original, players keep the
/// numbers that they had before the failures.
pub fn play_who_starts(
    mut request: Request,
    plan: TournamentPlan,
    left_out: Vec<Failed>,
    args: &ArenaArgs,
    interrupt: &Interrupt,
) -> anyhow::Result<Standings> {
    let shut_in = sandbox_of(&plan, args)?;
    let (mut bots, mut numbers, mut failed) = (Vec::new(), Vec::new(), left_out);
    for (number, competitor) in (1..).zip(&plan.competitors) {
        match interrupt.outlive(launch(competitor, &shut_in, &plan.limits)) {
            Ok(bot) => {
                bots.push(bot);
                numbers.push(number);
            }
            Err(error) => {
                terminal::warn(&format!("{} does not play: {error}", competitor.name));
                let (name, run) = (competitor.name.clone(), competitor.run.clone());
                failed.push(Failed { name, run, number: Some(number), reason: error.to_string() });
            }
        }
    }
    let mut plan = plan;
    if numbers.len() < plan.competitors.len() {
        let mut number = 1..;
        request.competitors.retain(|_| number.next().is_some_and(|number| numbers.contains(&number)));
        plan = request.plan()?;
    }
    plan.failed = failed;
    if plan.original {
        plan.competitors.iter_mut().zip(numbers).for_each(|(own, number)| own.number = Some(number));
    }
    let bots = Bots::new(bots, shut_in.recorded(&plan.limits));
    let bots = interrupt.outlive(launch_more(&plan, bots, &shut_in, args.jobs))?;
    play_new(plan, Some(bots), args, interrupt)
}

/// Launches every bot of a plan once for each parallel episode.
fn launch_all(plan: &TournamentPlan, shut_in: &Sandbox, args: &ArenaArgs) -> anyhow::Result<Bots> {
    let bots = Bots::launch(&plan.competitors, shut_in, &plan.limits)?;
    launch_more(plan, bots, shut_in, args.jobs)
}

/// Launches every bot again for each parallel episode beyond the first.
fn launch_more(
    plan: &TournamentPlan,
    mut bots: Bots,
    shut_in: &Sandbox,
    jobs: usize,
) -> anyhow::Result<Bots> {
    for _ in 1..jobs {
        if !plan.is_native() {
            bots.join(Bots::launch(&plan.competitors, shut_in, &plan.limits)?)?;
        }
    }
    Ok(bots)
}

pub fn resume(directory: &Path, args: &ArenaArgs) -> anyhow::Result<Standings> {
    check_jobs(args.jobs)?;
    let interrupt = Interrupt::new(&format!("go on with:\n  {}", resume_command(directory)))?;
    let store = RecordStore::open(directory)?;
    let plan = store.plan()?;
    let played = store.next() >= plan.schedule.episodes();
    let done = played && !(plan.original && ranking::is_open(&plan, directory));
    let bots = if plan.is_native() || done {
        Bots::none()
    } else {
        // The interrupted episode is played again, so bots may have seen its deal.
        let shut_in = sandbox(&plan.sandbox, args)?.with_files_in_memory();
        let bots = interrupt.outlive(launch_all(&plan, &shut_in, args))?;
        bots.check(&plan.competitors)?;
        bots
    };
    play(&plan, store, bots, args, Some(directory), &interrupt)
}

fn play(
    plan: &TournamentPlan,
    mut store: RecordStore,
    mut bots: Bots,
    args: &ArenaArgs,
    directory: Option<&Path>,
    interrupt: &Interrupt,
) -> anyhow::Result<Standings> {
    let stop = interrupt.playing(match directory {
        Some(directory) => format!("what was played is kept; go on with:\n  {}", resume_command(directory)),
        None => "without --out nothing is kept".to_owned(),
    });
    let mut bar = Bar::new(args.quiet);
    let mut options = RunOptions { threads: args.threads, progress: &mut bar, stop: &stop };
    let played = interrupt.outlive(play_out(plan, &mut store, &mut bots, directory, &mut options));
    bar.finish();
    let end = played.map_err(|error| hint_to_resume(error, directory))?;
    conclude(plan, store, end, args, directory)
}

pub fn conclude(
    plan: &TournamentPlan,
    store: RecordStore,
    end: RunEnd,
    args: &ArenaArgs,
    directory: Option<&Path>,
) -> anyhow::Result<Standings> {
    let (standings, times) = write_results(plan, &store, directory, args.threads)?;
    store.close()?;
    print(&standings, &times, args)?;
    match (end, directory) {
        // The error marks these standings as preliminary.
        (RunEnd::Stopped, _) => {
            let rest = match directory {
                Some(directory) => format!("go on with:\n  {}", resume_command(directory)),
                None => "without --out they are gone".to_owned(),
            };
            bail!("stopped after {} of {} episodes; {rest}", standings.episodes, standings.planned)
        }
        (RunEnd::Complete | RunEnd::Decided(_), Some(directory)) => {
            terminal::tell(format_args!("meeple: wrote {}", directory.join("report.html").display()));
        }
        (RunEnd::Complete | RunEnd::Decided(_), None) => {}
    }
    debug_assert_ne!(end, RunEnd::Decided(SprtVerdict::Open), "a decision is none of the open kind");
    Ok(standings)
}

/// Plays the missing episodes; under the rules of the original, the tie-break games too.
fn play_out(
    plan: &TournamentPlan,
    store: &mut RecordStore,
    bots: &mut Bots,
    directory: Option<&Path>,
    options: &mut RunOptions<'_>,
) -> Result<RunEnd, ArenaError> {
    let end = run(plan, store, bots, options)?;
    if !plan.original || end == RunEnd::Stopped {
        return Ok(end);
    }
    let ranking = ranking::finish(plan, store, bots, directory, options)?;
    let stopped = ranking.is_none() && plan.schedule.kind != Kind::Alone;
    Ok(if stopped { RunEnd::Stopped } else { end })
}

fn resume_command(directory: &Path) -> String {
    quoted(["tournament".into(), "--resume".into(), directory.display().to_string()])
}

fn hint_to_resume(error: ArenaError, directory: Option<&Path>) -> anyhow::Error {
    match directory {
        Some(directory) => anyhow::anyhow!(
            "{error}\nhint: what was played is kept; go on with: {}",
            resume_command(directory)
        ),
        None => error.into(),
    }
}

fn print(
    standings: &Standings,
    times: &meeple_arena::CompetitorTimes,
    args: &ArenaArgs,
) -> anyhow::Result<()> {
    if args.json {
        terminal::print(&standings.to_json())
    } else if args.csv {
        terminal::print(&report::csv(standings))
    } else {
        terminal::print(&report::tables(standings, times, terminal::width()))
    }
}
