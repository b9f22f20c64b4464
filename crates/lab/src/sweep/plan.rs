//! Parsing of sweeps: ranges in words and settings, and the resulting cells.

use std::path::Path;

use meeple_core::{AgentDoc, AgentSpec, AnyEntry, AnyGame, Argument, Domain, ParamSpec, SeatSet};

use super::range;
use crate::error::{LabError, Mismatch};
use crate::line_up::{LineUp, SetUp};
use crate::text::ordinal;

const MAX_CELLS: usize = 10_000;

/// A swept parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// Its name, unique among the axes: `turn`, `mcts:sims`, `hazards.copies`, `turn (2nd)`.
    pub name: String,
    /// Meaning of the parameter.
    pub doc: String,
    /// Its values as shown, in order; files by name.
    pub values: Vec<String>,
    /// Texts that replace the values in words and settings: for a file, its content.
    texts: Vec<String>,
}

/// Callback that reads a file, or returns the reason for failure.
pub type ReadFile<'a> = &'a mut dyn FnMut(&str) -> Result<String, String>;

impl Axis {
    fn read_files(&mut self, read: ReadFile<'_>) -> Result<(), LabError> {
        let paths = self.values.clone();
        for (index, value) in paths.iter().enumerate() {
            let Some(path) = value.strip_prefix('@') else { continue };
            self.texts[index] = read(path)
                .map_err(|reason| range::wrong(&self.name, "a file that can be read", value, &reason))?;
            let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(path);
            let shared = |other: &String| {
                let other = other.trim_start_matches('@');
                Path::new(other).file_stem().and_then(|other| other.to_str()) == Some(stem)
            };
            // Files of equal names are shown with their paths.
            let name = if paths.iter().filter(|other| shared(other)).count() > 1 { path } else { stem };
            self.values[index] = name.to_owned();
        }
        Ok(())
    }
}

/// A parsed sweep, with every cell set up.
pub struct Sweep {
    pub(crate) axes: Vec<Axis>,
    pub(crate) cells: Vec<PlannedCell>,
}

pub(crate) struct PlannedCell {
    pub at: Vec<usize>,
    pub set: Vec<(String, String)>,
    pub set_up: SetUp,
}

#[derive(Default)]
struct Template(Vec<Piece>);

enum Piece {
    Text(String),
    Axis(usize),
}

impl Template {
    fn text(text: &str) -> Self {
        Self(vec![Piece::Text(text.to_owned())])
    }

    fn push(&mut self, text: &str) {
        self.0.push(Piece::Text(text.to_owned()));
    }

    fn fill(&self, axes: &[Axis], at: &[usize]) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Axis(axis) => axes[*axis].texts[at[*axis]].clone(),
        };
        self.0.iter().map(piece).collect()
    }
}

impl Sweep {
    pub(crate) fn game(&self) -> Option<&dyn AnyGame> {
        self.cells.first().map(|cell| &*cell.set_up.game)
    }

    /// Parses a sweep: a line-up and settings, of which one or two values are ranges or alternatives. Ranges
    /// are `1..20`, `1..100+3` or `0.05..1+0.05`. Alternatives are `a|b|c`; for words also `a,b,c`; for lists
    /// `1,2|3,4`. A word `x` between entries and a word `solo` before a single entry are allowed.
    ///
    /// # Errors
    /// If a range, an agent, a parameter or the number of axes is wrong, in any cell.
    pub fn new(
        entry: &dyn AnyEntry,
        preset: Option<&str>,
        set: &[(String, String)],
        words: &[String],
    ) -> Result<Self, LabError> {
        Self::with_files(entry, preset, set, words, &mut |_| Err("files are not read here".to_owned()))
    }

    /// Like [`new`](Self::new); in a list of texts `@FILE` stands for the content that `read` returns for
    /// that path, shown by the file's name.
    ///
    /// # Errors
    /// Also if a file cannot be read.
    pub fn with_files(
        entry: &dyn AnyEntry,
        preset: Option<&str>,
        set: &[(String, String)],
        words: &[String],
        read: ReadFile<'_>,
    ) -> Result<Self, LabError> {
        let agents = entry.agents();
        let mut axes = Vec::new();
        let words = entries(words, &agents)?;
        let words: Vec<Template> =
            words.iter().map(|word| word_template(&agents, word, &mut axes)).collect::<Result<_, _>>()?;
        let params = entry.params();
        let has_profiles = !entry.info().profiles.is_empty();
        let mut settings = Vec::new();
        for (key, value) in set {
            settings.push((key, setting_template(&params, has_profiles, key, value, &mut axes)?));
        }
        for axis in &mut axes {
            axis.read_files(read)?;
        }
        if axes.is_empty() {
            // A misspelt name hides a range. The error about the name is more specific than one about a
            // missing range.
            let plain: Vec<String> = words.iter().map(|word| word.fill(&axes, &[])).collect();
            SetUp::new(entry, preset, set, &plain)?;
        }
        number_equal_names(&mut axes);
        check_size(&axes)?;

        let mut cells = Vec::new();
        let mut at = vec![0; axes.len()];
        loop {
            let words: Vec<String> = words.iter().map(|word| word.fill(&axes, &at)).collect();
            let set: Vec<(String, String)> =
                settings.iter().map(|(key, value)| ((*key).clone(), value.fill(&axes, &at))).collect();
            let set_up = SetUp::new(entry, preset, &set, &words)?;
            // Frees the game's memory: there may be thousands of cells, played one after another.
            set_up.game.release();
            cells.push(PlannedCell { at: at.clone(), set, set_up });
            // The last axis changes fastest.
            let Some(axis) = (0..at.len()).rev().find(|axis| at[*axis] + 1 < axes[*axis].values.len()) else {
                return Ok(Self { axes, cells });
            };
            at[axis] += 1;
            at[axis + 1..].fill(0);
        }
    }

    /// The swept parameters.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The players, by cell.
    pub fn line_ups(&self) -> impl Iterator<Item = &LineUp> {
        self.cells.iter().map(|cell| &cell.set_up.line_up)
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Position of a cell on each axis, with the line-up and settings of its simulation.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn cell(&self, index: usize) -> (&[usize], Vec<String>, &[(String, String)]) {
        let PlannedCell { at, set, set_up } = &self.cells[index];
        (at, set_up.line_up.words(), set)
    }
}

fn check_size(axes: &[Axis]) -> Result<(), LabError> {
    let count: usize = axes.iter().map(|axis| axis.values.len()).product();
    let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
    let one_or_two = "one or two parameters with a range".to_owned();
    let (expected, found, hint) = match axes.len() {
        0 => (one_or_two, "none".into(), "give one a range, as in turn:1..20 or --set KEY=2..5"),
        1 | 2 if count <= MAX_CELLS => return Ok(()),
        1 | 2 => {
            let found = format!("{count} ({})", names.join(" x "));
            (format!("at most {MAX_CELLS} cells"), found, "choose larger steps, as in 1..100+5")
        }
        found => {
            (one_or_two, format!("{found} ({})", names.join(", ")), "a plot has two axes; fix the others")
        }
    };
    Err(LabError::Sweep(Mismatch::new(expected, found, hint)))
}

fn entries(words: &[String], agents: &[AgentDoc]) -> Result<Vec<String>, LabError> {
    let known = |name: &str| agents.iter().any(|agent| agent.name == name);
    let wrong = |expected: &str, found: String, hint: &str| {
        Err(LabError::LineUp(Mismatch::new(expected, found, hint)))
    };
    let mut words: Vec<String> = words.to_vec();
    if !known("x") {
        let misplaced = words.first().is_some_and(|word| word == "x")
            || words.last().is_some_and(|word| word == "x")
            || words.windows(2).any(|pair| pair[0] == "x" && pair[1] == "x");
        if misplaced {
            let found = format!("'{}'", words.join(" "));
            return wrong("an agent on both sides of 'x'", found, "as in turn:1..10 x turn:1..10");
        }
        words.retain(|word| word != "x");
    }
    if words.first().is_some_and(|word| word == "solo") && !known("solo") {
        words.remove(0);
        if words.len() != 1 {
            let found = words.len().to_string();
            return wrong("one agent after 'solo'", found, "omit 'solo' for several players");
        }
    }
    Ok(words)
}

/// Template of an entry; ranges among its arguments become axes.
fn word_template(agents: &[AgentDoc], word: &str, axes: &mut Vec<Axis>) -> Result<Template, LabError> {
    let is_count = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '+' | '|' | ' '))
    };
    let (spec, seats) = match word.rsplit_once('*') {
        Some((spec, seats)) if is_count(seats) => (spec, Some(seats)),
        _ => (word, None),
    };
    let (head, arguments) = match spec.split_once(':') {
        Some((head, _)) => (head, true),
        None => (spec, false),
    };
    let name = head.rsplit('=').next().unwrap_or_default().trim();
    // The set-up refuses unknown agents and parameters.
    let Some(agent) = agents.iter().find(|agent| agent.name == name) else { return Ok(Template::text(word)) };
    let parsed = AgentSpec::parse(spec);
    let Ok(given) = parsed.arguments(&agent.params) else { return Ok(Template::text(word)) };
    let mut template = Template::text(head);
    if arguments {
        template.push(":");
        for (position, Argument { param, named, value }) in given.iter().enumerate() {
            if position > 0 {
                template.push(",");
            }
            if *named {
                template.push(&format!("{}=", param.name));
            }
            let several = agent.params.len() > 1;
            let axis = if several { format!("{name}:{}", param.name) } else { name.to_owned() };
            push_value(&mut template, axis, &param.doc, value, &param.domain, axes)?;
        }
    }
    if let Some(seats) = seats {
        template.push("*");
        let axis = format!("seats of {name}");
        push_value(&mut template, axis, "Seats that the agent fills.", seats, &SEATS, axes)?;
    }
    Ok(template)
}

/// Possible numbers of seats; the game may restrict them further.
const SEATS: Domain = Domain::Int { min: 1, max: SeatSet::CAPACITY as i64 };

/// Template of a setting; a range becomes an axis.
fn setting_template(
    params: &[ParamSpec],
    has_profiles: bool,
    key: &str,
    value: &str,
    axes: &mut Vec<Axis>,
) -> Result<Template, LabError> {
    let mut template = Template::default();
    match params.iter().find(|param| param.name == key) {
        Some(param) => push_value(&mut template, key.to_owned(), &param.doc, value, &param.domain, axes)?,
        None if key == "profile" && has_profiles => {
            let doc = "Named set of variant parameters.";
            push_value(&mut template, key.to_owned(), doc, value, &Domain::Choice(&[]), axes)?;
        }
        // The set-up refuses unknown names.
        None => template.push(value),
    }
    Ok(template)
}

fn push_value(
    template: &mut Template,
    name: String,
    doc: &str,
    value: &str,
    domain: &Domain,
    axes: &mut Vec<Axis>,
) -> Result<(), LabError> {
    match range::values(&name, value.trim(), domain)? {
        None => template.push(value),
        Some(values) => {
            template.0.push(Piece::Axis(axes.len()));
            let texts = values.clone();
            axes.push(Axis { name, doc: doc.to_owned(), values, texts });
        }
    }
    Ok(())
}

/// Numbers axes of equal names: `turn (1st)`, `turn (2nd)`.
fn number_equal_names(axes: &mut [Axis]) {
    let names: Vec<String> = axes.iter().map(|axis| axis.name.clone()).collect();
    for (index, axis) in axes.iter_mut().enumerate() {
        let same = |names: &[String]| names.iter().filter(|name| **name == axis.name).count();
        if same(&names) > 1 {
            let place = same(&names[..=index]);
            axis.name = format!("{} ({})", axis.name, ordinal(place));
        }
    }
}
