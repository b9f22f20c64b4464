//! Laws of the info block, the variant's parameters, and the declarations of agents and tools.

use meeple_core::{
    AgentInfo, AgentSpec, Definition, Domain, Figure, FigureKind, GUIDE_SECTIONS, ParamSpec, ParamType,
    ParamValue, Params, Playable, Preset, Stream, Strengths, find_agent,
};

use super::fault::{Fault, Held, granted, hold};

/// Maximum columns of the input help: those of a terminal, 80, minus a margin.
const HELP_COLUMNS: usize = 76;

fn is_name(text: &str, joint: char) -> bool {
    let word = |part: &str| {
        !part.is_empty() && part.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    };
    text.split(joint).all(word) && text.starts_with(|letter: char| letter.is_ascii_lowercase())
}

/// Laws of a game's declarations about itself.
pub(crate) fn facts<G: Playable>(definition: &Definition<G>, agents: &[AgentInfo<G>]) -> Held {
    let info = definition.info;
    hold!("names-well-formed", is_name(info.id, '-'), "the id '{}' is not words joined by '-'", info.id);
    for (what, text) in [
        ("name", info.name),
        ("summary", info.summary),
        ("rules", info.rules),
        ("score unit", info.score_unit),
        ("length unit", info.length_unit),
        ("input help", info.input_help),
    ] {
        hold!("facts-given", !text.trim().is_empty(), "INFO says nothing about the {what}");
    }
    hold!("facts-given", info.rules_version > 0, "the rules version is 0");
    guide(info.guide)?;
    let widest = info.input_help.lines().map(meeple_scene::text_columns).max().unwrap_or(0);
    hold!("help-fits", widest <= HELP_COLUMNS, "the input help is {widest} columns wide, not {HELP_COLUMNS}");
    let advisor = find_agent(info, agents, &AgentSpec::parse(info.advisor));
    if let Err(error) = advisor {
        hold!("advisor-plays", false, "the advisor '{}' is none of its agents: {error}", info.advisor);
    }
    strengths(definition)?;
    hold!(
        "seats-declared",
        *info.seats.start() >= 1 && info.seats.start() <= info.seats.end(),
        "INFO.seats is {:?}",
        info.seats
    );
    hold!("facts-given", !info.presets.is_empty(), "there is no preset");
    hold!("facts-given", !info.ends.is_empty(), "there is no end reason");
    unique("end reason", info.ends.iter().copied(), |_| true)?;
    presets(definition, "preset", info.presets)?;
    presets(definition, "profile", info.profiles)?;
    figures("figure of an episode", info.episode_figures)?;
    figures("figure of a seat", info.seat_figures)?;
    params("the variant", &definition.variant)?;
    let tools = &definition.tools;
    unique("tool", tools.iter().map(|tool| tool.name), |name| is_name(name, '-'))?;
    for tool in tools {
        hold!("docs-given", !tool.doc.trim().is_empty(), "the tool '{}' has no doc", tool.name);
    }
    unique("agent", agents.iter().map(|agent| agent.name), |name| is_name(name, '-'))?;
    for agent in agents {
        hold!("docs-given", !agent.doc.trim().is_empty(), "the agent '{}' has no doc", agent.name);
        specs(&format!("the agent '{}'", agent.name), &agent.specs())?;
        agent_specs(agent)?;
    }
    Ok(())
}

/// The strengths file parses, and covers all of the game's own agents.
fn strengths<G: Playable>(definition: &Definition<G>) -> Held {
    let text = definition.info.strengths;
    if text.is_empty() {
        return Ok(());
    }
    let strengths = granted("strengths-listed", Strengths::parse(text), || "the strengths".into())?;
    for agent in &definition.agents {
        hold!("strengths-listed", strengths.of(agent.name).is_some(), "'{}' has no strength", agent.name);
    }
    Ok(())
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>, well_formed: impl Fn(&str) -> bool) -> Held {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        hold!("names-well-formed", !name.is_empty() && well_formed(name), "'{name}' is no name of a {what}");
        hold!("names-unique", !seen.contains(&name), "there are two of the name '{name}' ({what})");
        seen.push(name);
    }
    Ok(())
}

/// The guide has a title, and every section in order with some text.
fn guide(text: &str) -> Held {
    hold!("guide-whole", text.starts_with("# "), "GUIDE.md does not begin with a title");
    let sections: Vec<(&str, &str)> = text
        .split("\n## ")
        .skip(1)
        .map(|section| section.split_once('\n').unwrap_or((section, "")))
        .collect();
    let names: Vec<&str> = sections.iter().map(|(name, _)| name.trim()).collect();
    hold!(
        "guide-whole",
        names == GUIDE_SECTIONS,
        "GUIDE.md has the sections {names:?}, not {GUIDE_SECTIONS:?}"
    );
    for (name, text) in sections {
        hold!("guide-whole", !text.trim().is_empty(), "the section '{name}' of GUIDE.md says nothing");
    }
    Ok(())
}

fn figures(what: &str, figures: &[Figure]) -> Held {
    unique(what, figures.iter().map(|figure| figure.name), |name| is_name(name, '_'))?;
    for figure in figures {
        hold!(
            "docs-given",
            !figure.doc.trim().is_empty() && !figure.unit.trim().is_empty(),
            "the {what} '{}' has no doc or no unit",
            figure.name
        );
        hold!(
            "docs-given",
            figure.doc.ends_with('.') && !figure.doc.contains('\n'),
            "the doc of the {what} '{}' is no sentence on one line: {:?}",
            figure.name,
            figure.doc
        );
        if let FigureKind::Category(words) = figure.kind {
            unique(&format!("word of '{}'", figure.name), words.iter().copied(), |_| true)?;
            let fits = (1..=FigureKind::MAX_WORDS).contains(&words.len());
            hold!("figures-of-their-kind", fits, "the {what} '{}' has {} words", figure.name, words.len());
        }
    }
    Ok(())
}

fn presets<G: Playable>(definition: &Definition<G>, what: &str, presets: &[Preset]) -> Held {
    unique(what, presets.iter().map(|preset| preset.name), |name| is_name(name, '-'))?;
    for preset in presets {
        hold!("docs-given", !preset.doc.trim().is_empty(), "the {what} '{}' has no doc", preset.name);
        variant_of(definition, preset)?;
    }
    Ok(())
}

pub(crate) fn variant_of<G: Playable>(
    definition: &Definition<G>,
    preset: &Preset,
) -> Result<G::Variant, Fault> {
    let mut variant = definition.variant.clone();
    for (name, value) in preset.set {
        variant.set(name, value).map_err(|error| Fault {
            law: "presets-parse",
            what: format!("'{}' sets {name} to {value}: {error}", preset.name),
        })?;
    }
    Ok(variant)
}

fn specs(owner: &str, specs: &[ParamSpec]) -> Held {
    unique(&format!("parameter of {owner}"), specs.iter().map(|spec| spec.name), |name| {
        !name.contains(['=', ',', ':', ' '])
    })?;
    for spec in specs {
        hold!("docs-given", !spec.doc.trim().is_empty(), "{owner}: the parameter '{}' has no doc", spec.name);
        let sane = match &spec.domain {
            Domain::Int { min, max } => min <= max,
            Domain::Real { min, max } => min <= max,
            Domain::Choice(words) | Domain::ChoiceOrFile(words) => !words.is_empty(),
            Domain::IntList { min, max, fewest, most } => min <= max && fewest <= most,
            Domain::Switch | Domain::Text | Domain::File => true,
        };
        hold!("domains-not-empty", sane, "{owner}: {} takes {}", spec.name, spec.domain);
    }
    Ok(())
}

/// Laws of declared parameters.
pub(crate) fn params<P: Params>(owner: &str, default: &P) -> Held {
    let table = default.specs();
    specs(owner, &table)?;
    for spec in &table {
        let name = spec.name;
        let value = default.get(name);
        hold!("params-readable", value.is_some(), "{owner} declares '{name}' but cannot read it");
        let Some(value) = value else { continue };
        hold!(
            "defaults-in-domain",
            spec.domain.contains(&value),
            "{owner}: {name} takes {}, but its default is {value}",
            spec.domain
        );
        hold!(
            "defaults-as-documented",
            value.to_string() == spec.default,
            "{owner}: the default of {name} is {value}, documented as {}",
            spec.default
        );
        let mut again = default.clone();
        let set = again.set(name, &spec.default);
        hold!(
            "params-round-trip",
            set.is_ok() && again == *default,
            "{owner}: setting {name} to its default '{}' changes something or is refused",
            spec.default
        );
        for text in outside(&spec.domain) {
            let mut changed = default.clone();
            let set = changed.set(name, &text);
            hold!(
                "domains-enforced",
                set.is_err() && changed == *default,
                "{owner}: {name} takes {}, but '{text}' is accepted",
                spec.domain
            );
        }
        for text in inside(&spec.domain) {
            let mut changed = default.clone();
            let set = changed.set(name, &text);
            hold!("domains-enforced", set.is_ok(), "{owner}: {name} refuses '{text}' of its own domain");
            is_stored(owner, &changed)?;
        }
        for real in reals(&spec.domain) {
            let mut changed = default.clone();
            let set = changed.set(name, &real.to_string());
            hold!("domains-enforced", set.is_ok(), "{owner}: {name} refuses '{real}' of its own domain");
            hold!(
                "params-round-trip",
                changed.get(name) == Some(ParamValue::Real(real)),
                "{owner}: {name}={real} is read as {:?}",
                changed.get(name)
            );
            is_stored(owner, &changed)?;
        }
    }
    let mut changed = default.clone();
    let set = changed.set("no such parameter", "1");
    hold!("domains-enforced", set.is_err() && changed == *default, "{owner} accepts an unknown parameter");
    is_stored(owner, default)?;
    opens_from_before(owner, default)
}

/// A variant stored before its later parameters existed still loads.
fn opens_from_before<P: Params>(owner: &str, default: &P) -> Held {
    let (mut stored, mut expected) = (default.to_json(), default.clone());
    for (name, value) in default.before() {
        stored.as_object_mut().and_then(|values| values.remove(*name));
        let set = expected.set(name, value);
        hold!("params-round-trip", set.is_ok(), "{owner}: {name}={value} is no value of the rules before");
    }
    let read = default.with_stored(&stored);
    hold!(
        "params-round-trip",
        read.as_ref() == Ok(&expected),
        "{owner}: the JSON {stored} of before reads back as {read:?}"
    );
    Ok(())
}

/// A variant round-trips through its stored JSON text.
fn is_stored<P: Params>(owner: &str, params: &P) -> Held {
    let text = params.to_json().to_string();
    let read = serde_json::from_str(&text).map_err(|error| error.to_string());
    let read = read.and_then(|json| params.with_json(&json).map_err(|error| error.to_string()));
    hold!(
        "params-round-trip",
        read.as_ref() == Ok(params),
        "{owner}: the JSON {text} reads back as {read:?}"
    );
    Ok(())
}

fn outside(domain: &Domain) -> Vec<String> {
    match domain {
        Domain::Int { min, max } => {
            vec![min.saturating_sub(1).to_string(), max.saturating_add(1).to_string(), "x".into()]
                .into_iter()
                .filter(|text| i64::from_text(text).is_none_or(|value| !(min..=max).contains(&&value)))
                .collect()
        }
        Domain::Real { min, max } => {
            vec![(min - 1.0).to_string(), (max + 1.0).to_string(), "nan".into(), "x".into()]
        }
        Domain::Switch | Domain::Choice(_) => vec!["no such word".into(), String::new()],
        Domain::IntList { min, .. } => vec![min.saturating_sub(1).to_string(), "x".into()],
        Domain::ChoiceOrFile(_) => vec![String::new()],
        Domain::Text | Domain::File => Vec::new(),
    }
}

/// The extreme values of a domain, as texts.
pub(crate) fn inside(domain: &Domain) -> Vec<String> {
    match domain {
        Domain::Int { min, max } => vec![min.to_string(), max.to_string()],
        Domain::Real { min, max } => vec![min.to_string(), max.to_string()],
        Domain::Switch => vec!["on".into(), "off".into()],
        Domain::Choice(words) | Domain::ChoiceOrFile(words) => {
            words.iter().map(|word| (*word).to_owned()).collect()
        }
        Domain::IntList { min, max, fewest, most } => {
            let list = |item: &i64, count: usize| vec![item.to_string(); count].join(",");
            let counts = [*fewest, (*most).min(64)];
            counts.into_iter().flat_map(|count| [list(min, count), list(max, count)]).collect()
        }
        Domain::Text | Domain::File => Vec::new(),
    }
}

/// Random numbers within a real parameter's domain, most of them with many digits. A parser with wrong
/// rounding fails on about a tenth of them.
fn reals(domain: &Domain) -> Vec<f64> {
    let Domain::Real { min, max } = domain else { return Vec::new() };
    let mut stream = Stream::from_seed(0);
    (0..200).map(|_| (min + (max - min) * stream.unit()).clamp(*min, *max)).collect()
}

/// Law: with a parameter at an end of its domain, the game is set up or refused with a reason.
pub(crate) fn extremes<G: Playable>(definition: &Definition<G>, variant: &G::Variant, seats: usize) -> Held {
    for spec in variant.specs() {
        for text in inside(&spec.domain) {
            let mut changed = variant.clone();
            if changed.set(spec.name, &text).is_err() {
                continue;
            }
            let seats = (definition.seats_for)(&changed, seats);
            if !definition.info.seats.contains(&seats) {
                continue;
            }
            match definition.set_up(changed.clone(), seats) {
                Ok(game) => {
                    variant_kept(&game, &changed, seats)?;
                    let _ = game.phase(&game.initial_state());
                }
                Err(error) => hold!(
                    "reason-given",
                    !error.reason.trim().is_empty(),
                    "{}={text} is refused without a reason",
                    spec.name
                ),
            }
        }
    }
    Ok(())
}

/// A game returns the variant and seats it was set up with.
pub(crate) fn variant_kept<G: Playable>(game: &G, variant: &G::Variant, seats: usize) -> Held {
    hold!(
        "variant-kept",
        game.variant() == variant && game.seats() == seats,
        "set up with {} and {seats} seats, the game says {} and {}",
        variant.to_json(),
        game.variant().to_json(),
        game.seats()
    );
    Ok(())
}

/// Every extreme parameter value of an agent round-trips through its spec, alone and among others.
fn agent_specs<G: Playable>(agent: &AgentInfo<G>) -> Held {
    let declared = agent.specs();
    let defaults: Vec<(&str, &str)> =
        declared.iter().map(|param| (param.name, param.default.as_str())).collect();
    reads_back(agent, &defaults)?;
    for (position, param) in declared.iter().enumerate() {
        for text in inside(&param.domain) {
            let mut all = defaults.clone();
            all[position].1 = &text;
            reads_back(agent, &all)?;
            reads_back(agent, &[(param.name, &text)])?;
        }
    }
    Ok(())
}

fn reads_back<G: Playable>(agent: &AgentInfo<G>, given: &[(&str, &str)]) -> Held {
    let spec = AgentSpec::with(agent.name, given.iter().copied());
    let read = agent.values(&AgentSpec::parse(&spec.to_string()));
    let value = |name: &str| {
        let values: &[(&str, ParamValue)] = read.as_deref().unwrap_or(&[]);
        values.iter().find(|(own, _)| *own == name).map(|(_, value)| value.to_string())
    };
    hold!(
        "agent-specs-round-trip",
        given.iter().all(|(name, text)| value(name).as_deref() == Some(text)),
        "the agent '{spec}' reads back as {read:?}"
    );
    Ok(())
}
