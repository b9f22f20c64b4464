//! The OpenAPI description, generated from the types of messages.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::api::messages::{Failure, GameInDetail, Games, Named};
use crate::laboratory::messages::{JobState, NewJob};
use crate::tables::messages::{
    Act, Join, Leave, NewTable, OpenedTable, Rematch, SeatKey, TableFrame, Tables, Taken,
};

enum Content {
    Nothing,
    Json(Value),
    /// JSON that is described elsewhere.
    OtherJson,
    /// Bytes of this content type.
    Bytes(&'static str),
}

/// The role of a seat key in an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Unasked,
    /// Optional; a key selects its seat's view.
    Optional,
    Required,
}

struct Operation {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    key: Key,
    query: &'static [(&'static str, &'static str)],
    body: Content,
    status: &'static str,
    answer: Content,
}

impl Operation {
    fn new(method: &'static str, path: &'static str, summary: &'static str) -> Self {
        let (body, answer) = (Content::Nothing, Content::Nothing);
        Self { method, path, summary, key: Key::Unasked, query: &[], body, status: "200", answer }
    }

    fn key(self, key: Key) -> Self {
        Self { key, ..self }
    }

    fn query(self, query: &'static [(&'static str, &'static str)]) -> Self {
        Self { query, ..self }
    }

    fn takes(self, body: Content) -> Self {
        Self { body, ..self }
    }

    fn gives(self, status: &'static str, answer: Content) -> Self {
        Self { status, answer, ..self }
    }
}

fn operations(types: &mut SchemaGenerator) -> Vec<Operation> {
    let get = |path, summary| Operation::new("get", path, summary);
    let post = |path, summary| Operation::new("post", path, summary);
    let delete = |path, summary| Operation::new("delete", path, summary);
    vec![
        get("/openapi.json", "This description").gives("200", Content::OtherJson),
        get("/games", "The games").gives("200", of::<Games>(types)),
        get("/games/{game}", "A game with its parameters and agents").gives("200", of::<GameInDetail>(types)),
        get("/tables", "The latest listed tables")
            .query(&[("over", "true for finished games only, false for running ones only")])
            .gives("200", of::<Tables>(types)),
        post("/tables", "Opens a table").takes(of::<NewTable>(types)).gives("201", of::<OpenedTable>(types)),
        get("/tables/{table}/frame", "The frame of the key's seat, or of a spectator; its ETag is its version")
            .key(Key::Optional)
            .gives("200", of::<TableFrame>(types)),
        post("/tables/{table}/act", "Answers the open question to the key's seat")
            .key(Key::Required)
            .takes(of::<Act>(types))
            .gives("200", of::<Taken>(types)),
        get("/tables/{table}/compose", "The next steps of a structured action; nothing is stored")
            .key(Key::Required)
            .query(&[("so-far", "the action so far, as the answer to the step before gives it")])
            .gives("200", Content::OtherJson),
        post("/tables/{table}/seats/{seat}", "Takes an open seat")
            .takes(of::<Join>(types))
            .gives("201", of::<SeatKey>(types)),
        delete("/tables/{table}/seats/{seat}", "Gives the key's seat to an agent")
            .key(Key::Required)
            .takes(of::<Leave>(types))
            .gives("204", Content::Nothing),
        post(
            "/tables/{table}/seats/{seat}/agent",
            "Seats an agent at an open seat, or in place of a player who owes a decision and has been away for \
             two minutes; needs the key to another seat",
        )
        .key(Key::Required)
        .takes(of::<Leave>(types))
        .gives("204", Content::Nothing),
        post(
            "/tables/{table}/rematch",
            "Opens a rematch: the same players with the same keys, each one seat further",
        )
        .key(Key::Required)
        .takes(of::<Rematch>(types))
        .gives("201", of::<Named>(types)),
        get("/tables/{table}/replay", "The replay, once the game is over").gives("200", Content::OtherJson),
        post("/replays", "Stores a replay after checking its every step")
            .takes(Content::Bytes("application/octet-stream"))
            .gives("201", of::<Named>(types)),
        get("/replays/{replay}", "An uploaded replay, or that of a finished table")
            .gives("200", Content::OtherJson),
        post("/jobs", "Starts a run of the laboratory; equal runs are played once")
            .takes(of::<NewJob>(types))
            .gives("202", of::<JobState>(types)),
        get("/jobs/{job}", "The state of a run").gives("200", of::<JobState>(types)),
        delete("/jobs/{job}", "Stops a run; episodes already counted are kept").gives("202", of::<JobState>(types)),
        get("/jobs/{job}/result", "The result so far, as `sim --json` and `sweep --json` print it")
            .gives("200", Content::OtherJson),
        get("/jobs/{job}/events", "The state of a run, as server-sent events until it ends")
            .gives("200", Content::Bytes("text/event-stream")),
    ]
}

fn of<T: JsonSchema>(types: &mut SchemaGenerator) -> Content {
    Content::Json(types.subschema_for::<T>().to_value())
}

impl Content {
    fn described(self) -> Option<Value> {
        let (kind, schema) = match self {
            Self::Nothing => return None,
            Self::Json(schema) => ("application/json", schema),
            Self::OtherJson => ("application/json", json!({ "type": "object" })),
            Self::Bytes(kind) => (kind, json!({ "type": "string" })),
        };
        Some(json!({ kind: { "schema": schema } }))
    }
}

pub fn openapi() -> Value {
    let mut types = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    let failure = of::<Failure>(&mut types);
    let failure = failure.described().expect("it is JSON");
    let mut paths = Map::new();
    for operation in operations(&mut types) {
        let Operation { method, path, summary, key, query, body, status, answer } = operation;
        let in_path = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let in_path = in_path.map(
            |name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }),
        );
        let in_query = query.iter().map(|(name, text)| {
            json!({ "name": name, "in": "query", "description": text, "schema": { "type": "string" } })
        });
        let mut entry = json!({ "summary": summary });
        let parameters: Vec<Value> = in_path.chain(in_query).collect();
        if !parameters.is_empty() {
            entry["parameters"] = parameters.into();
        }
        match key {
            Key::Unasked => {}
            Key::Optional => entry["security"] = json!([{}, { "seat": [] }]),
            Key::Required => entry["security"] = json!([{ "seat": [] }]),
        }
        if let Some(content) = body.described() {
            entry["requestBody"] = json!({ "content": content });
        }
        let mut good = json!({ "description": "done" });
        if let Some(content) = answer.described() {
            good["content"] = content;
        }
        entry["responses"] = json!({
            status: good,
            "default": { "description": "refused; nothing has changed", "content": failure },
        });
        let place = paths.entry(format!("/api/v1{path}")).or_insert_with(|| json!({}));
        place[method] = entry;
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Meeple",
            "version": "1",
            "description": "Tables, replays and the laboratory of a Meeple server, for programs. docs/reference/server-api.md \
                            describes the messages of a table's socket.",
        },
        "paths": paths,
        "components": {
            "schemas": types.take_definitions(true),
            "securitySchemes": { "seat": {
                "type": "http", "scheme": "bearer",
                "description": "The key to a seat, returned to the one who opens the table or takes the seat.",
            } },
        },
    })
}
