//! The tool `record`: the original's game records on the command line.

use meeple_core::{Defined as _, Replay, TextTable, Tool, ToolCall, ToolError, ToolOutput};
use meeple_scene::SvgOptions;
use serde_json::json;

use crate::draw::board_scene;
use crate::event::{Event, count, names};
use crate::foreign::caption;
use crate::game::Game17;
use crate::record::{Record, RecordSummary};
use crate::screen::{Picture, board_screen};
use crate::style::BoardStyle;
use crate::variant::MAX_SIZE;

const USAGE: &str = "export REPLAY [--ids N,N…] -o FILE | import FILE | show FILE [--turn N] [--counts] [--color ID=COLOUR]… [-o FILE.svg]";

pub(crate) fn tool() -> Tool<Game17> {
    Tool {
        name: "record",
        usage: USAGE,
        doc: "The original's game records (JSON: start boards and what every turn changed). 'export' writes \
              the record of a replay, 'import' checks a record turn by turn and sums it up, 'show' shows its \
              board after a turn (default: the end), as text and with -o as a drawing.",
        run,
    }
}

#[derive(Default)]
struct Request {
    words: Vec<String>,
    output: Option<String>,
    turn: Option<usize>,
    ids: Option<Vec<u16>>,
    colors: Vec<String>,
    counts: bool,
}

fn usage(reason: impl std::fmt::Display) -> ToolError {
    ToolError::Usage(format!("{reason}\nhint: record {USAGE}"))
}

impl Request {
    fn read(arguments: &[String]) -> Result<Self, ToolError> {
        let mut request = Self::default();
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            let mut value =
                || rest.next().ok_or_else(|| usage(format!("expected a value after {word}, found nothing")));
            match word.as_str() {
                "-o" | "--output" => request.output = Some(value()?.clone()),
                "--counts" | "-c" => request.counts = true,
                "--turn" => {
                    let text = value()?;
                    let turn = text.parse();
                    request.turn =
                        Some(turn.map_err(|_| usage(format!("--turn: expected a number, found '{text}'")))?);
                }
                "--ids" => {
                    let text = value()?;
                    let ids: Result<Vec<u16>, _> = text.split(',').map(str::parse).collect();
                    request.ids = Some(ids.map_err(|_| {
                        usage(format!("--ids: expected a number for each seat, as in 1,2, found '{text}'"))
                    })?);
                }
                "--color" => {
                    let text = value()?;
                    // The record is not read yet, so the id is checked against the largest board.
                    let read = BoardStyle::ids().add_player(text, MAX_SIZE);
                    read.map_err(|error| usage(format!("--color: {error}")))?;
                    request.colors.push(text.clone());
                }
                flag if flag.starts_with('-') && flag.len() > 1 => {
                    return Err(usage(format!("unknown flag '{flag}'")));
                }
                _ => request.words.push(word.clone()),
            }
        }
        Ok(request)
    }
}

fn run(call: &mut ToolCall<'_, Game17>) -> Result<ToolOutput, ToolError> {
    let request = Request::read(call.arguments)?;
    let [verb, file] = request.words.as_slice() else {
        return Err(usage("expected a verb and one file"));
    };
    let looks = request.turn.is_some() || request.counts || !request.colors.is_empty();
    match verb.as_str() {
        "export" | "import" if looks => {
            return Err(usage(format!("--turn, --counts and --color are for 'show', found '{verb}'")));
        }
        "import" if request.output.is_some() => return Err(usage("'import' writes nothing, found -o")),
        "import" | "show" if request.ids.is_some() => {
            return Err(usage(format!("--ids is for 'export', found '{verb}'")));
        }
        "export" | "import" | "show" => {}
        _ => return Err(usage(format!("unknown verb '{verb}'"))),
    }
    match &request.output {
        Some(output) if output == file => {
            return Err(usage(format!("expected another file than {file} to write to")));
        }
        Some(output) if verb == "show" && !output.ends_with(".svg") => {
            return Err(usage(format!("expected a name that ends in .svg, found {output}")));
        }
        _ => {}
    }
    let text = (call.read_file)(file).map_err(|error| ToolError::Usage(format!("{file}: {error}")))?;
    let failed = |error: &dyn std::fmt::Display| ToolError::Failed(format!("{file}: {error}"));
    match verb.as_str() {
        "export" => {
            let Some(output) = request.output else {
                return Err(usage("expected -o FILE to write to"));
            };
            let replay = Replay::parse(&text).map_err(|error| failed(&error))?;
            let episode = replay.verify(&Game17::definition(), |_| {}).map_err(|error| failed(&error))?;
            let events = episode.events().entries().iter().map(|(_, event): &(_, Event)| event);
            let record = Record::from_events(events)
                .ok_or_else(|| failed(&"the replay stops before the first turn"))?;
            let record = match &request.ids {
                Some(ids) => record.with_ids(ids).ok_or_else(|| {
                    usage("--ids: expected numbers that differ, none of them above that of the squares")
                })?,
                None => record,
            };
            Ok(ToolOutput {
                tables: vec![TextTable {
                    notes: vec![format!("turns written to {output}: {}", record.turns().len())],
                    ..TextTable::default()
                }],
                json: json!({
                    "format": 1,
                    "game": crate::info::INFO.id,
                    "file": output,
                    "turns": record.turns().len(),
                }),
                files: vec![(output, record.to_text())],
            })
        }
        _ => {
            let record = Record::parse(&text).map_err(|error| failed(&error))?;
            let summary = record.check().map_err(|error| failed(&error))?;
            if verb == "import" {
                return Ok(import(&summary));
            }
            let mut style = BoardStyle::ids();
            for color in &request.colors {
                style.add_player(color, record.size()).map_err(|error| usage(format!("--color: {error}")))?;
            }
            if request.counts {
                style = style.with_counts();
            }
            show(&record, &request, &style).map_err(|reason| failed(&reason))
        }
    }
}

fn import(summary: &RecordSummary) -> ToolOutput {
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let end = if summary.one_side { "one side holds all pieces" } else { "several sides have pieces" };
    let mut notes = vec!["every turn is possible after the one before".to_owned()];
    if let Some(first) = summary.negative_counts.first() {
        let turns = summary.negative_counts.len();
        notes
            .push(format!("moves of negative counts in {}; the first: {first}", count(turns as i64, "turn")));
    }
    let table = TextTable {
        title: "game record".into(),
        columns: vec!["what".into(), "value".into()],
        rows: vec![
            row("board", format!("{size} x {size}", size = summary.size)),
            row("pieces", summary.pieces.to_string()),
            row("rounds", summary.rounds.to_string()),
            row("turns", summary.turns.to_string()),
            row("end", end.into()),
            row("sides left", summary.sides.to_string()),
            row("winners", format!("{} with {} squares", names(&summary.winners), summary.most_squares)),
        ],
        notes,
    };
    let mut json = serde_json::to_value(summary).expect("a summary is plain data");
    json["format"] = json!(1);
    json["game"] = json!(crate::info::INFO.id);
    ToolOutput { tables: vec![table], json, files: Vec::new() }
}

fn show(record: &Record, request: &Request, style: &BoardStyle) -> Result<ToolOutput, String> {
    let last = record.turns().len();
    let turn = request.turn.unwrap_or(last);
    if turn > last {
        return Err(format!("expected a turn from 0 to {last}, found {turn}"));
    }
    let (owners, numbers) = record.board_after(turn);
    let caption = caption(record, turn);
    let picture = Picture {
        size: record.size(),
        owners: &owners,
        numbers: numbers.as_slice().into(),
        caption: &caption,
    };
    let text = board_screen(&picture, style).to_plain();
    let mut files = Vec::new();
    if let Some(path) = &request.output {
        let options = SvgOptions { pixels_per_unit: 40.0, interactive: false };
        files.push((path.clone(), board_scene(&picture, style).to_svg(&options)));
    }
    Ok(ToolOutput {
        tables: vec![TextTable { notes: text.lines().map(str::to_owned).collect(), ..TextTable::default() }],
        json: json!({
            "format": 1,
            "game": crate::info::INFO.id,
            "turn": turn,
            "owners": owners,
            "numbers": numbers,
        }),
        files,
    })
}
