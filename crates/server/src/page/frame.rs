//! Pages as HTML, complete without a script. Scripts add live updates.

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use crate::page::assets;

tokio::task_local! {
    static READER: Reader;
}

/// The reader of a page, for the bar at its top. It is set once per request.
#[derive(Clone, Default)]
pub struct Reader {
    pub accounts: bool,
    /// The member who is logged in.
    pub member: Option<String>,
}

pub async fn read_by<T>(reader: Reader, answer: impl Future<Output = T>) -> T {
    READER.scope(reader, answer).await
}

pub fn reader() -> Reader {
    READER.try_with(Clone::clone).unwrap_or_default()
}

/// A whole page; `wide` for pages with a board.
pub fn page(title: &str, wide: bool, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Meeple" }
                link rel="stylesheet" href=(assets::STYLE.address());
                link rel="icon" href=(assets::ICON.address()) type="image/svg+xml";
            }
            body {
                a class="skip" href="#main" { "Skip to the content" }
                (bar())
                main id="main" class=(if wide { "wide" } else { "narrow" }) { (body) }
            }
        }
    }
}

pub fn bar() -> Markup {
    html! {
        header class="bar" {
            a class="brand" href="/" { "Meeple" }
            nav aria-label="Site" {
                a href="/" { "Play" }
                a href="/tables" { "Tables" }
                a href="/replays" { "Replays" }
                a href="/lab" { "Laboratory" }
                a href="/competitions" { "Competitions" }
                a href="/help" { "Help" }
                @let Reader { accounts, member } = reader();
                @if accounts { a href="/me" { (member.as_deref().unwrap_or("Log in")) } }
            }
        }
    }
}

pub fn trouble(title: &str, message: &str, back: &str) -> Markup {
    let (message, hint) = message.split_once("\nhint: ").unwrap_or((message, ""));
    page(
        title,
        false,
        &html! {
            h1 { (title) }
            p class="trouble" role="alert" { (message) }
            @if !hint.is_empty() { p { (hint) } }
            p { a class="button" href=(back) { "Back" } }
        },
    )
}

/// The help page, with all keys.
pub fn help() -> Markup {
    page(
        "Help",
        false,
        &html! {
            h1 { "Help" }
            h2 { "Playing" }
            ul {
                li { "Press a spot of the board, a button of the list, or type your move and press Enter." }
                li { "Everything that can be done is a button: Tab goes from one to the next, Enter presses it." }
                li { "Large choices are asked part by part: a button that opens shows the next question, \
                      and the board shows what it is about." }
                li { "A turn of many moves is composed: press a square, one next to it, and the number of \
                      pieces to move. You can take back the last step until you press the button that makes \
                      the moves." }
                li { "Where a turn has several steps, you try them first: nobody else sees them until you \
                      confirm, and you can undo them. A confirmed step that draws a card or shows you \
                      something new is final. You can switch this off beside the moves." }
                li { "The board is one stop of Tab; arrow keys go from spot to spot, Enter takes one." }
                li { "\"Board as text\" shows the same as the drawing, for eyes that prefer words and for screen readers." }
                li { "Anybody with a seat's link can play it: keep yours secret. Your browser remembers it \
                      for thirty days." }
            }
            h2 { "Keys at a table" }
            dl class="keys" {
                dt { kbd { "m" } } dd { "to the moves" }
                dt { kbd { "b" } } dd { "to the board" }
                dt { kbd { "/" } } dd { "to the line in which a move is typed" }
                dt { kbd { "u" } } dd { "take back the last step of a composed turn, or undo the last step \
                                         that was tried" }
                dt { kbd { "c" } } dd { "confirm the steps that were tried" }
                dt { kbd { "l" } } dd { "to the log" }
                dt { kbd { "+" } " " kbd { "-" } } dd { "a larger or a smaller board" }
                dt { kbd { "0" } } dd { "all of the board at once, and back" }
            }
            h2 { "On the command line" }
            p { "The same games, agents and texts: " code { "meeple play" } ", " code { "meeple sim" } ", " code { "meeple guide" } "." }
        },
    )
}

pub fn shown(page: &Markup) -> Response {
    Html(page.0.clone()).into_response()
}

pub fn refusal(status: StatusCode, title: &str, message: &str) -> Response {
    (status, Html(trouble(title, message, "/").0)).into_response()
}
