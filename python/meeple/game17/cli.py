"""The original's command line: `python -m meeple.game17`."""

from __future__ import annotations

import argparse
import importlib.util
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from meeple._errors import MeepleError, UsageError
from meeple.game17 import T800, game_runners
from meeple.game17.basic_mover import get_mover_factory

__all__ = ["cli", "import_module", "load_modules", "main"]

#: The colour of players that `-T` adds, as in the original.
T800_COLOUR = "xkcd:dark purple"


class _Players:
    """Players by their ids, which count from 1: files in their order, then T800s."""

    def __init__(self, asked: argparse.Namespace, coloured: bool) -> None:
        for word in asked.files:
            if not Path(_file_and_colour(word)[0] if coloured else word).is_file():
                raise UsageError(f"expected the file of a player, found '{word}'\nhint: it does not exist")
        told = io.StringIO()
        self.movers, self.colours, self.failed = load_modules(asked.files, told, asked.num_T800s)
        Path(asked.players_file).write_text(told.getvalue(), encoding="utf-8")

    def write_failed(self, folder: Path) -> None:
        """Writes the numbers of players that could not be imported."""
        text = ", ".join(map(str, sorted(self.failed))) + "\n"
        (folder / "players_that_failed_on_import.txt").write_text(text, encoding="utf-8")


def _file_and_colour(word: str) -> tuple[str, str]:
    """The two parts of FILE:COLOUR. A text that is the path of an existing file has no colour."""
    if Path(word).exists():
        return word, ""
    file, _, colour = word.partition(":")
    return file, colour


def import_module(filename: Any) -> ModuleType:
    """Imports a Python file.

    Files of the same name in different folders are different modules. Raises the exceptions of the file, and
    `ImportError` if it is no Python file.
    """
    file = Path(filename).resolve()
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"expected a file of Python, found {file}")
    module = importlib.util.module_from_spec(spec)
    # The module is known by the file's name, but never replaces another module: a player may be called
    # random.py.
    sys.modules.setdefault(file.stem, module)
    spec.loader.exec_module(module)
    return module


def load_modules(
    players: Sequence[str], players_file: TextIO, num_T800s: int = 0
) -> tuple[dict[int, Callable[..., Any]], dict[int, str], set[int]]:
    """Imports players from files (`FILE` or `FILE:COLOUR`), numbered from 1, then adds T800s.

    Writes the players' numbers to `players_file`. Returns movers and colours by number, and the numbers of
    players that could not be imported. Each of these is reported on stderr.
    """
    movers: dict[int, Callable[..., Any]] = {}
    colours: dict[int, str] = {}
    failed: set[int] = set()
    for number, word in enumerate(players, 1):
        file, colour = _file_and_colour(word)
        players_file.write(f"{file} is player {number}\n")
        try:
            movers[number] = _factory(import_module(file))
        except (Exception, SystemExit) as error:
            print(f"player {number} ({file}) is left out: {type(error).__name__}: {error}", file=sys.stderr)
            failed.add(number)
        if colour:
            colours[number] = colour
    for number in range(len(players) + 1, len(players) + 1 + num_T800s):
        movers[number] = get_mover_factory(T800.make_moves)
        colours[number] = T800_COLOUR
    return movers, colours, failed


def _factory(module: ModuleType) -> Callable[..., Any]:
    """The factory of a module's mover: from `make_moves` if the module has it, otherwise `get_mover`."""
    if hasattr(module, "make_moves"):
        factory: Callable[..., Any] = get_mover_factory(module.make_moves)
        return factory
    if hasattr(module, "get_mover"):
        factory = module.get_mover
        return factory
    raise ImportError(f"expected make_moves or get_mover in {module.__file__}, found neither")


def _single(asked: argparse.Namespace) -> None:
    players = _Players(asked, coloured=True)
    game_runners.single(
        players.movers, asked.board_size, asked.num_rounds, asked.display_counts, players.colours or None
    )


def _folder(asked: argparse.Namespace) -> Path:
    return game_runners._created(asked.output_directory)


def _vs_zombies(asked: argparse.Namespace) -> None:
    folder, players = _folder(asked), _Players(asked, coloured=False)
    lines = ["player\tnum_wins\tmax_time\n"]
    for number, factory in players.movers.items():
        # Ids are those at this table, where every player plays alone, as 0.
        wins, times = game_runners.vs_zombies({0: factory}, asked.num_games, asked.board_size, asked.num_rounds)
        lines.append(f"{number}\t{wins[0]}\t{times[0]}\n")
    (folder / "vs-zombies.txt").write_text("".join(lines), encoding="utf-8")
    players.write_failed(folder)


def _rules(asked: argparse.Namespace) -> dict[str, Any]:
    names = ("board_size", "num_rounds", "time_threshold")
    return {name: getattr(asked, name) for name in names}


def _battle_royale(asked: argparse.Namespace) -> None:
    folder, players = _folder(asked), _Players(asked, coloured=False)
    game_runners.battle_royale(players.movers, folder, asked.num_games, **_rules(asked))
    players.write_failed(folder)


def _round_robin(asked: argparse.Namespace) -> None:
    folder, players = _folder(asked), _Players(asked, coloured=False)
    game_runners.round_robin(players.movers, folder, **_rules(asked))
    players.write_failed(folder)


def _rank(asked: argparse.Namespace) -> None:
    folder, players = _folder(asked), _Players(asked, coloured=False)
    ranks: list[set[int]] = []
    groups = game_runners.battle_royale(players.movers, folder, asked.num_games, **_rules(asked))
    for number, group in enumerate(groups):
        if len(group) > 1:
            movers = {player: players.movers[player] for player in sorted(group)}
            ranks += game_runners.round_robin(movers, folder, **_rules(asked), group=number)
        else:
            ranks.append(group)
    rows = [[str(rank), ", ".join(map(str, sorted(group)))] for rank, group in enumerate(ranks)]
    (folder / "ranks.txt").write_text(game_runners.printed(["players"], rows), encoding="utf-8")
    players.write_failed(folder)


def _replay(asked: argparse.Namespace) -> None:
    colours = {}
    for word in asked.colours:
        player, mark, colour = word.partition(":")
        if not mark or not player.isdecimal():
            raise UsageError(f"expected ID:COLOUR, found '{word}'\nhint: 3:red")
        colours[int(player)] = colour
    text = Path(asked.record).read_text(encoding="utf-8")
    game_runners.replay(game_runners.read_record(text), asked.display_counts, colours or None)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="game17", description="Games of game17, as the original's command plays them.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], None], doc: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=doc, description=doc)
        added.set_defaults(run=run)
        added.add_argument("-c", "--display-counts", action="store_true", help="show counts, too")
        return added

    def playing(added: argparse.ArgumentParser, folder: bool, games: bool) -> None:
        added.add_argument("files", nargs="*", metavar="FILE", help="a player; single: FILE:COLOUR")
        if folder:
            added.add_argument("output_directory", metavar="DIR")
            added.add_argument(
                "-t", "--time-threshold", "--time_threshold", type=float, default=0.01, help="seconds; 0 bans nobody"
            )
        if games:
            added.add_argument("-g", "--num-games", type=int, default=100)
        added.add_argument("-s", "--board-size", type=int, default=14)
        added.add_argument("-r", "--num-rounds", type=int, default=50)
        added.add_argument("-T", "--num-T800s", type=int, default=0, help="so many T800s more")
        added.add_argument("-p", "--players-file", default="players.txt", help="where it is told who is who")

    one = command("single", _single, "Play one game and show it.")
    one.add_argument("-v", "--verbose", action="store_true", help="taken and not used, as in the original")
    playing(one, folder=False, games=False)
    playing(command("vs-zombies", _vs_zombies, "Each player against zombies."), folder=True, games=True)
    playing(command("battle-royale", _battle_royale, "Everybody in one game, again and again."), folder=True, games=True)
    playing(command("round-robin", _round_robin, "A game for every pair."), folder=True, games=False)
    playing(command("rank", _rank, "A battle royale, then a round robin among equals."), folder=True, games=True)
    shown = command("replay", _replay, "Show a record.")
    shown.add_argument("record", metavar="RECORD")
    shown.add_argument("colours", nargs="*", metavar="ID:COLOUR")
    return parser


def cli(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Returns its exit code: 0 for success, 1 for a failure, 2 for bad usage."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        asked.run(asked)
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except (MeepleError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def main() -> None:
    """Runs the command line of this process."""
    sys.exit(cli())
