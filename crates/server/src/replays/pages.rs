//! Pages of replays: the player, and the form for uploads.

use maud::{Markup, html};
use meeple_core::{AnyEntry, GameInfo, PlayerLabel, Viewer};

use crate::games::list::game_name;
use crate::page::assets;
use crate::page::form::{MAX_SEATS, offered};
use crate::page::frame::{bar, page};
use crate::replays::moment;
use crate::replays::recorded::{ForeignMoment, MAX_BODY};
use crate::tables::order::AS_PLAYED;
use crate::tables::store::Listed;

/// Styles of the elements around the player, whose page has its own style sheet.
const STYLE: &str = "
  a { color: var(--mark); }
  .skip { left: -99rem; position: absolute; }
  .skip:focus { background: var(--paper); left: 10px; padding: 6px; top: 10px; z-index: 9; }
  .bar, .around { align-items: center; display: flex; flex-wrap: wrap; gap: 6px 14px; margin: 6px 0; }
  .bar { border-bottom: 1px solid var(--line); gap: 6px 20px; padding-bottom: 6px; }
  .bar nav { display: flex; flex-wrap: wrap; gap: 14px; }
  .brand { font-weight: 700; }
  .bar a, .around a { padding: 5px 0; }
  .around a[aria-current] { color: inherit; font-weight: 700; text-decoration: none; }
";

/// A viewer as it is written in addresses.
pub fn viewer_text(viewer: Viewer) -> String {
    match viewer {
        Viewer::Public => "public".to_owned(),
        Viewer::Everything => "all".to_owned(),
        Viewer::Seat(seat) => seat.to_string(),
    }
}

/// The HTML around the player of a replay.
pub struct PlayerSurroundings {
    pub head: String,
    pub top: String,
    pub below: String,
    pub script: String,
    /// The address from which the player loads moments.
    pub moments: String,
}

pub fn around(id: &str, entry: &dyn AnyEntry, players: &[PlayerLabel], viewer: Viewer) -> PlayerSurroundings {
    let info = entry.info();
    let now = viewer_text(viewer);
    let eyes = |who: &str, name: &str| {
        html! { a href={ "/r/" (id) "?as=" (who) } aria-current=[(who == now).then_some("true")] { (name) } }
    };
    let seats = players.iter().enumerate().take(MAX_SEATS);
    PlayerSurroundings {
        head: html! {
            link rel="icon" href=(assets::ICON.address()) type="image/svg+xml";
            style { (STYLE) }
        }
        .into_string(),
        top: html! {
            a class="skip" href="#main" { "Skip to the content" }
            (bar())
            nav class="around" aria-label="View as" {
                "Seen by "
                (eyes("all", "all"))
                (eyes("public", "the public"))
                @for (seat, player) in seats { (eyes(&seat.to_string(), &format!("seat {seat}, {}", player.name))) }
            }
        }
        .into_string(),
        below: html! {
            section aria-labelledby="go-on" {
                h2 id="go-on" { "Play on from here" }
                (play_on(id, entry, players, 0, viewer))
            }
            section aria-labelledby="files" {
                h2 id="files" { "Downloads" }
                p class="around" {
                    a href={ "/r/" (id) "/replay.json" } { "Replay (JSON)" }
                    a href={ "/r/" (id) "/at/0.svg?as=" (now) } data-moment={ "/r/" (id) "/at/MOMENT.svg?as=" (now) } { "This moment (SVG)" }
                    a href={ "/r/" (id) "/at/0.png?as=" (now) } data-moment={ "/r/" (id) "/at/MOMENT.png?as=" (now) } { "This moment (PNG)" }
                    a href={ "/r/" (id) "/replay.html?as=" (now) } { "Offline page (HTML)" }
                    a href={ "/r/" (id) "/at/0?as=" (now) } data-moment={ "/r/" (id) "/at/MOMENT?as=" (now) } { "Without a script" }
                    a href={ "/rules/" (info.id) } { "Rules" }
                }
            }
        }
        .into_string(),
        script: assets::PLAYER.address(),
        moments: format!("/r/{id}/moments?as={now}&from="),
    }
}

/// The form that opens a table at a moment of a replay.
pub fn play_on(id: &str, entry: &dyn AnyEntry, players: &[PlayerLabel], at: usize, viewer: Viewer) -> Markup {
    html! {
        form class="around" method="post" action={ "/r/" (id) "/play" } {
            input type="hidden" name="at" value=(at) data-moment="";
            input type="hidden" name="as" value=(viewer_text(viewer));
            label { "as " select name="seat" {
                @for (seat, player) in players.iter().enumerate().take(MAX_SEATS) {
                    option value=(seat) selected[viewer_text(viewer) == seat.to_string()] { "seat " (seat) ", " (player.name) }
                }
            } }
            label { "against " select name="agent" {
                option value=(AS_PLAYED) { "the agents that played" }
                @for agent in offered(entry) { option value=(agent.name) { (agent.name) } }
            } }
            button type="submit" { "Play on" }
        }
    }
}

/// The page of all replays: the form for uploads, and finished public tables.
pub fn replays(over: &[Listed], wrong: Option<&str>) -> Markup {
    let (message, hint) =
        wrong.map(|wrong| wrong.split_once("\nhint: ").unwrap_or((wrong, ""))).unwrap_or_default();
    page(
        "Replays",
        false,
        &html! {
            h1 { "Replays" }
            p class="lead" { "Watch every finished game again, move by move, from any seat." }
            @if wrong.is_some() {
                p class="trouble" role="alert" { (message) }
                @if !hint.is_empty() { p { (hint) } }
            }
            h2 { "Upload a replay" }
            form method="post" action="/replays" enctype="multipart/form-data" class="sheet" {
                p {
                    label for="file" { "A file of " code { "meeple play --save" } ", a tournament, this site, or a record of a game's original" }
                    input id="file" name="file" type="file" accept=".json,.gz,application/json" required;
                }
                p class="small" { "At most " (MAX_BODY >> 10) " KiB, compressed by gzip or not. Every step is checked. Whoever has the link can see it." }
                p { button class="primary" type="submit" { "Upload" } }
            }
            h2 { "Games on this server" }
            @if over.is_empty() {
                p { "No public games yet." }
            } @else {
                ul class="tables" { @for table in over { li { a href={ "/r/" (table.id) } { (game_name(&table.game)) } " " code { (table.id) } } } }
            }
        },
    )
}

/// The page of a record of another program, which the game renders as text.
pub fn foreign(id: &str, info: &GameInfo, moment: &ForeignMoment) -> Markup {
    let ForeignMoment { at, last, text, summary } = moment;
    let title = format!("{}, a record of its original", info.name);
    page(
        &title,
        true,
        &html! {
            div id="moment" {
                h1 { (title) " " small { "moment " (at) " of " (last) } }
                p { (summary) }
                (moment::steps(*at, *last, |at| format!("/r/{id}/at/{at}"), &html! {}))
                pre tabindex="0" role="region" aria-label="Board as text" { (text) }
                p class="links" { a href={ "/r/" (id) "/replay.json" } { "Download the replay" } a href={ "/rules/" (info.id) } { "Rules" } }
            }
        },
    )
}
