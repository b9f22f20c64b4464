use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::frame::{
    Axes, AxisText, Drawn, Key, Mark, SMALL, Sheet, anchored, axes, bold, dashed, ink, line, line_color,
    padded, point, quiet,
};
use super::heat::HeatMap;
use super::notes::{MAX_AGENTS, sweep_note};
use super::play::{by_axes, by_value, is_crowded};
use super::plot::{Plot, Show};
use super::scale::{Scale, axis_name, meaning, meaning_elsewhere};
use crate::error::LabError;
use crate::summary::{Results, Summary};
use crate::sweep::SweepResult;
use crate::sweep::{Axis, Cell};

/// The plots of a sweep: lines with bands over one parameter, heat maps with numbers over two. Win rates and
/// scores come first, then lengths, endings and the game's figures.
///
/// # Errors
/// If drawing fails.
pub fn sweep_plots(result: &SweepResult) -> Result<Vec<Plot>, LabError> {
    let mut plots = Vec::new();
    each_sweep_plot(result, &mut |plot| {
        plots.push(plot);
        Ok(())
    })?;
    Ok(plots)
}

/// Shows plots one after another: with thousands of cells each plot is large.
pub(crate) fn each_sweep_plot(result: &SweepResult, show: Show<'_>) -> Result<(), LabError> {
    let agents = result.agents().min(MAX_AGENTS);
    if result.cells.is_empty() {
        return Ok(());
    }
    match &result.axes[..] {
        [rows, columns] => {
            for agent in 0..agents {
                show(heat_maps(result, agent, rows, columns)?)?;
            }
            by_axes(result, rows, columns, show)
        }
        [axis, ..] => {
            if !is_solo(result) {
                show(win_shares(result, agents, axis)?)?;
            }
            for agent in 0..agents {
                show(score_bands(result, agent, axis)?)?;
            }
            by_value(result, axis, show)
        }
        [] => Ok(()),
    }
}

fn file_name(kind: &str, result: &SweepResult, agent: usize) -> String {
    if result.agents() == 1 { kind.to_owned() } else { format!("{kind}-{}", agent + 1) }
}

fn is_solo(result: &SweepResult) -> bool {
    result.cells.iter().all(|cell| cell.run.summary.seats.len() == 1)
}

fn score_bands(result: &SweepResult, agent: usize, axis: &Axis) -> Result<Plot, LabError> {
    let scale = Scale::new(axis);
    let summary = &result.cells[0].run.summary;
    let unit = summary.score_unit;
    let name = result.agent_name(agent);
    let best = result.best(agent, 3);
    let solo = is_solo(result);
    let by = if result.ranks_by_score() { "mean" } else { "share of the win" };
    let best_words: Vec<String> = best
        .iter()
        .map(|cell| {
            let results = &cell.run.summary.agents[agent].results;
            // Decimals of large amounts are noise.
            let places = if results.mean_score.abs() < 1000.0 { 2 } else { 0 };
            format!("{} (mean {:.places$})", axis.values[cell.at[0]], results.mean_score)
        })
        .collect();
    let color = line_color(0);
    let sheet = Sheet {
        name: file_name("scores", result, agent),
        title: if solo {
            format!("Score by {}", axis.name)
        } else {
            format!("Score of {name} by {}", axis.name)
        },
        note: format!(
            "{} Best by {by}: {}.{}",
            sweep_note(result),
            best_words.join(", "),
            meaning_elsewhere(axis)
        ),
        alt: format!(
            "Line of the mean score of {name} by {}, with its spread. Best: {}.",
            axis.name,
            best_words.join(", ")
        ),
        legend: vec![
            Key::new("mean with 95 % interval", Mark::Point, color),
            Key::new("mean ± standard deviation", Mark::Band, color),
            Key::new("highest", Mark::Line, MAX),
            Key::new("lowest", Mark::Line, MIN),
            Key::new("best three", Mark::Ring, ink()),
        ],
        height: 400,
    };
    sheet.draw(&|area| {
        let of = |cell: &Cell| cell.run.summary.agents[agent].results.clone();
        let points: Vec<(f64, Results, i64, i64)> = result
            .cells
            .iter()
            .map(|cell| {
                let score = &cell.run.summary.agents[agent].score;
                (scale.of(cell), of(cell), score.min, score.max)
            })
            .collect();
        let sd = |results: &Results| results.sd_score.unwrap_or(0.0);
        let low = points.iter().map(|(_, r, min, _)| (*min as f64).min(r.mean_score - sd(r)));
        let high = points.iter().map(|(_, r, _, max)| (*max as f64).max(r.mean_score + sd(r)));
        let y = padded(low.fold(f64::INFINITY, f64::min), high.fold(f64::NEG_INFINITY, f64::max));
        let mut chart = axes(
            area,
            scale.range(),
            y,
            &scale.text(&axis_name(axis)),
            &AxisText::numbers(&format!("score in {unit}")),
        )?;
        let upper = points.iter().map(|(x, r, ..)| (*x, r.mean_score + sd(r)));
        let lower = points.iter().rev().map(|(x, r, ..)| (*x, r.mean_score - sd(r)));
        let band: Vec<(f64, f64)> = upper.chain(lower).collect();
        chart.draw_series(std::iter::once(Polygon::new(band, color.mix(0.22))))?;
        line(&mut chart, points.iter().map(|(x, _, _, max)| (*x, *max as f64)).collect(), MAX, 2)?;
        line(&mut chart, points.iter().map(|(x, _, min, _)| (*x, *min as f64)).collect(), MIN, 2)?;
        line(&mut chart, points.iter().map(|(x, r, ..)| (*x, r.mean_score)).collect(), color, 2)?;
        for (cell, (x, results, ..)) in result.cells.iter().zip(&points) {
            let at = (*x, results.mean_score);
            point(&mut chart, &result.label(cell), at, results.mean_score_ci, color)?;
        }
        for (place, cell) in best.iter().enumerate() {
            let results = of(cell);
            let top = results.mean_score_ci.map_or(results.mean_score, |ci| ci[1]);
            mark_best(&mut chart, (scale.of(cell), results.mean_score), top, place + 1)?;
        }
        Ok(())
    })
}

const MAX: RGBColor = RGBColor(0x00, 0x9e, 0x73);
const MIN: RGBColor = RGBColor(0xd5, 0x5e, 0x00);

/// Adds a ring around the mean, and its label above ring and interval.
fn mark_best(chart: &mut Axes<'_, '_>, at: (f64, f64), top: f64, place: usize) -> Drawn {
    let ring = Circle::new(at, 7, ink().stroke_width(2));
    chart.draw_series(std::iter::once(ring))?;
    let style = anchored(bold(SMALL), HPos::Center, VPos::Bottom);
    let interval = chart.backend_coord(&(at.0, top)).1 - chart.backend_coord(&at).1;
    let above = (interval - 3).min(-10);
    let number = EmptyElement::at(at) + Text::new(place.to_string(), (0, above), style);
    chart.draw_series(std::iter::once(number))?;
    Ok(())
}

fn win_shares(result: &SweepResult, agents: usize, axis: &Axis) -> Result<Plot, LabError> {
    let scale = Scale::new(axis);
    let legend = (0..agents).map(|agent| Key::new(result.agent_name(agent), Mark::Point, line_color(agent)));
    let mut legend: Vec<Key> = legend.collect();
    legend.push(Key::new("equal shares", Mark::Dashed, quiet()));
    let sheet = Sheet {
        name: "win-share".into(),
        title: format!("Share of the win by {}", axis.name),
        note: format!(
            "{} A shared first place counts 1/k. Bars: 95 % intervals.{}",
            sweep_note(result),
            meaning_elsewhere(axis)
        ),
        alt: format!("Lines of the share of the win by {}, one per agent.", axis.name),
        legend,
        height: 380,
    };
    sheet.draw(&|area| {
        let mut chart = axes(
            area,
            scale.range(),
            (0.0, 100.0),
            &scale.text(&axis_name(axis)),
            &AxisText::numbers("share of the win in %"),
        )?;
        let fair = |cell: &Cell| (scale.of(cell), 100.0 / cell.run.summary.seats.len() as f64);
        for pair in result.cells.windows(2) {
            dashed(&mut chart, fair(&pair[0]), fair(&pair[1]), quiet())?;
        }
        for agent in 0..agents {
            let color = line_color(agent);
            let of = |cell: &Cell| cell.run.summary.agents[agent].results.clone();
            let points =
                result.cells.iter().map(|cell| (scale.of(cell), 100.0 * of(cell).win_share)).collect();
            line(&mut chart, points, color, 2)?;
            for cell in &result.cells {
                let results = of(cell);
                let interval = results.win_share_ci.map(|end| 100.0 * end);
                let what = format!("{}, {}", result.label(cell), result.agent_name(agent));
                let at = (scale.of(cell), 100.0 * results.win_share);
                point(&mut chart, &what, at, Some(interval), color)?;
            }
        }
        Ok(())
    })
}

fn heat_maps(result: &SweepResult, agent: usize, rows: &Axis, columns: &Axis) -> Result<Plot, LabError> {
    let summary = &result.cells[0].run.summary;
    let solo = is_solo(result);
    let name = result.agent_name(agent);
    // Crowded numbers need the whole width.
    let crowded = is_crowded(rows, columns);
    let map = |title: String, scale, value: &dyn Fn(&Summary, &Results) -> Option<f64>| {
        let value = |summary: &Summary| value(summary, &summary.agents[agent].results);
        let decimals = usize::from(columns.values.len() <= if solo || crowded { 15 } else { 6 });
        HeatMap { title, scale, decimals, ..HeatMap::of_cells(result, [rows, columns], &value) }
    };
    let percent = Some((0.0, 100.0));
    let mean =
        map(format!("mean score in {}", summary.score_unit), None, &|_, results| Some(results.mean_score));
    let maps = if solo {
        vec![mean]
    } else {
        // A lone player always wins, so its shares are left out.
        let share = |count: u64, summary: &Summary, results: &Results| {
            (summary.seats.len() > 1).then(|| 100.0 * count as f64 / results.episodes as f64)
        };
        vec![
            map("wins in %".into(), percent, &|of, results| share(results.wins, of, results)),
            map("draws in %".into(), percent, &|of, results| share(results.draws, of, results)),
            map("losses in %".into(), percent, &|of, results| share(results.losses, of, results)),
            mean,
        ]
    };
    let widest = result.cells.iter().map(|cell| {
        let results = &cell.run.summary.agents[agent].results;
        let [low, high] = results.win_ci;
        50.0 * (high - low)
    });
    let uncertain = if solo {
        let half = result.cells.iter().filter_map(|cell| {
            cell.run.summary.agents[agent].results.mean_score_ci.map(|[low, high]| (high - low) / 2.0)
        });
        format!("95 % intervals of the means: at most ± {:.2}.", half.fold(0.0, f64::max))
    } else {
        format!("95 % intervals of wins: at most ± {:.1} %.", widest.fold(0.0, f64::max))
    };
    let best: Vec<String> = result.best(agent, 3).into_iter().map(|cell| result.label(cell)).collect();
    let title = if solo { "Score".to_owned() } else { format!("Results of {name}") };
    let sheet = Sheet {
        name: file_name("heat", result, agent),
        title: format!("{title} by {} and {}", rows.name, columns.name),
        note: format!(
            "{}, {} episodes per cell, seed {}, the same deals in every cell. {uncertain}{}{}",
            summary.game,
            result.episodes_per_cell(),
            result.seed,
            meaning(rows),
            meaning(columns)
        ),
        alt: format!("Heat maps of {name}. Best cells: {}.", best.join("; ")),
        legend: Vec::new(),
        height: if solo || crowded { 560 * maps.len() as u32 } else { 720 },
    };
    sheet.draw(&|area| {
        let shape = if solo || crowded { (maps.len(), 1) } else { (2, 2) };
        for (map, area) in maps.iter().zip(area.split_evenly(shape)) {
            map.draw(&area)?;
        }
        Ok(())
    })
}
