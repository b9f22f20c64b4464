//! The example games of a guide, replayed to show the table after each block of steps.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use meeple_core::{
    AgentSpec, Answer, AnyEntry, Driver, Due, EpisodeSeed, PlayerLabel, Question, Seat, Viewer,
};
use meeple_scene::Scene;

/// The command line's word for a person.
const PERSON: &str = "human";

/// Drawings, one per fenced block of the guide. `None` if a block plays nothing or cannot be played.
pub type Drawings = Arc<Vec<Option<Scene>>>;

/// Drawings of the table after each fenced block of a game's guide. They are computed once and cached.
pub fn drawings(entry: &dyn AnyEntry) -> Drawings {
    static DRAWN: Mutex<BTreeMap<&str, Drawings>> = Mutex::new(BTreeMap::new());
    let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(drawn.entry(entry.info().id).or_insert_with(|| Arc::new(played(entry))))
}

fn played(entry: &dyn AnyEntry) -> Vec<Option<Scene>> {
    let (mut drawings, mut game) = (Vec::new(), None::<Playing>);
    let mut fences = entry.info().guide.split("\n```");
    // The first piece is the text before the first fence. Then blocks and the texts between them alternate.
    fences.next();
    while let Some(piece) = fences.next() {
        let mut is_played = false;
        for line in piece.lines() {
            if let Some(command) = line.strip_prefix("$ meeple play ") {
                game = Playing::begin(entry, command);
                is_played = true;
            } else if let Some(typed) = line.strip_prefix("> ") {
                game = game.and_then(|game| game.type_in(typed));
                is_played = true;
            }
        }
        drawings.push(game.as_mut().filter(|_| is_played).map(Playing::drawn));
        fences.next();
    }
    drawings
}

struct Playing {
    driver: Driver,
    seat: Seat,
    players: Vec<PlayerLabel>,
}

impl Playing {
    /// Sets up the game of a command line, given as the words after `meeple play`.
    fn begin(entry: &dyn AnyEntry, command: &str) -> Option<Self> {
        let words = shlex::split(command)?;
        let preset = words.first()?.split_once('/').map(|(_, preset)| preset);
        let (mut names, mut set, mut seed) = (Vec::new(), Vec::new(), 0);
        let mut rest = words.iter().skip(1);
        while let Some(word) = rest.next() {
            match word.as_str() {
                "--set" => {
                    let (name, value) = rest.next()?.split_once('=')?;
                    set.push((name.to_owned(), value.to_owned()));
                }
                "--seed" => seed = rest.next()?.parse().ok()?,
                name => names.push(name.to_owned()),
            }
        }
        let game = entry.set_up(preset, &set, names.len()).ok()?;
        names.resize(game.seats(), entry.info().filler.unwrap_or("random").to_owned());
        let person = names.iter().position(|name| name == PERSON)?;
        let mut driver = Driver::new(game.episode(EpisodeSeed::new(seed, 0)));
        for (seat, name) in Seat::all(game.seats()).zip(&names) {
            if seat.index() == person {
                driver.seat_person(seat);
            } else {
                driver.seat_agent(seat, &AgentSpec::parse(name)).ok()?;
            }
        }
        let players = names.iter().map(|name| PlayerLabel::from(name.clone())).collect();
        Some(Self { driver, seat: Seat::new(person), players })
    }

    /// Plays until the person owes a decision. `None` if the game ends first, or an agent fails.
    fn asked(&mut self) -> Option<Question> {
        loop {
            match self.driver.due() {
                Due::Chance => self.driver.draw_chance(),
                Due::Decide(questions) => {
                    for question in questions {
                        if question.seat == self.seat {
                            return Some(question);
                        }
                        self.driver.ask_agent(question).ok()?;
                    }
                }
                Due::Over => return None,
            }
        }
    }

    fn type_in(mut self, typed: &str) -> Option<Self> {
        let question = self.asked()?;
        let view = self.driver.view();
        let action = match view.legal_actions(self.seat).iter().find(|action| *action == typed) {
            Some(action) => action.clone(),
            None => view.read_input(self.seat, typed).ok()?,
        };
        self.driver.answer(self.seat, question.number, Answer::Text(&action)).ok()?;
        Some(self)
    }

    /// The person's view of the table at the person's next decision, or at the end.
    fn drawn(&mut self) -> Scene {
        self.asked();
        self.driver.view().draw(Viewer::Seat(self.seat), &self.players)
    }
}
