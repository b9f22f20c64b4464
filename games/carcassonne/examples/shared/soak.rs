// Shared by the test and the example `soak`: plays random games and compares every state with the second
// scorer. It is included, because examples and tests cannot share a module otherwise.

/// Plays one random game and compares the incremental features, scores and supplies with the second scorer
/// after every action. Returns the final board and the number of tiles discarded.
fn compare(game: &Carcassonne, root: u64, index: u64) -> (meeple_carcassonne::Board, usize) {
    let seed = EpisodeSeed::new(root, index);
    let mut chance = ChanceStreams::new(seed);
    let mut rng: Vec<_> = Seat::all(game.seats()).map(|seat| seed.agent(seat)).collect();
    let mut state = game.initial_state();
    let mut before = Board::read(&seen(game, &state));
    let mut scores = points(game, &state);
    loop {
        match game.phase(&state) {
            Phase::Over => {
                let discarded = game.observe(&state, Viewer::Everything).discarded();
                let discarded = discarded.map(|(_, count)| usize::from(count)).sum();
                return (state_board(game, &state), discarded);
            }
            Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
            Phase::Decide(seats) => {
                let seat = seats.lowest().unwrap();
                let rng = &mut rng[seat.index()];
                let action = game.sample_action(&state, seat, rng, &mut Vec::new());
                game.apply(&mut state, seat, &action, &mut NoEvents).unwrap();
                let after = check_step(game, &state, &before, &mut scores, seat.index(), &action);
                before = after;
            }
        }
    }
}

fn stage_of(game: &Carcassonne, state: &State) -> Stage {
    game.observe(state, Viewer::Public).stage()
}

fn state_board(game: &Carcassonne, state: &State) -> meeple_carcassonne::Board {
    *game.observe(state, Viewer::Public).board()
}

/// Compares the points of one step with those that the second scorer expects.
fn check_step(
    game: &Carcassonne,
    state: &State,
    before: &Board,
    scores: &mut Vec<i64>,
    mover: usize,
    action: &Action,
) -> Board {
    let now = points(game, state);
    let json = seen(game, state);
    let after = Board::read(&json);
    // The board between the action and the scoring: the tile or meeple is placed, and nothing has gone home.
    let mut between = Board { tiles: after.tiles.clone(), meeples: before.meeples.clone(), last: before.last };
    if let Action::Claim(spot) = action {
        // The newest tile may be another one: the lake may have followed it and joined two fields.
        let part = part_of(&between, before.last, &spot.to_string());
        assert!(before.flood(part).meeples.is_empty(), "a claimed feature was claimed");
        between.meeples.insert(part, mover);
    }
    if let Action::Take { cell, post } = action
        && post.to_string() != "guard"
    {
        let part = part_of(&between, (cell.x.into(), cell.y.into()), &post.to_string());
        between.meeples.remove(&part).expect("somebody stood there");
    }
    let mut expected = scores.clone();
    if let Action::Ransom(captor) = action {
        expected[mover] -= 3;
        expected[captor.index()] += 3;
    }
    // Claiming, passing and capturing end a turn, as does a tile without a choice after it. The last step may
    // have joined features. They are flooded once, and occupied as before and as after the scoring.
    let mut all = between.features();
    let turn_over = stage_of(game, state) != Stage::Action && stage_of(game, state) != Stage::Capture;
    let over = game.phase(state) == Phase::Over;
    if turn_over && !matches!(action, Action::Ransom(_) | Action::Discard { .. }) {
        for flood in &all.list {
            if flood.what != "field" && flood.open == 0 && !flood.meeples.is_empty() {
                let (worth, leaders) = between.worth(flood, &all);
                leaders.into_iter().for_each(|seat| expected[seat] += worth);
                flood.parts.iter().for_each(|part| {
                    between.meeples.remove(part);
                });
            }
        }
    }
    assert_eq!(after.meeples, between.meeples, "meeples after {action}");
    if over {
        let last = between.final_points(game.seats());
        expected.iter_mut().zip(last).for_each(|(points, more)| *points += more);
    }
    assert_eq!(now, expected, "points after {action}");
    *scores = now;
    conserve(game, &json);
    all.man(&after, &after.meeples);
    agree(game, state, &after, &all);
    after
}

fn part_of(board: &Board, cell: (i64, i64), spot: &str) -> ((i64, i64), usize) {
    (cell, board.named(cell, spot))
}

/// Checks that supply, board, towers and prisons hold all meeples of every seat.
fn conserve(game: &Carcassonne, json: &serde_json::Value) {
    for seat in 0..game.seats() {
        let mut count = json["players"][seat]["meeples"].as_u64().unwrap();
        let on = |list: &str, key: &str| {
            let items = json[list].as_array().unwrap().iter();
            items.filter(|item| item[key].as_u64() == Some(seat as u64)).count() as u64
        };
        count += on("meeples", "seat") + on("towers", "guard");
        for captor in json["players"].as_array().unwrap() {
            count += captor["prisoners"][seat].as_u64().unwrap();
        }
        assert_eq!(count, u64::from(game.variant().meeples), "meeples of seat {seat}");
    }
}

/// Checks that every feature of the engine equals the flooded one.
fn agree(game: &Carcassonne, state: &State, flooded: &Board, all: &Features) {
    let observation = game.observe(state, Viewer::Public);
    let board = observation.board();
    for flood in &all.list {
        if flood.what == "field" && !game.variant().farms {
            continue;
        }
        let nodes: Vec<u16> = flood.parts.iter().map(|part| node_for(flooded, board, *part)).collect();
        let root = board.root(nodes[0]);
        assert!(nodes.iter().all(|node| board.root(*node) == root), "one feature has one root");
        assert_eq!(board.members(root).count(), nodes.len(), "and nothing else belongs to it");
        if flood.what != "field" {
            assert_eq!(i64::from(board.open(root)), flood.open, "open sides");
        } else {
            assert_eq!(i64::from(board.farm_cities(root)), flooded.cities(flood, all), "cities of a field");
        }
        let feature = board.feature(root);
        assert_eq!(feature.tiles as usize, flood.tiles, "tiles count once");
        assert_eq!(i64::from(feature.banners), flood.banners, "banners");
        assert_eq!(i64::from(board.meeples_on(root)), flood.meeples.values().sum::<i64>());
        for seat in 0..game.seats() {
            let expected = flood.meeples.get(&seat).copied().unwrap_or(0);
            assert_eq!(i64::from(feature.meeples[seat]), expected, "meeples of seat {seat}");
        }
    }
}

/// The engine's node of a part: cities, roads, monastery and fields in this order.
fn node_for(flooded: &Board, board: &meeple_carcassonne::Board, part: ((i64, i64), usize)) -> u16 {
    let ((x, y), number) = part;
    let tile = board.tile_at(meeple_carcassonne::Cell::new(x as i8, y as i8)).unwrap();
    let segment = flooded.parts((x, y))[number].segment;
    meeple_carcassonne::node_of(tile, segment)
}

/// Plays a random river phase: it is never stuck and never touches itself. Returns the number of tiles laid.
fn one_river(game: &Carcassonne, root: u64, index: u64) -> usize {
    let seed = EpisodeSeed::new(root, index);
    let mut chance = ChanceStreams::new(seed);
    let mut rng = seed.agent(Seat::new(0));
    let mut state = game.initial_state();
    loop {
        let board = state_board(game, &state);
        if board.tiles().last().unwrap().kind() == Kind::new(meeple_carcassonne::KINDS - 1) {
            let cells: Vec<_> = board.tiles().iter().map(|placed| placed.cell).collect();
            for (at, cell) in cells.iter().enumerate() {
                for (other, near) in cells.iter().enumerate().skip(at + 1) {
                    let distance = cell.x.abs_diff(near.x) + cell.y.abs_diff(near.y);
                    assert!(distance > 1 || other == at + 1, "river {index} touches itself");
                }
            }
            return cells.len();
        }
        match game.phase(&state) {
            Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
            Phase::Decide(seats) => {
                let seat = seats.lowest().unwrap();
                let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
                assert!(!matches!(action, Action::Discard { .. }), "river {index} is stuck");
                game.apply(&mut state, seat, &action, &mut NoEvents).unwrap();
            }
            Phase::Over => panic!("a game ended in the river"),
        }
    }
}
