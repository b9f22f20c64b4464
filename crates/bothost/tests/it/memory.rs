//! Memory and disk: limits hold for all processes of a bot together, in every form.

use meeple_bothost::{BotProcess, Counted, Fault, FaultCode, Limits, Sandbox, SandboxLevel, play_episode};

use crate::hostile::{at_turn, bot, fault_of, host, isolated, limited, policy};
use crate::hosts::for_every_user;
use crate::support::{BotFile, game, has, limits, seat, seed};

/// A bot that attacks before it is ready, and then behaves.
fn at_start(attack: &str) -> BotFile {
    let body = attack.replace('\n', "\n    ");
    bot(&format!("def on_start(message):\n    {body}\n    say({{'t': 'ready', 'g': message['g']}})\n"))
}

/// Plays the bot, expects that its memory ends it, and returns the fault.
fn assert_memory_limit(hostile: &BotFile, sandbox: &Sandbox) -> Fault {
    let fault = fault_of(hostile, sandbox, &limits(), &policy());
    assert_eq!(fault.code, FaultCode::MemoryLimit, "{}: {fault:#?}", sandbox.level());
    fault
}

#[test]
fn memory_is_limited() {
    if !has("python3") {
        return;
    }
    for_every_user("memory::memory_is_limited", || {
        for attack in [
            "hog = bytearray(10 << 30)",
            "hog = []\nwhile True: hog.append(bytearray(1 << 20))",
            // The kernel's limit does not count shared memory; the watch does.
            "hog = mmap.mmap(-1, 2 << 30)\nfor at in range(0, 2 << 30, 4096): hog[at] = 1\ntime.sleep(60)",
        ] {
            for sandbox in limited() {
                let fault = fault_of(&at_turn(attack), &sandbox, &limits(), &policy());
                // Uncountable memory cannot be allocated.
                let denied = sandbox.counts_memory() == Counted::ByLooking
                    && sandbox.level() <= SandboxLevel::InProcess
                    && fault.stderr_tail.contains("PermissionError");
                let ended = fault.code == FaultCode::MemoryLimit || (denied && attack.contains("mmap"));
                assert!(ended, "{}: {attack}: {fault:#?}", sandbox.level());
            }
        }
    });
}

/// Each of some processes holds less than a bot may, and all together more.
const HELPERS: &str = "\
a, b = os.pipe()
for number in range(5):
    if os.fork() == 0:
        TWICE
        hog = bytearray(os.urandom(4096)) * (80 << 8)
        os.write(b, b'x')
        time.sleep(1000)
while len(os.read(a, 1)) == 1: pass
";

#[test]
fn helpers_together_hold_no_more_than_a_bot_may() {
    if !has("python3") {
        return;
    }
    for_every_user("memory::helpers_together_hold_no_more_than_a_bot_may", || {
        // A name that is not UTF-8 is in every account of the kernel.
        let name = "ctypes.CDLL(None).prctl(15, b'\\xff', 0, 0, 0)";
        for twice in ["pass", "if os.fork() != 0: os._exit(0)", name] {
            for sandbox in limited() {
                let hostile = at_turn(&HELPERS.replace("TWICE", twice));
                let fault = fault_of(&hostile, &sandbox, &limits(), &policy());
                assert_eq!(fault.code, FaultCode::MemoryLimit, "{}: {twice}: {fault:#?}", sandbox.level());
            }
        }
    });
}

/// Ends the first thread alone, after another has begun to run `hoard`.
const LOSE_FIRST_THREAD: &str = "\
threading.Thread(target=hoard).start()
ctypes.CDLL(None).syscall({'x86_64': 60, 'aarch64': 93}[os.uname().machine], 0)";

#[test]
fn memory_counts_after_the_first_thread_has_ended() {
    if !has("python3") {
        return;
    }
    let helpers = "\
a, b = os.pipe()
def hoard():
    hog = bytearray(os.urandom(4096)) * (80 << 8)
    os.write(b, b'x')
    time.sleep(1000)
for number in range(5):
    if os.fork() == 0:
        LOSE
while len(os.read(a, 1)) == 1: pass
";
    let hostile = at_turn(&helpers.replace("LOSE", &LOSE_FIRST_THREAD.replace('\n', "\n        ")));
    for_every_user("memory::memory_counts_after_the_first_thread_has_ended", || {
        for sandbox in limited() {
            assert_memory_limit(&hostile, &sandbox);
        }
    });
}

#[test]
fn scratch_counts_after_the_first_thread_has_ended() {
    if !has("python3") {
        return;
    }
    let many = "for number in range(100000): open(f\"{p}/{number}\", 'w').close()";
    let nameless = "\
kept = []
    for number in range(20):
        file = open(f\"{p}/{number}\", 'wb')
        file.write(bytes(10 << 20))
        file.flush()
        os.unlink(file.name)
        kept.append(file)";
    for_every_user("memory::scratch_counts_after_the_first_thread_has_ended", || {
        for fill in [many, nameless] {
            let hostile = at_turn(&format!(
                "p = os.environ['TMPDIR']\ndef hoard():\n    {fill}\n    time.sleep(1000)\n{LOSE_FIRST_THREAD}"
            ));
            for sandbox in limited() {
                // A file system of the bot's own refuses by itself, which ends the thread and so the bot.
                let fault = fault_of(&hostile, &sandbox, &limits(), &policy());
                let ended = match fault.code {
                    FaultCode::OutputLimit => fault.detail.contains("scratch"),
                    _ => fault.stderr_tail.contains("No space left"),
                };
                assert!(ended, "{}: {fill}: {fault:#?}", sandbox.level());
            }
        }
    });
}

#[test]
fn memory_for_page_tables_counts() {
    if !has("python3") {
        return;
    }
    // One page of zeros in each 2 MiB: hardly any memory of its own, and 30 MiB of page tables for each.
    let hostile = at_turn(
        "\
for helper in range(20):
    if os.fork() == 0: break
hog = mmap.mmap(-1, 15 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
for at in range(0, 15 << 30, 2 << 20): hog[at]
time.sleep(1000)",
    );
    for_every_user("memory::memory_for_page_tables_counts", || {
        for sandbox in limited() {
            assert_memory_limit(&hostile, &sandbox);
        }
    });
}

/// Only the mapped part of a huge page is visible, so huge pages are denied.
#[test]
fn there_are_no_huge_pages_where_memory_is_sampled() {
    if !has("python3") {
        return;
    }
    let asking = at_turn(
        "\
import resource
hog = mmap.mmap(-1, 8 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
try: hog.madvise(mmap.MADV_HUGEPAGE)
except OSError: pass
faults = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_minflt
before = faults()
for at in range(0, 8 << 20, mmap.PAGESIZE): hog[at] = 1
if faults() - before < (8 << 20) // mmap.PAGESIZE: os._exit(3)",
    );
    for_every_user("memory::there_are_no_huge_pages_where_memory_is_sampled", || {
        let by_looking = |sandbox: &Sandbox| sandbox.counts_memory() == Counted::ByLooking;
        for sandbox in limited().into_iter().filter(by_looking) {
            let record = host(&asking, &sandbox, &limits(), &policy());
            assert_eq!(record.faults, [], "{}", sandbox.level());
        }
    });
}

#[test]
fn memory_that_is_shared_is_counted_once() {
    if !has("python3") {
        return;
    }
    // 150 MiB, and ten helpers that share the same pages.
    let fair = at_start(
        "hog = bytearray(os.urandom(4096)) * (150 << 8)\n\
         a, b = os.pipe()\n\
         for number in range(10):\n    if os.fork() == 0:\n        os.write(b, b'x')\n        time.sleep(1000)\n\
         for number in range(10): os.read(a, 1)\n\
         time.sleep(0.3)",
    );
    for_every_user("memory::memory_that_is_shared_is_counted_once", || {
        for sandbox in limited() {
            let record = host(&fair, &sandbox, &limits(), &policy());
            assert_eq!(record.faults, [], "{}", sandbox.level());
        }
    });
}

#[test]
fn memory_that_is_not_mapped_is_out_of_reach() {
    if !has("python3") {
        return;
    }
    let hostile = at_turn(
        "block = bytes(10 << 20)\n\
         for number in range(60): os.write(os.memfd_create('hog'), block)\nos._exit(3)",
    );
    for_every_user("memory::memory_that_is_not_mapped_is_out_of_reach", || {
        for sandbox in limited() {
            let fault = fault_of(&hostile, &sandbox, &limits(), &policy());
            if sandbox.level() == SandboxLevel::LimitsOnly {
                // Such memory can be made at this level, and counts where the kernel counts memory.
                let counts = sandbox.counts_memory() == Counted::ByKernel;
                let expected = if counts { FaultCode::MemoryLimit } else { FaultCode::Crash };
                assert_eq!(fault.code, expected, "{fault:#?}");
                continue;
            }
            assert_eq!(fault.code, FaultCode::Crash, "{}: {fault:#?}", sandbox.level());
            assert!(fault.stderr_tail.contains("PermissionError"), "{}: {fault:#?}", sandbox.level());
        }
    });
}

/// Shared pages stay when nobody has them mapped at the moment.
#[test]
fn memory_that_is_shared_and_let_go_of_is_out_of_reach() {
    if !has("python3") {
        return;
    }
    let hoard = |make: &str| {
        at_turn(&format!(
            "kept = []\nfor number in range(10):\n    kept.append({make})\n    \
             for at in range(0, 100 << 20, 4096): kept[-1][at]\n    \
             kept[-1].madvise(mmap.MADV_DONTNEED)\ntime.sleep(0.2)\nos._exit(3)"
        ))
    };
    let zero = "mmap.mmap(os.open('/dev/zero', os.O_RDONLY), 100 << 20, prot=mmap.PROT_READ)";
    for_every_user("memory::memory_that_is_shared_and_let_go_of_is_out_of_reach", || {
        for make in ["mmap.mmap(-1, 100 << 20)", zero] {
            for sandbox in isolated() {
                // A read-only device holds nothing, so it is harmless where the kernel counts memory.
                if make == zero && sandbox.counts_memory() == Counted::ByKernel {
                    continue;
                }
                let fault = fault_of(&hoard(make), &sandbox, &limits(), &policy());
                let denied = fault.stderr_tail.contains("PermissionError")
                    || fault.stderr_tail.contains("FileNotFoundError");
                let ended = if sandbox.counts_memory() == Counted::ByKernel {
                    fault.code == FaultCode::MemoryLimit
                } else {
                    fault.code == FaultCode::Crash && denied
                };
                assert!(ended, "{}: {make}: {fault:#?}", sandbox.level());
            }
        }
    });
}

#[test]
fn memory_for_mappings_counts() {
    if !has("python3") {
        return;
    }
    // Hardly a page of it exists, but the kernel needs a gigabyte of page tables.
    let hostile = at_turn(
        "\
libc = ctypes.CDLL(None)
for number in range(60_000):
    libc.mmap(None, ctypes.c_size_t(4096), number % 2, 0x22, -1, ctypes.c_size_t(0))
for helper in range(50):
    if os.fork() == 0: time.sleep(1000)
time.sleep(1000)",
    );
    for_every_user("memory::memory_for_mappings_counts", || {
        for sandbox in limited() {
            assert_memory_limit(&hostile, &sandbox);
        }
    });
}

#[test]
fn what_waits_in_pipes_counts() {
    if !has("python3") {
        return;
    }
    let pipe = "a, b = os.pipe()";
    let named = "\
name = f\"{os.environ['TMPDIR']}/{os.getpid()}\"
    os.mkfifo(name)
    a = b = os.open(name, os.O_RDWR)
    os.unlink(name)";
    let attack = "\
kept = []
for helper in range(60):
    if os.fork() == 0: break
for number in range(120):
    MAKE
    os.set_blocking(b, False)
    try:
        while True: os.write(b, bytes(4096))
    except BlockingIOError: pass
    kept += [a, b]
time.sleep(1000)";
    for_every_user("memory::what_waits_in_pipes_counts", || {
        // A counting kernel knows that most of these pipes are small.
        let by_looking = |sandbox: &Sandbox| sandbox.counts_memory() == Counted::ByLooking;
        for (make, ends) in [
            (pipe, [FaultCode::MemoryLimit].as_slice()),
            // The scratch folder has room for 1,024 files, named or not.
            (named, &[FaultCode::MemoryLimit, FaultCode::OutputLimit]),
        ] {
            let hostile = at_turn(&attack.replace("MAKE", make));
            for sandbox in limited().into_iter().filter(by_looking) {
                // Filling the pipes takes long on a busy machine.
                let mut patient = policy();
                patient.clock.wall_slack_ms = 110_000;
                let fault = fault_of(&hostile, &sandbox, &limits(), &patient);
                assert!(ends.contains(&fault.code), "{}: {make}: {fault:#?}", sandbox.level());
            }
        }
    });
}

/// The kernel counts watches of `epoll` by user, and an ordinary user's bots have the same one.
#[test]
fn rivals_of_the_same_user_do_not_take_watches_from_each_other() {
    if !has("python3") {
        return;
    }
    let hostile = at_turn(
        "\
import select
for helper in range(3):
    if os.fork() == 0: break
files = [os.dup(0) for number in range(100)]
kept = [select.epoll() for number in range(100)]
for epoll in kept:
    for file in files: epoll.register(file)
time.sleep(1000)",
    );
    for_every_user("memory::rivals_of_the_same_user_do_not_take_watches_from_each_other", || {
        if nix::unistd::geteuid().is_root() {
            return;
        }
        for sandbox in limited() {
            let fault = assert_memory_limit(&hostile, &sandbox);
            assert!(fault.detail.contains("watch files"), "{}: {fault:#?}", sandbox.level());
        }
    });
}

#[test]
fn sockets_that_helpers_share_count_once() {
    if !has("python3") {
        return;
    }
    // Thirty helpers with sixty inherited sockets each would exceed the limit if the sockets were different.
    let fair = at_start(
        "\
kept = [socket.socketpair() for number in range(30)]
a, b = os.pipe()
for number in range(30):
    if os.fork() == 0:
        os.write(b, b'x')
        time.sleep(1000)
for number in range(30): os.read(a, 1)
time.sleep(0.3)",
    );
    for_every_user("memory::sockets_that_helpers_share_count_once", || {
        for sandbox in limited() {
            let record = host(&fair, &sandbox, &limits(), &policy());
            assert_eq!(record.faults, [], "{}", sandbox.level());
        }
    });
}

#[test]
fn what_waits_in_sockets_counts() {
    if !has("python3") {
        return;
    }
    let hostile = at_turn(
        "\
kept = []
for helper in range(20):
    if os.fork() == 0: break
while len(kept) < 120:
    a, b = socket.socketpair()
    for end in (a, b):
        end.setblocking(False)
        try:
            while True: end.send(bytes(4096))
        except BlockingIOError: pass
    kept += [a, b]
time.sleep(1000)",
    );
    for_every_user("memory::what_waits_in_sockets_counts", || {
        for sandbox in limited() {
            assert_memory_limit(&hostile, &sandbox);
        }
    });
}

/// Connections that wait to be accepted keep their bytes, although nobody has them open.
#[test]
fn what_waits_in_backlogs_counts() {
    if !has("python3") {
        return;
    }
    let hostile = at_turn(
        "\
path = os.environ['TMPDIR'] + '/server'
server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen(4096)
for number in range(2000):
    client = socket.socket(socket.AF_UNIX)
    client.setblocking(False)
    client.connect(path)
    client.send(b'x')
    client.close()
time.sleep(1000)",
    );
    for_every_user("memory::what_waits_in_backlogs_counts", || {
        // A counting kernel knows that these queues are small; only at strict there are sockets that listen.
        let by_looking = |sandbox: &Sandbox| {
            sandbox.level() == SandboxLevel::Strict && sandbox.counts_memory() == Counted::ByLooking
        };
        for sandbox in limited().into_iter().filter(by_looking) {
            assert_memory_limit(&hostile, &sandbox);
        }
    });
}

#[test]
fn scratch_is_limited_in_total() {
    if !has("python3") {
        return;
    }
    // Files of 10 MiB each; deleted files that are still open; names without content.
    let big = "for number in range(20):\n    open(f\"{p}/{number}\", 'wb').write(bytes(10 << 20))";
    let nameless = "\
kept = []
for number in range(20):
    file = open(f\"{p}/{number}\", 'wb')
    file.write(bytes(10 << 20))
    file.flush()
    os.unlink(file.name)
    kept.append(file)";
    // Names that are not UTF-8 must not hide the list of mappings.
    let mapped = "\
kept = []
for number in range(20):
    with open(os.fsencode(p) + b'/%d\\xff' % number, 'w+b') as file:
        file.write(bytes(10 << 20))
        file.flush()
        kept.append(mmap.mmap(file.fileno(), 4096))
        os.unlink(file.name)";
    let many = "for number in range(100000): open(f\"{p}/{number}\", 'w').close()";
    let folders = "for number in range(100000): os.mkdir(f\"{p}/{number}\")";
    for_every_user("memory::scratch_is_limited_in_total", || {
        for attack in [big, nameless, mapped, many, folders] {
            let attack = format!("p = os.environ['TMPDIR']\n{attack}\ntime.sleep(1000)");
            for sandbox in limited() {
                let fault = fault_of(&at_turn(&attack), &sandbox, &limits(), &policy());
                let ended = match fault.code {
                    // A file system of the bot's own refuses by itself.
                    FaultCode::Crash => fault.stderr_tail.contains("No space left"),
                    FaultCode::OutputLimit => fault.detail.contains("scratch"),
                    _ => false,
                };
                assert!(ended, "{}: {attack}: {fault:#?}", sandbox.level());
            }
        }
    });
}

#[test]
fn memory_is_watched_between_turns_too() {
    if !has("python3") {
        return;
    }
    // The bot answers at once, and its helpers grow after the first answer.
    let hostile = bot("\
begun = []
def on_turn(message):
    answer(message)
    if begun: return
    begun.append(True)
    for number in range(5):
        if os.fork() == 0:
            hog = bytearray(os.urandom(4096)) * (80 << 8)
            time.sleep(1000)
");
    for_every_user("memory::memory_is_watched_between_turns_too", || {
        for sandbox in limited() {
            let limits = Limits { freeze: false, restarts: 0, ..limits() };
            let mut bot = BotProcess::launch(&hostile.spec, &sandbox, &limits).unwrap();
            let table = game("incan-gold", 1);
            let ended = (0..100_000).find_map(|index| {
                let record = play_episode(&*table, seed(index), &mut [seat(&mut bot)], &policy()).unwrap();
                record.faults.first().map(|fault| fault.fault.clone())
            });
            let fault = ended.expect("it ends");
            assert_eq!(fault.code, FaultCode::MemoryLimit, "{}: {fault:#?}", sandbox.level());
        }
    });
}

#[test]
fn rivals_of_the_same_user_do_not_take_processes_from_each_other() {
    if !has("python3") {
        return;
    }
    let greedy = bot("\
def on_hello(message):
    for number in range(20):
        if os.fork() == 0: time.sleep(1000)
    say({'t': 'hello', 'v': 1})
");
    let modest = at_start("for number in range(20):\n    if os.fork() == 0: time.sleep(1000)");
    for_every_user("memory::rivals_of_the_same_user_do_not_take_processes_from_each_other", || {
        let limits = Limits { processes: 24, ..limits() };
        for sandbox in limited() {
            let mut modest = BotProcess::launch(&modest.spec, &sandbox, &limits).unwrap();
            let rivals: Vec<BotProcess> =
                (0..3).map(|_| BotProcess::launch(&greedy.spec, &sandbox, &limits).unwrap()).collect();
            let table = game("incan-gold", 1);
            let record = play_episode(&*table, seed(0), &mut [seat(&mut modest)], &policy()).unwrap();
            assert_eq!(record.faults, [], "{}", sandbox.level());
            drop(rivals);
        }
    });
}
