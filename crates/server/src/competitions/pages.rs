//! Pages of competitions: the list, the form, live standings, and episodes.

use std::sync::Arc;

use maud::{Markup, PreEscaped, html};
use meeple_arena::PlayedEpisode;
use meeple_arena::schedule::Kind;
use meeple_core::{AnyEntry, EntryError};
use meeple_games::find_game;

use crate::competitions::directories::TournamentDirectory;
use crate::competitions::plan::{Competition, MAX_COMPETITORS, MAX_EPISODES};
use crate::competitions::store::{CompetitionRow, CompetitionState};
use crate::games::list::game_name;
use crate::games::list::{games_head, set_up};
use crate::jobs::job::{JobResult, Stage};
use crate::laboratory::pages::run::PAUSED;
use crate::page::assets;
use crate::page::controls::{Values, agent_ticks, complaint, presets, rules};
use crate::page::form::{Fields, field, offered};
use crate::page::frame::page as whole;
use crate::replays::recorded::episode_name;

/// Episodes per page of the list.
pub const EPISODES_PER_PAGE: u64 = 50;

#[derive(Clone)]
pub struct View {
    pub id: String,
    pub plan: Competition,
    pub command: String,
    pub stage: Stage,
    /// True while the competition is paused in favour of tables.
    pub paused: bool,
    pub done: u64,
    pub result: Option<Arc<JobResult>>,
    pub version: u64,
    /// The name of the directory, if the operator shows the competition from one.
    pub opened: Option<String>,
}

impl View {
    pub fn is_running(&self) -> bool {
        matches!(self.stage, Stage::Waiting | Stage::Playing)
    }

    fn title(&self) -> String {
        title(&self.plan)
    }
}

fn title(plan: &Competition) -> String {
    const NAMED: usize = 4;
    let names = plan.0.names();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = names[..names.len().min(NAMED)].join(", ");
    format!("{}: {named}{more}", game_name(&plan.game()))
}

fn schedule_doc(kind: Kind) -> &'static str {
    match kind {
        Kind::Single => "single: everybody at one table",
        Kind::RoundRobin => "round robin: every set that fits at a table, equally often",
        Kind::BattleRoyale => "battle royale: everybody is shuffled and dealt to tables, round by round",
        Kind::Gauntlet => "gauntlet: everybody against the fixed opponents, not against each other",
        Kind::Alone => "alone: everybody by themselves with the game's fillers, in the same deals",
    }
}

/// The page with all competitions, and links to start one.
pub fn all(rows: &[CompetitionRow], opened: &[TournamentDirectory]) -> Markup {
    let name = |row: &CompetitionRow| {
        Competition::read(&row.plan).map_or_else(|_| row.id.clone(), |plan| title(&plan))
    };
    whole(
        "Competitions",
        false,
        &html! {
            (games_head(
                "Competitions",
                "Who is best, by how much, and how sure is that? Agents play tournaments; standings have intervals, and every game can be watched.",
                |entry| set_up("/competitions/", "Set up a competition", entry),
            ))
            h2 { "Recent competitions" }
            @if rows.is_empty() {
                p { "None yet." }
            } @else {
                ul class="tables" {
                    @for row in rows {
                        li { a href={ "/c/" (row.id) } { (name(row)) } " " (match row.state {
                            CompetitionState::Playing => "being played",
                            CompetitionState::Stopped => "stopped",
                            CompetitionState::Done => "done",
                        }) }
                    }
                }
            }
            @if !opened.is_empty() {
                h2 { "From the command line" }
                ul class="tables" { @for one in opened { li { a href={ "/c/" (one.id) } { (one.name) } } } }
            }
        },
    )
}

/// The form of a new competition.
pub fn form(
    entry: &dyn AnyEntry,
    preset: Option<&str>,
    entered: &Fields,
    wrong: Option<&str>,
) -> Result<Markup, EntryError> {
    let info = entry.info();
    let preset = info.preset_or_first(preset);
    let values = entry.variant(Some(preset), &[])?;
    let title = format!("Competition: {}", info.name);
    // An empty form has the game's demo line-up without duplicates.
    let demo = |name: &str| info.demo.contains(&name);
    let mut lines: Vec<&str> = info.demo.to_vec();
    lines.retain(|spec| spec.contains(':'));
    lines.sort_unstable();
    lines.dedup();
    let legend = format!("Competitors: at most {MAX_COMPETITORS}");
    let schedule = field(entered, "schedule").unwrap_or(Kind::RoundRobin.name());
    let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Alone || info.filler.is_some());
    Ok(whole(
        &title,
        false,
        &html! {
            h1 { (title) }
            p { "Every deal is played from every seat, so luck counts for less. The same competition has the same address, and is played once." }
            (complaint(wrong))
            (presets(info, &format!("/competitions/{}", info.id), preset))
            form method="post" action={ "/competitions/" (info.id) } class="sheet" {
                input type="hidden" name="preset" value=(preset);
                (agent_ticks(entry, &legend, entered, &demo, &lines.join("\n")))
                p {
                    label for="schedule" { "Schedule" }
                    select id="schedule" name="schedule" {
                        @for kind in kinds { option value=(kind.name()) selected[kind.name() == schedule] { (schedule_doc(kind)) } }
                    }
                }
                p {
                    label for="anchors" { "Fixed opponents of a gauntlet, one a line" }
                    textarea id="anchors" name="anchors" rows="2" aria-describedby="anchors-doc" spellcheck="false" { "\n" (field(entered, "anchors").unwrap_or("")) }
                    span class="small" id="anchors-doc" { "Names of competitors from above; for other schedules it may stay empty." }
                }
                p {
                    label for="table" { "Competitors at a table" }
                    input id="table" name="table" inputmode="numeric" value=[field(entered, "table")] aria-describedby="table-doc";
                    span class="small" id="table-doc" { "Empty: as few as the game allows; in a battle royale, as many." }
                }
                p {
                    label for="deals" { "Deals of every table" }
                    input id="deals" name="deals" inputmode="numeric" value=(field(entered, "deals").unwrap_or("50")) aria-describedby="deals-doc";
                    span class="small" id="deals-doc" { "Each is played from every seat, up to eight times; up to " (MAX_EPISODES) " episodes in all." }
                }
                (rules(entry, &values, entered, wrong, Values::One))
                p {
                    label for="seed" { "Seed" }
                    input id="seed" name="seed" value=(field(entered, "seed").unwrap_or("1"));
                }
                p { button class="primary" type="submit" { "Start" } }
            }
            h2 id="agents" { "Agents and their parameters" }
            @for agent in offered(entry).into_iter().filter(|agent| !agent.params.is_empty()) {
                details {
                    summary { strong { (agent.name) } " " (agent.doc) }
                    dl class="parameters" {
                        @for param in &agent.params {
                            dt { code { (param.name) } " (" (param.domain) ", otherwise " (param.default) ")" }
                            dd { (param.doc) }
                        }
                    }
                }
            }
        },
    ))
}

pub fn page(view: &View) -> Markup {
    let plan = &view.plan.0;
    whole(
        "Competition",
        false,
        &html! {
            h1 { (view.title()) }
            p class="links" {
                a href={ "/c/" (view.id) "/episodes" } { "The games" }
                a href={ "/c/" (view.id) "/standings.json" } { "Standings (JSON)" }
                a href={ "/c/" (view.id) "/standings.csv" } { "Standings (CSV)" }
                a href={ "/competitions/" (plan.game) "?from=" (view.id) } { "Change settings" }
                a href="/competitions" { "All competitions" }
            }
            div id="job" data-part={ "/c/" (view.id) "/part" } data-running=[view.is_running().then_some("")] { (progress(view)) }
            script src=(assets::LAB_SCRIPT.address()) defer {}
        },
    )
}

pub fn progress(view: &View) -> Markup {
    let counted = view.result.as_ref().map_or(0, |result| result.episodes);
    let all = view.plan.0.schedule.episodes();
    html! {
        p id="status" role="status" {
            @match &view.stage {
                Stage::Waiting | Stage::Playing if view.paused => { (PAUSED) }
                Stage::Waiting => { "Waiting for other jobs to end." }
                Stage::Playing => { (view.done) " of " (all) " episodes are played." }
                Stage::Done => { "Done: " (counted) " episodes." }
                Stage::Stopped => { "Stopped after " (counted) " of " (all) " episodes." }
                Stage::Failed(_) => { "Stopped by an error: " (counted) " of " (all) " episodes are played." }
            }
        }
        @if view.is_running() { progress max=(all) value=(view.done) aria-label="episodes played" {} }
        @if let Stage::Failed(wrong) = &view.stage { (complaint(Some(wrong))) }
        @if let Some(name) = &view.opened { p class="small" { "From the directory " code { (name) } " of this server's operator." } }
        @if view.is_running() && view.opened.is_some() {
            p class="links" { a class="unscripted" href={ "/c/" (view.id) } { "Refresh" } }
        } @else if view.is_running() {
            form method="post" action={ "/c/" (view.id) "/stop" } class="links" {
                button type="submit" { "Stop and keep results" }
                a class="unscripted" href={ "/c/" (view.id) } { "Refresh" }
            }
        } @else if view.stage == Stage::Stopped && view.opened.is_none() {
            form method="post" action={ "/c/" (view.id) "/go-on" } class="links" { button type="submit" { "Go on" } }
        }
        @match view.result.as_ref().filter(|result| !result.part.is_empty()) {
            Some(result) => { div class="report" { (PreEscaped(&result.part)) } }
            None => { div class="report" { h2 { "Run it again" } pre tabindex="0" { code { (view.command) } } } }
        }
    }
}

/// A page of the list of episodes, beginning with episode `from`.
pub fn episodes(view: &View, from: u64, played: u64, rows: &[PlayedEpisode]) -> Markup {
    let names = view.plan.0.names();
    let name = |competitor: &u16| names.get(usize::from(*competitor)).map_or("?", String::as_str);
    let address = |from: u64| format!("/c/{}/episodes?from={from}", view.id);
    let last = (from + EPISODES_PER_PAGE).min(played);
    let unit = find_game(&view.plan.0.game).map_or("score", |entry| entry.info().score_unit);
    whole(
        "Games",
        false,
        &html! {
            h1 { (view.title()) }
            p { a href={ "/c/" (view.id) } { "Standings" } }
            @if rows.is_empty() {
                p { "No game is played yet." }
            } @else {
                p { "Games " (from) " to " (last - 1) " of " (played) ". Games of one deal have the same cards, tiles or dice, seen from other seats." }
                div class="report" {
                    div class="scroll" tabindex="0" role="region" aria-label="Games" {
                        table {
                            thead { tr {
                                th scope="col" class="number" { "game" } th scope="col" class="number" { "deal" }
                                th scope="col" { "who, from seat 0 on: place and " (unit) } th scope="col" class="number" { "length" }
                            } }
                            tbody {
                                @for row in rows {
                                    @let index = row.pairing.index;
                                    tr {
                                        th scope="row" class="number" { a href={ "/r/" (episode_name(&view.id, index)) } { "Watch " (index) } }
                                        td class="number" { (row.pairing.group) }
                                        td { @for (seat, own) in row.pairing.seats.iter().enumerate() {
                                            @if seat > 0 { br; }
                                            @if row.is_first(seat) { strong { (name(own)) } } @else { (name(own)) }
                                            " " (row.places[seat]) ". with " (row.scores[seat])
                                        } }
                                        td class="number" { (row.length) }
                                    }
                                }
                            }
                        }
                    }
                }
                nav class="steps" aria-label="Pages" {
                    @if from > 0 { a class="button" href=(address(from - EPISODES_PER_PAGE)) { "Back" } }
                    @if last < played { a class="button" href=(address(last)) { "Next" } }
                }
            }
        },
    )
}
