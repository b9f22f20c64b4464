//! Bots of SYNCS 2025: the packages that they import.

use std::path::PathBuf;
use std::process::Command;

use meeple_bothost::{BotProcess, BotSpec, FaultCode, Limits, SandboxLevel, play_episode};
use meeple_games::adapters;
use serde_json::json;

use crate::support::{
    bot_file, game, has, launch, limits, native, repository, sandbox, sandboxes, seat, seed,
};
use crate::syncs::{check, policy};

/// Values and exceptions of the original's helper: docs/reference/syncs.md lists intended differences.
#[test]
fn the_helper_answers_as_the_original_does() {
    if !has("python3") {
        return;
    }
    let asked_and_expected = [
        // An absent key gives a value that is empty and false, and stays absent.
        (
            "[bool(t.internal_edges['MONASTARY']), len(t.internal_edges.x), 'x' in t.internal_edges]",
            "[False, 0, False]",
        ),
        ("[t.internal_claims['x'] or 'free', t.internal_claims.get('x')]", "['free', None]"),
        ("len(copy.deepcopy(t).internal_edges) + len(pickle.loads(pickle.dumps(t.internal_claims)))", "9"),
        ("tile_counts['x']", "KeyError"),
        // A river tile beside the spring, where no water meets it; water that meets a tile is looked at.
        ("[[game.can_place_tile_at(r, 85 + x, 85) for x in (-1, 1)], r.rotation]", "[[True, True], 0]"),
        ("game.can_place_tile_at(r, 85, 86)", "True"),
        ("game.can_place_tile_at(r, 90, 90)", "False"),
        ("game.state.map.river_validation(r, 85, 86)", "pass"),
        ("game.state.map.river_validation(r, 90, 84)", "disjoint"),
        // Grass and water continue from edge to edge, too.
        ("sorted(e for _, e in near(s, 'left_edge'))", "['bottom_edge', 'left_edge', 'right_edge']"),
        ("game.state.get_completed_components(s)", "{}"),
        ("Tile.adjacent_edges('MONASTARY')", "KeyError"),
        ("Tile.get_external_tile('MONASTARY', (85, 85), game.state.map._grid)", "AssertionError"),
        ("S.is_compatible(S.MONASTARY, S.MONASTARY)", "False"),
        ("[TileModifier.apply_point_modifiers(c, S.CITY, 3, p) for p in (False, True)]", "[5, 4]"),
        ("r.rotate_clockwise(-1) or [r.rotation, r.internal_edges.top_edge.name]", "[3, 'RIVER']"),
        (
            "game.state.get_tile_structures(TileModel(tile_type='ZZ', pos=(0, 0), rotation=0))",
            "AssertionError",
        ),
        (
            "game.state.get_placeable_structures(TileModel(tile_type='R2', pos=(0, 0), rotation=0))",
            "AssertionError",
        ),
        ("Meeple(1, True)", "AssertionError"),
        ("Meeple(1)._free_meeple()", "AssertionError"),
        ("game.state.map.add_expansion_pack(None)", "None"),
        ("game.state.map.start_base_phase()", "AssertionError"),
        ("Tile.get_starting_tile() is Tile.get_starting_tile()", "True"),
        ("game.mutator.commit(99, None)", "RuntimeError"),
        ("[game.state.num_placed_tiles, len(game.state.me.tiles)]", "[0, 1]"),
        ("TileModel(tile_type='A', pos='12', rotation=0)", "ValidationError"),
        ("TileModel(tile_type='A', pos=(1, 2, 3), rotation=0)", "ValidationError"),
        ("str(TileModel(tile_type='A', pos=(1, 2), rotation=0))", "tile_type='A' pos=(1, 2) rotation=0"),
        ("dict(public)['event_type']", "public_move_place_tile"),
    ];
    let cases: Vec<[&str; 2]> =
        asked_and_expected.iter().map(|(asked, expected)| [*asked, *expected]).collect();
    let bot = HELPER_CASES.replace("CASES", &json!(cases).to_string());
    check(&bot, FaultCode::Crash, &["otherwise: []."]);
}

/// Evaluates expressions and compares the results.
const HELPER_CASES: &str = "
import copy, pickle, sys
from helper.game import Game
from lib.config.map_config import tile_counts
from lib.interact.meeple import Meeple
from lib.interact.structure import StructureType as S
from lib.interact.tile import Tile, TileModifier, create_base_tiles, create_river_tiles
from lib.models.tile_model import TileModel
from lib.interface.events.moves.move_place_tile import MovePlaceTile
game = Game()
game.get_next_query()
otherwise = []
for asked, expected in CASES:
    t, s = create_base_tiles()[0], game.state.map.placed_tiles[0]
    c = next(t for t in create_base_tiles() if t.tile_type == 'C')
    r = next(t for t in create_river_tiles() if t.tile_type == 'R2')
    near = game.state._traverse_connected_component
    public = MovePlaceTile(player_id=1, tile=s._to_model(), player_tile_index=0).get_public()
    try:
        found = str(eval(asked))
    except Exception as error:
        found = type(error).__name__
    if found != expected:
        otherwise.append((asked, expected, found))
sys.exit('otherwise: %s.' % otherwise)
";

/// Every module of the original's packages exists with all of the original's names, imports included.
#[test]
fn modules_offer_what_the_originals_do() {
    if !has("python3") {
        return;
    }
    check(MODULES, FaultCode::Crash, &["missing: []."]);
}

const MODULES: &str = r#"
import importlib, sys
from helper.game import Game
game = Game()
game.get_next_query()
NAMES = """
helper.game ClientSate Connection Game MovePlaceMeeple MovePlaceTile MoveType QueryType StateMutator Tile TileModel
helper.client_state ClientSate EventType GameLogic MAX_MAP_LENGTH Map Meeple PlayerModel Tile TileModifier deepcopy
helper.state_mutator ClientSate EventPlayerWon EventType Meeple MovePlaceMeeplePass StateMutator
helper.interface Connection MoveType QueryType QueryTypeAdapter
helper.utils Tile print_map
lib.config.scoring CITY_PARTIAL_POINTS CITY_POINTS EMBLEM_PARTIAL_POINTS EMBLEM_POINTS FARM_POINTS MONASTARY_POINTS
lib.config.scoring NO_POINTS POINT_LIMIT ROAD_POINTS
lib.config.expansion EXPANSION
lib.config.map_config MAP_CENTER MAX_MAP_LENGTH NUM_PLACEABLE_TILE_TYPES TILE_EDGE_IDS TILE_EXTERNAL_POS tile_counts
lib.game.game_logic GameLogic Map Meeple SharedGameState StructureType Tile TileModifier
lib.interact.map Map Tile create_base_tiles create_river_tiles
lib.interact.tile Meeple StructureType Tile TileModel TileModifier create_base_tiles deepcopy
lib.interface.events.event_player_drew_cards EventPlayerDrewTiles PublicEventPlayerDrewTiles
lib.interface.events.event_player_bannned BanType EventPlayerBanned MoveType
lib.interface.events.typing EventType MoveType
lib.interface.io.ban_type BanType
lib.interface.queries.typing QueryType QueryTypeAdapter
lib.models.player_model PlayerModel PublicPlayerModel TileModel
"""
missing = []
for line in NAMES.splitlines():
    module, *names = line.split() or ['lib']
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        missing.append(str(error))
        continue
    missing += [module + '.' + name for name in names if not hasattr(found, name)]
sys.exit('missing: %s.' % missing)
"#;

/// Printed text takes no scratch space: it goes to the log, and is dropped beyond the limit.
#[test]
fn prints_never_fill_the_scratch_folder() {
    if !has("python3") {
        return;
    }
    let simple = std::fs::read_to_string(repository().join("bots/syncs/simple.py")).unwrap();
    let talker = simple.replacen(
        "query = game.get_next_query()",
        "query = game.get_next_query(); print('x' * 100_000)",
        1,
    );
    assert_ne!(talker, simple);
    let talker = bot_file("talker.py", &talker);
    let limits = Limits { disk_mib: 1, stderr_bytes: 1 << 16, ..limits() };
    for sandbox in sandboxes() {
        let mut bot = BotProcess::launch(&talker.spec, &sandbox, &limits).unwrap();
        let mut seats = [seat(&mut bot), native("greedy")];
        let record = play_episode(&*game("carcassonne/river", 2), seed(1), &mut seats, &policy()).unwrap();
        assert_eq!(record.faults, [], "{}", sandbox.level());
        let own = &record.seats[0];
        assert!(own.asked > 30 && own.dropped_bytes > 2 << 20, "{}: {own:?}", sandbox.level());
    }
}

#[test]
fn packages_of_the_bots_own_come_first() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("helper");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("__init__.py"), "").unwrap();
    std::fs::write(own.join("game.py"), "raise SystemExit('a helper of my own')\n").unwrap();
    std::fs::write(folder.path().join("main.py"), "from helper.game import Game\n").unwrap();
    let spec = BotSpec::parse(folder.path().to_str().unwrap(), adapters()).unwrap();
    let mut bot = launch(&spec, &sandbox(SandboxLevel::None).unwrap());
    let mut seats = [seat(&mut bot), native("greedy")];
    let record = play_episode(&*game("carcassonne/river", 2), seed(1), &mut seats, &policy()).unwrap();
    assert!(record.faults[0].fault.stderr_tail.contains("a helper of my own"));
}

/// Packages of the original that are installed for the bot's interpreter are used. Other installed packages
/// that happen to have such a name are not.
#[test]
fn installed_packages_come_before_ours() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(folder.path()).status();
    assert!(made.unwrap().success());
    let python = folder.path().join("bin/python3");
    let asked = Command::new(&python)
        .args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
        .output()
        .unwrap();
    let packages = PathBuf::from(String::from_utf8(asked.stdout).unwrap().trim());
    let write = |name: &str, text: &str| {
        let path = packages.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let bot = bot_file(
        "bot.py",
        "import helper.game, lib.pieces, sys\n\
         raise SystemExit('%s %s' % (getattr(helper.game, 'MARK', 'ours'), getattr(lib.pieces, 'MARK', 'ours')))\n",
    );
    let sandbox = sandbox(SandboxLevel::None).unwrap().with_python(Some(python));
    let fault = |preset: &str| {
        let mut process = launch(&bot.spec, &sandbox);
        let mut seats = [seat(&mut process), native("greedy")];
        let game = game(&format!("carcassonne/{preset}"), 2);
        play_episode(&*game, seed(1), &mut seats, &policy()).unwrap().faults.remove(0).fault
    };
    let said = || fault("river").last_words().unwrap();
    assert_eq!(said(), "ours ours");
    write("helper/__init__.py", "");
    write("helper/other.py", "MARK = 'stray'\n");
    assert_eq!(said(), "ours ours", "a package of another kind");
    write("helper/game.py", "MARK = 'installed'\n");
    assert_eq!(said(), "installed ours");
    write("lib/__init__.py", "");
    write("lib/pieces.py", "MARK = 'installed'\n");
    assert_eq!(said(), "installed installed");
    // The original packages know neither fields nor towers, nor games without a river.
    for (preset, expected) in [
        ("syncs", "installed installed"),
        ("towers", "ours ours"),
        ("farms", "ours ours"),
        ("classic", "ours ours"),
    ] {
        let fault = fault(preset);
        assert_eq!(fault.last_words().unwrap(), expected, "{preset}");
        assert_eq!(
            fault.stderr_tail.contains("hint: carcassonne/river"),
            expected == "ours ours",
            "{preset}"
        );
    }
    // Packages installed in place, as by `pip install -e`, are on the interpreter's path and readable for
    // bots.
    let beside = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    std::fs::create_dir(beside.path().join("helper")).unwrap();
    std::fs::write(beside.path().join("helper/__init__.py"), "").unwrap();
    std::fs::write(beside.path().join("helper/game.py"), "MARK = 'edited'\n").unwrap();
    std::fs::remove_dir_all(packages.join("helper")).unwrap();
    write("edited.pth", beside.path().to_str().unwrap());
    assert_eq!(said(), "edited installed");
}
