//! Pages of runs: forms, progress, results, and lists of games.

use maud::{Markup, PreEscaped, html};
use meeple_core::{AnyEntry, EntryError};

use crate::games::list::{games_head, set_up};
use crate::jobs::job::Stage;
use crate::laboratory::pages::questions::questions;
use crate::laboratory::plan::{Job, MAX_EPISODES};
use crate::page::assets;
use crate::page::controls::{Values, complaint, presets, rules, seat_row};
use crate::page::form::{Fields, MAX_SEATS, SEAT_NOBODY, field};
use crate::page::frame::page;
use crate::replays::recorded::episode_name;

pub fn lab() -> Markup {
    page(
        "Laboratory",
        false,
        &html! {
            (games_head(
                "Laboratory",
                "Let agents play thousands of games: who wins, by how much, how sure is that, and what does a rule change?",
                |entry| set_up("/lab/", "Set up a run", entry),
            ))
        },
    )
}

pub fn form(
    entry: &dyn AnyEntry,
    preset: Option<&str>,
    entered: &Fields,
    wrong: Option<&str>,
) -> Result<Markup, EntryError> {
    let info = entry.info();
    let preset = info.preset_or_first(preset);
    let values = entry.variant(Some(preset), &[])?;
    let seats = (*info.seats.end()).min(MAX_SEATS);
    let title = format!("Laboratory: {}", info.name);
    Ok(page(
        &title,
        false,
        &html! {
            h1 { (title) }
            (complaint(wrong))
            (presets(info, &format!("/lab/{}", info.id), preset))
            (questions(entry, preset))
            h2 { "Let agents play" }
            p { "Tables and plots grow during the run. For a sweep, write a range in place of a number, as " code { "1..10" }
                " in " code { "name:1..10" } " or in a parameter of the rules; at most two ranges." }
            form method="post" action={ "/lab/" (info.id) } class="sheet" {
                input type="hidden" name="preset" value=(preset);
                p {
                    label for="episodes" { "Episodes (in a sweep: of every cell)" }
                    input id="episodes" name="episodes" inputmode="numeric" value=(field(entered, "episodes").unwrap_or("10000"))
                        aria-describedby="episodes-doc";
                    span class="small" id="episodes-doc" { " up to " (MAX_EPISODES) " in all" }
                }
                fieldset {
                    legend { "Agents" }
                    @for seat in 0..seats {
                        @let usual = info.demo.get(seat).copied().unwrap_or(SEAT_NOBODY);
                        (seat_row(entry, seat, usual, entered, &[(SEAT_NOBODY, "nobody")]))
                    }
                }
                (rules(entry, &values, entered, wrong, Values::Range))
                p {
                    label class="check" {
                        input type="checkbox" name="deals" value="on" checked[field(entered, "deals").is_some()];
                        " everybody plays the same deals from every seat: smaller intervals"
                    }
                }
                p {
                    label for="seed" { "Seed" }
                    input id="seed" name="seed" inputmode="numeric" value=(field(entered, "seed").unwrap_or("1"));
                }
                p class="links" {
                    button class="primary" type="submit" { "Play" }
                    button type="submit" name="walk" value="on" { "Walk through a sweep cell by cell" }
                }
            }
        },
    ))
}

/// The link from a sweep to its walk.
pub struct Walk {
    /// The address of the first cell; `&cell=N` is appended for others.
    pub address: String,
    /// Names and values of the axes, as JSON.
    pub axes: String,
}

pub fn job(job: &Job, walk: Option<&Walk>) -> Markup {
    let plan = &job.plan;
    let game = plan.game.split('/').next().unwrap_or_default();
    let form = if plan.ask.is_run() { "" } else { "/ask" };
    page(
        "Run",
        false,
        &html! {
            h1 { (plan.title()) }
            (part(job, walk))
            p class="links" {
                a href={ "/lab/" (game) (form) "?from=" (job.id) } { "Change settings" }
                a href={ "/lab/job/" (job.id) "/result.json" } { "Data (JSON)" }
                @if let Some(walk) = walk { a href=(walk.address) { "Walk through its cells" } }
                @else if plan.ask.is_run() { a href={ "/lab/job/" (job.id) "/games" } { "First games" } }
            }
            script src=(assets::LAB_SCRIPT.address()) defer {}
        },
    )
}

pub fn part(job: &Job, walk: Option<&Walk>) -> Markup {
    html! {
        div id="job" data-part={ "/lab/job/" (job.id) "/part" } data-running=[job.is_running().then_some("")]
            data-walk=[walk.map(|walk| &walk.address)] data-axes=[walk.map(|walk| &walk.axes)] { (progress(job)) }
    }
}

/// The list of a run's first games, each with its replay.
pub fn games(job: &Job) -> Markup {
    let (_, _, result) = job.seen();
    let first = result.as_ref().map_or(&[][..], |result| &result.first);
    page(
        "Games",
        false,
        &html! {
            h1 { (job.plan.title()) }
            p class="links" { a href={ "/lab/job/" (job.id) } { "The run" } }
            @if first.is_empty() {
                p { @if job.plan.is_sweep() { "A sweep has many runs: walk through its cells." } @else { "This run has no games to watch." } }
            } @else {
                p { "The first " (first.len()) " games of the run. Each is played again when you watch it." }
                div class="report" {
                    div class="scroll" tabindex="0" role="region" aria-label="Games" {
                        table {
                            thead { tr {
                                th scope="col" class="number" { "game" } th scope="col" { "who, from seat 0 on: place and score" }
                                th scope="col" class="number" { "length" }
                            } }
                            tbody {
                                @for (index, game) in first.iter().enumerate() {
                                    tr {
                                        th scope="row" class="number" { a href={ "/r/" (episode_name(&job.id, index as u64)) } { "Watch " (index) } }
                                        td { @for (seat, (who, place, score)) in game.seats.iter().enumerate() {
                                            @if seat > 0 { br; }
                                            @if *place == 1 { strong { (who) } } @else { (who) }
                                            " " (place) ". with " (score)
                                        } }
                                        td class="number" { (game.length) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        },
    )
}

/// The status of a paused job.
pub const PAUSED: &str = "Paused while tables need the machine. It resumes by itself.";

pub fn progress(job: &Job) -> Markup {
    let (stage, done, result) = job.seen();
    let counted = result.as_ref().map_or(0, |result| result.episodes);
    html! {
        p id="status" role="status" {
            @match &stage {
                Stage::Waiting | Stage::Playing if job.is_paused() => { (PAUSED) }
                Stage::Waiting => { "Waiting for other jobs to end." }
                Stage::Playing if counted == 0 && done == 0 => { "Playing." }
                Stage::Playing if counted == 0 => { "Playing: " (done) " episodes so far." }
                Stage::Playing => { "Below are the first " (counted) " episodes; " (done) " of the next run are played." }
                Stage::Done => { "Done: " (counted) " episodes" @if job.plan.is_sweep() { " of every cell" } "." }
                Stage::Stopped => { "Stopped. The results so far are below." }
                Stage::Failed(_) => { "The run failed." }
            }
        }
        @if let Stage::Failed(wrong) = &stage { (complaint(Some(wrong))) }
        @if matches!(stage, Stage::Waiting | Stage::Playing) {
            form method="post" action={ "/lab/job/" (job.id) "/stop" } class="links" {
                button type="submit" { "Stop and keep results" }
                a class="unscripted" href={ "/lab/job/" (job.id) } { "Refresh" }
            }
        }
        @if let Some(result) = result.filter(|result| !result.part.is_empty()) {
            div class="report" { (PreEscaped(&result.part)) }
        }
    }
}
