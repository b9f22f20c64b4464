//! Advice from agents for a person's decision, in words.

use meeple_core::{ActionValue, AgentSpec, Analysis, AnyEpisode, Budget, Driver, Seat, ValueUnit};
use meeple_games::ANALYST;
use meeple_lab::review::Worth;

use crate::terminal;

/// Maximal number of rows in a table of actions.
const MAX_ROWS: usize = 12;

/// Maximal length of an action in that table, in characters.
const MAX_ACTION_LETTERS: usize = 46;

/// Questions of a person to agents; asking leaves the game unchanged.
pub struct Asker<'a> {
    pub driver: &'a Driver,
    /// The deciding seat; agents get its information.
    pub seat: Seat,
    /// The seat's legal actions, numbered as on the screen; empty if they cannot be enumerated.
    pub legal: &'a [String],
    /// Names of the players, by seat.
    pub names: &'a [String],
}

struct Opinion {
    choice: String,
    analysis: Analysis<String>,
}

impl Asker<'_> {
    /// A line of advice. By default it has the choice of the game's advisor and the analyst's evaluation. If
    /// `agent` is given or the game has no advisor, it has one agent's choice and reason.
    pub fn hint(&self, agent: Option<&str>) -> String {
        self.try_hint(agent).unwrap_or_else(|reason| format!("no hint: {reason}"))
    }

    fn try_hint(&self, agent: Option<&str>) -> Result<String, String> {
        let advisor = self.driver.view().info().advisor;
        if let Some(agent) = agent.or(advisor.is_empty().then_some(ANALYST)) {
            let opinion = self.ask(agent, None)?;
            let choice = self.numbered(&opinion.choice);
            let why = self.why(&opinion, &opinion.choice).unwrap_or_else(|| "it does not say why".to_owned());
            return Ok(format!("hint: {agent} would choose {choice}: {why}"));
        }
        let mut imagined = self.seated(advisor)?;
        let choice = imagined.ask_agent(self.seat).ok_or("nothing is to be decided")?;
        let advice = format!("hint: {advisor} would choose {}", self.numbered(&choice));
        let opinion = self.ask(ANALYST, Some(&choice))?;
        Ok(match (self.why(&opinion, &choice), opinion.choice == choice) {
            (None, _) => advice,
            (Some(why), true) => format!("{advice}; so would {ANALYST}: {why}"),
            (Some(why), false) => {
                let better = self.numbered(&opinion.choice);
                let better_why = self.why(&opinion, &opinion.choice).unwrap_or_default();
                format!("{advice} ({ANALYST}: {why}); {ANALYST} itself {better} ({better_why})")
            }
        })
    }

    /// An agent's evaluation of the actions and the moves that it expects, as lines of text.
    ///
    /// # Errors
    /// If the agent is unknown, cannot play or gives no analysis.
    pub fn analysis(&self, agent: Option<&str>) -> Result<String, String> {
        let agent = agent.unwrap_or(ANALYST);
        let opinion = self.ask(agent, None)?;
        let Opinion { choice, analysis } = &opinion;
        if analysis.actions.is_empty() {
            return Err(format!(
                "{agent} does not say what it thinks\nhint: {ANALYST} does, as in analyse {ANALYST}"
            ));
        }
        // A single action without visits was returned without a search.
        if let [only] = analysis.actions.as_slice()
            && analysis.visits() == 0
        {
            return Ok(format!("{} is the only legal action\n", self.numbered(&only.action)));
        }
        let mut actions: Vec<&ActionValue<String>> = analysis.actions.iter().collect();
        let rank = |tried: &ActionValue<String>| (tried.action != *choice, std::cmp::Reverse(tried.visits));
        actions.sort_by(|one, other| rank(one).cmp(&rank(other)).then(other.value.total_cmp(&one.value)));
        let visits = analysis.visits().max(1) as f64;
        let rows = actions.iter().take(MAX_ROWS).map(|tried| {
            let share = 100.0 * tried.visits as f64 / visits;
            vec![
                cut(&self.numbered(&tried.action)),
                tried.visits.to_string(),
                format!("{share:.0}%"),
                self.worth(analysis.unit, tried),
            ]
        });
        let unit = self.unit(analysis.unit);
        let columns =
            ["action".to_owned(), "looks".to_owned(), "share".to_owned(), format!("expects, {unit}")];
        let mut text =
            format!("{agent} would choose {} after {}\n\n", self.numbered(choice), looks(analysis));
        text += &terminal::table(&columns, &rows.collect::<Vec<_>>());
        if actions.len() > MAX_ROWS {
            text += &format!("… and {} more\n", actions.len() - MAX_ROWS);
        }
        if analysis.line.len() > 1 {
            text += "\nIt expects:\n";
            for step in &analysis.line {
                let who = if step.seat == self.seat { "you".to_owned() } else { self.name(step.seat) };
                text += &format!("  {who}: {}\n", cut(&step.action));
            }
        }
        if self.is_share(analysis.unit) {
            let even = 100.0 / self.driver.view().seats() as f64;
            text +=
                &format!("\nNobody is ahead at {even:.0} %. Intervals are 95 %, of its sampling alone.\n");
        }
        Ok(text)
    }

    /// A copy of the game with an agent at the seat.
    fn seated(&self, agent: &str) -> Result<Box<dyn AnyEpisode>, String> {
        let mut imagined = self.driver.fork();
        imagined.seat_agent(self.seat, &AgentSpec::parse(agent)).map_err(|error| error.to_string())?;
        Ok(imagined)
    }

    fn ask(&self, agent: &str, about: Option<&str>) -> Result<Opinion, String> {
        let asked = self.seated(agent)?.analyse(self.seat, Budget::Own, about);
        let (choice, analysis) =
            asked.ok_or("nothing is to be decided")?.map_err(|illegal| illegal.to_string())?;
        Ok(Opinion { choice, analysis })
    }

    fn numbered(&self, action: &str) -> String {
        match self.legal.iter().position(|known| known == action) {
            Some(index) => format!("{}) {action}", index + 1),
            None => action.to_owned(),
        }
    }

    /// The expected value of an action and its share of the visits; `None` if it was not analysed.
    fn why(&self, opinion: &Opinion, action: &String) -> Option<String> {
        let Opinion { analysis, .. } = opinion;
        let tried = analysis.of(action)?;
        if analysis.actions.len() == 1 {
            return Some("nothing else can be done".to_owned());
        }
        let worth = format!("{} {}", self.worth(analysis.unit, tried), self.unit(analysis.unit));
        if analysis.iterations == 0 {
            return Some(worth);
        }
        let share = 100.0 * tried.visits as f64 / analysis.visits().max(1) as f64;
        Some(format!("{worth}, {share:.0} % of {}", looks(analysis)))
    }

    fn is_share(&self, unit: ValueUnit) -> bool {
        unit.is_share(self.driver.view().seats())
    }

    fn unit(&self, unit: ValueUnit) -> &'static str {
        if self.is_share(unit) { "% of the win" } else { "points" }
    }

    fn worth(&self, unit: ValueUnit, tried: &ActionValue<String>) -> String {
        Worth::of(tried, unit, self.driver.view().seats()).text_with_interval(self.is_share(unit))
    }

    fn name(&self, seat: Seat) -> String {
        let name = self.names.get(seat.index()).map_or("", String::as_str);
        format!("seat {seat} {name}").trim_end().to_owned()
    }
}

fn looks(analysis: &Analysis<String>) -> String {
    match analysis.iterations {
        0 => "one look at each".to_owned(),
        1 => "1 look".to_owned(),
        _ => format!("{} looks", analysis.visits()),
    }
}

/// An action on one line, truncated if long.
fn cut(action: &str) -> String {
    match action.char_indices().nth(MAX_ACTION_LETTERS) {
        Some((end, _)) => format!("{}…", &action[..end]),
        None => action.to_owned(),
    }
}
