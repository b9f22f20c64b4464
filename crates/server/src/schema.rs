//! The JSON Schema of the socket's messages, generated from their types.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::tables::socket::ToOwnPage;
use crate::tables::wire::{FromPage, ToPage};

/// The messages of both directions as one document.
pub fn web_schema() -> Value {
    let mut definitions = Map::new();
    let read = SchemaSettings::draft2020_12();
    add::<FromPage>(&mut definitions, read.clone());
    add::<ToPage<'_>>(&mut definitions, read.clone().for_serialize());
    add::<ToOwnPage<'_>>(&mut definitions, read.for_serialize());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages of a table's socket, version 1",
        "description": "A page or a program sends FromPage and receives ToPage. Our own page receives ToOwnPage in place of \
                        frames and patches as data.",
        "anyOf": [
            { "$ref": "#/$defs/FromPage" }, { "$ref": "#/$defs/ToPage" }, { "$ref": "#/$defs/ToOwnPage" },
        ],
        "$defs": definitions,
    })
}

fn add<T: JsonSchema>(definitions: &mut Map<String, Value>, settings: SchemaSettings) {
    let mut generator = settings.into_generator();
    // Named types are described once, under their names.
    generator.subschema_for::<T>();
    for (name, schema) in generator.take_definitions(true) {
        if let Some(before) = definitions.insert(name.clone(), schema.clone()) {
            assert_eq!(before, schema, "{name} means two things");
        }
    }
}
