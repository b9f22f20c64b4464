//! Agents as text: `name`, `name:value`, `name:key=value,key=value`.

use thiserror::Error;

use crate::params::{Domain, ParamError, ParamSpec, Params, known_params, unknown_param};

/// An agent as text: `name`, `name:value`, `name:key=value,key=value`.
///
/// Values without a name come first, in the order in which the agent declares its parameters; each parameter is
/// given once. The items of a list are separated by commas, too: it goes on until the next name, so that
/// `mixed:loot=1,2,3,arm=0.7` gives two parameters. A text ends at the next comma.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct AgentSpec {
    /// The agent's name.
    pub name: String,
    /// The text after the colon; empty if there is none.
    pub arguments: String,
}

/// A parameter that an [`AgentSpec`] gives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Argument<'a> {
    /// Its declaration.
    pub param: &'a ParamSpec,
    /// Whether it was given by its name.
    pub named: bool,
    /// Its value as written; all items of a list.
    pub value: &'a str,
}

impl AgentSpec {
    /// Reads the text form. Whether the agent exists is found out when it is built. A colon with nothing behind it stays part
    /// of the name, which no agent has: a value was forgotten, and the usual one would be a guess.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let (name, arguments) = match text.split_once(':') {
            Some((name, arguments)) if !arguments.trim().is_empty() => (name, arguments),
            _ => (text, ""),
        };
        Self { name: name.trim().to_owned(), arguments: arguments.trim().to_owned() }
    }

    /// The agent with these parameters, by name.
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

    /// The parameters it gives to an agent with these declarations, in the order in which they are written.
    ///
    /// # Errors
    /// A parameter that is unknown or given twice, or a value without a name behind one with a name. Values are
    /// not looked at.
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

    /// The parameters it gives.
    ///
    /// # Errors
    /// If a parameter is unknown, given twice, or outside its domain.
    pub fn params<P: Params + Default>(&self) -> Result<P, AgentError> {
        self.params_over(P::default())
    }

    /// The parameters it gives; those that it does not give are as in `params`.
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

/// What was wrong with an agent of a line-up.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AgentError {
    /// There is no agent of this name.
    #[error("unknown agent '{name}' for {game}\nhint: {hint}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// The game.
        game: &'static str,
        /// The nearest name, or all.
        hint: String,
    },
    /// One of its parameters is wrong.
    #[error("agent '{spec}': {error}")]
    Param {
        /// The agent as given.
        spec: String,
        /// What is wrong.
        error: ParamError,
    },
    /// It cannot play this game.
    #[error("agent '{spec}' cannot play here: {reason}")]
    Refused {
        /// The agent as given.
        spec: String,
        /// Why.
        reason: String,
    },
}
