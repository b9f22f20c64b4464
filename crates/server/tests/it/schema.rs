//! The schemas in `schema/`, and the script's types: all are generated from the types of messages.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::client::start;

/// Compares a file of the repository with the expected text.
fn expect_file(path: &str, expected: &str) {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var("MEEPLE_BLESS").is_ok() {
        std::fs::write(&path, expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{path} is old\nhint: MEEPLE_BLESS=1 cargo test -p meeple-server schema");
}

#[test]
fn the_schema_of_messages_and_the_types_of_the_script_are_up_to_date() {
    let schema = meeple_server::web_schema();
    expect_file("schema/web-1.json", &(serde_json::to_string_pretty(&schema).unwrap() + "\n"));
    expect_file("web/src/protocol.ts", &typescript(&schema));
}

/// The definitions of a schema as TypeScript types.
fn typescript(schema: &Value) -> String {
    let mut text =
        "// The messages of a table's socket. Made from crates/server by its tests; do not edit:\n\
                    // MEEPLE_BLESS=1 cargo test -p meeple-server schema\n"
            .to_owned();
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        comment(&mut text, definition, "");
        writeln!(text, "export type {name} = {};", type_of(definition, "")).unwrap();
    }
    text
}

fn comment(text: &mut String, schema: &Value, indent: &str) {
    text.push('\n');
    if let Some(words) = schema["description"].as_str() {
        writeln!(text, "{indent}/** {} */", words.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap();
    }
}

fn type_of(schema: &Value, indent: &str) -> String {
    let mut whole = Vec::new();
    if let Some(name) = schema["$ref"].as_str() {
        whole.push(name.rsplit('/').next().unwrap().to_owned());
    }
    if let Some(value) = schema.get("const") {
        whole.push(value.to_string());
    }
    if let Some(values) = schema["enum"].as_array() {
        whole.push(values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | "));
    }
    for several in ["oneOf", "anyOf"] {
        if let Some(variants) = schema[several].as_array() {
            let types: Vec<String> = variants.iter().map(|variant| type_of(variant, indent)).collect();
            whole.push(types.join(" | "));
        }
    }
    if whole.is_empty() || schema.get("properties").is_some() {
        match &schema["type"] {
            Value::String(kind) => whole.push(kind_of(kind, schema, indent)),
            Value::Array(kinds) => {
                let kinds = kinds.iter().map(|kind| kind_of(kind.as_str().unwrap(), schema, indent));
                whole.push(kinds.collect::<Vec<_>>().join(" | "));
            }
            _ => assert!(!whole.is_empty(), "a schema that is not known here: {schema}"),
        }
    }
    match whole.as_slice() {
        [one] => one.clone(),
        // An intersection of types.
        many => many.iter().map(|part| grouped(part)).collect::<Vec<_>>().join(" & "),
    }
}

fn kind_of(kind: &str, schema: &Value, indent: &str) -> String {
    match kind {
        "integer" | "number" => "number".to_owned(),
        "string" if schema.get("const").is_some() => schema["const"].to_string(),
        "string" | "boolean" | "null" => kind.to_owned(),
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => {
                let items: Vec<String> = items.iter().map(|item| type_of(item, indent)).collect();
                format!("[{}]", items.join(", "))
            }
            None => format!("{}[]", grouped(&type_of(&schema["items"], indent))),
        },
        "object" => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let inner = format!("{indent}  ");
            let mut text = "{".to_owned();
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                comment(&mut text, field, &inner);
                let mark = if required.contains(&json!(name)) { "" } else { "?" };
                write!(text, "{inner}{name}{mark}: {};", type_of(field, &inner)).unwrap();
            }
            format!("{text}\n{indent}}}")
        }
        other => panic!("a kind that is not known here: {other}"),
    }
}

fn grouped(text: &str) -> String {
    if text.contains(" | ") { format!("({text})") } else { text.to_owned() }
}

/// The first difference of a value from a schema; `None` if it conforms.
fn misfit(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    let wrong = || Some(format!("{at}: expected {schema}, found {value}"));
    let mut fields = Vec::new();
    if let Some(expected) = schema.get("const") {
        return if expected == value { None } else { wrong() };
    }
    for several in ["oneOf", "anyOf"] {
        if let Some(variants) = schema[several].as_array() {
            let tried = variants.iter().map(|variant| misfit(root, variant, value, at));
            let tried: Vec<Option<String>> = tried.collect();
            if tried.iter().all(Option::is_some) {
                return Some(format!(
                    "{at}: no variant fits\n{}",
                    tried.into_iter().flatten().collect::<Vec<_>>().join("\n")
                ));
            }
            return None;
        }
    }
    let mut parts = vec![schema];
    if let Some(name) = schema["$ref"].as_str() {
        let definition = &root["$defs"][name.rsplit('/').next().unwrap()];
        if definition.get("oneOf").is_some()
            || definition.get("anyOf").is_some()
            || definition["type"] != "object"
        {
            return misfit(root, definition, value, at);
        }
        parts.push(definition);
    }
    let kinds = |schema: &Value| match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        Value::Null => Vec::new(),
        kind => vec![kind.clone()],
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
    };
    if parts.iter().all(|part| !kinds(part).contains(&json!(kind))) {
        return wrong();
    }
    for part in &parts {
        for (name, field) in part["properties"].as_object().into_iter().flatten() {
            fields.push(name.clone());
            let required = part["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
            match value.get(name) {
                None if required => return Some(format!("{at}: expected '{name}' in {value}")),
                None => {}
                Some(inner) => {
                    if let Some(wrong) = misfit(root, field, inner, &format!("{at}.{name}")) {
                        return Some(wrong);
                    }
                }
            }
        }
    }
    match value {
        Value::Object(found) => {
            let unknown = found.keys().find(|name| !fields.contains(name))?;
            Some(format!("{at}: found '{unknown}', which is not described"))
        }
        Value::Array(items) => {
            let prefix = schema["prefixItems"].as_array();
            items.iter().enumerate().find_map(|(index, item)| {
                let inner = prefix.map_or(&schema["items"], |prefix| &prefix[index]);
                misfit(root, inner, item, &format!("{at}[{index}]"))
            })
        }
        _ => None,
    }
}

#[test]
fn messages_match_the_schema() {
    let schema = meeple_server::web_schema();
    let server = start(None);
    for game in meeple_games::games().into_iter().map(|entry| entry.info().id) {
        let mut browser = server.browser();
        let table = browser.open(game, &[("agent.0", "me"), ("agent.1", "random")]);
        for (query, kind) in [("?as=0&data=1", "ToPage"), ("?as=0", "ToOwnPage")] {
            let mut socket = browser.socket(&table, query);
            socket.say(&json!({ "type": "hello", "since": 0 }));
            // Both the number and the action are wrong, so errors are covered, too.
            socket.say(&json!({ "type": "act", "number": 99, "id": "late", "action": "x" }));
            for _ in 0..3 {
                let page = browser.until_asked(&table);
                if page.is_over() {
                    break;
                }
                let actions = page.actions();
                browser.answer(&table, &page, &actions[actions.len() / 2]);
            }
            socket.say(&json!({ "type": "ping" }));
            let mut kinds = Vec::new();
            loop {
                let message = socket.hear();
                let name = message["type"].as_str().unwrap().to_owned();
                let of = if ["frame", "patch"].contains(&name.as_str()) { kind } else { "ToPage" };
                let wrong = misfit(&schema, &schema["$defs"][of], &message, &name);
                assert_eq!(wrong, None, "{game} {query}");
                if name == "pong" {
                    break;
                }
                kinds.push(name);
            }
            assert!(
                kinds.contains(&"frame".to_owned()) && kinds.contains(&"bad".to_owned()),
                "{game}: {kinds:?}"
            );
        }
    }
}
