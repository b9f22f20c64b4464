use meeple_core::{
    Agent, AgentInfo, AgentSpec, AskedSeat, EpisodeSeed, Game, NoParams, ParamValue, Position, Seat, Turn,
    find_agent, params,
};
use meeple_testkit::toys::{CardChoice, Hands, Nim, Take};

params! {
    /// Two settings.
    pub struct Settings {
        /// Count.
        pub count: u8 = 1 => "count", int(1, 3);
        /// Boldness.
        pub boldness: f64 = 0.5 => "boldness", real(0.0, 1.0);
    }
}

/// Parses a spec's settings, and compares the result or the error.
fn check(text: &str, expected: Result<Settings, &str>) {
    let found = AgentSpec::parse(text).params::<Settings>().map_err(|error| error.to_string());
    assert_eq!(found, expected.map_err(str::to_owned), "{text}");
}

#[test]
fn specs_are_read_by_name_and_by_place() {
    let settings = |count, boldness| Ok(Settings { count, boldness });
    check("taker", settings(1, 0.5));
    check("taker:", settings(1, 0.5));
    check("taker:2", settings(2, 0.5));
    check("taker:2,0.25", settings(2, 0.25));
    check("taker:boldness=1", settings(1, 1.0));
    check("taker:boldness=1,count=3", settings(3, 1.0));
    check(" taker : 2 ", settings(2, 0.5));
    check("taker:2,boldness=0", settings(2, 0.0));
}

#[test]
fn wrong_specs_are_refused_with_what_was_expected() {
    check("taker:4", Err("agent 'taker:4': count: expected a whole number from 1 to 3, found '4'"));
    check("taker:x", Err("agent 'taker:x': count: expected a whole number from 1 to 3, found 'x'"));
    check(
        "taker:bold=1",
        Err("agent 'taker:bold=1': unknown parameter 'bold'\nhint: expected one of count, boldness"),
    );
    check(
        "taker:cuont=1",
        Err("agent 'taker:cuont=1': unknown parameter 'cuont'\nhint: did you mean 'count'?"),
    );
    check(
        "taker:1,0.5,9",
        Err("agent 'taker:1,0.5,9': unknown parameter '9'\nhint: expected one of count, boldness"),
    );
    check(
        "taker:1,count=2",
        Err(
            "agent 'taker:1,count=2': count is given twice, as '1' and as '2'\nhint: give each parameter once",
        ),
    );
    check(
        "taker:count=2,0.5",
        Err("agent 'taker:count=2,0.5': expected NAME=VALUE after 'count=2', found '0.5'\n\
             hint: values without a name come first"),
    );
    check("taker:2,", Err("agent 'taker:2,': boldness: expected a number from 0 to 1, found ''"));
    let error = AgentSpec::parse("plain:3").params::<NoParams>().unwrap_err().to_string();
    assert_eq!(error, "agent 'plain:3': unknown parameter '3'\nhint: it takes no parameters");
}

#[test]
fn specs_print_as_they_are_read() {
    for text in ["taker", "taker:2", "taker:count=2,boldness=0.5", "a:b:c"] {
        assert_eq!(AgentSpec::parse(text).to_string(), text);
    }
    assert_eq!(AgentSpec::with("taker", []).to_string(), "taker");
}

params! {
    /// Lists among other things.
    pub struct Lists {
        /// Values of a ship.
        pub loot: Vec<i64> = vec![1, 2] => "loot", int_list(-9, 9, 2, 3);
        /// Zeal.
        pub zeal: f64 = 0.5 => "zeal", real(0.0, 1.0);
        /// Perhaps nothing.
        pub skip: Vec<u8> = vec![] => "skip", int_list(0, 9, 0, 3);
    }
}

#[test]
fn lists_go_on_until_the_next_name() {
    let lists = |loot: &[i64], zeal, skip: &[u8]| Ok(Lists { loot: loot.into(), zeal, skip: skip.into() });
    for (text, expected) in [
        ("a", lists(&[1, 2], 0.5, &[])),
        ("a:loot=3,4", lists(&[3, 4], 0.5, &[])),
        ("a:loot=3, 4 ,-5", lists(&[3, 4, -5], 0.5, &[])),
        ("a:3,4,5", lists(&[3, 4, 5], 0.5, &[])),
        ("a:3,4,zeal=1", lists(&[3, 4], 1.0, &[])),
        ("a:loot=3,4,zeal=1,skip=7,8", lists(&[3, 4], 1.0, &[7, 8])),
        ("a:skip=7,8,loot=3,4,zeal=0", lists(&[3, 4], 0.0, &[7, 8])),
        ("a:skip=,zeal=0", lists(&[1, 2], 0.0, &[])),
        ("a:zeal=0,skip=", lists(&[1, 2], 0.0, &[])),
        (
            "a:3",
            Err("a:3': loot: expected 2 to 3 whole numbers from -9 to 9, separated by commas, found '3'"),
        ),
        (
            "a:loot=1,2,",
            Err(
                "a:loot=1,2,': loot: expected 2 to 3 whole numbers from -9 to 9, separated by commas, found '1,2,'",
            ),
        ),
        (
            "a:loot=1,,2",
            Err(
                "a:loot=1,,2': loot: expected 2 to 3 whole numbers from -9 to 9, separated by commas, found '1,,2'",
            ),
        ),
        (
            "a:zeal=1,2",
            Err(
                "a:zeal=1,2': expected NAME=VALUE after 'zeal=1', found '2'\nhint: values without a name come first",
            ),
        ),
        (
            "a:1,2,loot=3,4",
            Err(
                "a:1,2,loot=3,4': loot is given twice, as '1,2' and as '3,4'\nhint: give each parameter once",
            ),
        ),
    ] {
        let found = AgentSpec::parse(text).params::<Lists>().map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(|error: &str| format!("agent '{error}")), "{text}");
    }
}

struct Taker(u8);

impl Agent<Nim> for Taker {
    fn act(&mut self, mut turn: Turn<'_, Nim>) -> Take {
        let most = turn.legal_actions().len() as u8;
        Take(self.0.min(most))
    }
}

fn takers() -> Vec<AgentInfo<Nim>> {
    let build = |nim: &Nim, settings: Settings| {
        if settings.count > nim.variant().most {
            return Err(format!("at most {} may be taken", nim.variant().most));
        }
        Ok(Taker(settings.count))
    };
    vec![
        AgentInfo::new("taker", "takes a fixed number", build),
        AgentInfo::new("one", "takes one", |_: &Nim, _: NoParams| Ok(Taker(1))),
    ]
}

#[test]
fn agents_are_found_by_name() {
    let known = takers();
    assert_eq!(find_agent(&Nim::INFO, &known, &AgentSpec::parse("taker:2")).unwrap().name, "taker");
    let error =
        |text: &str| find_agent(&Nim::INFO, &known, &AgentSpec::parse(text)).err().unwrap().to_string();
    assert_eq!(error("takr"), "unknown agent 'takr' for nim\nhint: did you mean 'taker'?");
    assert_eq!(error("nobody"), "unknown agent 'nobody' for nim\nhint: expected one of taker, one");
}

#[test]
fn agents_may_refuse_a_game() {
    let nim = Nim::new(meeple_testkit::toys::NimVariant { sticks: 9, most: 2 }, 2).unwrap();
    let known = takers();
    let build = |text: &str| known[0].build(&nim, &AgentSpec::parse(text)).map(drop);
    assert!(build("taker:2").is_ok());
    assert_eq!(
        build("taker:3").unwrap_err().to_string(),
        "agent 'taker:3' cannot play here: at most 2 may be taken"
    );
    assert_eq!(known[0].specs().len(), 2);
    let values = known[0].values(&AgentSpec::parse("taker:2")).unwrap();
    assert_eq!(values, [("count", ParamValue::Int(2)), ("boldness", ParamValue::Real(0.5))]);
    assert!(known[0].values(&AgentSpec::parse("taker:9")).is_err());
}

#[test]
fn a_turn_gives_what_the_seat_may_know() {
    let hands = Hands::new(Default::default(), 2).unwrap();
    let mut state = hands.initial_state();
    for card in ["1", "7"] {
        hands.apply_chance(&mut state, &card.parse().unwrap(), &mut meeple_core::NoEvents);
    }
    let position = Position::new(&hands, &state);
    for (seat, card, legal) in
        [(0, 1, vec![CardChoice::Fold]), (1, 7, vec![CardChoice::Fold, CardChoice::Stay])]
    {
        let mut asked = AskedSeat::new(EpisodeSeed::new(1, 2), Seat::new(seat));
        let mut turn = Turn::new(&position, &mut asked);
        assert_eq!(turn.seat(), Seat::new(seat));
        assert_eq!(turn.observe().own_card(), Some(card));
        let listed: Vec<CardChoice> = turn.legal_actions().iter().map(|action| action.0).collect();
        assert_eq!(listed, legal);
        let (again, _) = turn.legal_actions_and_rng();
        assert_eq!(again.len(), legal.len(), "the list is made again, not added to");
        let action = turn.sample_action();
        assert!(legal.contains(&action.0));
        assert_eq!(turn.check(&"stay".parse().unwrap()).is_ok(), legal.contains(&CardChoice::Stay));
        let first = EpisodeSeed::new(1, 2).agent(Seat::new(seat)).bits();
        assert_ne!(turn.rng().bits(), first, "sampling has drawn from the seat's stream");
    }
}

#[test]
fn seats_have_streams_of_their_own_and_restart() {
    let seed = EpisodeSeed::new(4, 4);
    let mut asked = AskedSeat::<Nim>::new(seed, Seat::new(1));
    let first = asked.stream().bits();
    assert_eq!(first, seed.agent(Seat::new(1)).bits());
    assert_ne!(first, seed.agent(Seat::new(0)).bits());
    asked.restart(seed, Seat::new(1));
    assert_eq!(asked.stream().bits(), first);
    let mut copy = asked.clone();
    assert_eq!(copy.stream().bits(), asked.stream().bits(), "a copy goes on from the same place");
}

/// A forgotten value is not replaced by the default.
#[test]
fn a_colon_with_nothing_behind_it_names_no_agent() {
    for (text, name, arguments) in
        [("turn", "turn", ""), (" turn : 7 ", "turn", "7"), ("turn:", "turn:", ""), ("turn: ", "turn:", "")]
    {
        let spec = AgentSpec::parse(text);
        assert_eq!((spec.name.as_str(), spec.arguments.as_str()), (name, arguments), "{text}");
        assert_eq!(AgentSpec::parse(&spec.to_string()), spec, "{text}");
    }
    let known: [AgentInfo<Nim>; 0] = [];
    let error = find_agent(&Nim::INFO, &known, &AgentSpec::parse("turn:")).map(drop).unwrap_err().to_string();
    assert!(error.contains("unknown agent 'turn:'") && error.contains("as in turn:VALUE"), "{error}");
}
