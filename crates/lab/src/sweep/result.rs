//! What came out of a sweep.

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
    /// What came out.
    pub run: CellRun,
}

/// What came out of a cell: what is told of it, and not the counts, which are many times as much. Those go to the file of
/// counts as soon as the cell is done.
#[derive(Clone, Debug)]
pub struct CellRun {
    /// The figures of all its episodes.
    pub summary: Summary,
    /// Whether it was stopped before all episodes were played.
    pub stopped: bool,
}

/// What came out of a sweep.
#[derive(Clone, Debug)]
pub struct SweepResult {
    /// The swept parameters: one or two.
    pub axes: Vec<Axis>,
    /// The cells; the last axis changes fastest. If it was stopped, there may be fewer than there should be,
    /// and cells of continued results may have fewer episodes.
    pub cells: Vec<Cell>,
    /// The root seed.
    pub seed: u64,
    /// Whether it was stopped before all cells were played.
    pub stopped: bool,
    /// Seconds of playing and counting.
    pub seconds: f64,
}

pub(crate) fn axes_json(axes: &[Axis]) -> Value {
    let axis = |axis: &Axis| json!({ "name": axis.name, "doc": axis.doc, "values": axis.values });
    axes.iter().map(axis).collect()
}

/// `turn 3, hazards.copies 2`.
pub(super) fn label(axes: &[Axis], at: &[usize]) -> String {
    let parts: Vec<String> =
        axes.iter().zip(at).map(|(axis, index)| format!("{} {}", axis.name, axis.values[*index])).collect();
    parts.join(", ")
}

impl SweepResult {
    /// The object that `sweep --json` prints: `axes`, the `seconds` it took, and `cells`, each with its
    /// coordinates (`at`: value by name of the axis) and the keys of a summary. There may be thousands of cells:
    /// they are made one after another, as they are written.
    pub fn timed(&self) -> impl Serialize + '_ {
        Told { seconds: Some(self.seconds), ..self.told() }
    }

    /// The same without the time, as it is stored.
    pub fn untimed(&self) -> impl Serialize + '_ {
        self.told()
    }

    fn told(&self) -> Told<'_> {
        Told {
            format: 1,
            game: self.cells.first().map(|cell| cell.run.summary.game.as_str()),
            seed: self.seed,
            seconds: None,
            stopped: self.stopped,
            axes: axes_json(&self.axes),
            cells: ToldCells(self),
        }
    }

    /// The coordinates of a cell in words: `turn 3, hazards.copies 2`.
    pub fn label(&self, cell: &Cell) -> String {
        label(&self.axes, &cell.at)
    }

    /// Cells that have all their episodes.
    pub fn finished(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.run.stopped).count()
    }

    /// Episodes of a cell in words: `500`, or `20 to 500` where a stop has left cells with fewer.
    pub(crate) fn episodes_per_cell(&self) -> String {
        let episodes = || self.cells.iter().map(|cell| cell.run.summary.episodes);
        let (fewest, most) = (episodes().min().unwrap_or(0), episodes().max().unwrap_or(0));
        if fewest == most { grouped(most) } else { format!("{} to {}", grouped(fewest), grouped(most)) }
    }

    /// Number of entries of the line-up; the same in every cell, but for seats that a swept variant adds.
    pub fn agents(&self) -> usize {
        self.cells.iter().map(|cell| cell.run.summary.agents.len()).min().unwrap_or(0)
    }

    /// The name of an entry of the line-up: as in the first cell, without the swept value if the cells differ.
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
        // Two of the same kind are told apart by their place in the line-up.
        if same > 0 { format!("{plain} ({})", ordinal(agent + 1)) } else { plain }
    }

    /// The names of all entries.
    pub(crate) fn agent_names(&self) -> Vec<String> {
        (0..self.agents()).map(|agent| self.agent_name(agent)).collect()
    }

    /// The end reasons that came up in any cell, as indices with their names.
    pub(crate) fn ends(&self) -> Vec<(usize, String)> {
        let count = |cell: &Cell, end: usize| cell.run.summary.ends.0[end].1;
        let known = self.cells[0].run.summary.ends.0.iter().map(|(end, _)| end.to_string()).enumerate();
        known.filter(|(end, _)| self.cells.iter().any(|cell| count(cell, *end) > 0)).collect()
    }

    /// Whether cells are compared by their mean score: if any of them has a lone player, whose share of the win
    /// says nothing. Otherwise they are compared by that share.
    pub fn ranks_by_score(&self) -> bool {
        self.cells.iter().any(|cell| cell.run.summary.seats.len() == 1)
    }

    /// The best `count` cells for entry `agent` of the line-up, best first: all by mean score, or all by share
    /// of the win ([`ranks_by_score`](Self::ranks_by_score)). Equal cells keep their order.
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

/// A sweep as JSON.
#[derive(Serialize)]
struct Told<'a> {
    format: u32,
    game: Option<&'a str>,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    stopped: bool,
    axes: Value,
    cells: ToldCells<'a>,
}

struct ToldCells<'a>(&'a SweepResult);

impl Serialize for ToldCells<'_> {
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

/// A coordinate as JSON: a number where it is one.
fn number_or_text(text: &str) -> Value {
    let number = text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<f64>().map(Value::from));
    number.unwrap_or_else(|_| text.into())
}
