//! The original's game records: written, parsed, checked, corrupted.

use std::collections::BTreeSet;

use meeple_core::{
    AgentSpec, AnyEntry, Defined as _, EntryError, Episode, EpisodeSeed, Game, GameEntry, NoHost,
    PlayerLabel, Replay, Seat, ToolError, ToolRequest, build_agents,
};
use meeple_game17::{Game17, Record, RecordError};
use meeple_scene::Screen;

use crate::table::{TestTable, game};

/// A finished game of zombies and a T800.
fn finished(set: &[(&str, &str)], seed: u64) -> Episode<Game17> {
    let game = game(set);
    let mut line_up = vec![AgentSpec::parse("t800")];
    line_up.resize(game.seats(), AgentSpec::parse("zombie"));
    let mut agents = build_agents(&game, &Game17::definition().agents, &line_up).unwrap();
    let mut episode = Episode::new(game.into(), EpisodeSeed::new(seed, 0));
    episode.finish(&mut agents).unwrap();
    episode
}

fn record_of(episode: &Episode<Game17>) -> Record {
    Record::from_events(episode.events().entries().iter().map(|(_, event)| event)).unwrap()
}

#[test]
fn r7_1_the_format() {
    let mut table = TestTable::new(&[0, 1, 2, 3], &[1, 0, 2, 3], &[("rounds", "1")]);
    table.turns(&[(1, "0,1:w4")]).coin(meeple_game17::Coin::Mover);
    table.turns(&[(2, "1,0:e1"), (3, "-")]);
    let text = record_of(&table.episode).to_text();
    assert_eq!(
        text,
        concat!(
            r#"{"owners":[[0,1],[2,3]],"numbers":[[4,4],[4,4]],"diffs":["#,
            r#"{"round":0,"owner":1,"owners":[[0,0,1]],"numbers":[[0,0,8],[0,1,0]]},"#,
            r#"{"round":0,"owner":2,"owners":[],"numbers":[[1,0,3],[1,1,5]]},"#,
            r#"{"round":0,"owner":3,"owners":[],"numbers":[]}]}"#,
            "\n"
        )
    );
}

#[test]
fn seats_have_the_numbers_of_their_players() {
    let record = record_of(&finished(&[("size", "3")], 7));
    let named = record.clone().with_ids(&[4, 1]).unwrap();
    let ids = [4, 1, 0, 2, 3, 5, 6, 7, 8];
    for turns in 0..=record.turns().len() {
        let ((owners, numbers), (own, own_numbers)) = (record.board_after(turns), named.board_after(turns));
        assert_eq!(own, owners.iter().map(|owner| ids[usize::from(*owner)]).collect::<Vec<_>>());
        assert_eq!(own_numbers, numbers);
    }
    let order: Vec<u16> = record.check().unwrap().turn_order.iter().map(|id| ids[usize::from(*id)]).collect();
    assert_eq!(named.check().unwrap().turn_order, order);
    // With as many players as squares, the last number would belong to nobody.
    assert_eq!(record.clone().with_ids(&[9, 1]), record.clone().with_ids(&[8, 0]));
    for wrong in [&[3, 3][..], &[10], &[9, 0]] {
        assert_eq!(record.clone().with_ids(wrong), None, "{wrong:?}");
    }
}

#[test]
fn r7_2_round_trip_and_check() {
    for (size, seed) in [("1", 1), ("2", 2), ("5", 3), ("8", 4), ("14", 5)] {
        let episode = finished(&[("size", size)], seed);
        let record = record_of(&episode);
        let text = record.to_text();
        let read = Record::parse(&text).unwrap();
        assert_eq!(read, record);
        assert_eq!(read.to_text(), text);
        let summary = read.check().unwrap();
        let state = episode.state();
        // An owner that lost its last square before its first turn is in the drawn order, but had no turn.
        let mut drawn = state.turn_order().iter();
        assert!(summary.turn_order.iter().all(|owner| drawn.any(|other| other == owner)), "{summary:?}");
        assert_eq!(read.board_after(usize::MAX), (state.owners().to_vec(), signed(state.numbers())));
        assert_eq!(u64::from(summary.rounds), episode.length());
        assert_eq!(summary.sides as u32, state.sides());
        let outcome = episode.outcome().unwrap();
        let winners: Vec<u16> = (0..outcome.places.len())
            .filter(|seat| outcome.places[*seat] == 1)
            .map(|seat| seat as u16)
            .collect();
        assert_eq!(summary.winners, winners);
        assert_eq!(i64::from(summary.most_squares), outcome.scores[usize::from(winners[0])]);
    }
}

#[test]
fn records_in_the_originals_spacing_are_read() {
    let text = "{\"owners\": [[0, 1], [2, 3]], \"numbers\": [[4, 4], [4, 4]],\n \"diffs\": [{\"round\": 0, \
                \"owner\": 2, \"owners\": [], \"numbers\": []}]}";
    let record = Record::parse(text).unwrap();
    assert_eq!(record.turns().len(), 1);
    let (owners, numbers) = record.board_after(0);
    assert_eq!((owners, numbers), (vec![0, 1, 2, 3], vec![4; 4]));
}

#[test]
fn truncated_records_name_the_place() {
    let text = record_of(&finished(&[("size", "3")], 1)).to_text();
    for cut in [0, 1, 10, text.len() / 3, text.len() / 2, text.len() - 2] {
        let error = Record::parse(&text[..cut]).unwrap_err().to_string();
        assert!(
            error.contains("expected a game record in JSON") && error.contains("column"),
            "{cut}: {error}"
        );
    }
}

#[test]
fn broken_values_name_the_place() {
    const GOOD: &str = r#"{"owners":[[0,1],[2,3]],"numbers":[[4,4],[4,4]],"diffs":[{"round":0,"owner":1,"owners":[],"numbers":[[1,0,5]]}]}"#;
    assert!(Record::parse(GOOD).is_ok());
    for (from, to, place) in [
        ("[[0,1],[2,3]]", "[]", "owners: expected 1 to 64 rows, found 0"),
        ("[[0,1],[2,3]]", "[[0,1],[2]]", "owners, row 1: expected 2 entries, found 1"),
        ("[[0,1],[2,3]]", "[[0,1],[2,4]]", "owners, row 1, column 1: expected a number from 0 to 3, found 4"),
        ("[[4,4],[4,4]]", "[[4,4]]", "numbers: expected 2 rows, found 1"),
        ("[[4,4],[4,4]]", "[[4,-4],[4,4]]", "numbers, row 0, column 1"),
        ("\"round\":0", "\"round\":-1", "diff 0, round"),
        ("\"owner\":1", "\"owner\":9", "diff 0, owner"),
        ("[[1,0,5]]", "[[2,0,5]]", "diff 0, numbers, entry 0, row"),
        ("[[1,0,5]]", "[[1,-1,5]]", "diff 0, numbers, entry 0, column"),
        ("[[1,0,5]]", "[[1,0]]", "line 1 column"),
        ("[[1,0,5]]", "[[1,0,5.5]]", "line 1 column"),
        ("\"diffs\"", "\"moves\"", "unknown field `moves`"),
        ("\"round\":0,", "", "missing field `round`"),
    ] {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD);
        let error = Record::parse(&text).unwrap_err().to_string();
        assert!(error.contains(place), "{place}: {error}");
    }
}

/// A record of a 2 x 2 board with these diffs: round, owner, owners, numbers.
fn with_diffs(diffs: &str) -> Result<(), RecordError> {
    let text = format!(r#"{{"owners":[[0,1],[2,3]],"numbers":[[4,4],[4,4]],"diffs":[{diffs}]}}"#);
    Record::parse(&text).unwrap().check().map(drop)
}

#[test]
fn turns_that_cannot_have_happened_are_named() {
    let quiet =
        |round: u32, owner: u16| format!(r#"{{"round":{round},"owner":{owner},"owners":[],"numbers":[]}}"#);
    let turn = |owners: &str, numbers: &str| {
        format!(r#"{{"round":0,"owner":0,"owners":[{owners}],"numbers":[{numbers}]}}"#)
    };
    let round: Vec<String> = [2, 0, 1, 3].map(|owner| quiet(0, owner)).to_vec();
    assert_eq!(with_diffs(&round.join(",")), Ok(()));
    assert_eq!(with_diffs(&format!("{},{}", round.join(","), quiet(1, 2))), Ok(()));
    assert_eq!(with_diffs(&turn("[0,1,0]", "[0,0,0],[0,1,8]")), Ok(()), "a coin");
    for (diffs, reason) in [
        (format!("{},{}", quiet(0, 2), quiet(0, 2)), "one turn for each owner in a round"),
        (format!("{},{}", quiet(0, 2), quiet(1, 2)), "expected owner 0 to have its turn in round 0 first"),
        (format!("{},{}", round.join(","), quiet(1, 0)), "expected the turn of owner 2"),
        (format!("{},{}", round.join(","), quiet(2, 2)), "expected round 0 or 1"),
        (turn("", "[0,0,5]"), "expected 16 pieces on the board, found 17"),
        (turn("", "[1,0,5],[1,1,3]"), "row 1, column 1: expected pieces to leave squares of the mover"),
        (turn("", "[0,0,2],[1,1,6]"), "row 1, column 1: expected arrivals only next to"),
        (turn("[0,1,0]", "[0,0,1],[0,1,7]"), "row 0, column 1: expected it to stay with 1 (3 arrivals"),
        (turn("[0,1,2]", "[0,0,0],[0,1,8]"), "row 0, column 1"),
        (turn("[1,1,0]", ""), "row 1, column 1: expected it to stay with 3 (0 arrivals"),
    ] {
        let error = with_diffs(&diffs).unwrap_err().to_string();
        assert!(error.contains(reason), "{reason}: {error}");
        assert!(error.starts_with("diff "), "{error}");
    }
}

#[test]
fn r7_3_records_with_moves_of_negative_counts_are_read() {
    let round = |number: u32, first: &str, others: &[u16]| {
        let quiet =
            |owner: &u16| format!(r#",{{"round":{number},"owner":{owner},"owners":[],"numbers":[]}}"#);
        format!(r#"{{"round":{number},"owner":0,{first}}}"#) + &others.iter().map(quiet).collect::<String>()
    };
    // Sending minus ten to the right makes ten here. Then five go there, which is a majority over a negative
    // count.
    let first = round(0, r#""owners":[],"numbers":[[0,0,14],[0,1,-6]]"#, &[1, 2, 3]);
    let second = round(1, r#""owners":[[0,1,0]],"numbers":[[0,0,9],[0,1,-1]]"#, &[2, 3]);
    let text = format!(r#"{{"owners":[[0,1],[2,3]],"numbers":[[4,4],[4,4]],"diffs":[{first},{second}]}}"#);
    let record = Record::parse(&text).unwrap();
    assert_eq!(Record::parse(&record.to_text()).unwrap(), record);
    let summary = record.check().unwrap();
    assert_eq!((summary.pieces, summary.turns, summary.most_squares), (16, 7, 2));
    assert_eq!(summary.negative_counts.len(), 2, "{summary:?}");
    assert!(summary.negative_counts[0].starts_with("diff 0 (round 0, owner 0): "), "{summary:?}");
    assert!(summary.negative_counts[1].starts_with("diff 4 (round 1, owner 0): "), "{summary:?}");
    assert_eq!(record.board_after(7), (vec![0, 0, 2, 3], vec![9, -1, 4, 4]));
    let shown = (Game17::definition().foreign_record)(&text, &["counts".to_owned()]).unwrap().unwrap();
    assert!(shown.summary.ends_with("; moves of negative counts in 2 turns"), "{}", shown.summary);
    assert!(shown.frames.last().unwrap().to_plain().contains("  9  -1"));
    // Appearing pieces, an unreachable square, and a change against the majority: these are impossible.
    for forged in ["[0,0,15],[0,1,-6]", "[0,0,14],[1,1,-6]", "[0,0,-5],[0,1,13]"] {
        let text = text.replacen("[0,0,14],[0,1,-6]", forged, 1);
        assert!(
            Record::parse(&text).unwrap().check().unwrap_err().to_string().starts_with("diff 0 "),
            "{forged}"
        );
    }
}

fn signed(numbers: &[u32]) -> Vec<i64> {
    numbers.iter().copied().map(i64::from).collect()
}

#[test]
fn start_boards_that_cannot_be_are_named() {
    let check = |owners: &str, numbers: &str| {
        let text = format!(r#"{{"owners":{owners},"numbers":{numbers},"diffs":[]}}"#);
        Record::parse(&text).unwrap().check().unwrap_err().to_string()
    };
    assert!(
        check("[[0,1],[1,3]]", "[[4,4],[4,4]]").contains("owners, row 1, column 0: expected every id once")
    );
    assert!(check("[[0,1],[2,3]]", "[[4,4],[4,5]]").contains("numbers, row 1, column 1"));
    assert!(check("[[0,1],[2,3]]", "[[0,0],[0,0]]").contains("numbers, row 0, column 0"));
}

/// Runs the tool on one file.
fn tool(arguments: &[&str], content: &str) -> Result<meeple_core::ToolOutput, ToolError> {
    let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
    let mut read_file = |path: &str| match path {
        "FILE" => Ok(content.to_owned()),
        _ => Err("no such file".to_owned()),
    };
    let request = ToolRequest {
        arguments: &arguments,
        seed: 0,
        read_file: &mut read_file,
        tell: &mut |_| {},
        host: &NoHost,
    };
    match GameEntry::new(Game17::definition(), Vec::new()).run_tool("record", None, &[], request) {
        Ok(output) => Ok(output),
        Err(EntryError::Tool(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_tool_exports_imports_and_shows() {
    let episode = finished(&[("size", "4")], 9);
    let players = vec![PlayerLabel::from("zombie"); 16];
    let replay = Replay::of(&episode, &players, None).to_text();
    let of_the_game = |json: &serde_json::Value| json["format"] == 1 && json["game"] == "game17";
    let output = tool(&["export", "FILE", "-o", "game.json"], &replay).unwrap();
    assert!(of_the_game(&output.json));
    let [(path, text)] = output.files.as_slice() else { panic!("one file") };
    assert_eq!(path, "game.json");
    let text = text.to_string();
    assert_eq!(Record::parse(&text).unwrap(), record_of(&episode));

    let output = tool(&["import", "FILE"], &text).unwrap();
    assert!(of_the_game(&output.json));
    assert_eq!(output.json["size"], 4);
    assert_eq!(output.json["turns"], record_of(&episode).turns().len());

    let output =
        tool(&["show", "FILE", "--turn", "0", "--color", "3=xkcd:dark purple", "-o", "x.svg"], &text)
            .unwrap();
    assert!(of_the_game(&output.json));
    assert_eq!(output.json["turn"], 0);
    assert!(output.files[0].1.to_string().starts_with("<svg "));
}

#[test]
fn the_tool_says_what_is_wrong() {
    let usage = |arguments: &[&str]| match tool(arguments, "{}").unwrap_err() {
        ToolError::Usage(reason) => reason,
        ToolError::Failed(reason) => panic!("expected a usage error, found {reason}"),
    };
    assert!(usage(&[]).contains("expected a verb and one file"));
    assert!(usage(&["export"]).contains("expected a verb and one file"));
    assert!(usage(&["eat", "FILE"]).contains("unknown verb 'eat'"));
    assert!(usage(&["import", "FILE", "--fast"]).contains("unknown flag '--fast'"));
    assert!(usage(&["export", "FILE"]).contains("-o FILE"));
    assert!(usage(&["export", "FILE", "-o"]).contains("expected a value after -o"));
    assert!(usage(&["show", "FILE", "--color", "3=nocolour"]).contains("unknown colour 'nocolour'"));
    assert!(usage(&["show", "FILE", "--turn", "x"]).contains("expected a number"));
    let failed = |arguments: &[&str], content: &str| match tool(arguments, content).unwrap_err() {
        ToolError::Failed(reason) => reason,
        ToolError::Usage(reason) => panic!("expected a failure, found {reason}"),
    };
    assert!(usage(&["import", "NOFILE"]).contains("NOFILE: no such file"));
    assert!(failed(&["import", "FILE"], "{\"owners\": [[0").contains("FILE: expected a game record in JSON"));
    assert!(failed(&["export", "FILE", "-o", "x"], "{}").starts_with("FILE: "));
    let text = record_of(&finished(&[("size", "2")], 1)).to_text();
    assert!(failed(&["show", "FILE", "--turn", "99999"], &text).contains("expected a turn from 0 to"));
}

#[test]
fn a_game_broken_off_in_set_up_has_no_record() {
    let mut episode = Episode::new(game(&[("size", "2")]).into(), EpisodeSeed::new(1, 1));
    episode.step_chance();
    assert_eq!(Record::from_events(episode.events().entries().iter().map(|(_, event)| event)), None);
    episode.settle_chance();
    assert!(episode.phase().owes(Seat::new(episode.state().mover().unwrap().index())));
}

#[test]
fn r8_4_and_r8_5_a_record_is_a_film_that_slows_down() {
    let record = record_of(&finished(&[("size", "4")], 7));
    let text = record.to_text();
    let film = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        (Game17::definition().foreign_record)(&text, &words).expect("it is a record")
    };
    let refused = |words: &[&str]| film(words).err().unwrap().to_string();
    let shown = film(&[]).unwrap();
    assert!(shown.summary.contains(&format!("{} turns", record.turns().len())), "{}", shown.summary);
    let frames: Vec<Screen> = shown.frames.collect();
    assert_eq!(frames.len(), record.turns().len() + 1);
    for (turn, ((owners, numbers), frame)) in record.boards().zip(&frames).enumerate() {
        assert_eq!((&owners, &numbers), (&record.board_after(turn).0, &record.board_after(turn).1));
        let mut alive: Vec<u16> =
            owners.iter().zip(&numbers).filter(|(_, number)| **number > 0).map(|(owner, _)| *owner).collect();
        alive.sort_unstable();
        alive.dedup();
        let hold = frame.hold.unwrap().as_secs_f64();
        assert!((hold - 1.0 / alive.len() as f64).abs() < 1e-6, "after turn {turn}: {hold} s");
    }
    let ids = frames[0].to_plain();
    assert_eq!(ids.lines().next(), Some("start"));
    assert!(ids.lines().all(|line| line.chars().count() <= 80), "{ids}");
    // Options of the user: players, and counts.
    let first = |words: &[&str]| film(words).unwrap().frames.next().unwrap();
    assert!(first(&["3=teal", "5:xkcd:dark purple"]).to_plain().contains("B 5 player"));
    assert!(first(&["counts"]).lines().count() > frames[0].lines().count());
    assert!(refused(&["3=blurple"]).contains("unknown colour 'blurple'"));
    assert!(refused(&["three"]).contains("expected ID=COLOUR"));
    assert!(refused(&["16=red"]).contains("from 0 to 15"));
    // A truncated record still counts as one, other data as none.
    let cut = &text[..text.len() / 2];
    let error = (Game17::definition().foreign_record)(cut, &[]).unwrap().err().unwrap().to_string();
    assert!(error.contains("expected a game record in JSON"), "{error}");
    assert!((Game17::definition().foreign_record)("{\"format\": 1}", &[]).is_none());
    assert!((Game17::definition().foreign_record)("", &[]).is_none());
}

#[test]
fn one_list_of_departures_must_explain_a_turn() {
    let check = |owners: &str, numbers: &str| {
        let text = r#"{"owners": [[0,1,2,3],[4,5,6,7],[8,9,10,11],[12,13,14,15]],
            "numbers": [[4,4,4,4],[4,4,4,4],[4,4,4,4],[4,4,4,4]],
            "diffs": [{"round": 0, "owner": 0, "owners": [], "numbers": [[0,0,0],[0,1,8]]}]}"#;
        let text = text.replace("\"owners\": []", &format!("\"owners\": [{owners}]"));
        Record::parse(&text.replace("[[0,0,0],[0,1,8]]", numbers)).unwrap().check().map(|_| ())
    };
    // Four pieces go to the right, which is a tie. So a record in which the square falls and one in which it
    // does not are both valid.
    assert_eq!(check("", "[[0,0,0],[0,1,8]]"), Ok(()));
    assert_eq!(check("[0,1,0]", "[[0,0,0],[0,1,8]]"), Ok(()));
    // Two pieces go east and two go north, around the torus.
    assert_eq!(check("", "[[0,0,0],[0,1,6],[3,0,6]]"), Ok(()));
    let reason = |owners: &str, numbers: &str| check(owners, numbers).unwrap_err().to_string();
    let repeated = reason("", "[[0,0,1],[0,0,0],[0,1,8]]");
    assert!(repeated.contains("numbers, row 0, column 0: expected every square once"), "{repeated}");
    let idle = reason("", "[[0,0,0],[0,1,8],[2,2,4]]");
    assert!(idle.contains("row 2, column 2: expected a change"), "{idle}");
}

#[test]
fn pieces_move_one_square_in_a_turn() {
    let mut table = TestTable::plain(4, &[]);
    table.turns(&[(0, "0,0:e4")]).coin(meeple_game17::Coin::Mover);
    let pass = |table: &mut TestTable, owners: std::ops::Range<u16>| {
        for owner in owners {
            table.turns(&[(owner, "-")]);
        }
    };
    pass(&mut table, 2..16);
    table.turns(&[(0, "0,1:e5")]);
    pass(&mut table, 3..16);
    table.turns(&[(0, "0,2:w8")]);
    let record = record_of(&table.episode);
    record.check().unwrap();
    let text = record.to_text();
    let (before, last) = text.split_at(text.rfind("\"owners\":").unwrap());
    assert!(last.starts_with("\"owners\":[],\"numbers\":[[0,1,11],[0,2,1]]"), "{last}");
    // Eight pieces leave (0,2) and eight arrive at (1,1), which is next to (0,1). That square has only three
    // of its own to send, and arrivals cannot go on.
    let forged = last.replace(
        "\"owners\":[],\"numbers\":[[0,1,11],[0,2,1]]",
        "\"owners\":[[1,1,0]],\"numbers\":[[0,2,1],[1,1,12]]",
    );
    let summary = Record::parse(&format!("{before}{forged}")).unwrap().check().unwrap();
    // (The original let it send eight and take five back from (0,2).)
    let [error] = &summary.negative_counts[..] else { panic!("{summary:?}") };
    assert!(error.contains("row 1, column 1: expected pieces to come from squares next to it"), "{error}");
    assert!(error.contains("found 5 too many"), "{error}");
}

/// A board of 3 x 3 after one round, its current state and its diffs. Owner 0, in the middle of the top row,
/// has taken some of its neighbours; `owners` lists the squares.
struct Prepared {
    size: usize,
    owners: Vec<u16>,
    numbers: Vec<u32>,
    diffs: Vec<String>,
}

impl Prepared {
    /// `n` x `n` squares, square `k` owned by `k`. Owner 0 has made these turns, everybody else has stayed.
    fn new(size: usize, turns: &[&str]) -> Self {
        let squares = size * size;
        let order: Vec<u16> = (0..squares as u16).collect();
        let mut table = TestTable::new(&order, &order, &[("rounds", "9")]);
        let mut diffs = Vec::new();
        for turn in turns {
            table.turns(&[(0, turn)]);
            while table.episode.phase() == meeple_core::Phase::Chance {
                table.coin(meeple_game17::Coin::Mover);
            }
            let others: Vec<u16> = order[1..]
                .iter()
                .copied()
                .filter(|owner| table.episode.state().owners().contains(owner))
                .collect();
            for owner in others {
                table.turns(&[(owner, "-")]);
            }
        }
        let record = record_of(&table.episode);
        let text = record.to_text();
        let (_, list) = text.trim_end().rsplit_once("\"diffs\":[").unwrap();
        diffs.push(list.strip_suffix("]}").unwrap().to_owned());
        let (owners, numbers) = record.board_after(usize::MAX);
        let numbers = numbers.into_iter().map(|number| u32::try_from(number).unwrap()).collect();
        Self { size, owners, numbers, diffs }
    }

    /// The squares that pieces of a square can reach in a turn: itself and its neighbours.
    fn reach(&self, square: usize) -> Vec<usize> {
        let (size, row, column) = (self.size, square / self.size, square % self.size);
        let mut reach = vec![
            square,
            (row + 1) % size * size + column,
            (row + size - 1) % size * size + column,
            row * size + (column + 1) % size,
            row * size + (column + size - 1) % size,
        ];
        reach.sort_unstable();
        reach.dedup();
        reach
    }

    /// All boards of counts that a turn of owner 0 can produce: square by square, all ways to distribute its
    /// pieces.
    fn reachable(&self) -> BTreeSet<Vec<u32>> {
        let own = |square: &usize| self.owners[*square] == 0;
        let mut rest = self.numbers.clone();
        (0..rest.len()).filter(own).for_each(|square| rest[square] = 0);
        let mut boards = BTreeSet::from([rest]);
        for square in (0..self.numbers.len()).filter(own) {
            let mut next = BTreeSet::new();
            for board in &boards {
                share_out(self.numbers[square], &self.reach(square), board.clone(), &mut next);
            }
            boards = next;
        }
        boards
    }

    /// Returns true if the check accepts a last turn of owner 0 that leads to these counts.
    fn accepts(&self, after: &[u32]) -> bool {
        let at = |square: usize| format!("{},{}", square / self.size, square % self.size);
        let (mut owners, mut numbers) = (Vec::new(), Vec::new());
        for (square, count) in after.iter().enumerate() {
            let (owner, before) = (self.owners[square], self.numbers[square]);
            if *count != before {
                numbers.push(format!("[{},{count}]", at(square)));
            }
            if owner != 0 && count.saturating_sub(before) > before {
                owners.push(format!("[{},0]", at(square)));
            }
        }
        let rows = |values: Vec<u32>| {
            let rows: Vec<String> = values.chunks(self.size).map(|row| format!("{row:?}")).collect();
            format!("[{}]", rows.join(","))
        };
        let squares = self.owners.len() as u32;
        let round = self.turns();
        let text = format!(
            r#"{{"owners":{},"numbers":{},"diffs":[{},{{"round":{round},"owner":0,"owners":[{}],"numbers":[{}]}}]}}"#,
            rows((0..squares).collect()),
            rows(vec![4; self.owners.len()]),
            self.diffs.join(","),
            owners.join(","),
            numbers.join(",")
        );
        let summary = Record::parse(&text).unwrap().check();
        summary.is_ok_and(|summary| summary.negative_counts.is_empty())
    }

    fn turns(&self) -> usize {
        self.diffs.join(",").matches("\"owner\":0,").count()
    }
}

/// Adds every way to put `pieces` on these squares.
fn share_out(pieces: u32, squares: &[usize], board: Vec<u32>, boards: &mut BTreeSet<Vec<u32>>) {
    let (first, rest) = squares.split_first().unwrap();
    let least = if rest.is_empty() { pieces } else { 0 };
    for here in least..=pieces {
        let mut board = board.clone();
        board[*first] += here;
        if rest.is_empty() {
            boards.insert(board);
        } else {
            share_out(pieces - here, rest, board, boards);
        }
    }
}

#[test]
fn r7_2_a_turn_is_taken_exactly_if_some_departures_lead_to_it() {
    for (size, turns) in [
        (2, ["0,0:s4", "1,0:e4"].as_slice()),
        (2, &["0,0:s4", "1,0:n3"]),
        (2, &["0,0:s4", "1,0:n3e5", "1,1:w2"]),
        (3, &["0,0:s4"]),
        (3, &["0,0:s4", "1,0:n3"]),
    ] {
        let board = Prepared::new(size, turns);
        let reachable = board.reachable();
        // All possible boards, and everything that differs from one by the place of a single piece, as a
        // faulty check might accept.
        let mut boards = reachable.clone();
        for after in &reachable {
            for (from, to) in pairs(after.len()).filter(|(from, _)| after[*from] > 0) {
                let mut other = after.clone();
                other[from] -= 1;
                other[to] += 1;
                boards.insert(other);
            }
        }
        for after in &boards {
            let possible = reachable.contains(after);
            assert_eq!(board.accepts(after), possible, "{:?} -> {after:?}", board.numbers);
        }
        let refused = boards.len() - reachable.len();
        assert!(refused > 0, "nothing was refused on a board of {size}");
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |from| (0..count).map(move |to| (from, to))).filter(|(from, to)| from != to)
}

#[test]
fn games_of_all_agents_have_records_that_are_read() {
    let game = game(&[]);
    for seed in 0..6 {
        let mut line_up: Vec<AgentSpec> = ["hunter", "t800", "hunter", "t800"].map(AgentSpec::parse).to_vec();
        line_up.resize(game.seats(), AgentSpec::parse("zombie"));
        let mut agents = build_agents(&game, &Game17::definition().agents, &line_up).unwrap();
        let mut episode = Episode::new(game.clone().into(), EpisodeSeed::new(seed, 0));
        episode.finish(&mut agents).unwrap();
        let record = record_of(&episode);
        assert_eq!(record.check().map(|summary| summary.turns), Ok(record.turns().len()), "seed {seed}");
    }
}
