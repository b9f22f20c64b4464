//! System calls: what reaches others is denied, what programs need works.

use std::os::unix::fs::MetadataExt;

use meeple_bothost::{BotSpec, FaultCode, Sandbox, SandboxLevel};
use meeple_games::adapters;

use crate::hostile::{at_turn, bot, fault_of, host, isolated, policy};
use crate::hosts::{Ground, User, assert_passed, for_every_user, plays};
use crate::support::{has, limits, sandboxes};

/// Tries attacks one after another, reports each on stderr, and crashes so that the report is read. `HOST`
/// and `FILE` are the process of the host and a file of its user.
const ATTEMPTS: &str = r#"
import fcntl, platform, resource, select, shutil
libc = ctypes.CDLL(None, use_errno=True)
arm = platform.machine() == "aarch64"

def call(name, *arguments):
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)

def by_number(x86, arm_too, *arguments):
    if libc.syscall(arm_too if arm else x86, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "system call")

def owner(fd):
    fcntl.fcntl(fd, fcntl.F_SETOWN, HOST)

def open_socket(family, kind=socket.SOCK_STREAM):
    socket.socket(family, kind).close()

def timer():
    # A timer that continues us when we are stopped.
    event = struct.pack("QiiQQQQQQ", 0, signal.SIGCONT, 0, 0, 0, 0, 0, 0, 0)
    call("timer_create", 1, event, ctypes.create_string_buffer(8))

def datagram():
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    a.sendto(b"x", "/dev/log")

def new_thread_of_another_kind(flags):
    by_number(56, 220, flags, 0, 0, 0, 0)

def forked(flags):
    pid = libc.syscall(220 if arm else 56, flags, 0, 0, 0, 0)
    if pid < 0:
        raise OSError(ctypes.get_errno(), "clone")
    if pid == 0:
        os._exit(0)

def run_written():
    path = os.environ["TMPDIR"] + "/program"
    shutil.copyfile("/bin/true", path, follow_symlinks=True)
    os.close(os.open(path + "2", os.O_CREAT | os.O_WRONLY, 0o755))
    open(path + "2", "wb").write(open("/bin/true", "rb").read())
    pid = os.posix_spawn(path + "2", ["x"], {})
    if os.waitpid(pid, 0)[1] != 0:
        raise OSError("it did not run")

def lock_of_a_file():
    # It works if another sees that the file is locked.
    one, other = (os.open("/bin/true", os.O_RDONLY) for _ in range(2))
    fcntl.flock(one, fcntl.LOCK_EX)
    try: fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError: return
    raise OSError("nothing is locked")

def lock_of_a_process(command):
    device = os.open("/dev/null", os.O_RDWR)
    lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
    fcntl.fcntl(device, command, lock)
    pid = os.fork()
    if pid == 0:
        try: fcntl.fcntl(os.open("/dev/null", os.O_RDWR), command, lock)
        except BlockingIOError: os._exit(1)
        os._exit(0)
    if os.waitpid(pid, 0)[1] == 0:
        raise OSError("nothing is locked")

def program():
    return os.open("/bin/true", os.O_RDONLY)

def page_of_a_program():
    libc.mmap.restype = ctypes.c_void_p
    return ctypes.c_void_p(libc.mmap(None, ctypes.c_size_t(4096), 1, 2, program(), ctypes.c_size_t(0)))

attempts = {
    "flock": lock_of_a_file,
    "lock": lambda: lock_of_a_process(fcntl.F_SETLK),
    "lock of an open file": lambda: lock_of_a_process(37),
    "watch of a folder": lambda: fcntl.fcntl(os.open("/usr", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS),
    "what is in memory": lambda: call("mincore", page_of_a_program(), ctypes.c_size_t(4096), ctypes.create_string_buffer(1)),
    "what is in memory, by reading": lambda: os.preadv(program(), [bytearray(1)], 0, 8),
    "what is in memory, counted": lambda: by_number(451, 451, program(), bytes(16), ctypes.create_string_buffer(64), 0),
    "read ahead": lambda: by_number(187, 213, program(), 0, 4096),
    "out of memory with a file": lambda: os.posix_fadvise(program(), 0, 0, os.POSIX_FADV_DONTNEED),
    "into memory with a file": lambda: os.posix_fadvise(program(), 0, 0, os.POSIX_FADV_WILLNEED),
    "out of memory with a page": lambda: call("madvise", page_of_a_program(), ctypes.c_size_t(4096), 21),
    "memory of the first process": lambda: open("/proc/1/mem", "r+b"),
    "files of the first process": lambda: os.listdir("/proc/1/fd"),
    "who is killed first": lambda: open("/proc/1/oom_score_adj", "w"),
    "prlimit": lambda: resource.prlimit(HOST, resource.RLIMIT_CORE, (0, 0)),
    "prlimit, reading": lambda: resource.prlimit(HOST, resource.RLIMIT_CORE),
    "affinity": lambda: os.sched_setaffinity(HOST, {0}),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, HOST, 7),
    "priority of the user": lambda: os.setpriority(os.PRIO_USER, 0, 7),
    "scheduler": lambda: os.sched_setscheduler(HOST, os.SCHED_IDLE, os.sched_param(0)),
    "ioprio": lambda: by_number(251, 30, 1, HOST, (3 << 13)),
    "kill": lambda: os.kill(HOST, 0),
    "continue": lambda: os.kill(os.getpid(), signal.SIGCONT),
    "timer": timer,
    "sigqueue": lambda: call("sigqueue", HOST, signal.SIGCONT, ctypes.c_void_p(0)),
    "pidfd": lambda: by_number(434, 434, HOST, 0),
    "owner of a pipe": lambda: owner(0),
    "ptrace": lambda: call("ptrace", 16, HOST, 0, 0),
    "read memory": lambda: by_number(310, 270, HOST, 0, 0, 0, 0, 0),
    "clock of the host": lambda: time.clock_gettime(~HOST << 3 | 2),
    "own session": lambda: os.setsid(),
    "own group": lambda: os.setpgid(0, 0),
    "chmod": lambda: os.chmod(FILE, 0o777),
    "chown": lambda: os.chown(FILE, os.getuid(), os.getgid()),
    "utime": lambda: os.utime(FILE, (1, 1)),
    "setxattr": lambda: os.setxattr(FILE, "user.x", b"x"),
    "getxattr": lambda: os.getxattr(FILE, "user.x"),
    "truncate": lambda: os.truncate(FILE, 0),
    "read": lambda: open(FILE).read(),
    "link": lambda: os.link(FILE, os.environ["TMPDIR"] + "/link"),
    "rename": lambda: os.rename(FILE, os.environ["TMPDIR"] + "/mine"),
    "inotify": lambda: call("inotify_add_watch", libc.inotify_init1(0), FILE.encode(), 2),
    "fanotify": lambda: call("fanotify_init", 0, 0),
    "name to handle": lambda: call("open_by_handle_at", 0, ctypes.create_string_buffer(64), 0),
    "AF_INET": lambda: open_socket(socket.AF_INET),
    "AF_INET6": lambda: open_socket(socket.AF_INET6),
    "AF_NETLINK": lambda: open_socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "AF_VSOCK": lambda: open_socket(40),
    "AF_ALG": lambda: open_socket(38, socket.SOCK_SEQPACKET),
    "AF_PACKET": lambda: open_socket(17, socket.SOCK_RAW),
    "socketpair of datagrams": datagram,
    "shmget": lambda: call("shmget", 0, 4096, 0o1600),
    "mq_open": lambda: call("mq_open", b"/meeple-test", os.O_CREAT | os.O_RDWR, 0o600, None),
    "memfd": lambda: os.memfd_create("x"),
    "secret memory": lambda: by_number(447, 447, 0),
    "io_uring": lambda: by_number(425, 425, 1, ctypes.create_string_buffer(256)),
    "userfaultfd": lambda: by_number(323, 282, 1),
    "bpf": lambda: by_number(321, 280, 0, ctypes.create_string_buffer(128), 128),
    "perf": lambda: by_number(298, 241, ctypes.create_string_buffer(128), 0, -1, -1, 0),
    "keyctl": lambda: by_number(250, 219, 0, -3, 1),
    "unshare": lambda: call("unshare", 0x10000000),
    "clone, a user namespace": lambda: forked(0x10000000 | 17),
    "clone, a child of the parent": lambda: forked(0x8000 | 17),
    "clone, an ending that continues": lambda: forked(18),
    "files of one thread": lambda: by_number(436, 436, 1000, 1001, 2),
    "clone3": lambda: by_number(435, 435, ctypes.create_string_buffer(88), 88),
    "mount": lambda: call("mount", b"none", b"/", b"tmpfs", 0, None),
    "chroot": lambda: os.chroot("/"),
    "personality": lambda: call("personality", 0x0040000),
    "acct": lambda: call("acct", None),
    "not dumpable": lambda: call("prctl", 4, 0, 0, 0, 0),
    "reaper of others": lambda: call("prctl", 36, 1, 0, 0, 0),
    "a call of the other ABI": lambda: by_number(0x40000000 | 39, 9999),
    "sync": lambda: by_number(162, 81),
    "ioctl": lambda: call("ioctl", 0, 0x5412, b"x"),
    "write to a device": lambda: open("/dev/urandom", "wb").write(b"x"),
    "a folder that nobody may look into": lambda: os.mkdir(os.environ["TMPDIR"] + "/closed", 0),
    "a mask for such folders": lambda: call("umask", 0o777) or os.mkdir(os.environ["TMPDIR"] + "/masked"),
    "run what was written": run_written,
    "space ahead": lambda: os.posix_fallocate(os.open(os.environ["TMPDIR"] + "/ahead", os.O_CREAT | os.O_RDWR), 0, 4096),
    "lease": lambda: fcntl.fcntl(os.open(__file__, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK),
}
if "strict" == LEVEL:
    # Seen from inside there is nobody else, and what is written is in a file system of its own.
    for name in ("clock of the host", "a folder that nobody may look into", "a mask for such folders",
                 "run what was written", "space ahead", "chmod", "utime", "truncate",
                 "write to a device"):
        del attempts[name]
    attempts["chmod of a program"] = lambda: os.chmod("/usr/bin/env", 0o777)
    attempts["chmod of a file of its own"] = lambda: os.chmod(__file__, 0o777)
    attempts["utime of a program"] = lambda: os.utime("/usr/bin/env", (1, 1))
    attempts["terminals"] = lambda: os.open("/dev/ptmx", os.O_RDWR)
# To everybody that it can reach; it says that it worked whoever was reached.
for number in (signal.SIGTERM, signal.SIGKILL):
    try: os.kill(-1, number)
    except OSError: pass
for name, attempt in attempts.items():
    try:
        attempt()
    except OSError as error:
        continue
    except Exception as error:
        print("BROKEN", name, repr(error), file=sys.stderr)
    else:
        print("ALLOWED", name, file=sys.stderr)
print("TRIED", len(attempts), file=sys.stderr)
os._exit(9)
"#;

#[test]
fn what_reaches_others_is_denied() {
    if !has("python3") {
        return;
    }
    for_every_user("calls::what_reaches_others_is_denied", || {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("standings.sqlite");
        std::fs::write(&file, "42").unwrap();
        let before = std::fs::metadata(&file).unwrap();
        let own = (host_limits(), host_scheduling());
        for sandbox in isolated() {
            let attack = ATTEMPTS
                .replace("HOST", &std::process::id().to_string())
                .replace("FILE", &format!("{file:?}"))
                .replace("LEVEL", &format!("{:?}", sandbox.level().word()));
            let fault = fault_of(&at_turn(&attack), &sandbox, &limits(), &policy());
            assert_eq!(fault.code, FaultCode::Crash, "{}: {fault:#?}", sandbox.level());
            let said = &fault.stderr_tail;
            assert!(said.contains("TRIED 7") || said.contains("TRIED 8"), "{}: {said}", sandbox.level());
            assert!(!said.contains("ALLOWED"), "{}: {said}", sandbox.level());
            assert!(!said.contains("BROKEN"), "{}: {said}", sandbox.level());
        }
        let after = std::fs::metadata(&file).unwrap();
        assert_eq!(
            (before.mode(), before.mtime_nsec(), before.ctime_nsec(), before.uid(), before.len()),
            (after.mode(), after.mtime_nsec(), after.ctime_nsec(), after.uid(), after.len()),
            "the file is as it was"
        );
        assert_eq!(own, (host_limits(), host_scheduling()), "the host is as it was");
    });
}

fn host_limits() -> String {
    std::fs::read_to_string("/proc/self/limits").unwrap()
}

/// Priority, scheduling class and processors of the first thread.
fn host_scheduling() -> (String, Option<String>) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let processors = status.lines().find(|line| line.starts_with("Cpus_allowed:")).map(str::to_owned);
    (format!("nice {} policy {}", fields[16], fields[38]), processors)
}

#[test]
fn python_finds_what_it_needs() {
    if !has("python3") {
        return;
    }
    // System V semaphores are left to the level strict, which has a /dev/shm of its own.
    let attack = r#"
import asyncio, concurrent.futures, fcntl, multiprocessing, random, sqlite3, subprocess, tempfile, hashlib
def square(x): return x * x
def child(pipe): pipe.send(sum(range(1000)))
def everything():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(square, range(5))) == [0, 1, 4, 9, 16]
    run = lambda words, **more: subprocess.run(words, capture_output=True, text=True, timeout=60, **more).stdout
    assert run([sys.executable, "-c", "print(1)"]) == "1\n"
    assert run("echo hi | cat; (echo sub); for i in 1 2; do echo $i; done; x=$(echo y); echo $x; sleep 0.01 & wait",
               shell=True) == "hi\nsub\n1\n2\ny\n"
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe()
    process = fork.Process(target=child, args=(theirs,))
    process.start()
    assert ours.recv() == 499500
    process.join()
    assert process.exitcode == 0
    if LEVEL in ("strict", "limits-only", "none"):
        with fork.Pool(2) as workers:
            assert workers.map(square, range(4)) == [0, 1, 4, 9]
        queue = fork.Queue()
        queue.put(1)
        assert queue.get() == 1
    pid = os.fork()
    if pid == 0:
        os._exit(3)
    assert os.waitpid(pid, 0)[1] == 3 << 8
    async def later():
        program = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "print(2)", stdout=asyncio.subprocess.PIPE)
        assert await program.stdout.read() == b"2\n"
        assert await program.wait() == 0
        await asyncio.sleep(0.01)
    asyncio.run(later())
    with tempfile.TemporaryFile() as file:
        file.write(b"x")
    with tempfile.TemporaryDirectory() as folder:
        open(folder + "/a", "w").write("x")
        os.rename(folder + "/a", folder + "/b")
        store = sqlite3.connect(folder + "/store")
        store.execute("create table t (a)")
        store.execute("insert into t values (1)")
        store.commit()
        store.close()
        assert sorted(os.listdir(folder)) == ["b", "store"]
    page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    page[0] = 1
    page.madvise(mmap.MADV_DONTNEED)
    with tempfile.TemporaryFile() as file:
        file.truncate(4096)
        mmap.mmap(file.fileno(), 4096)[0] = 1
    with tempfile.TemporaryFile() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        fcntl.lockf(file, fcntl.LOCK_EX)
        fcntl.lockf(file, fcntl.LOCK_UN)
    shelf = os.environ["TMPDIR"] + "/wal"
    store = sqlite3.connect(shelf)
    assert store.execute("pragma journal_mode=wal").fetchone() == ("wal",)
    store.execute("create table t (a)")
    other = sqlite3.connect(shelf)
    other.execute("insert into t values (2)")
    other.commit()
    assert store.execute("select a from t").fetchall() == [(2,)]
    store.close()
    other.close()
    a, b = socket.socketpair()
    a.send(b"1")
    assert b.recv(1) == b"1"
    rung = []
    signal.signal(signal.SIGALRM, lambda *rest: rung.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    while not rung: time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGALRM)
    while len(rung) < 2: pass
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, []), 'no signal is blocked'
    assert os.cpu_count() >= 1 and len(os.sched_getaffinity(0)) >= 1
    assert len(os.urandom(4)) == 4 and hashlib.sha256(b"").digest()
    open("/dev/null", "w").write("x")
    assert len(open("/dev/urandom", "rb").read(4)) == 4
def on_start(message):
    everything()
    say({"t": "ready", "g": message["g"]})
"#;
    for_every_user("calls::python_finds_what_it_needs", || {
        for sandbox in sandboxes() {
            let attack = attack.replace("LEVEL", &format!("{:?}", sandbox.level().word()));
            let record = host(&bot(&attack), &sandbox, &limits(), &policy());
            assert_eq!(record.faults, [], "{}", sandbox.level());
        }
    });
}

#[test]
fn node_finds_what_it_needs() {
    if !has("node") {
        return;
    }
    let code = r#"
const { Worker, isMainThread, parentPort } = require("worker_threads");
const fs = require("fs"), os = require("os"), path = require("path");
if (!isMainThread) {
    let sum = 0;
    for (let i = 0; i < 1e6; i++) sum += i;
    parentPort.postMessage(sum);
} else {
    const say = (message) => console.log(JSON.stringify(message));
    const work = () => new Promise((resolve, reject) => {
        const worker = new Worker(__filename);
        worker.on("message", resolve);
        worker.on("error", reject);
    });
    const everything = async () => {
        if (await work() !== 499999500000) throw new Error("worker");
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), "x"));
        fs.writeFileSync(folder + "/a", "hi");
        if (fs.readFileSync(folder + "/a", "utf8") + fs.readdirSync(folder) !== "hia") throw new Error("files");
        fs.unlinkSync(folder + "/a");
        fs.rmdirSync(folder);
        require("crypto").randomBytes(4);
        if (process.cpuUsage().user <= 0 || process.hrtime()[0] < 0) throw new Error("clocks");
        await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
        const kept = [];
        for (let i = 0; i < 100; i++) kept.push(new Array(10000).fill(i));
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const message = JSON.parse(line);
        if (message.t === "hello") say({ t: "hello", v: 1 });
        if (message.t === "start") everything().then(() => say({ t: "ready", g: message.g }));
        if (message.t === "turn") say({ t: "move", g: message.g, n: message.n, a: 0 });
        if (message.t === "bye") process.exit(0);
    });
}
"#;
    for_every_user("calls::node_finds_what_it_needs", || {
        let file = crate::support::bot_file("bot.js", code);
        for sandbox in sandboxes() {
            let record = host(&file, &sandbox, &limits(), &policy());
            assert_eq!(record.faults, [], "{}", sandbox.level());
        }
    });
}

#[test]
fn java_finds_what_it_needs() {
    if !has("javac") || !has("java") {
        return;
    }
    let code = r#"
import java.io.*;
import java.util.concurrent.*;

public class Bot {
    static void everything() throws Exception {
        var pool = Executors.newFixedThreadPool(3);
        if (pool.submit(() -> 6 * 7).get() != 42) throw new IllegalStateException("threads");
        pool.shutdown();
        var file = File.createTempFile("bot", ".txt", new File(System.getenv("TMPDIR")));
        try (var writer = new FileWriter(file)) { writer.write("x"); }
        if (!file.delete()) throw new IllegalStateException("files");
        System.gc();
        var process = new ProcessBuilder("/bin/echo", "helper").start();
        var said = new String(process.getInputStream().readAllBytes());
        if (!said.equals("helper\n") || process.waitFor() != 0) throw new IllegalStateException("processes");
    }
    static String number(String line, String key) {
        var from = line.indexOf(key) + key.length();
        var to = from;
        while (Character.isDigit(line.charAt(to))) to++;
        return line.substring(from, to);
    }
    public static void main(String[] words) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            if (line.startsWith("{\"t\":\"hello\"")) System.out.println("{\"t\":\"hello\",\"v\":1}");
            else if (line.startsWith("{\"t\":\"start\"")) {
                everything();
                System.out.println("{\"t\":\"ready\",\"g\":" + number(line, "\"g\":") + "}");
            } else if (line.startsWith("{\"t\":\"turn\""))
                System.out.println("{\"t\":\"move\",\"g\":" + number(line, "\"g\":") + ",\"n\":" + number(line, "\"n\":")
                    + ",\"a\":0}");
            else if (line.startsWith("{\"t\":\"bye\"")) System.exit(0);
        }
    }
}
"#;
    for_every_user("calls::java_finds_what_it_needs", || {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("Bot.java");
        std::fs::write(&source, code).unwrap();
        let status = std::process::Command::new("javac").arg(&source).status().unwrap();
        assert!(status.success());
        let jar = folder.path().join("bot.jar");
        let made = std::process::Command::new("jar")
            .args(["cfe", jar.to_str().unwrap(), "Bot", "-C", folder.path().to_str().unwrap(), "Bot.class"])
            .status();
        assert!(made.unwrap().success());
        let command = format!("cmd:java -Xmx64m -XX:+UseSerialGC -jar {}", jar.display());
        let spec = BotSpec::parse(&command, adapters()).unwrap();
        let limits = meeple_bothost::Limits { memory_mib: 512, ..limits() };
        for sandbox in sandboxes() {
            let mut bot = meeple_bothost::BotProcess::launch(&spec, &sandbox, &limits)
                .unwrap_or_else(|error| panic!("{}: {error}", sandbox.level()));
            let record = crate::support::incan_gold(&mut bot, &policy(), 0);
            assert_eq!(record.faults, [], "{}", sandbox.level());
        }
    });
}

#[test]
fn a_filter_is_distinguished_from_none() {
    // Attempts that fail for other reasons test nothing: without a sandbox most of them must work.
    if !has("python3") {
        return;
    }
    let attack = "\
        assert os.memfd_create('x') > 0\n\
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()\n\
        p = os.environ['TMPDIR'] + '/x'\n\
        open(p, 'w').write('x')\n\
        os.chmod(p, 0o700)\n\
        os.utime(p, (1, 1))\n\
        os.kill(os.getpid(), signal.SIGCONT)\n\
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))";
    let sandbox = crate::support::sandbox(SandboxLevel::None).unwrap();
    assert_eq!(host(&at_turn(attack), &sandbox, &limits(), &policy()).faults, []);
}

#[test]
fn bots_get_three_descriptors_whatever_the_host_has() {
    if !has("python3") {
        return;
    }
    const TEST: &str = "calls::bots_get_three_descriptors_whatever_the_host_has";
    const HOST: &str = "host with descriptors";
    if !plays(HOST) {
        for user in User::all() {
            let ground = Ground::new();
            let host = ground.host(TEST, HOST, user);
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", "exec 7</dev/zero 9>/dev/null; exec \"$0\" \"$@\""]);
            shell.arg(host.get_program()).args(host.get_args()).current_dir(ground.path());
            shell.envs(host.get_envs().filter_map(|(name, value)| Some((name, value?))));
            user.runs(&mut shell);
            assert_passed(&shell.output().unwrap());
        }
        return;
    }
    assert!(std::path::Path::new("/proc/self/fd/7").exists(), "the host has it");
    let attack = "\
found = []
for number in range(3, 250):
    try:
        os.fstat(number)
        found.append(number)
    except OSError: pass
assert not found, found";
    for sandbox in sandboxes() {
        let record = host(&at_turn(attack), &sandbox, &limits(), &policy());
        assert_eq!(record.faults, [], "{}", sandbox.level());
    }
}

#[test]
fn older_kernels_let_a_bot_signal_itself_only() {
    if !has("python3") {
        return;
    }
    // Without landlock, as on older kernels, the filter alone must distinguish processes.
    let attempts = "\
import os, threading
def denied(pid):
    try: os.kill(pid, 0)
    except PermissionError: return True
    return False
threading.Thread(target=os.getpid).start()
os.kill(os.getpid(), 0)
os.kill(0, 0)
helper = os.fork()
if helper == 0:
    os._exit(0)
assert all(map(denied, [os.getppid(), 1, -1, -os.getppid(), helper])), 'others'
os.waitpid(helper, 0)
print('as expected')";
    for_every_user("calls::older_kernels_let_a_bot_signal_itself_only", || {
        let output = std::process::Command::new(crate::support::launcher().program)
            .args([r#"{"confine":{"calls":"alone"}}"#, "--", "python3", "-c", attempts])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said.trim(), "as expected", "{}", String::from_utf8_lossy(&output.stderr));
    });
}

#[test]
fn without_bubblewrap_there_are_the_other_levels() {
    const TEST: &str = "calls::without_bubblewrap_there_are_the_other_levels";
    const HOST: &str = "host without bubblewrap";
    if !plays(HOST) {
        for user in User::all() {
            let ground = Ground::new();
            // The program with which levels are probed.
            std::os::unix::fs::symlink("/bin/true", ground.path().join("true")).unwrap();
            let mut host = ground.host(TEST, HOST, user);
            let output = host.env("PATH", ground.path()).output().unwrap();
            assert_passed(&output);
        }
        return;
    }
    let launcher = crate::support::launcher();
    let error = Sandbox::of_level(SandboxLevel::Strict, &launcher).unwrap_err();
    assert!(error.why.contains("cannot run bwrap"), "{error}");
    let best = Sandbox::best(&launcher);
    assert!([SandboxLevel::InProcess, SandboxLevel::LimitsOnly].contains(&best.level()), "{}", best.level());
    let polite = bot("");
    let record = host(&polite, &best, &limits(), &policy());
    assert_eq!(record.faults, [], "{}", best.level());
}

/// Every test that docs/reference/sandbox.md names for a guarantee exists.
#[test]
fn the_tests_that_the_guarantees_name_exist() {
    let text =
        std::fs::read_to_string(crate::support::repository().join("docs/reference/sandbox.md")).unwrap();
    let tests = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let mut named = 0;
    for word in text.split('`').skip(1).step_by(2) {
        let Some((module, name)) = word.split_once("::") else { continue };
        let code = std::fs::read_to_string(tests.join(format!("{module}.rs"))).unwrap_or_default();
        assert!(code.contains(&format!("#[test]\nfn {name}()")), "docs/reference/sandbox.md names {word}");
        named += 1;
    }
    assert!(named >= 15, "the table names its tests, found {named}");
}
