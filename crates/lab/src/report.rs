//! Self-contained reports in HTML: tables, plots and settings of a run or a sweep.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use crate::grid::{Grid, glossary, simulation_grids, texts};
use crate::plots::Plot;
use crate::run::Run;
use crate::sweep::SweepResult;
use crate::sweep_grid::{Detail, each_sweep_grid};
use crate::table::LEGEND;
use crate::text::grouped;

/// The report of a simulation as a complete page. `command` is the command that reproduces the results.
pub fn simulation_report(run: &Run, plots: &[Plot], command: &str) -> String {
    with_simulation(run, plots, command, page)
}

/// The report of a simulation as a fragment of another page, without title and styles. Links to plot files
/// begin with `files`.
pub fn simulation_part(run: &Run, plots: &[Plot], command: &str, files: &str) -> String {
    with_simulation(run, plots, command, |page| part(page, files))
}

fn with_simulation<T>(run: &Run, plots: &[Plot], command: &str, show: impl Fn(&ReportPage<'_>) -> T) -> T {
    let summary = &run.summary;
    let title = format!("{}: {}", summary.game, summary.line_up.join(" "));
    let facts = [
        ("Episodes", grouped(summary.episodes)),
        ("Seats", summary.seats.len().to_string()),
        ("Seating", summary.seating.to_owned()),
        ("Seed", summary.seed.to_string()),
        ("Decisions per episode", format!("{:.1}", summary.decisions_per_episode)),
    ];
    let stopped = run.stopped.then_some("The run was stopped: these are the episodes it had played.");
    show(&ReportPage {
        title,
        facts: &facts,
        stopped,
        words: &[],
        grids: simulation_grids(summary).into_iter().chain(glossary(summary)).collect(),
        legend: LEGEND,
        files: &[],
        plots,
        command,
        settings: parameters(&summary.variant.value()),
    })
}

/// The report of a sweep as a complete page. `command` is the command that reproduces the results.
pub fn sweep_report(result: &SweepResult, plots: &[Plot], command: &str) -> String {
    text(|out| with_sweep(result, plots, command, |page| write_page(page, More::of(result, &[]), out)))
}

pub(crate) struct Drawing {
    pub svg: PathBuf,
    pub description: String,
}

/// Writes the report of a sweep piece by piece: with thousands of cells it has 10^8 characters.
pub(crate) fn write_sweep_report(
    result: &SweepResult,
    drawings: &[Drawing],
    command: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    with_sweep(result, &[], command, |page| write_page(page, More::of(result, drawings), out))
}

#[derive(Clone, Copy, Default)]
struct More<'a> {
    /// A sweep, whose tables precede those of the page.
    sweep: Option<&'a SweepResult>,
    /// Plots, which follow those of the page.
    drawings: &'a [Drawing],
    /// Prefix of the links to plot files; no links if `None`.
    files: Option<&'a str>,
}

impl<'a> More<'a> {
    fn of(result: &'a SweepResult, drawings: &'a [Drawing]) -> Self {
        Self { sweep: Some(result), drawings, files: None }
    }
}

/// The report of a sweep as a fragment of another page, without title and styles. Links to plot files begin
/// with `files`.
pub fn sweep_part(result: &SweepResult, plots: &[Plot], command: &str, files: &str) -> String {
    let more = More { files: Some(files), ..More::of(result, &[]) };
    text(|out| with_sweep(result, plots, command, |page| write_part(page, more, out)))
}

fn with_sweep<T>(
    result: &SweepResult,
    plots: &[Plot],
    command: &str,
    show: impl FnOnce(&ReportPage<'_>) -> T,
) -> T {
    let axes: Vec<&str> = result.axes.iter().map(|axis| axis.name.as_str()).collect();
    let first = result.cells.first().map(|cell| &cell.run.summary);
    let game = first.map(|summary| summary.game.as_str()).unwrap_or_default();
    let mut facts = vec![
        ("Cells", result.cells.len().to_string()),
        ("Episodes per cell", result.episodes_per_cell()),
        ("Seed", format!("{}, the same deals in every cell", result.seed)),
    ];
    for axis in &result.axes {
        facts.push(("Swept", format!("{}: {} ({})", axis.name, axis.values.join(", "), axis.doc)));
    }
    // Swept parameters show all their values.
    let mut settings = first.map(|summary| parameters(&summary.variant.value())).unwrap_or_default();
    for (name, value) in &mut settings {
        if let Some(axis) = result.axes.iter().find(|axis| axis.name == *name) {
            *value = axis.values.join(", ");
        }
    }
    show(&ReportPage {
        title: format!("{game}: sweep of {}", axes.join(" and ")),
        facts: &facts,
        stopped: result.stopped.then_some("The sweep was stopped: these are the cells it had played."),
        words: &[],
        grids: first.and_then(glossary).into_iter().collect(),
        legend: LEGEND,
        files: &[],
        plots,
        command,
        settings,
    })
}

/// Content of a report page.
pub struct ReportPage<'a> {
    /// Title of the page.
    pub title: String,
    /// Names and values below the title.
    pub facts: &'a [(&'a str, String)],
    /// A warning, shown first.
    pub stopped: Option<&'a str>,
    /// Pairs of question and answer, before the tables; may be empty.
    pub words: &'a [(String, String)],
    /// Tables, in the order of the page.
    pub grids: Vec<Grid>,
    /// Explanation of the notation, below the tables.
    pub legend: &'a str,
    /// Data files beside the page, each with a description; may be empty.
    pub files: &'a [(&'a str, &'a str)],
    /// Plots, below the tables.
    pub plots: &'a [Plot],
    /// The command that reproduces the results; may be empty.
    pub command: &'a str,
    /// The parameters of the rules; may be empty.
    pub settings: Vec<(String, String)>,
}

/// The parameters of a variant as texts.
pub fn parameters(variant: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
        Value::Array(items) => items.iter().map(Value::to_string).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    };
    let parameters = variant.as_object().into_iter().flatten();
    parameters.map(|(name, value)| (name.clone(), text(value))).collect()
}

/// Renders the content as a self-contained HTML page.
pub fn page(page: &ReportPage<'_>) -> String {
    text(|out| write_page(page, More::default(), out))
}

/// Renders the content as a fragment of another page, without title and styles. Links to plot files begin
/// with `files`; [`plot_svg`] and [`plot_csv`] make the contents of these files.
pub fn part(page: &ReportPage<'_>, files: &str) -> String {
    text(|out| write_part(page, More { files: Some(files), ..More::default() }, out))
}

const PLOT: &str = "<figure id=\"plot-";

/// Extracts the SVG of a plot by name from a page or a fragment.
pub fn plot_svg<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let figure = page.split(PLOT).skip(1).find(|figure| figure.split('"').next() == Some(name))?;
    let svg = &figure[figure.find("<svg")?..];
    Some(&svg[..svg.find("</svg>")? + "</svg>".len()])
}

/// The data of a plot as CSV, from its tooltips: `what,value,half`, where `half` is the half width of the 95
/// % interval, if known.
pub fn plot_csv(svg: &str) -> String {
    let mut rows = "what,value,half\n".to_owned();
    // The first title belongs to the whole drawing.
    for title in svg.split("<title>").skip(2).filter_map(|rest| rest.split("</title>").next()) {
        let plain =
            title.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        let (what, value) = plain.rsplit_once(": ").unwrap_or(("", &plain));
        let (value, half) = value.split_once(" ± ").unwrap_or((value, ""));
        let value = value.split(' ').next().unwrap_or_default();
        rows.push_str(&format!("\"{}\",{value},{half}\n", what.replace('"', "\"\"")));
    }
    rows
}

fn text(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("pages are made of texts")
}

/// A question as an HTML anchor: `how-much-is-luck`.
pub fn anchor(question: &str) -> String {
    let words = question.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

const END: &str = "</main></body></html>";

fn write_page(page: &ReportPage<'_>, more: More<'_>, out: &mut dyn Write) -> io::Result<()> {
    let frame = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (page.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (page.title) }
                }
            }
        }
    };
    let frame = frame.into_string();
    let begin = frame.strip_suffix(END).expect("a page ends as it ends");
    out.write_all(begin.as_bytes())?;
    write_part(page, more, out)?;
    out.write_all(END.as_bytes())
}

/// Writes everything below the title.
fn write_part(page: &ReportPage<'_>, more: More<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut put = |markup: Markup| out.write_all(markup.into_string().as_bytes());
    put(html! {
        @if let Some(stopped) = page.stopped { p.warning role="note" { (stopped) } }
        dl {
            @for (name, value) in page.facts { div { dt { (name) } dd { (value) } } }
        }
        @if !page.words.is_empty() {
            h2 { "In words" }
            @for (question, answer) in page.words { h3 id=(anchor(question)) { (question) } p { (answer) } }
        }
        @if !page.command.is_empty() {
            h2 { "Run it again" }
            pre tabindex="0" { code { (page.command) } }
        }
        h2 { "Tables" }
    })?;
    if let Some(result) = more.sweep {
        let mut written = Ok(());
        each_sweep_grid(result, Detail::Full, &mut |grid| {
            if written.is_ok() {
                written = put(table(&grid));
            }
        });
        written?;
    }
    page.grids.iter().try_for_each(|grid| put(table(grid)))?;
    put(html! {
        p.small { (page.legend) }
        @for (file, what) in page.files { p { a href=(file) { (file) } ": " (what) } }
        @if !page.plots.is_empty() || !more.drawings.is_empty() { h2 { "Plots" } }
    })?;
    let figure = |name: &str, svg: String, description: &str| {
        html! {
            // On a phone the figure scrolls separately, also by keyboard.
            figure id={ "plot-" (name) } tabindex="0" {
                (PreEscaped(svg))
                figcaption {
                    (description)
                    @if let Some(files) = more.files {
                        @let file = format!("{files}{name}");
                        span class="files" {
                            " " a href={ (file) ".svg" } download { "SVG" } " " a href={ (file) ".csv" } download { "Data" }
                        }
                    }
                }
            }
        }
    };
    let shown = |plot: &Plot| figure(&plot.name, plot.to_svg(), &plot.scene.description);
    page.plots.iter().try_for_each(|plot| put(shown(plot)))?;
    for Drawing { svg, description } in more.drawings {
        let name = svg.file_stem().unwrap_or_default().to_string_lossy();
        put(figure(&name, fs::read_to_string(svg)?, description))?;
    }
    let settings = page.settings.iter().map(|(name, value)| vec![name.clone(), value.clone()]);
    put(html! {
        @if !page.settings.is_empty() {
            h2 { "Rules parameters" }
            (table(&Grid::new("", texts(["parameter", "value"]), settings, 2)))
        }
    })
}

fn table(grid: &Grid) -> Markup {
    html! {
        @if !grid.title.is_empty() { h3 { (grid.title) } }
        // Wide tables scroll sideways by themselves, also by keyboard; the page never does. Landmarks need
        // unique names, so a table without a title is no landmark.
        div.scroll tabindex="0" role=(if grid.title.is_empty() { "group" } else { "region" })
            aria-label=(if grid.title.is_empty() { "table" } else { &grid.title }) {
            table {
                thead {
                    tr {
                        @for (index, head) in grid.header.iter().enumerate() {
                            @if head.is_empty() { td {} }
                            @else { th.number[index >= grid.numbers] scope="col" { (head) } }
                        }
                    }
                }
                tbody {
                    @for row in &grid.rows {
                        tr {
                            @for (index, cell) in row.iter().enumerate() {
                                @if index == 0 && !cell.is_empty() { th scope="row" { (cell) } }
                                @else { td.number[index >= grid.numbers] { (cell) } }
                            }
                        }
                    }
                }
            }
        }
        @if !grid.note.is_empty() { p.small { (grid.note) } }
    }
}

/// Styles of a page: light or dark by the reader's preference; plots stay on white.
const STYLE: &str = "
:root{--ink:#22262b;--paper:#faf8f3;--line:#d5d1c7;--soft:#efece4;--quiet:#555b62}
@media(prefers-color-scheme:dark){:root{--ink:#e9e7e2;--paper:#1b1d20;--line:#3b3f45;--soft:#26292d;--quiet:#a9adb3}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,'DejaVu Sans',Verdana,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.25;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin-top:2.2rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin-bottom:.3rem}
a{color:inherit}
dl{display:flex;flex-wrap:wrap;gap:.4rem 2rem;margin:1rem 0}
dt{color:var(--quiet);font-size:.85rem}
dd{margin:0;overflow-wrap:anywhere}
pre{background:var(--soft);padding:.8rem;border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}
th,td{padding:.25rem .8rem .25rem 0;text-align:left;white-space:nowrap;border-bottom:1px solid var(--line)}
thead th{border-bottom:2px solid var(--ink)}
tbody th{font-weight:400}
.number{text-align:right}
figure{margin:1.2rem 0;overflow-x:auto}
figure svg{display:block;min-width:40rem;max-width:100%;height:auto;background:#fff;border:1px solid var(--line);border-radius:6px}
figcaption{position:sticky;left:0}
figcaption,.small{color:var(--quiet);font-size:.85rem}
.warning{border-left:4px solid #d55e00;padding:.4rem .8rem;background:var(--soft)}
@media print{body{background:#fff;color:#000}figure svg{min-width:0}figure,table{break-inside:avoid}}
";
