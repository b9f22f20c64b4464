"""The replacement for game17's original: its functions, and players that were written for it."""

from __future__ import annotations

import inspect
import io
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import meeple
import numpy as np
import pytest
from meeple import _meeple, game17
from meeple.game17 import T800, basic_mover, cli, game_runners, zombie

PLAYERS = Path(__file__).parent / "game17_players"

SIGNATURES = {
    "single": "movers board_size=14 num_rounds=50 display_counts=False colours=None",
    "replay": "game display_counts=False colours=None",
    "vs_zombies": "movers num_games=100 board_size=14 num_rounds=50",
    "battle_royale": "movers output_directory num_games=100 board_size=14 num_rounds=50 time_threshold=0.01",
    "round_robin": "movers output_directory board_size=14 num_rounds=50 time_threshold=0.01 group=None",
    "get_mover_factory": "make_moves",
    "find_owned_pieces": "owner owners numbers",
    "destination": "square direction board_size",
    "update_board": "owner moves owners numbers",
    "create_board": "board_size=14",
}


@pytest.fixture(autouse=True)
def seeded():
    np.random.seed(17)


def player(name: str):
    """The factory of an example player's mover."""
    return cli._factory(cli.import_module(PLAYERS / f"{name}.py"))


def stays(owner, rounds_left, owners, numbers):
    return []


@pytest.mark.parametrize("name", SIGNATURES)
def test_functions_have_the_signatures_of_the_original(name):
    parameters = inspect.signature(getattr(game17, name)).parameters.values()
    told = [own.name if own.default is own.empty else f"{own.name}={own.default}" for own in parameters]
    assert " ".join(told) == SIGNATURES[name]


def test_the_name_of_the_original_is_the_same_package():
    code = "import game17, game17.T800; from game17 import game_runners; import meeple.game17 as own; " \
        "assert game17 is own and game17.T800 is own.T800 and game_runners is own.game_runners"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_package_of_the_original_comes_first_where_it_is_installed(tmp_path):
    # A file and a folder of the same name lie in one folder of packages.
    shim = next(Path(folder) / "game17.py" for folder in sys.path if (Path(folder) / "game17.py").is_file())
    (tmp_path / "game17.py").write_bytes(shim.read_bytes())
    (tmp_path / "game17").mkdir()
    (tmp_path / "game17/__init__.py").write_text("mark = 'the original'\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import game17; print(game17.mark)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "the original\n", done.stderr


def test_boards_are_made_searched_and_changed():
    owners, numbers = game17.create_board(5)
    assert sorted(owners.flat) == list(range(25)) and (numbers == 4).all()
    owners, numbers = np.array([[7, 7], [7, 1]]), np.array([[8, 8], [0, 1]])
    assert game17.find_owned_pieces(7, owners, numbers).tolist() == [[0, 0, 8], [0, 1, 8]]
    assert game17.destination((0, 1), "n", 14).tolist() == [13, 1]
    assert game17.update_board(7, [((0, 1), "s", 3)], owners, numbers) is None
    assert owners.tolist() == [[7, 7], [7, 7]] and numbers.tolist() == [[8, 5], [0, 4]]


def test_everything_that_programs_of_the_original_import_is_there():
    assert game17.__version__ == "1.0" and game17.game17.__version__ == 1.0
    for name in ("apply_diff", "board_diff", "create_board", "print_board", "update_board"):
        assert getattr(game_runners, name) is getattr(game17.game17, name)


def test_zombies_move_from_arrays_and_every_piece():
    owners, numbers = np.zeros((2, 2), int), np.array([[5, 0], [35, 1]])
    moved = Counter()
    for square, way, count in zombie.make_moves(0, None, owners, numbers):
        assert isinstance(square, np.ndarray) and way in "nsew"
        moved[tuple(square.tolist())] += int(count)
    assert moved == {(0, 0): 5, (1, 0): 35, (1, 1): 1}


def test_boards_with_fractions_keep_them():
    owners, numbers = np.array([[7, 7], [7, 1]]), np.array([[0.5, 2.25], [0.0, 1.0]])
    assert game17.find_owned_pieces(7, owners, numbers).tolist() == [[0, 0, 0.5], [0, 1, 2.25]]
    game17.update_board(7, [((0, 1), "s", 1.75)], owners, numbers)
    assert numbers.tolist() == [[0.5, 0.5], [0.0, 2.75]] and owners.tolist() == [[7, 7], [7, 7]]
    assert game17.find_owned_pieces(9, owners, np.ones((2, 2), int)).shape == (0, 3)


def test_seeded_ties_fall_as_numpy_draws_them():
    """Each tie has one draw of `choice`, row by row, also between pieces of one owner."""
    for seed in range(20):
        owners, numbers = np.array([[7, 1, 7], [2, 7, 3], [7, 4, 7]]), np.array([[0, 3, 0], [3, 12, 3], [0, 3, 3]])
        moves = [((1, 1), way, 3) for way in "wsen"] + [((2, 2), "w", 0)]
        np.random.seed(seed)
        game17.update_board(7, moves, owners, numbers)
        np.random.seed(seed)
        assert [owners[square] for square in ((0, 1), (1, 0), (1, 2), (2, 1))] == [
            np.random.choice([owner, 7]) for owner in (1, 2, 3, 4)
        ]


def test_a_game_without_rounds_is_its_start():
    scores, times, record = game_runners.game17({1: player("strongest"), "spare": player("planner")}, 4, 0)
    assert scores == dict.fromkeys(range(16), 1) and times == {1: -1, "spare": -1}
    assert record["diffs"] == [] and (record["numbers"] == 4).all()
    assert sorted(record["owners"].flat) == list(range(16))


def test_ids_that_are_no_squares_play_no_turn(tmp_path):
    ids = ["anna", 0, 1, np.int64(2), 3.0, *range(4, 9), 99]
    movers = {name: game17.get_mover_factory(stays) for name in ids}
    scores, times, _ = game_runners.game17(movers, 3, 4)
    assert scores == dict.fromkeys(range(9), 1) and list(times) == ids
    assert [name for name, mean in times.items() if mean == -1] == ["anna", 99]
    groups = game17.battle_royale(movers, tmp_path, 2, 3, 4, 0)
    assert groups == [set(range(9)), {"anna", 99}]


def test_competitions_make_their_folders(tmp_path):
    movers = {1: player("strongest"), 2: player("planner")}
    game17.battle_royale(movers, tmp_path / "a/b", 1, 3, 2)
    game17.round_robin(movers, str(tmp_path / "c/d"), 3, 2)
    assert (tmp_path / "a/b/battle-royale-0.json").is_file() and (tmp_path / "c/d/1 vs 2.json").is_file()


def test_players_are_imported_from_files(tmp_path, capsys):
    one, two = tmp_path / "one/same.py", tmp_path / "two/same.py"
    for file, text in ((one, "def make_moves(*turn): return []\nmark = 1\n"), (two, "mark = 2\n")):
        file.parent.mkdir()
        file.write_text(text)
    assert [cli.import_module(file).mark for file in (one, str(two))] == [1, 2]
    told = io.StringIO()
    movers, colours, failed = cli.load_modules([f"{one}:red", str(two)], told, 1)
    assert list(movers) == [1, 3] and colours == {1: "red", 3: "xkcd:dark purple"} and failed == {2}
    assert told.getvalue() == f"{one} is player 1\n{two} is player 2\n"
    assert "expected make_moves or get_mover" in capsys.readouterr().err


def test_a_game_gives_scores_times_and_a_record():
    players = {3: player("strongest"), 5: game17.get_mover_factory(T800.make_moves)}
    scores, times, record = game_runners.game17(players, board_size=6, num_rounds=8)
    assert sum(scores.values()) == 36 and set(times) == {3, 5}
    owners, numbers = record["owners"].copy(), record["numbers"].copy()
    for diff in record["diffs"]:
        game17.game17.apply_diff(owners, diff["owners"])
        game17.game17.apply_diff(numbers, diff["numbers"])
    assert Counter(owners.flat) == Counter(scores)
    assert numbers.sum() == 4 * 36
    again = json.loads(json.dumps(record, cls=game_runners.NumPyEncoder))
    assert len(again["diffs"]) == len(record["diffs"])


def test_the_same_seed_of_numpy_plays_the_same_game():
    def played():
        np.random.seed(5)
        return game_runners._play({0: player("strongest"), 1: zombie_player()}, 6, 10, recorded=True)[::2]

    def zombie_player():
        return game17.get_mover_factory(zombie.make_moves)

    first, second = played(), played()
    np.random.seed(6)
    other = game_runners._play({0: player("strongest"), 1: zombie_player()}, 6, 10, recorded=True)[::2]
    assert first == second != other


def test_games_are_those_of_the_command_line_byte_for_byte(tmp_path, binary, monkeypatch):
    """The same seed and decisions give the same game. The player repeats the moves in a replay that the
    binary has made."""
    decided = []

    def make_moves(owner, rounds_left, owners, numbers):
        moves = T800.make_moves(owner, rounds_left, owners, numbers)
        decided.append(moves)
        return moves

    seed = 424242
    monkeypatch.setattr(np.random, "randint", lambda *bounds, **named: seed)
    _, _, text = game_runners._play({2: game17.get_mover_factory(make_moves)}, 5, 6, recorded=True)
    # The same episode through the general interface, then its record by the binary.
    game = meeple.Game("game17", 0, set={"size": 5, "rounds": 6})
    episode = meeple.Episode(game, game._native.seeded(seed))
    turns = iter(decided)

    def repeated(turn):
        return [[int(row), int(column), way, int(count)] for (row, column), way, count in next(turns)]

    episode.play({seat: repeated if seat == 2 else "zombie" for seat in range(25)})
    assert next(turns, None) is None
    replay, record = tmp_path / "replay.jsonl", tmp_path / "record.json"
    replay.write_text(episode.replay())
    binary("record", "game17", "export", str(replay), "-o", str(record), "--json")
    assert record.read_text() == text


def test_the_engine_plays_for_its_own_players_and_for_nobody_else(monkeypatch):
    """T800 and zombie as imported are the engine's agents; a function around them is asked."""
    monkeypatch.setattr(np.random, "randint", lambda *bounds, **named: 7)
    factory = game17.get_mover_factory
    _, times, text = game_runners._play({3: factory(T800.make_moves), 4: factory(zombie.make_moves)}, 6, 9, recorded=True)
    assert all(mean > 0 for mean in times.values())
    game = meeple.Game("game17", 0, set={"size": 6, "rounds": 9})
    episode = meeple.Episode(game, game._native.seeded(7))
    episode.play({seat: "t800" if seat == 3 else "zombie" for seat in range(36)})
    (record,) = _meeple.converted("game17", "record", ["export", "replay", "-o", "record"], episode.replay())
    assert text == record
    asked = []
    wrapped = factory(lambda *turn: asked.append(turn) or T800.make_moves(*turn))
    np.random.seed(2)
    game_runners._play({3: wrapped}, 6, 9, recorded=False)
    assert asked


def test_who_makes_mistakes_loses_the_turn_and_nothing_else(capsys):
    bad = {
        "more pieces than there are": lambda square, count: [(square, "n", count + 1)],
        "a negative count": lambda square, count: [(square, "n", -10)],
        "somebody else's square": lambda square, count: [((square[0] + 1, square[1]), "n", 1)],
        "no direction": lambda square, count: [(square, "up", 1)],
        "outside": lambda square, count: [((99, 0), "n", 1)],
        "no number": lambda square, count: [(square, "n", float("nan"))],
        "far too many": lambda square, count: [(square, "n", 10**30)],
        "an exception": lambda square, count: 1 / 0,
        "an exit": lambda square, count: sys.exit(3),
        "nothing": lambda square, count: None,
    }
    for name, moves in bad.items():

        def make_moves(owner, rounds_left, owners, numbers, moves=moves):
            pieces = game17.find_owned_pieces(owner, owners, numbers)
            return moves(pieces[0, :2], pieces[0, 2]) if len(pieces) else []

        # Among players that never move, nothing changes for a player that never moves either.
        players = {seat: game17.get_mover_factory(stays) for seat in range(1, 9)}
        scores, _, record = game_runners.game17(players | {0: game17.get_mover_factory(make_moves)}, 3, 2)
        assert scores == dict.fromkeys(range(9), 1), name
        assert not any(len(diff["numbers"]) for diff in record["diffs"]), name
        assert capsys.readouterr().out.count("player 0 skipped: ") == 2, name


@pytest.mark.parametrize(
    ("moves", "leaving"),
    [
        (lambda row, column, count: [((row, column), "s", np.ceil(count * 0.75))], 3),
        (lambda row, column, count: [((row, column), "s", 2.9)], 2),
        (lambda row, column, count: [(np.array([row, column]), "s", np.int8(1))], 1),
        (lambda row, column, count: [([row - 3, column - 3], "s", 1)], 1),
        (lambda row, column, count: (((row, column), way, 1) for way in "ss"), 2),
        (lambda row, column, count: {}, 0),
    ],
)
def test_numbers_of_any_kind_are_taken(moves, leaving):
    def make_moves(owner, rounds_left, owners, numbers):
        (row, column, count), *_ = game17.find_owned_pieces(owner, owners, numbers)
        return moves(row, column, count)

    players = {seat: game17.get_mover_factory(stays) for seat in range(1, 9)}
    _, _, record = game_runners.game17(players | {0: game17.get_mover_factory(make_moves)}, 3, 1)
    (diff,) = [diff for diff in record["diffs"] if diff["owner"] == 0]
    changed = {(row, column): count for row, column, count in diff["numbers"].tolist()}
    (square,) = np.argwhere(record["owners"] == 0).tolist()
    assert 4 - changed.get(tuple(square), 4) == leaving


def test_boards_are_the_movers_own():
    def get_mover(owner=None, owners=None, numbers=None, turn_order=None, num_rounds=None):
        assert sorted(turn_order) == list(range(9)) and num_rounds == 2
        owners[:], numbers[:] = owner, 1000
        turn_order.clear()

        def mover(owners, numbers):
            assert numbers.sum() == 36 and owners.dtype.kind == "i" and owners.shape == (3, 3)
            owners[:], numbers[:] = owner, 1000
            return []

        return mover

    players = {seat: get_mover for seat in range(9)}
    scores, _, _ = game_runners.game17(players, 3, 2)
    assert scores == dict.fromkeys(range(9), 1)


def test_rounds_left_end_at_0():
    seen = []

    def make_moves(owner, rounds_left, owners, numbers):
        seen.append(rounds_left)
        return []

    players = {seat: game17.get_mover_factory(stays) for seat in range(1, 9)}
    game_runners.game17(players | {0: game17.get_mover_factory(make_moves)}, 3, 4)
    assert seen == [3, 2, 1, 0]


def test_a_factory_that_raises_is_heard_of():
    def get_mover(**named):
        raise KeyError("no plan")

    with pytest.raises(KeyError, match="no plan"):
        game17.vs_zombies({0: get_mover}, num_games=1, board_size=3)


def test_vs_zombies_counts_victories_of_one_player():
    victories, times = game17.vs_zombies({0: game17.get_mover_factory(T800.make_moves)}, 5, 6, 20)
    assert victories == Counter({0: 5}) and times[0] > 0
    for players in ({}, {0: player("strongest"), 1: player("strongest")}):
        with pytest.raises(ValueError, match="one player"):
            game17.vs_zombies(players)


def test_bad_sizes_are_refused_with_the_words_of_the_engine():
    for size, rounds in ((0, 5), (65, 5), (5, -1), ("5", 5), (5, 10**9)):
        with pytest.raises(meeple.UsageError):
            game_runners.game17({}, size, rounds)


def winners(folder: Path) -> list[list[int]]:
    """The players with the most squares at the end of each recorded game."""
    found = []
    for path in sorted(folder.glob("battle-royale-*.json")):
        record = json.loads(path.read_text())
        owners = np.array(record["owners"])
        for diff in record["diffs"]:
            for row, column, owner in diff["owners"]:
                owners[row, column] = owner
        squares = Counter(owners.flat)
        found.append([owner for owner in squares if squares[owner] == max(squares.values())])
    return found


def test_competitions_rank_and_write_the_files_of_the_original(tmp_path, binary):
    factory = game17.get_mover_factory
    movers = {1: factory(zombie.make_moves), 2: factory(T800.make_moves), 3: factory(stays)}
    groups = game17.battle_royale(movers, tmp_path, num_games=3, board_size=5, num_rounds=15, time_threshold=0)
    assert groups[0] == {2} and set().union(*groups) == {1, 2, 3}
    head, *rows = (tmp_path / "battle-royale-summary.txt").read_text().splitlines()
    assert head.split() == ["games", "won", "max", "time"]
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]
    won = [sum(player in most for most in winners(tmp_path)) for player in (1, 2, 3)]
    assert [int(row.split()[1]) for row in rows] == won
    summed = binary("record", "game17", "import", str(tmp_path / "battle-royale-2.json"), "--json")
    assert summed["size"] == 5 and 2 in summed["winners"]
    groups = game17.round_robin(movers, str(tmp_path), board_size=5, num_rounds=15, time_threshold=0, group=2)
    assert groups[0] == {2}
    names = {path.name for path in tmp_path.iterdir()}
    pairs = {"1 vs 2.json", "1 vs 3.json", "2 vs 3.json", "round-robin-2.txt", "round-robin-summary-2.txt"}
    assert pairs <= names
    assert (tmp_path / "round-robin-2.txt").read_text().startswith("       winner\n1 vs 2      2\n")


def test_who_is_too_slow_is_banned_and_comes_last():
    standings = game_runners._Standings([1, 2, 3], 0.01)
    standings.add({1: 4, 2: 1}, {1: 0.5, 2: 0.001})
    standings.add({2: 4, 3: 1}, {2: 0.002, 3: 0.0})
    assert standings.groups(erased=True) == [{2}, {3}, {1}]
    assert standings.winners() == "       winner\n2 vs 3      2\n"
    assert standings.summary(erased=True) == (
        "  games won max time\n1    banned      0.5\n2         1    0.002\n3         0        0\n"
    )


def test_the_command_line_ranks_a_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.py").write_text("import nothing_of_this_name\n")
    files = [str(PLAYERS / "strongest.py"), "broken.py", str(PLAYERS / "planner.py")]
    words = ["-g", "2", "-s", "4", "-r", "6", "-t", "0", "-T", "1"]
    assert cli.cli(["rank", *words, *files, "out"]) == 0
    assert (tmp_path / "players.txt").read_text() == "".join(
        f"{file} is player {number}\n" for number, file in enumerate(files, 1)
    )
    assert (tmp_path / "out/players_that_failed_on_import.txt").read_text() == "2\n"
    ranks = (tmp_path / "out/ranks.txt").read_text()
    assert sorted(word for row in ranks.splitlines()[1:] for word in row.replace(",", "").split()[1:]) == ["1", "3", "4"]
    capsys.readouterr()
    assert cli.cli(["replay", "out/battle-royale-0.json", "3:red"]) == 0
    assert "round" in capsys.readouterr().out
    assert cli.cli(["single", "missing.py"]) == 2
    assert "hint: " in capsys.readouterr().err


def test_single_shows_the_end_squares_and_times(capsys):
    assert game17.single({1: player("planner")}, 4, 2, display_counts=True) is None
    shown = capsys.readouterr().out
    assert "squares" in shown and "times" in shown and "round 2" in shown


def test_what_bots_import_is_there():
    assert basic_mover.get_mover_factory is game17.get_mover_factory
    assert T800.zombie_strategy([4, 4, 4, 4], 4).sum() == 0
    moves = zombie.make_moves(0, 5, np.zeros((2, 2), int), np.full((2, 2), 4))
    assert sum(count for _, _, count in moves) == 16
