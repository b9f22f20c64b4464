use meeple_core::{Domain, ParamValue, Params, choice, nearest, params};

choice! {
    /// Start player.
    pub enum Start { Oldest = "oldest", Youngest = "youngest" }
}

params! {
    /// One of every kind.
    pub struct Kinds {
        /// A whole number.
        pub rounds: u8 = 5 => "rounds", int(1, 20);
        /// It may be negative.
        pub offset: i32 = -3 => "offset", int(-10, 10);
        /// A share.
        /// On two lines.
        pub share: f64 = 0.25 => "share", real(0.0, 1.0);
        /// On or off.
        pub river: bool = true => "river", switch();
        /// A word.
        pub start: Start = Start::Oldest => "start", choice(Start::WORDS);
        /// A list.
        pub gems: Vec<u16> = vec![1, 2] => "gems", int_list(1, 99, 1, 4);
        /// A text.
        pub map: String = "plain".to_owned() => "map", text(), before "flat";
    }
}

/// Sets one parameter, and compares its text afterwards or the error.
fn check(name: &str, text: &str, expected: Result<&str, &str>) {
    let mut kinds = Kinds::default();
    let found = kinds.set(name, text).map(|()| kinds.get(name).unwrap().to_string());
    assert_eq!(
        found.as_deref().map_err(ToString::to_string),
        expected.map_err(str::to_owned),
        "{name}={text}"
    );
    if expected.is_err() {
        assert_eq!(kinds, Kinds::default(), "{name}={text} is refused and changes nothing");
    }
}

#[test]
fn values_within_the_domain_are_taken() {
    for (name, text, expected) in [
        ("rounds", "1", "1"),
        ("rounds", " 20 ", "20"),
        ("offset", "-10", "-10"),
        ("share", "0", "0"),
        ("share", "0.5", "0.5"),
        ("share", "1e-3", "0.001"),
        ("river", "off", "off"),
        ("river", "true", "on"),
        ("river", "0", "off"),
        ("start", "youngest", "youngest"),
        ("gems", "7", "7"),
        ("gems", "7, 8,9", "7,8,9"),
        ("map", "any text = at all, really", "any text = at all, really"),
    ] {
        check(name, text, Ok(expected));
    }
}

#[test]
fn values_outside_are_refused_with_the_domain() {
    for (name, text, expected) in [
        ("rounds", "0", "rounds: expected a whole number from 1 to 20, found '0'"),
        ("rounds", "21", "rounds: expected a whole number from 1 to 20, found '21'"),
        ("rounds", "256", "rounds: expected a whole number from 1 to 20, found '256'"),
        ("rounds", "-1", "rounds: expected a whole number from 1 to 20, found '-1'"),
        ("rounds", "", "rounds: expected a whole number from 1 to 20, found ''"),
        ("rounds", "5.0", "rounds: expected a whole number from 1 to 20, found '5.0'"),
        ("share", "1.01", "share: expected a number from 0 to 1, found '1.01'"),
        ("share", "nan", "share: expected a number from 0 to 1, found 'nan'"),
        ("share", "inf", "share: expected a number from 0 to 1, found 'inf'"),
        ("river", "maybe", "river: expected on or off, found 'maybe'"),
        ("start", "Oldest", "start: expected one of oldest, youngest, found 'Oldest'"),
        ("gems", "", "gems: expected 1 to 4 whole numbers from 1 to 99, separated by commas, found ''"),
        ("gems", "1,0", "gems: expected 1 to 4 whole numbers from 1 to 99, separated by commas, found '1,0'"),
        (
            "gems",
            "1,2,3,4,5",
            "gems: expected 1 to 4 whole numbers from 1 to 99, separated by commas, found '1,2,3,4,5'",
        ),
        (
            "gems",
            "1,,2",
            "gems: expected 1 to 4 whole numbers from 1 to 99, separated by commas, found '1,,2'",
        ),
        ("round", "3", "unknown parameter 'round'\nhint: did you mean 'rounds'?"),
        (
            "xyz",
            "3",
            "unknown parameter 'xyz'\nhint: expected one of rounds, offset, share, river, start, gems, map",
        ),
    ] {
        check(name, text, Err(expected));
    }
}

#[test]
fn json_holds_every_parameter_in_order_and_reads_back() {
    let mut kinds = Kinds::default();
    kinds.set("gems", "3,4").unwrap();
    kinds.set("start", "youngest").unwrap();
    let json = kinds.to_json();
    assert_eq!(
        json.to_string(),
        r#"{"rounds":5,"offset":-3,"share":0.25,"river":true,"start":"youngest","gems":[3,4],"map":"plain"}"#
    );
    assert_eq!(Kinds::default().with_json(&json), Ok(kinds));
}

#[test]
fn stored_variants_may_lack_what_came_later_and_nothing_else() {
    let stored = |text: &str| Kinds::default().with_stored(&serde_json::from_str(text).unwrap());
    let all = r#"{"rounds":7,"offset":1,"share":0.5,"river":false,"start":"oldest","gems":[9]}"#;
    let old = stored(all).unwrap();
    assert_eq!((old.map.as_str(), old.rounds), ("flat", 7), "the rules of before, not the default of today");
    assert_eq!(Kinds::default().with_json(&serde_json::from_str(all).unwrap()).unwrap().map, "plain");
    assert_eq!(stored(&all.replacen('{', r#"{"map":"high","#, 1)).unwrap().map, "high");
    let lacks = stored(&all.replace(r#""rounds":7,"#, "")).unwrap_err().to_string();
    assert_eq!(lacks, "variant: expected a value of 'rounds', found none");
}

/// An imprecise parser reads this number as its neighbour.
#[test]
fn reals_read_back_to_the_last_bit() {
    let mut kinds = Kinds::default();
    kinds.set("share", "0.36995516654807925").unwrap();
    let stored = serde_json::from_str(&kinds.to_json().to_string()).unwrap();
    assert_eq!(Kinds::default().with_json(&stored), Ok(kinds));
}

#[test]
fn json_may_leave_out_but_not_invent() {
    let json = |text: &str| Kinds::default().with_json(&serde_json::from_str(text).unwrap());
    assert_eq!(json("{}"), Ok(Kinds::default()));
    assert_eq!(json(r#"{"rounds":9}"#), Ok(Kinds { rounds: 9, ..Kinds::default() }));
    assert_eq!(json(r#"{"rounds":"9"}"#), Ok(Kinds { rounds: 9, ..Kinds::default() }), "text is fine too");
    assert!(json(r#"{"rounds":99}"#).is_err());
    assert!(json(r#"{"turns":9}"#).is_err());
    assert!(json(r#"{"rounds":null}"#).is_err());
    assert!(json(r#"{"rounds":[1]}"#).is_ok_and(|kinds| kinds.rounds == 1), "a list of one is its text");
    assert_eq!(
        json("[1]").unwrap_err().to_string(),
        "variant: expected an object of parameters, found '[1]'"
    );
}

#[test]
fn declarations_are_data() {
    let specs = Kinds::default().specs();
    assert_eq!(specs.len(), 7);
    assert_eq!(specs[2].doc, "A share. On two lines.");
    assert_eq!(specs[2].default, "0.25");
    assert_eq!(specs[5].domain, Domain::IntList { min: 1, max: 99, fewest: 1, most: 4 });
    assert_eq!(specs[4].domain, Domain::Choice(&["oldest", "youngest"]));
    for spec in &specs {
        let value = Kinds::default().get(spec.name).unwrap();
        assert!(spec.domain.contains(&value), "{} lies in {}", value, spec.domain);
        assert!(!spec.domain.contains(&ParamValue::List(vec![0])), "{} takes no list of 0", spec.name);
    }
    assert_eq!(Kinds::default().get("nothing"), None);
}

#[test]
fn choices_are_words() {
    assert_eq!(Start::ALL, [Start::Oldest, Start::Youngest]);
    assert_eq!("oldest".parse(), Ok(Start::Oldest));
    assert_eq!("old".parse::<Start>(), Err("expected one of oldest, youngest, found 'old'".into()));
    assert_eq!(format!("[{:>8}]", Start::Oldest), "[  oldest]");
    assert_eq!(serde_json::to_string(&Start::Youngest).unwrap(), "\"youngest\"");
}

#[test]
fn the_nearest_name_is_found_if_one_is_near() {
    let names = ["classic", "boxed", "solo"];
    for (word, expected) in [
        ("clasic", Some("classic")),
        ("calssic", Some("classic")),
        ("box", None),
        ("boxd", Some("boxed")),
        ("sol", Some("solo")),
        ("", None),
        ("carcassonne", None),
    ] {
        assert_eq!(nearest(word, names), expected, "{word:?}");
    }
}
