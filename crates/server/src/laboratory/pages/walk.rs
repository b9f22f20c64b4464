//! A walk through a sweep, which plays only the cell that the user selects.

use std::sync::Arc;

use maud::{Markup, PreEscaped, html};
use meeple_core::AnyEntry;
use meeple_games::find_game;
use meeple_lab::plots::{Caption, lines};
use meeple_lab::text::{percent_with_half, with_half};
use meeple_lab::{Axis, Sweep};

use crate::jobs::job::JobResult;
use crate::laboratory::apart::SetUpProof;
use crate::laboratory::pages::run::{Walk, part};
use crate::laboratory::plan::{Job, Plan};
use crate::page::assets;
use crate::page::controls::complaint;
use crate::page::form::{Fields, field};
use crate::page::frame::page;

/// An axis with at most this many values has buttons. A longer one has a list.
const MAX_BUTTONS: usize = 8;
/// Upper bound on agents whose results are listed per cell.
const MAX_AGENTS: usize = 4;

pub struct View {
    /// The form's fields of the sweep.
    pub fields: Fields,
    pub plan: Plan,
    pub sweep: Sweep,
    pub cell: usize,
    /// The selected cell's run, if there is one.
    pub job: Option<Arc<Job>>,
    /// Cells with known results, in ascending order.
    pub visited: Vec<(usize, Arc<JobResult>)>,
}

impl View {
    /// The cell that the controls select.
    pub fn chosen(&self, fields: &Fields) -> usize {
        self.sweep.axes().iter().enumerate().fold(0, |cell, (axis, Axis { values, .. })| {
            let at = field(fields, &format!("at.{axis}")).and_then(|at| at.parse().ok()).unwrap_or(0);
            cell * values.len() + usize::min(at, values.len() - 1)
        })
    }

    /// The cell's values in words, as in plots.
    fn label(&self, cell: usize) -> String {
        let (at, ..) = self.sweep.cell(cell);
        let parts = self.sweep.axes().iter().zip(at);
        parts.map(|(axis, at)| format!("{} {}", axis.name, axis.values[*at])).collect::<Vec<_>>().join(", ")
    }

    fn walk(&self, entry: &dyn AnyEntry) -> Walk {
        walk(entry, &self.fields, &self.sweep)
    }
}

fn walk(entry: &dyn AnyEntry, fields: &Fields, sweep: &Sweep) -> Walk {
    let axes: Vec<(&str, &[String])> =
        sweep.axes().iter().map(|axis| (axis.name.as_str(), axis.values.as_slice())).collect();
    let axes = serde_json::to_string(&axes).expect("names and values are texts");
    Walk { address: address(entry, fields, None), axes }
}

/// The address of a cell's page.
pub fn address(entry: &dyn AnyEntry, fields: &Fields, cell: Option<usize>) -> String {
    let query = serde_urlencoded::to_string(fields).expect("fields are texts");
    let cell = cell.map_or_else(String::new, |cell| format!("&cell={cell}"));
    format!("/lab/{}/walk?{query}{cell}", entry.info().id)
}

/// The walk of a sweep. `fields` are the form's fields of the plan.
pub fn address_of(plan: &Plan, fields: &Fields, proof: &SetUpProof) -> Result<Walk, String> {
    let game = plan.game.split('/').next().unwrap_or_default();
    let entry = find_game(game).map_err(|error| error.to_string())?;
    Ok(walk(entry, fields, &plan.sweep(proof)?))
}

pub fn page_of(entry: &dyn AnyEntry, view: &View, wrong: Option<&str>) -> Markup {
    let View { plan, sweep, cell, job, .. } = view;
    let (at, ..) = sweep.cell(*cell);
    let walk = view.walk(entry);
    page(
        "Walk",
        false,
        &html! {
            h1 { "Walk: " (plan.title()) }
            p { "Choose a cell. It is played in ever longer runs while you look at it; the other cells keep their results." }
            div id="wrong" { (complaint(wrong)) }
            form id="walk" method="post" action={ "/lab/" (entry.info().id) "/walk" } {
                @for (name, value) in &view.fields { input type="hidden" name=(name) value=(value); }
                input type="hidden" name="cell" value=(cell);
                input type="hidden" name="leave" value=[job.as_ref().map(|job| &job.id)];
                @for (index, (axis, at)) in sweep.axes().iter().zip(at).enumerate() { (control(index, axis, *at)) }
                p { button class="primary" type="submit" { "Show this cell" } }
            }
            div id="visited" data-walk=(walk.address) data-axes=(walk.axes) { (visited(view, entry)) }
            div id="cell" {
                h2 { (view.label(*cell)) }
                @match job {
                    Some(job) => {
                        (part(job, Some(&walk)))
                        p class="links" {
                            a href={ "/lab/job/" (job.id) } { "This run on its own page" }
                            a href={ "/lab/job/" (job.id) "/games" } { "First games" }
                        }
                    }
                    None => { p id="unplayed" { "This cell has not been played yet." } }
                }
            }
            p class="links" {
                a href={ "/lab/" (entry.info().id) "?preset=" (field(&view.fields, "preset").unwrap_or_default()) } { "Another run" }
            }
            form method="post" action={ "/lab/" (entry.info().id) } {
                @for (name, value) in &view.fields { input type="hidden" name=(name) value=(value); }
                button type="submit" { "Play all " (sweep.cells()) " cells" }
            }
            script src=(assets::LAB_SCRIPT.address()) defer {}
        },
    )
}

fn control(index: usize, axis: &Axis, at: usize) -> Markup {
    let name = format!("at.{index}");
    html! {
        @if axis.values.len() <= MAX_BUTTONS {
            fieldset class="radios" {
                legend { code { (axis.name) } " " span class="small" { (axis.doc) } }
                @for (place, value) in axis.values.iter().enumerate() {
                    label class="check" { input type="radio" name=(name) value=(place) checked[place == at]; " " (value) }
                }
            }
        } @else {
            p class="slides" {
                label for=(name) { code { (axis.name) } " " span class="small" { (axis.doc) } }
                select id=(name) name=(name) {
                    @for (place, value) in axis.values.iter().enumerate() { option value=(place) selected[place == at] { (value) } }
                }
            }
        }
    }
}

/// Known cells, as a table and, with a single axis, as a plot.
fn visited(view: &View, entry: &dyn AnyEntry) -> Markup {
    let known: Vec<_> = view.visited.iter().filter(|(_, result)| !result.agents.is_empty()).collect();
    let agents: Vec<&str> = known.first().map_or_else(Vec::new, |(_, result)| {
        result
            .agents
            .iter()
            .take(MAX_AGENTS)
            .map(|agent| agent.name.split(':').next().unwrap_or_default())
            .collect()
    });
    let unit = entry.info().score_unit;
    html! {
        @if !known.is_empty() {
            h2 { "Visited cells" }
            div class="report" {
                div class="scroll" tabindex="0" role="region" aria-label="Cells" {
                    table {
                        thead { tr {
                            th scope="col" { "cell" } th scope="col" class="number" { "episodes" }
                            @for agent in &agents { th scope="col" class="number" { (agent) ", win %" } th scope="col" class="number" { (unit) } }
                        } }
                        tbody {
                            @for (cell, result) in &known {
                                tr {
                                    th scope="row" { a href=(address(entry, &view.fields, Some(*cell))) aria-current=[(*cell == view.cell).then_some("true")] { (view.label(*cell)) } }
                                    td class="number" { (result.episodes) }
                                    @for agent in result.agents.iter().take(agents.len()) {
                                        td class="number" { (percent_with_half(agent.share, agent.share_ci)) }
                                        td class="number" { (with_half(agent.mean, agent.mean_ci)) }
                                    }
                                }
                            }
                        }
                    }
                }
                @if let Some(svg) = plot(view, &agents) { figure tabindex="0" { (PreEscaped(svg)) } }
            }
        }
    }
}

/// Win shares along the only axis, if its values are numbers.
fn plot(view: &View, agents: &[&str]) -> Option<String> {
    let [axis] = view.sweep.axes() else { return None };
    let at = |cell: usize| axis.values[cell].parse::<f64>().ok();
    let course = |(index, name): (usize, &&str)| {
        let points = view.visited.iter().filter_map(|(cell, result)| {
            let agent = result.agents.get(index)?;
            Some((at(*cell)?, 100.0 * agent.share, agent.share_ci.map(|end| 100.0 * end)))
        });
        ((*name).to_owned(), points.collect::<Vec<_>>())
    };
    let courses: Vec<_> = agents.iter().enumerate().map(course).collect();
    // A line needs at least two points.
    if courses.first().is_none_or(|(_, points)| points.len() < 2) {
        return None;
    }
    let caption = Caption {
        name: "walk".to_owned(),
        title: format!("Share of the win by {}", axis.name),
        note: "Visited cells. Bars: 95 % intervals.".to_owned(),
        alt: format!("Lines of the share of the win by {}, one per agent.", axis.name),
        axis: "share of the win in %".to_owned(),
        columns: String::new(),
    };
    Some(lines(&caption, &axis.name, &courses, None).ok()?.to_svg())
}
