//! Measured strengths of a game's agents.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

/// Result of an agent in a round-robin tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Strength {
    /// The agent with its parameters, as in a line-up.
    pub spec: String,
    /// Rating relative to the anchor, which has 0. A lead of 400 points means odds of ten to one.
    pub points: i32,
    /// 95 % interval of the rating; a single point for the anchor.
    pub interval: [i32; 2],
    /// Share of the win over all games of the agent, in 0..=1.
    pub win_share: f64,
}

/// Measured strengths of a game's agents; see [`Strengths::parse`].
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Strengths {
    /// Command that reproduces the measurement.
    pub command: String,
    /// The measured agents, strongest first.
    pub measured: Vec<Strength>,
}

/// Unreadable line in a file of strengths.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line} of the strengths: expected {expected}, found '{found}'")]
pub struct StrengthError {
    line: usize,
    expected: &'static str,
    found: String,
}

impl Strengths {
    /// Parses a game's strengths. The first line is the command after `# `; further comments start with `#`.
    /// Then comes one line per agent, strongest first: points, the two ends of their interval, win share, and
    /// agent. These are rows of the `standings.csv` that the command writes with `--out DIR`, with rounded
    /// points; `meeple tournament --strength FILE` writes this format.
    ///
    /// ```
    /// let text = "# meeple tournament coin-game heads:often=0.9 random -n 100\n\
    ///     120 90 150 0.67 heads:often=0.9\n0 0 0 0.33 random\n";
    /// let strengths = meeple_core::Strengths::parse(text)?;
    /// assert_eq!(meeple_core::Strengths::parse(&strengths.to_string()), Ok(strengths.clone()));
    /// assert_eq!(strengths.of("heads").map(|strength| strength.points), Some(120));
    /// assert_eq!(strengths.anchor().map(|strength| strength.agent()), Some("random"));
    /// # Ok::<(), meeple_core::StrengthError>(())
    /// ```
    ///
    /// # Errors
    /// If a line has another form, or an agent is stronger than the one before it.
    pub fn parse(text: &str) -> Result<Self, StrengthError> {
        let mut strengths = Self::default();
        for (index, line) in text.lines().enumerate() {
            let wrong = |expected| StrengthError { line: index + 1, expected, found: line.to_owned() };
            if index == 0 {
                let command = line.strip_prefix("# meeple tournament ").map(|_| &line[2..]);
                command.ok_or_else(|| wrong("'# meeple tournament …'"))?.clone_into(&mut strengths.command);
                continue;
            }
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            let strength = Strength::parse(line)
                .ok_or_else(|| wrong("points, two ends of their interval, a share and an agent"))?;
            if strengths.measured.last().is_some_and(|before| before.points < strength.points) {
                return Err(wrong("an agent that is no stronger than the one before"));
            }
            strengths.measured.push(strength);
        }
        Ok(strengths)
    }

    /// The anchor: the reference agent of the ratings.
    pub fn anchor(&self) -> Option<&Strength> {
        self.measured.iter().find(|strength| strength.points == 0 && strength.interval == [0, 0])
    }

    /// The strength of the strongest measured agent with this name, whatever its parameters.
    pub fn of(&self, agent: &str) -> Option<&Strength> {
        self.measured.iter().find(|strength| strength.agent() == agent)
    }
}

/// The format of [`Strengths::parse`].
impl fmt::Display for Strengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let anchor = self.anchor().map_or("none", |anchor| &anchor.spec);
        writeln!(f, "# {}", self.command)?;
        writeln!(f, "# points, 95 % interval, share of the win, agent; 0 points: {anchor}")?;
        self.measured.iter().try_for_each(|own| {
            let [low, high] = own.interval;
            writeln!(f, "{} {low} {high} {:.3} {}", own.points, own.win_share, own.spec)
        })
    }
}

impl Strength {
    /// The name of the agent, without its parameters.
    pub fn agent(&self) -> &str {
        self.spec.split_once(':').map_or(&self.spec, |(name, _)| name)
    }

    fn parse(line: &str) -> Option<Self> {
        let mut words = line.splitn(5, ' ');
        let mut word = || words.next();
        let points = word()?.parse().ok()?;
        let interval = [word()?.parse().ok()?, word()?.parse().ok()?];
        let win_share = word()?.parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
        let spec = word()?.to_owned();
        let holds = interval[0] <= points && points <= interval[1];
        holds.then_some(Self { spec, points, interval, win_share })
    }
}
