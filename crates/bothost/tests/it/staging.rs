//! Copies and refusals of a bot's files: a bot's folder is a stranger's.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::Duration;

use meeple_bothost::{BotProcess, BotSpec, LaunchError, Sandbox};
use meeple_games::adapters;
use nix::sys::stat::{Mode, SFlag};

use crate::hosts::alone;
use crate::support::{bot_file, launch, limits, sandboxes};

/// A bot that starts fast and says hello.
const HELLO: &str = "#!/bin/sh\nread -r line\necho '{\"t\":\"hello\",\"v\":1}'\nread -r line\n";

/// A folder with a bot and further files beside its main file.
fn folder_with(fill: impl FnOnce(&Path)) -> tempfile::TempDir {
    let above = tempfile::tempdir().unwrap();
    let folder = above.path().join("bot");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("main"), HELLO).unwrap();
    fs::set_permissions(folder.join("main"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(above.path().join("secret"), "42").unwrap();
    fill(&folder);
    above
}

/// Launches the bot of a folder. A launch that hangs fails the test.
#[track_caller]
fn launch_folder(above: &Path) -> Result<BotProcess, LaunchError> {
    launch_text(above.join("bot/").to_str().unwrap())
}

#[track_caller]
fn launch_text(text: &str) -> Result<BotProcess, LaunchError> {
    let (done, result) = std::sync::mpsc::channel();
    let text = text.to_owned();
    std::thread::spawn(move || {
        let launched = BotSpec::parse(&text, adapters())
            .map_err(LaunchError::Spec)
            .and_then(|spec| BotProcess::launch(&spec, &Sandbox::none(), &limits()));
        let _ = done.send(launched);
    });
    result.recv_timeout(Duration::from_secs(60)).expect("the host hangs over a bot's files")
}

/// The reason why a folder is refused.
#[track_caller]
fn refusal(fill: impl FnOnce(&Path)) -> String {
    let above = folder_with(fill);
    match launch_folder(above.path()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it was taken"),
    }
}

fn fingerprint(fill: impl FnOnce(&Path)) -> String {
    let above = folder_with(fill);
    launch_folder(above.path()).unwrap_or_else(|error| panic!("{error}")).hash().to_owned()
}

#[test]
fn links_out_of_the_folder_are_refused() {
    for target in [
        "/etc/passwd",
        "../secret",
        "data/../../secret",
        "/proc/self/environ",
        "/proc/self/root",
        "/proc/self/cwd/Cargo.toml",
        "/dev/stdin",
        // Another link of the bot, which leads out.
        "data/second",
        // A target inside, but through a folder that anybody may change.
        "../bot/main",
    ] {
        let found = refusal(|folder| {
            fs::create_dir(folder.join("data")).unwrap();
            symlink("../../secret", folder.join("data/second")).unwrap();
            symlink(target, folder.join("a-link")).unwrap();
        });
        assert!(
            found.contains("'a-link' is a link that leads out of the bot's folder\nhint:"),
            "{target}: {found}"
        );
    }
    let found = refusal(|folder| {
        fs::remove_file(folder.join("main")).unwrap();
        symlink("/bin/cat", folder.join("main")).unwrap();
    });
    assert!(found.contains("'main' is a link that leads out"), "{found}");
}

#[test]
fn links_that_no_file_is_behind_are_refused() {
    for (target, word) in [
        ("nothing", "a link to nothing"),
        ("a-link", "round in a circle"),
        ("data", "a link to a folder"),
        (".", "a link to a folder"),
        ("pipe", "a link to something that is no file"),
    ] {
        let found = refusal(|folder| {
            fs::create_dir(folder.join("data")).unwrap();
            if target == "pipe" {
                nix::unistd::mkfifo(&folder.join("pipe"), Mode::S_IRWXU).unwrap();
            }
            symlink(target, folder.join("a-link")).unwrap();
        });
        assert!(found.contains(word) && found.contains("'a-link'"), "{target}: {found}");
    }
}

#[test]
fn links_that_stay_inside_are_followed() {
    let fill = |folder: &Path| {
        fs::create_dir_all(folder.join("data/deep")).unwrap();
        fs::write(folder.join("data/values"), "1 2 3").unwrap();
    };
    let linked = fingerprint(|folder| {
        fill(folder);
        symlink("data/values", folder.join("near")).unwrap();
        symlink("../../near", folder.join("data/deep/far")).unwrap();
    });
    let copied = fingerprint(|folder| {
        fill(folder);
        fs::write(folder.join("near"), "1 2 3").unwrap();
        fs::write(folder.join("data/deep/far"), "1 2 3").unwrap();
    });
    assert_eq!(linked, copied);
}

#[test]
fn a_link_that_the_user_names_is_followed() {
    let above = folder_with(|folder| {
        symlink(folder, folder.with_file_name("latest")).unwrap();
        symlink("bot/main", folder.with_file_name("file")).unwrap();
    });
    for name in ["latest", "latest/", "file"] {
        let named = launch_text(above.path().join(name).to_str().unwrap());
        assert!(named.is_ok(), "{name}: {}", named.err().unwrap());
    }
}

/// Fingerprints never change, because tournaments store them.
#[test]
fn the_fingerprint_of_files_is_what_it_was() {
    let found = fingerprint(|folder| {
        fs::create_dir_all(folder.join("data/deep")).unwrap();
        fs::create_dir_all(folder.join("__pycache__")).unwrap();
        fs::create_dir_all(folder.join(".git")).unwrap();
        fs::write(folder.join(".git/config"), "no part of the bot").unwrap();
        fs::write(folder.join("data/values"), "1 2 3").unwrap();
        fs::write(folder.join("data-too"), "beside it").unwrap();
        fs::write(folder.join(".hidden"), vec![b'x'; 200_000]).unwrap();
    });
    assert_eq!(found, "5d954113e865bb0734d11ec5f32e012f52cfc20c6278c9e10bff3db91783708a");
}

#[test]
fn what_is_no_file_is_refused_by_its_name() {
    let made = |kind: &str, path: &Path| match kind {
        "a FIFO" => nix::unistd::mkfifo(path, Mode::S_IRWXU).is_ok(),
        "a socket" => std::os::unix::net::UnixListener::bind(path).is_ok(),
        // /dev/null; only root may make one.
        _ => nix::sys::stat::mknod(path, SFlag::S_IFCHR, Mode::S_IRWXU, 0x103).is_ok(),
    };
    for kind in ["a FIFO", "a socket", "a device"] {
        let folder = folder_with(|_| ());
        fs::create_dir(folder.path().join("bot/data")).unwrap();
        if !made(kind, &folder.path().join("bot/data/z.py")) {
            assert!(kind == "a device" && !nix::unistd::geteuid().is_root(), "{kind}");
            continue;
        }
        let found = launch_folder(folder.path()).err().expect("it is refused").to_string();
        assert!(found.contains(&format!("'data/z.py' is {kind}\nhint:")), "{found}");
        // A file of this kind named by the user is no bot; as a word of a command it stays outside.
        let path = folder.path().join("bot/data/z.py");
        let found = launch_text(path.to_str().unwrap()).err().expect("it is refused").to_string();
        assert!(found.contains(&format!("it is {kind}")), "{found}");
        assert!(
            launch_text(&format!(
                "cmd:{0}/main {0}/data/z.py",
                path.parent().unwrap().parent().unwrap().display()
            ))
            .is_ok()
        );
    }
}

#[test]
fn size_is_checked_before_anything_is_read() {
    let found = refusal(|folder| {
        fs::File::create(folder.join("sparse")).unwrap().set_len(1 << 40).unwrap();
    });
    assert!(found.contains("found more with 'sparse' (1099511627776 bytes)"), "{found}");
    let found = refusal(|folder| {
        fs::File::create(folder.join("a")).unwrap().set_len(3).unwrap();
        fs::File::create(folder.join("b")).unwrap().set_len((1 << 30) - 2).unwrap();
    });
    assert!(found.contains("found more with 'b'"), "{found}");
}

/// A sparse file is copied with its holes, and reads the same.
#[test]
fn holes_take_no_room() {
    const BYTES: u64 = 8 << 20;
    let above = folder_with(|folder| {
        let check = "cd \"$(dirname \"$0\")\"\n\
            [ \"$(wc -c < hole)\" -eq 8388608 ] && [ \"$(head -c 1 hole)$(tail -c 1 hole)\" = ab ] || exit 3\n\
            [ \"$(du -k hole | cut -f1)\" -lt 1024 ] || exit 4\n";
        fs::write(folder.join("main"), HELLO.replacen("read", &format!("{check}read"), 1)).unwrap();
        let file = fs::File::create(folder.join("hole")).unwrap();
        file.write_all_at(b"a", 0).unwrap();
        file.write_all_at(b"b", BYTES - 1).unwrap();
    });
    launch_folder(above.path()).map(drop).unwrap_or_else(|error| panic!("{error}"));
    // Zeros at the end give the same copy as a hole.
    let zeros = fingerprint(|folder| fs::write(folder.join("zeros"), vec![0; 200_000]).unwrap());
    let hole =
        fingerprint(|folder| fs::File::create(folder.join("zeros")).unwrap().set_len(200_000).unwrap());
    assert_eq!(zeros, hole);
}

#[test]
fn a_file_that_holds_more_than_it_says_is_not_followed() {
    // Kernel files have no size until they are read; a file that is being written looks the same.
    let found = launch_text("cmd:sh /proc/version").err().expect("it is refused").to_string();
    assert!(found.contains("'version' changes while it is copied"), "{found}");
}

#[test]
fn files_and_folders_are_counted() {
    let found = refusal(|folder| {
        fs::create_dir(folder.join("many")).unwrap();
        for number in 0..20_000 {
            fs::File::create(folder.join(format!("many/{number}"))).unwrap();
        }
    });
    assert!(found.contains("at most 20000 files and folders, found more in 'many'"), "{found}");
    let found = refusal(|folder| {
        let mut path = folder.to_owned();
        for _ in 0..66 {
            path.push("d");
        }
        fs::create_dir_all(path).unwrap();
    });
    assert!(found.contains("at most 64 folders in each other"), "{found}");
}

#[test]
fn somebody_elses_file_by_a_hard_link_is_refused() {
    if !nix::unistd::geteuid().is_root() {
        // Only root can make files of another user.
        return;
    }
    let found = refusal(|folder| {
        let secret = folder.with_file_name("secret");
        std::os::unix::fs::chown(&secret, Some(12_345), None).unwrap();
        fs::hard_link(secret, folder.join("notes")).unwrap();
    });
    assert!(found.contains("'notes' is another name (a hard link) of a file of somebody else"), "{found}");
    // Links to own files are allowed: build tools make them.
    let own = folder_with(|folder| fs::hard_link(folder.join("main"), folder.join("twin")).unwrap());
    assert!(launch_folder(own.path()).is_ok());
}

#[test]
fn odd_names_do_no_harm() {
    let long = "n".repeat(255);
    let names: [&[u8]; 5] =
        [b"two\nlines", b"\xff\xfe", b"\x1b[2J", "\u{202e}yp".as_bytes(), long.as_bytes()];
    let above = folder_with(|folder| {
        for name in names {
            fs::create_dir(folder.join(OsStr::from_bytes(name))).unwrap();
            fs::write(folder.join(OsStr::from_bytes(name)).join(OsStr::from_bytes(name)), "x").unwrap();
        }
    });
    let spec = BotSpec::parse(above.path().join("bot").to_str().unwrap(), adapters()).unwrap();
    for sandbox in sandboxes() {
        drop(launch(&spec, &sandbox));
    }
    // A single file, and the folder of the bot.
    for name in ["two\nlines", &long] {
        let file = bot_file(name, HELLO);
        for sandbox in sandboxes() {
            drop(launch(&file.spec, &sandbox));
        }
    }
}

#[test]
fn names_in_errors_cannot_steer_a_terminal() {
    for (name, shown) in [
        (&b"\x1b[2J\x07"[..], r"\u{1b}[2J\u{7}"),
        (b"two\nlines", r"two\nlines"),
        (b"\xffz", r"\xffz"),
        ("\u{202e}yp.tob\u{2066}".as_bytes(), r"\u{202e}yp.tob\u{2066}"),
        ("Zoë's 李.py".as_bytes(), "Zoë's 李.py"),
    ] {
        let found = refusal(|folder| {
            nix::unistd::mkfifo(&folder.join(OsStr::from_bytes(name)), Mode::S_IRWXU).unwrap();
        });
        assert!(found.contains(&format!("'{shown}' is a FIFO")), "{found:?}");
        assert!(found.lines().all(|line| !line.contains(char::is_control)), "{found:?}");
    }
    let found = refusal(|folder| {
        let mut path = folder.to_owned();
        path.extend(std::iter::repeat_n("n".repeat(200), 5));
        fs::create_dir_all(&path).unwrap();
        nix::unistd::mkfifo(&path.join("end"), Mode::S_IRWXU).unwrap();
    });
    assert!(found.len() < 500 && found.contains("/end' is a FIFO"), "{found}");
    // The path given by the user is escaped, too.
    let found = BotSpec::parse("./\u{1b}[2J.py", adapters()).unwrap_err().to_string();
    assert!(found.contains(r"\u{1b}[2J.py"), "{found:?}");
}

/// The examined file is the one that is read: a name that changes its target all the time never lets the
/// secret in.
#[test]
fn what_changes_between_the_look_and_the_copy_does_not_matter() {
    let above = folder_with(|folder| fs::write(folder.join("data"), "harmless").unwrap());
    let folder = above.path().join("bot");
    let harmless = launch_folder(above.path()).unwrap().hash().to_owned();
    let (link, file) = (above.path().join("link"), above.path().join("file"));
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let change = std::thread::spawn(move || {
        while stopped.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
            symlink("../secret", &link).unwrap();
            fs::rename(&link, folder.join("data")).unwrap();
            fs::write(&file, "harmless").unwrap();
            fs::rename(&file, folder.join("data")).unwrap();
        }
    });
    for _ in 0..40 {
        match launch_folder(above.path()) {
            Ok(bot) => assert_eq!(bot.hash(), harmless),
            Err(error) => assert!(error.to_string().contains("'data' is a link that leads out"), "{error}"),
        }
    }
    drop(stop);
    change.join().unwrap();
}

/// The kernel is older than 5.6, or a container hides `openat2`.
#[test]
fn without_openat2_links_are_refused_and_all_else_works() {
    if !alone("staging::without_openat2_links_are_refused_and_all_else_works") {
        return;
    }
    let rules = std::collections::BTreeMap::from([(nix::libc::SYS_openat2, Vec::new())]);
    let filter = seccompiler::SeccompFilter::new(
        rules,
        seccompiler::SeccompAction::Allow,
        seccompiler::SeccompAction::Errno(nix::libc::ENOSYS as u32),
        std::env::consts::ARCH.try_into().unwrap(),
    );
    let program: seccompiler::BpfProgram = filter.unwrap().try_into().unwrap();
    seccompiler::apply_filter(&program).unwrap();
    let plain = folder_with(|folder| {
        fs::create_dir(folder.join("data")).unwrap();
        fs::write(folder.join("data/values"), "1 2 3").unwrap();
    });
    assert!(launch_folder(plain.path()).is_ok());
    let found = refusal(|folder| symlink("main", folder.join("a-link")).unwrap());
    assert!(found.contains("'a-link' is a link, and this system cannot follow it safely"), "{found}");
    let found = refusal(|folder| symlink("../secret", folder.join("a-link")).unwrap());
    assert!(found.contains("'a-link' is a link"), "{found}");
}
