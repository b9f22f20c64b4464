use meeple_core::{AgentSpec, AnyEntry, AnyGame, Seating};
use meeple_lab::{LabError, LineUp, Mismatch, Sweep};
use meeple_theory::Compositions;

pub const MAX_TABLES: usize = 20_000;
/// Limit on memory: a row of numbers is kept for every deal.
pub const MAX_EPISODES: u64 = 20_000_000;
/// Minimum number of deals: intervals come from the differences between them.
pub const MIN_DEALS: u64 = 4;

/// Measure of the pay-offs at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TablePayoff {
    /// The share of the win: 1 for a win, 1/k for each of k winners.
    #[default]
    Win,
    /// The score above the mean of the table, in the game's unit.
    Score,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// Name, unique among the strategies.
    pub name: String,
    pub spec: AgentSpec,
}

/// A game, and the strategies that meet in it. Every table (multiset of strategies on its seats) plays the
/// same deals, each from every seat. If fillers have seats, too, a deal is as many shuffled episodes as
/// strategies have seats.
pub struct Balance {
    pub game: Box<dyn AnyGame>,
    /// The strategies, at least one.
    pub strategies: Vec<Strategy>,
    /// Seats of every table that the strategies take.
    pub seats: usize,
    /// The agent at all other seats, in games with more seats than that.
    pub filler: Option<AgentSpec>,
    /// Number of deals of every table.
    pub deals: u64,
    /// Root seed of deals and agents.
    pub seed: u64,
    pub pay_off: TablePayoff,
    /// Number of threads; 0 for one per core. Results do not depend on it.
    pub threads: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BalanceOptions {
    /// Seats of every table.
    pub seats: usize,
    /// Minimum number of episodes of all tables together. Every table plays the same number of whole deals.
    pub episodes: u64,
    pub seed: u64,
    pub pay_off: TablePayoff,
    /// Number of threads; 0 for one per core.
    pub threads: usize,
}

impl Balance {
    /// A game with the strategies of `words` (as in a line-up, without numbers of seats). Without words, all
    /// of the game's own agents that can play take part.
    ///
    /// # Errors
    /// If the preset, a parameter, the number of seats or a strategy is wrong, or there are too many tables,
    /// no episodes or too many.
    pub fn new(
        entry: &dyn AnyEntry,
        preset: Option<&str>,
        set: &[(String, String)],
        words: &[String],
        options: &BalanceOptions,
    ) -> Result<Self, LabError> {
        let wrong = |expected: String, found: String, hint: &str| {
            Err(LabError::LineUp(Mismatch::new(expected, found, hint)))
        };
        let BalanceOptions { seats, episodes, seed, pay_off, threads } = *options;
        if seats < 2 {
            let hint = "balance compares players at one table; for one player alone there is `meeple sweep`";
            return wrong("at least 2 seats".into(), seats.to_string(), hint);
        }
        let game = entry.set_up(preset, set, seats)?;
        let filler = match (game.seats().checked_sub(seats), game.info().filler) {
            (Some(0), _) => None,
            (Some(_), Some(filler)) => Some(AgentSpec::parse(filler)),
            _ => {
                let hint = "name the number of seats that the rules ask for with --seats";
                return wrong(format!("{} seats", game.seats()), seats.to_string(), hint);
            }
        };
        let others = vec![filler.clone(); game.seats() - seats];
        let can_play = |spec: &AgentSpec| {
            let table = std::iter::repeat_n(spec, seats).chain(others.iter().flatten());
            game.check_line_up(&table.cloned().collect::<Vec<_>>())
        };
        let strategies = if words.is_empty() {
            let own = entry.own_agents().into_iter().map(AgentSpec::parse);
            let able = own.filter(|spec| can_play(spec).is_ok());
            able.map(|spec| Strategy { name: spec.to_string(), spec }).collect()
        } else {
            strategies(entry, preset, set, words, seats)?
        };
        strategies.iter().try_for_each(|strategy| can_play(&strategy.spec))?;
        let tables = Compositions::count(seats, strategies.len());
        let Some(tables) = tables.filter(|tables| (1..=MAX_TABLES).contains(tables)) else {
            let found = match tables {
                Some(tables) => format!("{tables} of {} strategies on {seats} seats", strategies.len()),
                None => "more than can be counted".into(),
            };
            return wrong(format!("1 to {MAX_TABLES} tables"), found, "name fewer strategies or seats");
        };
        if episodes == 0 {
            return Err(LabError::Episodes { found: 0 });
        }
        if episodes > MAX_EPISODES {
            let hint = "intervals become no narrower than differences between strategies long before";
            return wrong(format!("at most {MAX_EPISODES} episodes"), episodes.to_string(), hint);
        }
        let deals = episodes.div_ceil(tables as u64 * seats as u64).max(MIN_DEALS);
        Ok(Self { game, strategies, seats, filler, deals, seed, pay_off, threads })
    }

    pub fn tables(&self) -> Compositions {
        Compositions::new(self.seats, self.strategies.len())
    }

    pub(crate) fn seating(&self) -> Seating {
        if self.filler.is_some() { Seating::Shuffle } else { Seating::DealGroups }
    }

    /// Episodes of all tables together.
    pub fn episodes(&self) -> u64 {
        self.deals * self.seats as u64 * self.tables().len() as u64
    }

    pub fn names(&self) -> Vec<String> {
        self.strategies.iter().map(|strategy| strategy.name.clone()).collect()
    }
}

/// The strategies of these words. A word with a range or several values stands for several strategies.
fn strategies(
    entry: &dyn AnyEntry,
    preset: Option<&str>,
    set: &[(String, String)],
    words: &[String],
    seats: usize,
) -> Result<Vec<Strategy>, LabError> {
    let mut single = Vec::new();
    for word in words {
        let arguments = word.split_once(':').map_or("", |(_, arguments)| arguments);
        if arguments.contains("..") || arguments.contains('|') {
            // The other players at the table do not matter: only the values are read.
            let table = [word.clone(), format!("random*{}", seats - 1)];
            let sweep = Sweep::new(entry, preset, set, &table)?;
            single.extend(sweep.line_ups().map(|line_up| line_up.words()[0].clone()));
        } else {
            single.push(word.clone());
        }
    }
    let line_up = LineUp::parse(&single)?;
    for entry in line_up.entries() {
        if entry.seats != 1 {
            return Err(LabError::LineUp(Mismatch::new(
                "each strategy once",
                format!("{}*{}", entry.spec, entry.seats),
                "every strategy meets every other and itself; the number of seats is given with --seats",
            )));
        }
    }
    let entries = line_up.entries().iter();
    Ok(entries.map(|entry| Strategy { name: entry.name.clone(), spec: entry.spec.clone() }).collect())
}
