//! A table with simulated people and spectators. It checks the server against its acknowledgements.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;
use std::time::Duration;

use meeple_core::{EpisodeSeed, Stream};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc::{Sender, UnboundedReceiver, unbounded_channel};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::http::{self, ServerAddress};
use crate::messages::{QuestionMessage, ServerMessage, TabMessage};
use crate::plan::{Breaks, LoadPlan};
use crate::report::Measured;
use crate::socket::{Heard, Socket, TableSocket};

/// Maximal number of tables that are being opened at the same time.
const OPENED_AT_ONCE: usize = 16;
/// Upper bound on the wait for viewers before the next answer. Some viewers may never be shown anything of
/// the previous one.
const MAX_ACT_DELAY: Duration = Duration::from_millis(50);
/// Pause before a request is retried while the server is being killed.
const RETRY: Duration = Duration::from_millis(20);
/// Maximal number of such retries.
const RETRIES: u32 = 1000;
/// Timeout for the last acknowledgements when the run ends.
const FAREWELL: Duration = Duration::from_secs(5);

/// The current phase of all tables. Phases only advance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LoadPhase {
    Opening,
    /// Tables are played. When a table ends, a new one is opened.
    Playing,
    /// Tables are played to their end, and no new ones are opened.
    Finishing,
    /// Tables stop once no message is in flight.
    Over,
}

pub struct LoadContext {
    pub plan: LoadPlan,
    pub place: ServerAddress,
    pub phase: watch::Receiver<LoadPhase>,
    pub measured: RefCell<Measured>,
    /// Time of the last kill, until the next frame of any viewer.
    pub restarted: RefCell<Option<Instant>>,
    /// True if connections may break, for example because the server is killed. Games are then played to
    /// their end.
    pub breaks: bool,
    opening: Semaphore,
}

impl LoadContext {
    pub fn new(plan: LoadPlan, place: ServerAddress, phase: watch::Receiver<LoadPhase>) -> Self {
        let breaks = plan.kills > 0 || plan.breaks == Breaks::Expected;
        Self {
            plan,
            place,
            phase,
            measured: RefCell::default(),
            restarted: RefCell::default(),
            breaks,
            opening: Semaphore::new(OPENED_AT_ONCE),
        }
    }

    fn phase(&self) -> LoadPhase {
        *self.phase.borrow()
    }

    fn error(&self, kind: &str, message: &str) {
        self.measured.borrow_mut().error(kind, message);
    }
}

/// Plays one table after another. Drops `opening` after the first attempt to open a table.
pub async fn play(around: Rc<LoadContext>, number: usize, opening: Sender<Infallible>) {
    let mut opening = Some(opening);
    let mut stream = EpisodeSeed::new(around.plan.seed, number as u64).agent(meeple_core::Seat::new(0));
    loop {
        let table = Table::open(&around, &mut stream).await;
        opening.take();
        let Some(table) = table else { return };
        if table.play().await == End::Stopped || around.phase() >= LoadPhase::Finishing {
            return;
        }
    }
}

/// Opens a table at which nothing happens, and returns the path of its socket.
pub async fn open_idle(around: &LoadContext) -> Result<String, String> {
    let (path, _) = open_by_form(around).await?;
    Ok(format!("{path}/socket?data=1"))
}

#[derive(PartialEq, Eq)]
enum End {
    Over,
    Stopped,
}

/// An answer that is not yet acknowledged.
struct Pending {
    id: String,
    number: u64,
    action: String,
    at: Instant,
}

#[derive(Default)]
struct Player {
    ask: Option<QuestionMessage>,
    pending: Option<Pending>,
    /// Acknowledged actions, in order.
    taken: Vec<String>,
    /// Time of the last answer, until the next question arrives.
    acted: Option<Instant>,
}

struct Table<'a> {
    around: &'a LoadContext,
    stream: &'a mut Stream,
    path: String,
    /// People first, then spectators, then people's pages.
    sockets: Vec<Socket>,
    heard: UnboundedReceiver<(usize, Heard)>,
    players: Vec<Player>,
    /// By viewer: time of the last answer, if the viewer has received nothing since.
    unseen: Vec<Option<Instant>>,
    /// Viewers that have received a frame.
    greeted: Vec<bool>,
    last_act: Option<Instant>,
    acts: u64,
    over: bool,
}

impl<'a> Table<'a> {
    /// Opens a table with all its sockets, and waits for the first message of each viewer. Failures are
    /// counted.
    async fn open(around: &'a LoadContext, stream: &'a mut Stream) -> Option<Self> {
        let _turn = around.opening.acquire().await.ok()?;
        let mut tries = 0;
        let (path, keys) = loop {
            match open_by_form(around).await {
                Ok(opened) => break opened,
                Err(_) if around.breaks && tries < RETRIES => {
                    tries += 1;
                    sleep(RETRY).await;
                }
                Err(message) => {
                    around.error("table", &message);
                    return None;
                }
            }
        };
        let id = path.trim_start_matches("/t/");
        let players = keys.iter().enumerate().map(|(seat, key)| TableSocket {
            path: format!("{path}/socket?as={seat}&data=1"),
            cookie: Some(format!("seat-{id}={key}")),
            since: 0,
        });
        let watchers = TableSocket { path: format!("{path}/socket?data=1"), cookie: None, since: 0 };
        let seats: Vec<TableSocket> =
            players.chain(std::iter::repeat_n(watchers, around.plan.watchers)).collect();
        let (sender, heard) = unbounded_channel();
        let viewers = seats.len();
        let tabs = keys.iter().enumerate().filter(|_| around.plan.tabs).map(|(seat, key)| TableSocket {
            path: format!("{path}/socket?as={seat}"),
            cookie: Some(format!("seat-{id}={key}")),
            since: 0,
        });
        let sockets = seats.into_iter().chain(tabs).enumerate();
        let sockets = sockets.map(|(at, seat)| Socket::open(&around.place, seat, at, sender.clone()));
        let mut table = Table {
            around,
            stream,
            path: path.clone(),
            sockets: sockets.collect(),
            heard,
            players: keys.iter().map(|_| Player::default()).collect(),
            unseen: vec![None; viewers],
            greeted: vec![false; viewers],
            last_act: None,
            acts: 0,
            over: false,
        };
        while table.greeted.contains(&false) {
            match table.heard.recv().await {
                Some((viewer, heard)) => {
                    if !table.hear(viewer, heard) {
                        return None;
                    }
                }
                None => return None,
            }
        }
        around.measured.borrow_mut().counts.opened += 1;
        Some(table)
    }

    /// Plays until the game is over or everything stops.
    async fn play(mut self) -> End {
        let mut phase = self.around.phase.clone();
        if phase.wait_for(|phase| *phase > LoadPhase::Opening).await.is_err() {
            return End::Stopped;
        }
        // A random start keeps the tables from moving in step.
        let every = self.around.plan.every;
        let mut next = Instant::now() + every.mul_f64(self.stream.unit());
        loop {
            if self.over && self.players.iter().all(|player| player.pending.is_none()) {
                return self.prove().await;
            }
            if *phase.borrow() == LoadPhase::Over {
                return self.part().await;
            }
            // The next answer waits until all viewers have seen something of the last one, or until the wait
            // is too long.
            let seen = self.unseen.iter().all(Option::is_none);
            let at = match self.last_act {
                Some(last) if !seen => next.max(last + MAX_ACT_DELAY),
                _ => next,
            };
            let ready = !self.over && self.players.iter().any(Player::is_ready);
            tokio::select! {
                biased;
                heard = self.heard.recv() => match heard {
                    Some((viewer, heard)) => if !self.hear(viewer, heard) {
                        return End::Stopped;
                    },
                    None => return End::Stopped,
                },
                _ = phase.changed() => {}
                () = sleep_until(at), if ready => {
                    self.act();
                    next = (next + every).max(Instant::now());
                }
            }
        }
    }

    /// Answers one of the open questions.
    fn act(&mut self) {
        let ready: Vec<usize> =
            (0..self.players.len()).filter(|player| self.players[*player].is_ready()).collect();
        let player = ready[self.stream.index(ready.len())];
        let Some(ask) = self.players[player].ask.take() else { return };
        let choice = self.stream.index(ask.choices());
        let at = Instant::now();
        self.acts += 1;
        let id = format!("{player}-{}", self.acts);
        let action = ask.choice(choice).to_owned();
        let pending = Pending { id, number: ask.number, action, at };
        self.sockets[player].say(pending.text());
        self.players[player].pending = Some(pending);
        self.players[player].acted = Some(at);
        let missed = self.unseen.iter().filter(|unseen| unseen.is_some()).count();
        let mut measured = self.around.measured.borrow_mut();
        measured.counts.acts += 1;
        measured.counts.unseen += missed as u64;
        self.unseen.fill(Some(at));
        self.last_act = Some(at);
    }

    /// Handles an event of a socket. Returns true if the table continues.
    fn hear(&mut self, viewer: usize, heard: Heard) -> bool {
        let is_tab = viewer >= self.unseen.len();
        match heard {
            Heard::Open if is_tab => true,
            Heard::Message { text, bytes, .. } if is_tab => self.take_tab_message(&text, bytes),
            Heard::Open => {
                if self.greeted[viewer] {
                    self.around.measured.borrow_mut().counts.reconnects += 1;
                    if !self.around.breaks && self.around.phase() < LoadPhase::Over {
                        self.around.error("closed", "the server has closed a socket");
                    }
                }
                // The answer is sent again, because the connection may have broken before the server received
                // it.
                if let Some(pending) = self.players.get(viewer).and_then(|player| player.pending.as_ref()) {
                    self.sockets[viewer].say(pending.text());
                }
                true
            }
            Heard::Failed(message) => {
                self.around.error("socket", &message);
                false
            }
            Heard::Message { text, bytes, at } => {
                self.around.measured.borrow_mut().counts.bytes += bytes;
                match serde_json::from_str::<ServerMessage<'_>>(&text) {
                    Ok(message) => self.take_message(viewer, message, bytes, at),
                    Err(error) => {
                        self.around.error("message", &error.to_string());
                        false
                    }
                }
            }
        }
    }

    /// Handles a message to a page. Only its size is measured.
    fn take_tab_message(&mut self, text: &str, bytes: u64) -> bool {
        let mut measured = self.around.measured.borrow_mut();
        measured.counts.bytes += bytes;
        let sizes = &mut measured.sizes;
        match serde_json::from_str::<TabMessage<'_>>(text) {
            Ok(message) => {
                let counted = match &*message.r#type {
                    "frame" => &mut sizes.tab_frame_bytes,
                    "patch" if message.has_question() => &mut sizes.tab_question_bytes,
                    "patch" => &mut sizes.tab_patch_bytes,
                    _ => return true,
                };
                counted.add(bytes);
                true
            }
            Err(error) => {
                measured.error("message", &error.to_string());
                false
            }
        }
    }

    fn take_message(&mut self, viewer: usize, message: ServerMessage<'_>, bytes: u64, at: Instant) -> bool {
        match &*message.r#type {
            kind @ ("frame" | "patch") => {
                self.shown(viewer, kind == "patch", bytes, at);
                self.over |= message.ending.is_some();
                match message.ask {
                    Some(ask) if viewer < self.players.len() => self.asked(viewer, ask, at),
                    _ => true,
                }
            }
            "ack" => {
                let Some(player) = self.players.get_mut(viewer) else { return true };
                // An answer that was sent twice is acknowledged twice; the second acknowledgement is ignored.
                let known = |pending: &mut Pending| message.id.as_deref() == Some(&pending.id);
                if let Some(pending) = player.pending.take_if(known) {
                    let mut measured = self.around.measured.borrow_mut();
                    measured.counts.acknowledged += 1;
                    measured.counts.repeated += u64::from(message.repeated);
                    measured.times().act_to_ack_ms.add((at - pending.at).as_micros() as u64);
                    player.taken.push(pending.action);
                }
                true
            }
            "bad" => {
                let code = message.code.as_deref().unwrap_or("bad");
                self.around.error(code, message.message.as_deref().unwrap_or_default());
                match self.players.get_mut(viewer) {
                    Some(player) => player.pending = None,
                    None => return false,
                }
                code != "INTERNAL"
            }
            _ => true,
        }
    }

    fn shown(&mut self, viewer: usize, is_patch: bool, bytes: u64, at: Instant) {
        let mut measured = self.around.measured.borrow_mut();
        if let Some(started) = self.around.restarted.take() {
            measured.restart.add((at - started).as_micros() as u64);
        }
        match (std::mem::replace(&mut self.greeted[viewer], true), is_patch) {
            (false, _) => measured.sizes.first_frame_bytes.add(bytes),
            (true, false) => measured.sizes.frame_bytes.add(bytes),
            (true, true) => measured.sizes.patch_bytes.add(bytes),
        }
        if let Some(acted) = self.unseen[viewer].take() {
            let late = (at - acted).as_micros() as u64;
            measured.times().act_to_seen_ms.add(late);
            if self.unseen.iter().all(Option::is_none) {
                measured.times().act_to_all_ms.add(late);
            }
        }
    }

    /// Records a player's question, or that there is none. Returns false if its number contradicts the
    /// answers.
    fn asked(&mut self, player: usize, ask: Option<QuestionMessage>, at: Instant) -> bool {
        let player = &mut self.players[player];
        let mut measured = self.around.measured.borrow_mut();
        if let Some(ask) = &ask {
            let taken = player.taken.len() as u64;
            let sent = taken + u64::from(player.pending.is_some());
            if ask.number < taken || ask.number > sent {
                let message = format!(
                    "{}: expected question {taken} of a player with {taken} acknowledged answers, who has sent {sent}, \
                     found question {}",
                    self.path, ask.number
                );
                if ask.number < taken {
                    measured.counts.lost += taken - ask.number;
                } else {
                    measured.counts.doubled += ask.number - sent;
                }
                measured.error("question", &message);
                return false;
            }
            let is_new = player.pending.as_ref().is_none_or(|pending| ask.number > pending.number);
            if is_new
                && self.around.plan.people == 1
                && let Some(acted) = player.acted.take()
            {
                measured.times().act_to_asked_ms.add((at - acted).as_micros() as u64);
            }
        }
        player.ask = ask;
        true
    }

    /// Waits until all answers are acknowledged, for at most [`FAREWELL`].
    async fn part(mut self) -> End {
        let wait = async {
            while self.players.iter().any(|player| player.pending.is_some()) {
                let Some((viewer, heard)) = self.heard.recv().await else { return };
                if !self.hear(viewer, heard) {
                    return;
                }
            }
        };
        if timeout(FAREWELL, wait).await.is_err() {
            self.around.error("unanswered", "an answer was not acknowledged at the end");
        }
        End::Stopped
    }

    /// Checks the replay of a finished game against the acknowledged answers.
    async fn prove(self) -> End {
        let path = format!("{}/replay.json", self.path);
        let mut tries = 0;
        let answer = loop {
            match http::get(&self.around.place, &path).await {
                Ok(answer) => break answer,
                Err(_) if self.around.breaks && tries < RETRIES => {
                    tries += 1;
                    sleep(RETRY).await;
                }
                Err(error) => {
                    self.around.error("replay", &error.to_string());
                    return End::Stopped;
                }
            }
        };
        #[derive(Deserialize)]
        struct Replay {
            steps: Vec<String>,
        }
        let steps = match serde_json::from_str::<Replay>(&answer.body) {
            Ok(replay) => replay.steps,
            Err(error) => {
                self.around.error("replay", &format!("{path}: {error}"));
                return End::Stopped;
            }
        };
        let mut measured = self.around.measured.borrow_mut();
        measured.counts.finished += 1;
        for (seat, player) in self.players.iter().enumerate() {
            let begin = format!("{seat} ");
            let found: Vec<&str> = steps
                .iter()
                .filter_map(|step| step.strip_prefix(&begin).or((*step == begin.trim_end()).then_some("")))
                .collect();
            measured.counts.lost += player.taken.len().saturating_sub(found.len()) as u64;
            measured.counts.doubled += found.len().saturating_sub(player.taken.len()) as u64;
            if found == player.taken {
                measured.counts.proved += found.len() as u64;
            } else {
                let message = format!("{path}: seat {seat}: expected {:?}, found {found:?}", player.taken);
                measured.error("replay", &message);
            }
        }
        End::Over
    }
}

impl Player {
    fn is_ready(&self) -> bool {
        self.pending.is_none() && self.ask.as_ref().is_some_and(|ask| ask.number == self.taken.len() as u64)
    }
}

impl Pending {
    fn text(&self) -> String {
        let Self { id, number, action, .. } = self;
        json!({ "type": "act", "number": number, "id": id, "action": action }).to_string()
    }
}

/// Opens a table by the form of the server's page. Returns its path and the keys to people's seats.
async fn open_by_form(around: &LoadContext) -> Result<(String, Vec<String>), String> {
    let plan = &around.plan;
    let (game, preset) = plan.game.split_once('/').unwrap_or((&plan.game, ""));
    let people = std::iter::repeat_n("me", plan.people).chain(plan.agents.iter().map(String::as_str));
    let seats: Vec<(String, &str)> =
        people.enumerate().map(|(seat, who)| (format!("agent.{seat}"), who)).collect();
    let mut fields: Vec<(&str, &str)> = seats.iter().map(|(name, who)| (name.as_str(), *who)).collect();
    fields.push(("preset", preset));
    let answer = http::post(&around.place, &format!("/new/{game}"), &fields).await;
    let answer = answer.map_err(|error| format!("{}: {error}", around.place.host))?;
    let refused = || {
        let said = answer.body.split("role=\"alert\">").nth(1).and_then(|rest| rest.split('<').next());
        format!("the server opens no table (status {}): {}", answer.status, said.unwrap_or("no reason given"))
    };
    let path = answer.header("location").filter(|_| answer.status == 303).ok_or_else(refused)?;
    let cookie = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next()?.split_once('='));
    let keys: Vec<String> = cookie
        .map_or("", |(_, keys)| keys)
        .split('.')
        .filter(|key| !key.is_empty())
        .map(str::to_owned)
        .collect();
    if keys.len() != plan.people {
        return Err(format!("expected keys to {} seats, found {}", plan.people, keys.len()));
    }
    Ok((path.to_owned(), keys))
}
