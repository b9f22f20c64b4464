//! Fuzz cases: rules, a line-up and a seed, with the command that plays them.

use meeple_core::{AgentSpec, Params, Playable, Preset, Stream};

use super::draw::{random_value, telling_values};
use super::plan::{Fuzz, is_costly};

#[derive(Clone)]
pub(super) struct Case {
    pub(super) preset: &'static Preset,
    /// Settings on top of the preset and of the settings for short games.
    pub(super) set: Vec<(&'static str, String)>,
    /// Number of named players; some variants fix the number of seats.
    pub(super) named: usize,
    /// Agents, assigned to the seats cyclically.
    pub(super) agents: Vec<AgentSpec>,
    pub(super) seed: u64,
}

impl Case {
    /// All settings: those for short games that the case does not override, then the case's own.
    pub(super) fn settings<'a>(&'a self, short: &'a [(&str, &str)]) -> Vec<(&'a str, &'a str)> {
        let unset = short.iter().filter(|(name, _)| self.set.iter().all(|(own, _)| own != name));
        let set = self.set.iter().map(|(name, value)| (*name, value.as_str()));
        unset.map(|(name, value)| (*name, *value)).chain(set).collect()
    }

    fn give(&mut self, param: &'static str, value: String) {
        self.set.retain(|(name, _)| *name != param);
        self.set.push((param, value));
    }

    pub(super) fn line_up(&self, seats: usize) -> Vec<AgentSpec> {
        self.agents.iter().cycle().take(seats).cloned().collect()
    }
}

impl<G: Playable> Fuzz<G> {
    /// Systematic cases: every parameter of the rules and of every agent at the ends of its domain and
    /// between, and every agent at tables of every size.
    pub(super) fn systematic_cases(&self) -> Vec<Case> {
        let mut stream = Stream::from_seed(self.seed);
        let mut cases = Vec::new();
        for param in self.definition.variant.specs() {
            for value in telling_values(&param, self.texts_of(param.name), &mut stream) {
                // As many tables as needed for every agent to play.
                let mut case = self.any_table(&mut stream);
                case.give(param.name, value);
                let mut waiting = std::mem::take(&mut case.agents);
                while !waiting.is_empty() {
                    let table = self.any_table(&mut stream);
                    let sat = table.named.min(waiting.len());
                    let agents = waiting.drain(..sat).collect();
                    cases.push(Case { set: case.set.clone(), agents, ..table });
                }
            }
        }
        for agent in self.known_agents() {
            for named in self.numbers_of_players() {
                // One costly agent per table is enough.
                let company =
                    if is_costly(agent.name) { vec![AgentSpec::with("random", []); named] } else { vec![] };
                let agents = [vec![self.agent_with(&agent, Vec::new())], company].concat();
                cases.push(Case { named, agents, ..self.any_table(&mut stream) });
            }
            for param in self.cheap_params(&agent) {
                for value in telling_values(&param, &[], &mut stream) {
                    let mut case = self.any_table(&mut stream);
                    case.agents.insert(0, self.agent_with(&agent, vec![(param.name, value)]));
                    cases.push(case);
                }
            }
        }
        cases
    }

    /// A random case: random parameters of rules and agents at random values. It depends on the search's seed
    /// and `index` alone.
    pub(super) fn random_case(&self, index: u64) -> Case {
        let mut stream = Stream::from_seed(self.seed.wrapping_mul(0x1_0000_0001) ^ index);
        let mut case = self.any_table(&mut stream);
        let mut params = self.definition.variant.specs();
        stream.shuffle(&mut params);
        // Mostly a few changes: many at once often contradict each other and are refused.
        let few = stream.below(4) + 1;
        let changed = if stream.below(4) > 0 { few } else { stream.below(params.len() as u32 + 1) };
        for param in params.iter().take(changed as usize) {
            let texts = self.texts_of(param.name);
            let mut value = random_value(param, texts, &mut stream);
            // Redraw values that lengthen episodes: cut episodes reveal less than complete ones.
            for _ in 0..4 {
                if self.is_longer(param.name, &value) {
                    value = random_value(param, texts, &mut stream);
                }
            }
            case.give(param.name, value);
        }
        let known = self.known_agents();
        case.agents.clear();
        for _ in 0..=stream.below(4) {
            let agent = &known[stream.index(known.len())];
            let mut given = Vec::new();
            for param in self.cheap_params(agent) {
                if stream.coin() {
                    given.push((param.name, random_value(&param, &[], &mut stream)));
                }
            }
            case.agents.push(self.agent_with(agent, given));
        }
        case
    }

    pub(super) fn command(&self, case: &Case, line_up: &[AgentSpec]) -> String {
        let mut words =
            vec!["meeple".into(), "sim".into(), format!("{}/{}", self.definition.info.id, case.preset.name)];
        for same in line_up.chunk_by(|one, other| one == other) {
            words.push(match same.len() {
                1 => same[0].to_string(),
                count => format!("{}*{count}", same[0]),
            });
        }
        for (name, value) in case.settings(&self.short) {
            words.extend(["--set".into(), format!("{name}={value}")]);
        }
        let more = format!("--seed {} --seating fixed -n {}", case.seed, self.episodes);
        words.extend(more.split(' ').map(str::to_owned));
        shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
    }

    /// A random preset with random texts, number of players and agents; all other parameters have defaults.
    fn any_table(&self, stream: &mut Stream) -> Case {
        let (presets, numbers) = (self.definition.info.presets, self.numbers_of_players());
        let mut known = self.known_agents();
        stream.shuffle(&mut known);
        if stream.below(8) > 0 {
            known.retain(|agent| !is_costly(agent.name));
        }
        // Texts are maps and the like: they change the whole game and reveal more than single numbers.
        let texts = self.texts.iter().filter_map(|(param, texts)| {
            let pick = stream.index(texts.len() + 1);
            Some((*param, texts.get(pick)?.clone()))
        });
        let set = texts.collect();
        Case {
            preset: &presets[stream.index(presets.len())],
            set,
            named: numbers[stream.index(numbers.len())],
            agents: known.iter().map(|agent| self.agent_with(agent, Vec::new())).collect(),
            seed: u64::from(stream.below(1_000_000)),
        }
    }
}
