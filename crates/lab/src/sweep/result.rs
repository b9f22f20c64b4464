use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::plan::Axis;
use crate::summary::Summary;
use crate::text::{grouped, ordinal};

/// One cell of a sweep.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Index into the values of each axis.
    pub at: Vec<usize>,
    /// Results of the cell's simulation.
    pub run: CellRun,
}

/// Results of a cell: the summary without the counts, which are many times as large. The counts go to the
/// counts file once the cell is done.
#[derive(Clone, Debug)]
pub struct CellRun {
    /// Statistics of all episodes of the cell.
    pub summary: Summary,
    /// True if stopped before all episodes were played.
    pub stopped: bool,
}

/// Results of a sweep.
#[derive(Clone, Debug)]
pub struct SweepResult {
    /// The swept parameters: one or two.
    pub axes: Vec<Axis>,
    /// The cells; the last axis changes fastest. A stopped sweep may lack cells, and cells of continued
    /// results may have fewer episodes.
    pub cells: Vec<Cell>,
    /// The root seed.
    pub seed: u64,
    /// True if stopped before all cells were played.
    pub stopped: bool,
    /// Seconds spent playing and counting.
    pub seconds: f64,
}

pub(crate) fn axes_json(axes: &[Axis]) -> Value {
    let axis = |axis: &Axis| json!({ "name": axis.name, "doc": axis.doc, "values": axis.values });
    axes.iter().map(axis).collect()
}

/// The coordinates of a cell in words: `turn 3, hazards.copies 2`.
pub(super) fn label(axes: &[Axis], at: &[usize]) -> String {
    let parts: Vec<String> =
        axes.iter().zip(at).map(|(axis, index)| format!("{} {}", axis.name, axis.values[*index])).collect();
    parts.join(", ")
}

impl SweepResult {
    /// The object printed by `sweep --json`: `axes`, elapsed `seconds`, and `cells`. Each cell has its
    /// coordinates (`at`: value by axis name) and the keys of a summary. Thousands of cells are possible, so
    /// they are serialised one by one.
    pub fn timed(&self) -> impl Serialize + '_ {
        SweepJson { seconds: Some(self.seconds), ..self.without_time() }
    }

    /// The object of [`timed`](Self::timed) without the elapsed time, as stored in `summary.json`.
    pub fn untimed(&self) -> impl Serialize + '_ {
        self.without_time()
    }

    fn without_time(&self) -> SweepJson<'_> {
        SweepJson {
            format: 1,
            game: self.cells.first().map(|cell| cell.run.summary.game.as_str()),
            seed: self.seed,
            seconds: None,
            stopped: self.stopped,
            axes: axes_json(&self.axes),
            cells: CellsJson(self),
        }
    }

    /// The coordinates of a cell in words: `turn 3, hazards.copies 2`.
    pub fn label(&self, cell: &Cell) -> String {
        label(&self.axes, &cell.at)
    }

    /// Number of cells with all their episodes.
    pub fn finished(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.run.stopped).count()
    }

    /// Number of episodes per cell as text: `500`, or `20 to 500` if a stop left cells with fewer.
    pub(crate) fn episodes_per_cell(&self) -> String {
        let episodes = || self.cells.iter().map(|cell| cell.run.summary.episodes);
        let (fewest, most) = (episodes().min().unwrap_or(0), episodes().max().unwrap_or(0));
        if fewest == most { grouped(most) } else { format!("{} to {}", grouped(fewest), grouped(most)) }
    }

    /// Number of entries of the line-up; equal in all cells, except for seats that a swept variant adds.
    pub fn agents(&self) -> usize {
        self.cells.iter().map(|cell| cell.run.summary.agents.len()).min().unwrap_or(0)
    }

    /// The name of an entry of the line-up, as in the first cell; without the swept value if the cells
    /// differ.
    pub fn agent_name(&self, agent: usize) -> String {
        let names: Vec<&str> =
            self.cells.iter().map(|cell| cell.run.summary.agents[agent].name.as_str()).collect();
        let first = names.first().copied().unwrap_or_default();
        if names.iter().all(|name| *name == first) {
            return first.to_owned();
        }
        let plain = first.split([':', '#']).next().unwrap_or_default().trim().to_owned();
        let others = (0..self.agents()).filter(|other| *other != agent);
        let same = others
            .filter(|other| {
                let name = &self.cells[0].run.summary.agents[*other].name;
                name.split([':', '#']).next().unwrap_or_default().trim() == plain
            })
            .count();
        // Entries of the same kind are distinguished by their place in the line-up.
        if same > 0 { format!("{plain} ({})", ordinal(agent + 1)) } else { plain }
    }

    pub(crate) fn agent_names(&self) -> Vec<String> {
        (0..self.agents()).map(|agent| self.agent_name(agent)).collect()
    }

    /// The end reasons seen in any cell, as indices with names.
    pub(crate) fn ends(&self) -> Vec<(usize, String)> {
        let count = |cell: &Cell, end: usize| cell.run.summary.ends.0[end].1;
        let known = self.cells[0].run.summary.ends.0.iter().map(|(end, _)| end.to_string()).enumerate();
        known.filter(|(end, _)| self.cells.iter().any(|cell| count(cell, *end) > 0)).collect()
    }

    /// True if cells are compared by mean score, because a cell has a lone player, whose win share is
    /// meaningless. Otherwise they are compared by win share.
    pub fn ranks_by_score(&self) -> bool {
        self.cells.iter().any(|cell| cell.run.summary.seats.len() == 1)
    }

    /// The best `count` cells for entry `agent`, best first, by mean score or by win share
    /// ([`ranks_by_score`](Self::ranks_by_score)). Equal cells keep their order.
    pub fn best(&self, agent: usize, count: usize) -> Vec<&Cell> {
        let by_score = self.ranks_by_score();
        let value = |cell: &Cell| {
            let results = &cell.run.summary.agents[agent].results;
            if by_score { results.mean_score } else { results.win_share }
        };
        let mut cells: Vec<&Cell> = self.cells.iter().collect();
        cells.sort_by(|left, right| value(right).total_cmp(&value(left)));
        cells.truncate(count);
        cells
    }
}

#[derive(Serialize)]
struct SweepJson<'a> {
    format: u32,
    game: Option<&'a str>,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    stopped: bool,
    axes: Value,
    cells: CellsJson<'a>,
}

struct CellsJson<'a>(&'a SweepResult);

impl Serialize for CellsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SweepResult { axes, cells, .. } = self.0;
        serializer.collect_seq(cells.iter().map(|cell| {
            let value = |(axis, at): (&Axis, &usize)| (axis.name.clone(), number_or_text(&axis.values[*at]));
            let at: Map<String, Value> = axes.iter().zip(&cell.at).map(value).collect();
            let mut object = cell.run.summary.to_json(None);
            if let Some(object) = object.as_object_mut() {
                object.shift_insert(0, "at".to_owned(), at.into());
            }
            object
        }))
    }
}

/// The coordinate as a number, if it is one.
fn number_or_text(text: &str) -> Value {
    let number = text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<f64>().map(Value::from));
    number.unwrap_or_else(|_| text.into())
}
