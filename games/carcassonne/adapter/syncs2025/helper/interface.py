"""The two pipes to the engine."""

from lib.messages import MoveType, QueryType, QueryTypeAdapter  # noqa: F401

MAX_CHARACTERS_READ = 1000000
READ_CHUNK_SIZE = 1024


class Connection:
    """Messages are frames: the number of characters, a comma, the characters."""

    def __init__(self):
        self._to_engine_pipe = open("./io/to_engine.pipe", "w", encoding="utf-8")
        self._from_engine_pipe = open("./io/from_engine.pipe", "r", encoding="utf-8")

    def _send(self, data):
        self._to_engine_pipe.write("%d,%s" % (len(data), data))
        self._to_engine_pipe.flush()

    def _receive(self):
        count = ""
        while not count.endswith(","):
            letter = self._from_engine_pipe.read(1)
            if not letter:
                raise SystemExit(0)  # The engine has gone: the game is over.
            count += letter
            if len(count) > len(str(MAX_CHARACTERS_READ)) + 1:
                raise RuntimeError("expected a number of characters and a comma, found %r" % count)
        left, parts = int(count[:-1]), []
        while left > 0:
            part = self._from_engine_pipe.read(left)
            if not part:
                raise SystemExit(0)
            parts.append(part)
            left -= len(part)
        return "".join(parts)

    def get_next_query(self):
        return QueryTypeAdapter.model_validate_json(self._receive()).root

    def send_move(self, move):
        self._send(move.model_dump_json())
