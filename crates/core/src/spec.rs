//! Agents as text: `name`, `name:value`, `name:key=value,key=value`.

use thiserror::Error;

use crate::params::{Domain, ParamError, ParamSpec, Params, known_params, unknown_param};

/// An agent as text: `name`, `name:value`, `name:key=value,key=value`.
///
/// Values without a name come first, in the agent's order of declaration. Each parameter may be given once.
/// Commas also separate the items of a list, which ends at the next name: `mixed:loot=1,2,3,arm=0.7` has two
/// parameters.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct AgentSpec {
    /// Name of the agent, before the colon.
    pub name: String,
    /// The text after the colon; empty without one.
    pub arguments: String,
}

/// A parameter given in an [`AgentSpec`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Argument<'a> {
    /// Declaration of the parameter.
    pub param: &'a ParamSpec,
    /// True if the value was given with the parameter's name.
    pub named: bool,
    /// Value as written; all items if it is a list.
    pub value: &'a str,
}

impl AgentSpec {
    /// Parses the text form, without errors: unknown agents are reported when they are built. A colon without
    /// a value stays part of the name, which then matches no agent. A forgotten value is thus reported, not
    /// guessed.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let (name, arguments) = match text.split_once(':') {
            Some((name, arguments)) if !arguments.trim().is_empty() => (name, arguments),
            _ => (text, ""),
        };
        Self { name: name.trim().to_owned(), arguments: arguments.trim().to_owned() }
    }

    /// The agent with these parameters, each given by name.
    ///
    /// ```
    /// use meeple_core::AgentSpec;
    /// let spec = AgentSpec::with("mixed", [("loot", "1,2,3"), ("arm", "0.7")]);
    /// assert_eq!(spec.to_string(), "mixed:loot=1,2,3,arm=0.7");
    /// ```
    pub fn with<'a>(name: &str, values: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let arguments: Vec<String> =
            values.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        Self { name: name.to_owned(), arguments: arguments.join(",") }
    }

    /// The parameters given to an agent with these declarations, in the order of the text.
    ///
    /// # Errors
    /// A parameter that is unknown or given twice, or an unnamed value after a named one. Values are not
    /// checked here.
    pub fn arguments<'a>(&'a self, params: &'a [ParamSpec]) -> Result<Vec<Argument<'a>>, ParamError> {
        let mut given: Vec<Argument<'a>> = Vec::new();
        if self.arguments.is_empty() {
            return Ok(given);
        }
        let mut end = 0;
        for item in self.arguments.split(',') {
            let start = end;
            end = start + item.len() + 1;
            let (param, named, value) = match (item.split_once('='), given.last_mut()) {
                (Some((name, value)), _) => {
                    let known = params.iter().find(|param| param.name == name.trim());
                    (known.ok_or_else(|| unknown_param(name.trim(), params))?, true, value)
                }
                (None, Some(list)) if matches!(list.param.domain, Domain::IntList { .. }) => {
                    let list_start = start - 1 - list.value.len();
                    list.value = &self.arguments[list_start..end - 1];
                    continue;
                }
                (None, Some(last)) if last.named => {
                    let last = format!("{}={}", last.param.name, last.value);
                    return Err(ParamError::Unnamed { found: item.to_owned(), last });
                }
                (None, _) => {
                    let name = item.to_owned();
                    let unknown = || ParamError::Unknown { name, hint: known_params(params) };
                    (params.get(given.len()).ok_or_else(unknown)?, false, item)
                }
            };
            given.push(Argument { param, named, value });
        }
        for (index, second) in given.iter().enumerate() {
            if let Some(first) = given[..index].iter().find(|first| first.param.name == second.param.name) {
                return Err(ParamError::repeated(first.param.name, first.value, second.value));
            }
        }
        Ok(given)
    }

    /// The agent's parameters: the given ones, and defaults for the rest.
    ///
    /// # Errors
    /// If a parameter is unknown, given twice, or outside its domain.
    pub fn params<P: Params + Default>(&self) -> Result<P, AgentError> {
        self.params_over(P::default())
    }

    /// The agent's parameters: the given ones, and those of `params` for the rest.
    ///
    /// # Errors
    /// As [`params`](Self::params).
    pub fn params_over<P: Params>(&self, mut params: P) -> Result<P, AgentError> {
        let wrong = |error| AgentError::Param { spec: self.to_string(), error };
        let declared = params.specs();
        for argument in self.arguments(&declared).map_err(wrong)? {
            params.set(argument.param.name, argument.value).map_err(wrong)?;
        }
        Ok(params)
    }
}

impl std::fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        if !self.arguments.is_empty() {
            write!(f, ":{}", self.arguments)?;
        }
        Ok(())
    }
}

/// Error in an agent of a line-up.
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AgentError {
    /// No agent has this name.
    #[error("unknown agent '{name}' for {game}\nhint: {hint}")]
    Unknown { name: String, game: &'static str, hint: String },
    /// One of the agent's parameters is wrong.
    #[error("agent '{spec}': {error}")]
    Param { spec: String, error: ParamError },
    /// The agent cannot play this game.
    #[error("agent '{spec}' cannot play here: {reason}")]
    Refused { spec: String, reason: String },
}
