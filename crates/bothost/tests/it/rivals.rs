//! Rivals: nothing that one bot does changes the measured time of another.

use std::time::Instant;

use meeple_bothost::{
    Bad, BotAnswer, BotProcess, BotReply, BotTurn, Clock, ClockBasis, End, EpisodeStart, Fault, FaultPolicy,
    Player, SeatPlan, Usage, Waiting, WallClock, play_episode_by,
};

use crate::hostile::{at_turn, isolated};
use crate::support::{game, has, launch, patient, seat, seed, shell_bot_that};

/// A player whose answer is the last event before the time of all others runs out.
struct Last<'a> {
    inner: &'a mut BotProcess,
    time: WallClock,
}

impl Player for Last<'_> {
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        self.inner.start(start)
    }

    fn renew(&mut self) {
        self.inner.renew();
    }

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        self.inner.ask(turn)
    }

    fn receive(&mut self, now: Instant) {
        self.inner.receive(now);
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        let answer = self.inner.poll_answer()?;
        if answer.is_some() {
            self.time.wait_for_one();
        }
        Ok(answer)
    }

    fn waiting(&self) -> Option<Waiting<'_>> {
        self.inner.waiting()
    }

    fn refuse(&mut self, bad: &Bad<'_>) {
        self.inner.refuse(bad);
    }

    fn end(&mut self, end: &End<'_>) {
        self.inner.end(end);
    }
}

/// Attempts of a bot to make its rival wait.
const ATTACKS: [(&str, &str); 11] = [
    ("closing its output", "os.close(1)\ntime.sleep(1000)"),
    ("closing its input", "os.close(0)\ntime.sleep(1000)"),
    (
        "closing both and leaving a helper",
        "os.fork() or time.sleep(1000)\nos.close(0)\nos.close(1)\nos._exit(0)",
    ),
    ("a line too long", "os.write(1, b'x' * (3 << 20))\ntime.sleep(1000)"),
    (
        "a huge line",
        "sys.stdout.write('{\"t\":\"move\",' + ' ' * 1000000 + '}\\n')\nsys.stdout.flush()\ntime.sleep(1000)",
    ),
    ("single bytes", "for number in range(3000): os.write(1, b'x')\ntime.sleep(1000)"),
    ("a flood on stderr", "while True: os.write(2, b'x' * 65536)"),
    ("another program", "os.execv('/bin/sleep', ['sleep', '1000'])"),
    ("stopping itself", "os.kill(os.getpid(), signal.SIGSTOP)\ntime.sleep(1000)"),
    ("full pipes", "os.write(1, b'x' * 500000)\nos.write(2, b'x' * 500000)\ntime.sleep(1000)"),
    ("many deaths", "for number in range(20):\n    if os.fork() == 0: os._exit(0)\nos._exit(3)"),
];

/// The clock stands still while both think, and advances when the host waits for one of them. The rival must
/// then be charged exactly zero.
#[test]
fn nothing_that_a_bot_does_costs_its_rival_time() {
    if !has("python3") {
        return;
    }
    let clock = Clock { basis: ClockBasis::Wall, ..patient() };
    let policy = FaultPolicy { clock, strikes: Some(1), ..FaultPolicy::default() };
    // The rival takes longer than any attack needs to begin.
    let slow = shell_bot_that(
        "turn",
        "sleep 0.2; n=${line#*\\\"n\\\":}; n=${n%%,*}; \
                               echo \"{\\\"t\\\":\\\"move\\\",\\\"g\\\":$g,\\\"n\\\":$n,\\\"a\\\":1}\"",
    );
    let game = game("incan-gold", 2);
    for sandbox in isolated() {
        for (what, attack) in ATTACKS {
            let what = format!("{}: {what}", sandbox.level());
            let time = WallClock::held();
            let hostile = at_turn(attack);
            let mut attacker = launch(&hostile.spec, &sandbox).with_clock(time.clone());
            let mut rival = launch(&slow.spec, &sandbox).with_clock(time.clone());
            let mut last = Last { inner: &mut rival, time: time.clone() };
            let mut seats = [seat(&mut attacker), seat(&mut last)];
            let record = play_episode_by(&*game, seed(0), &mut seats, &policy, &time).unwrap();
            let [own, rivals] = [0, 1].map(|seat| record.seats[seat]);
            assert!(own.faults > 0, "{what}: the attack did not happen: {own:?}");
            assert!(
                record.faults.iter().all(|fault| fault.seat.index() == 0),
                "{what}: {:#?}",
                record.faults
            );
            assert!(rivals.asked > 0 && rivals.faults == 0, "{what}: {rivals:?}");
            assert_eq!(rivals.used.wall_us, 0, "{what}: {rivals:?}");
        }
    }
}

/// A player that causes work for the host, and one whose answer comes meanwhile.
enum Double {
    Work(WallClock, u32),
    Thinks { time: WallClock, asked: Instant, known: Instant, looks: u32 },
}

impl Double {
    fn thinks(time: &WallClock) -> Self {
        Self::Thinks { time: time.clone(), asked: time.now(), known: time.now(), looks: 0 }
    }
}

impl Player for Double {
    fn start(&mut self, _start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        Ok(Usage::default())
    }

    fn renew(&mut self) {}

    fn ask(&mut self, _turn: &BotTurn<'_>) -> Result<(), Fault> {
        match self {
            Self::Work(_, looks) => *looks = 0,
            Self::Thinks { time, asked, looks, .. } => (*asked, *looks) = (time.now(), 0),
        }
        Ok(())
    }

    fn receive(&mut self, now: Instant) {
        if let Self::Thinks { known, .. } = self {
            *known = now;
        }
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        let (used, looks) = match self {
            Self::Work(time, looks) => {
                time.wait_for_one();
                (Usage::default(), looks)
            }
            Self::Thinks { asked, known, looks, .. } => {
                let wall_us = known.saturating_duration_since(*asked).as_micros() as u64;
                (Usage { cpu_us: None, wall_us }, looks)
            }
        };
        *looks += 1;
        Ok((*looks > 1).then_some(BotAnswer { reply: BotReply::Index(1), used }))
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}
}

/// Input that arrives while the host serves others counts as earlier, whoever is asked first.
#[test]
fn work_of_the_host_for_one_is_not_time_of_another() {
    let game = game("incan-gold", 2);
    for order in [[0, 1], [1, 0]] {
        let time = WallClock::held();
        let mut doubles = [Double::Work(time.clone(), 0), Double::thinks(&time)];
        let mut seats: Vec<SeatPlan<'_>> = doubles.iter_mut().map(|double| seat(double)).collect();
        if order[0] == 1 {
            seats.reverse();
        }
        let record = play_episode_by(&*game, seed(0), &mut seats, &FaultPolicy::default(), &time).unwrap();
        let thinker = record.seats[order.iter().position(|who| *who == 1).unwrap()];
        assert!(thinker.asked > 0 && thinker.used.wall_us == 0, "{order:?}: {thinker:?}");
    }
}
