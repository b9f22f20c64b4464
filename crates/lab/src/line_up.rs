//! Line-ups: the players and their numbers of seats.

use meeple_core::{AgentSpec, AnyEntry, AnyGame, PlayerLabel};

use crate::error::{LabError, Mismatch};

/// An entry of a line-up: an agent and its number of seats. Each seat has its own agent instance; results are
/// counted together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineUpEntry {
    /// Name in tables and plots; unique in the line-up.
    pub name: String,
    /// Spec of the agent.
    pub spec: AgentSpec,
    /// Number of seats that the agent fills in every episode.
    pub seats: usize,
    /// Colour, if one was given; the game defines the valid colours.
    pub color: Option<String>,
}

/// The players: entries in order.
///
/// ```
/// use meeple_lab::LineUp;
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let line_up = LineUp::parse(&words("turn:7 random:0.2*3 Bob=turn:7"))?;
/// assert_eq!(line_up.seats(), 5);
/// assert_eq!(line_up.entries()[1].seats, 3);
/// assert_eq!(line_up.entries()[2].name, "Bob");
/// # Ok::<(), meeple_lab::LabError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineUp {
    entries: Vec<LineUpEntry>,
}

impl LineUp {
    /// Parses a line-up. Each word is an agent spec. A suffix `*N` gives it N seats, a suffix `@COLOUR` a
    /// colour, and a prefix `NAME=` another name in tables.
    ///
    /// # Errors
    /// If there are no words, a word is not an entry, or a given name is not unique.
    pub fn parse(words: &[String]) -> Result<Self, LabError> {
        let mut line_up = Self { entries: Vec::new() };
        let mut names: Vec<(String, bool)> = Vec::new();
        for word in words {
            let (name, spec, seats, color) = parse_entry(word)?;
            let is_given = name.is_some();
            let name = name.unwrap_or_else(|| spec.to_string());
            // Equal agents get numbers. A given name must be unique, or it would be ambiguous.
            if names.iter().any(|(other, was_given)| *other == name && (is_given || *was_given)) {
                return Err(LabError::LineUp(Mismatch::new(
                    "every name once",
                    format!("'{name}' twice in '{}'", words.join(" ")),
                    format!(
                        "give one of them another name, as in second={spec}, or AGENT*N for N seats of one agent"
                    ),
                )));
            }
            names.push((name.clone(), is_given));
            line_up.push(name, spec, seats, color);
        }
        Ok(line_up)
    }

    fn push(&mut self, name: String, spec: AgentSpec, seats: usize, color: Option<String>) {
        let taken = |name: &str| self.entries.iter().any(|entry| entry.name == name);
        let mut unique = name.clone();
        let mut number = 2;
        while taken(&unique) {
            unique = format!("{name} #{number}");
            number += 1;
        }
        self.entries.push(LineUpEntry { name: unique, spec, seats, color });
    }

    /// Gives the remaining seats to the agent `filler`.
    ///
    /// # Errors
    /// If seats are left and `filler` is `None`, or there are more players than seats.
    pub fn fill(mut self, seats: usize, filler: Option<&str>) -> Result<Self, LabError> {
        let named = self.seats();
        match (seats.checked_sub(named), filler) {
            (Some(0), _) => Ok(self),
            (Some(left), Some(filler)) => {
                self.push(filler.to_owned(), AgentSpec::parse(filler), left, None);
                Ok(self)
            }
            _ => Err(LabError::LineUp(Mismatch::new(
                format!("{seats} players"),
                named.to_string(),
                "name one agent per seat, as in turn:7 random:0.2; AGENT*N stands for N seats",
            ))),
        }
    }

    /// The entries, in order.
    pub fn entries(&self) -> &[LineUpEntry] {
        &self.entries
    }

    /// Number of seats that the entries fill.
    pub fn seats(&self) -> usize {
        self.entries.iter().map(|entry| entry.seats).sum()
    }

    /// Spec of the agent of every player, one per seat.
    pub fn players(&self) -> Vec<AgentSpec> {
        let players = self.entries.iter().flat_map(|entry| std::iter::repeat_n(&entry.spec, entry.seats));
        players.cloned().collect()
    }

    /// Label of every player in drawings: the given name, else the agent spec.
    pub fn labels(&self) -> Vec<PlayerLabel> {
        let label = |entry: &LineUpEntry| {
            let spec = entry.spec.to_string();
            let numbered = entry.name.strip_prefix(&spec).is_some_and(|rest| rest.starts_with(" #"));
            let name = if numbered { &spec } else { &entry.name };
            let label = PlayerLabel { name: name.as_str().into(), color: entry.color.clone() };
            std::iter::repeat_n(label, entry.seats)
        };
        self.entries.iter().flat_map(label).collect()
    }

    /// Checks that the game knows the given colours.
    ///
    /// # Errors
    /// For the first unknown colour.
    pub fn check_colors(&self, entry: &dyn AnyEntry) -> Result<(), LabError> {
        for color in self.entries.iter().filter_map(|entry| entry.color.as_deref()) {
            entry.check_color(color).map_err(LabError::Color)?;
        }
        Ok(())
    }

    /// Index of the entry of every player.
    pub fn groups(&self) -> Vec<u16> {
        let groups = self.entries.iter().enumerate();
        groups.flat_map(|(index, entry)| std::iter::repeat_n(index as u16, entry.seats)).collect()
    }

    /// The words that [`parse`](Self::parse) turns into this line-up.
    pub fn words(&self) -> Vec<String> {
        let word = |entry: &LineUpEntry| {
            let spec = entry.spec.to_string();
            let name = if is_name(&entry.name) && entry.name != spec {
                format!("{}=", entry.name)
            } else {
                String::new()
            };
            let seats = if entry.seats == 1 { String::new() } else { format!("*{}", entry.seats) };
            let color = entry.color.as_ref().map_or(String::new(), |color| format!("@{color}"));
            format!("{name}{spec}{color}{seats}")
        };
        self.entries.iter().map(word).collect()
    }
}

const MAX_SEATS: usize = 4096;

type ParsedEntry = (Option<String>, AgentSpec, usize, Option<String>);

fn parse_entry(word: &str) -> Result<ParsedEntry, LabError> {
    let wrong = |expected: &str| {
        let hint =
            "an entry is AGENT, AGENT:VALUE, AGENT@COLOUR, AGENT*SEATS or NAME=AGENT, as in Bob=turn:7*2";
        LabError::LineUp(Mismatch::new(expected, format!("'{word}'"), hint))
    };
    let (name, rest) = match word.split_once('=') {
        Some((name, rest)) if is_name(name) => (Some(name.trim().to_owned()), rest),
        Some((name, _)) if !name.contains(':') => {
            return Err(wrong("letters, digits, blanks, '-' and '_' in the name before '='"));
        }
        _ => (None, word),
    };
    let (spec, seats) = match rest.rsplit_once('*') {
        Some((spec, count)) if !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()) => {
            let seats = count.parse().ok().filter(|seats| (1..=MAX_SEATS).contains(seats));
            (spec, seats.ok_or_else(|| wrong(&format!("1 to {MAX_SEATS} seats after '*'")))?)
        }
        _ => (rest, 1),
    };
    let (spec, color) = match spec.rsplit_once('@') {
        Some((spec, color)) if !color.trim().is_empty() => (spec, Some(color.trim().to_owned())),
        Some(_) => return Err(wrong("a colour after '@'")),
        None => (spec, None),
    };
    let spec = AgentSpec::parse(spec);
    if spec.name.is_empty() {
        return Err(wrong("the name of an agent"));
    }
    Ok((name, spec, seats, color))
}

/// True for a valid name. Names have no colon, dot or slash, which distinguishes them from agent specs.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
}

/// A game, set up, with its players.
pub struct SetUp {
    /// The game with its variant and seats.
    pub game: Box<dyn AnyGame>,
    /// The players; their entries fill every seat.
    pub line_up: LineUp,
    /// The preset, if one was named.
    pub preset: Option<String>,
}

impl SetUp {
    /// Sets up a game for the players in `words` (see [`LineUp::parse`]). Seats that the variant adds get the
    /// game's filler. Every agent is built once as a check.
    ///
    /// # Errors
    /// If the preset, a parameter, the number of players or an agent is wrong.
    pub fn new(
        entry: &dyn AnyEntry,
        preset: Option<&str>,
        set: &[(String, String)],
        words: &[String],
    ) -> Result<Self, LabError> {
        let line_up = LineUp::parse(words)?;
        line_up.check_colors(entry)?;
        let game = entry.set_up(preset, set, line_up.seats())?;
        let line_up = line_up.fill(game.seats(), game.info().filler)?;
        game.check_line_up(&line_up.players())?;
        Ok(Self { game, line_up, preset: preset.map(str::to_owned) })
    }
}
