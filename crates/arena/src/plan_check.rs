//! Checks of a plan's numbers and names, the same for new plans and for stored ones.
//!
//! A stored plan may come from a stranger. What is not checked here: limits are bounded when they are parsed,
//! clocks calculate with saturation, and [`TournamentPlan::set_up`] checks game, rules version, preset and
//! settings. The texts of `failed` and `rotations_reason` are only shown.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use meeple_core::is_hidden;
use meeple_games::find_game;

use crate::competition::Competition;
use crate::error::{ArenaError, plan_error};
use crate::plan::{Ban, Competitor, RatingPlan, TournamentPlan};
use crate::rating::PRIORS;
use crate::schedule::Kind;

const MAX_COMPETITORS: u16 = 4096;

const RESAMPLES: RangeInclusive<usize> = 50..=100_000;

/// Upper bound on the mean time per decision in a ban rule, in milliseconds.
const MAX_BAN_MS: f64 = 1e9;

/// Upper bound on the waiting time in a ban rule, in milliseconds: a year.
const MAX_WAITING_MS: u64 = 365 * 24 * 3_600_000;

/// Checks a plan.
///
/// # Errors
/// For the first number or name that is out of range.
pub(crate) fn check_plan(plan: &TournamentPlan) -> Result<(), ArenaError> {
    let (count, schedule) = (check_competitors(&plan.competitors)?, &plan.schedule);
    if schedule.competitors != count {
        return Err(plan_error(format!(
            "expected a schedule of {count} competitors, found one of {}",
            schedule.competitors
        )));
    }
    schedule.check().map_err(plan_error)?;
    check_ban(&plan.ban)?;
    check_rating(&plan.rating, count)?;
    if let Some(sprt) = &plan.sprt {
        sprt.check().map_err(|reason| plan_error(format!("sprt: {reason}")))?;
        if schedule.kind == Kind::Alone || count < 2 {
            return Err(plan_error("sprt: expected two competitors that meet, found none"));
        }
    }
    if plan.original { check_original(plan) } else { Ok(()) }
}

/// Checks the list of competitors and returns their number.
///
/// # Errors
/// If there are none or too many, or a name is invalid or there twice.
pub(crate) fn check_competitors(competitors: &[Competitor]) -> Result<u16, ArenaError> {
    if competitors.is_empty() {
        return Err(plan_error(
            "expected at least one competitor, found none\nhint: name agents or bots, as in turn:7 ./bot.py",
        ));
    }
    let mut names = BTreeMap::new();
    for Competitor { name, run, .. } in competitors {
        check_name(name)?;
        if let Some(other) = names.insert(name, run) {
            return Err(plan_error(format!(
                "expected every competitor once, found '{name}' twice: {other} and {run}\nhint: give one of them another name, as in second={run}"
            )));
        }
    }
    let count = u16::try_from(competitors.len()).ok().filter(|count| *count <= MAX_COMPETITORS);
    count.ok_or_else(|| {
        plan_error(format!("expected at most {MAX_COMPETITORS} competitors, found {}", competitors.len()))
    })
}

/// Checks a competitor's name.
///
/// # Errors
/// If it is empty, longer than 60 characters, or has characters not allowed in a
/// [`PublicName`](meeple_core::PublicName).
pub fn check_name(name: &str) -> Result<(), ArenaError> {
    if name.chars().any(is_hidden) {
        return Err(plan_error(format!(
            "expected a name of 1 to 60 letters that can be seen, found '{}'",
            name.escape_debug()
        )));
    }
    if name.is_empty() || name.chars().count() > 60 {
        return Err(plan_error(format!("expected a name of 1 to 60 letters, found '{name}'")));
    }
    Ok(())
}

fn check_ban(ban: &Ban) -> Result<(), ArenaError> {
    if !(0.0..=MAX_BAN_MS).contains(&ban.mean_ms) {
        return Err(plan_error(format!(
            "expected a mean time of 0 to {MAX_BAN_MS} ms per decision for a ban, found {}\nhint: 0 bans nobody for its time",
            ban.mean_ms
        )));
    }
    if ban.waiting_ms > MAX_WAITING_MS {
        return Err(plan_error(format!(
            "expected 0 to {MAX_WAITING_MS} ms of waiting for a ban, found {}\nhint: 0 bans nobody for being waited for",
            ban.waiting_ms
        )));
    }
    Ok(())
}

fn check_rating(rating: &RatingPlan, competitors: u16) -> Result<(), ArenaError> {
    if rating.anchor >= usize::from(competitors) {
        return Err(plan_error(format!(
            "expected a competitor below {competitors} as the anchor, found {}",
            rating.anchor
        )));
    }
    if !RESAMPLES.contains(&rating.resamples) {
        let (least, most) = RESAMPLES.into_inner();
        return Err(plan_error(format!("expected {least} to {most} resamples, found {}", rating.resamples)));
    }
    if !PRIORS.contains(&rating.prior) {
        let (least, most) = (PRIORS.start(), PRIORS.end());
        return Err(plan_error(format!(
            "expected a prior from {least} to {most}, found {}\nhint: 1 is one game against a phantom, half of it won",
            rating.prior
        )));
    }
    Ok(())
}

fn check_original(plan: &TournamentPlan) -> Result<(), ArenaError> {
    let (entry, own) = (find_game(&plan.game)?, Competition::original());
    if entry.tools().iter().all(|tool| tool.name != own.record.tool) {
        return Err(plan_error(format!(
            "{} has no original with competition files of its own\nhint: leave --original away",
            plan.game
        )));
    }
    if plan.schedule.rotations != own.rotations {
        return Err(plan_error(format!(
            "the original plays every deal once: expected {} rotation",
            own.rotations
        )));
    }
    Ok(())
}
