"""The original's command line: `python -m meeple.game17`."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from meeple._errors import MeepleError, UsageError
from meeple.game17 import T800, game_runners
from meeple.game17.basic_mover import get_mover_factory

__all__ = ["cli", "main"]

#: The colour of players that `-T` adds, as in the original.
T800_COLOUR = "xkcd:dark purple"


class _Players:
    """Players by their ids from 1 on: files in their order, then T800s."""

    def __init__(self, asked: argparse.Namespace, coloured: bool) -> None:
        self.movers: dict[int, Callable[..., Any]] = {}
        self.colours: dict[int, str] = {}
        self.failed: list[int] = []
        lines = []
        for number, word in enumerate(asked.files, 1):
            file, colour = word, ""
            if coloured and not Path(word).exists():
                file, _, colour = word.partition(":")
            if not Path(file).is_file():
                raise UsageError(f"expected the file of a player, found '{word}'\nhint: it does not exist")
            lines.append(f"{file} is player {number}\n")
            try:
                self.movers[number] = _factory(Path(file))
            except (Exception, SystemExit) as error:
                print(f"player {number} ({file}) is left out: {type(error).__name__}: {error}", file=sys.stderr)
                self.failed.append(number)
            if colour:
                self.colours[number] = colour
        for number in range(len(asked.files) + 1, len(asked.files) + 1 + asked.num_T800s):
            self.movers[number] = get_mover_factory(T800.make_moves)
            self.colours[number] = T800_COLOUR
        Path(asked.players_file).write_text("".join(lines), encoding="utf-8")

    def write_failed(self, folder: Path) -> None:
        """Tells by number who could not be imported."""
        text = ", ".join(map(str, self.failed)) + "\n"
        (folder / "players_that_failed_on_import.txt").write_text(text, encoding="utf-8")


def _factory(file: Path) -> Callable[..., Any]:
    """What makes the mover of a file: `make_moves` if it has that, else `get_mover`."""
    sys.path.insert(0, str(file.resolve().parent))
    # A name of its own, so that files of one name in two folders are two players.
    spec = importlib.util.spec_from_file_location(f"player_{abs(hash(file.resolve()))}", file)
    if spec is None or spec.loader is None:
        raise ImportError(f"expected a file of Python, found {file}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if hasattr(module, "make_moves"):
        factory: Callable[..., Any] = get_mover_factory(module.make_moves)
        return factory
    if hasattr(module, "get_mover"):
        factory = module.get_mover
        return factory
    raise ImportError(f"expected make_moves or get_mover in {file}, found neither")


def _single(asked: argparse.Namespace) -> None:
    players = _Players(asked, coloured=True)
    game_runners.single(
        players.movers, asked.board_size, asked.num_rounds, asked.display_counts, players.colours or None
    )


def _folder(asked: argparse.Namespace) -> Path:
    folder = Path(asked.output_directory)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _vs_zombies(asked: argparse.Namespace) -> None:
    folder, players = _folder(asked), _Players(asked, coloured=False)
    lines = ["player\tnum_wins\tmax_time\n"]
    for number, factory in players.movers.items():
        # Ids are those of the table here: everybody plays alone, as 0.
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
    """Runs a command. Returns its exit code: 0, 1 for a failure, 2 for what was asked for wrongly."""
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
    """The program."""
    sys.exit(cli())
