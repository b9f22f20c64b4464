//! Targets of kills and removals, recognised by numbers and folders alone; nothing is started or killed here.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::hosts::for_every_user;
use meeple_bothost::targets::{BotUser, ControlGroup, GroupId, OwnFolder, ProcessId};
use nix::unistd::{getpgrp, getpid, getppid, getsid, getuid};

/// Reserved users exclude root, services, people, distributions' ranges, nobody, and "no change".
#[test]
fn a_bot_is_never_a_real_user() {
    let limits = [
        0,
        1,
        33,
        999,
        1000,
        61_184,
        65_519,
        65_533,
        65_534,
        65_535,
        100_000,
        524_288,
        600_100_000,
        1_879_048_191,
    ];
    let single_bits = (0..32).map(|bit| 1_u32 << bit).filter(|id| *id < 1 << 31);
    let high = [2_000_200_000, i32::MAX as u32, u32::MAX, u32::MAX - 1, 0xc000_0000, 0xffff_0000];
    for id in limits.into_iter().chain(single_bits).chain(high).chain([getuid().as_raw()]) {
        let refused = BotUser::new(id).expect_err("no bot is this user").to_string();
        assert!(refused.contains(&format!("found {id}")), "{refused}");
        // Deserialisation refuses it, too.
        assert!(serde_json::from_str::<BotUser>(&id.to_string()).is_err(), "{id}");
    }
    for line in fs::read_to_string("/etc/passwd").unwrap().lines() {
        let id: u32 = line.split(':').nth(2).unwrap().parse().unwrap();
        assert!(BotUser::new(id).is_err(), "{line}");
    }
    for id in [*BotUser::RANGE.start(), *BotUser::RANGE.end(), 0x8123_4567] {
        let user = BotUser::new(id).unwrap();
        assert_eq!((user.id(), serde_json::to_value(user).unwrap()), (id, id.into()));
    }
}

/// Sampled process ids of hosts, including the ends of the range.
#[test]
fn every_host_gives_its_bots_users_of_their_own() {
    let hosts = [1, 2, 3, 4_242, 32_767, 32_768, 0x0020_0000, 0x003f_ffff, 0x0040_0000, u32::MAX];
    for host in hosts {
        let users: Vec<u32> = BotUser::of_host(host).map(BotUser::id).collect();
        assert_eq!(users.len(), 512, "host {host}");
        assert!(users.iter().all(|id| BotUser::RANGE.contains(id)), "host {host}");
        assert!(users.windows(2).all(|pair| pair[0] != pair[1]), "host {host}");
    }
    let mut all: Vec<u32> =
        hosts[..6].iter().flat_map(|host| BotUser::of_host(*host)).map(BotUser::id).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 6 * 512);
}

#[test]
fn signals_never_mean_everybody_or_us() {
    for number in [0, 1, -1, -2, i32::MIN, -getpid().as_raw(), -getpgrp().as_raw()] {
        assert_eq!(ProcessId::new(number), None, "{number}");
        assert_eq!(GroupId::new(number), None, "{number}");
    }
    for own in [getpid(), getppid()] {
        assert_eq!(ProcessId::new(own.as_raw()), None, "{own}");
    }
    for own in [getpgrp(), getsid(None).unwrap()] {
        assert_eq!(GroupId::new(own.as_raw()), None, "{own}");
    }
    assert!(ProcessId::new(i32::MAX).is_some() && GroupId::new(i32::MAX).is_some());
}

/// A folder of that name may be anywhere, and foreign groups have other names.
#[test]
fn a_control_group_is_no_other_folder() {
    let folder = tempfile::tempdir().unwrap();
    let looks_like_one = folder.path().join(format!("meeple-{}-0", std::process::id()));
    fs::create_dir(&looks_like_one).unwrap();
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let groups = mounts.lines().filter(|line| line.contains(" - cgroup"));
    let groups = groups.map(|line| line.split(' ').nth(4).unwrap().into());
    let wrong = ["meeple-1-0", "/", "/tmp", "/nowhere/meeple-1-0"].map(PathBuf::from);
    for path in wrong.into_iter().chain([looks_like_one.clone()]).chain(groups) {
        let refused = ControlGroup::try_from(path.clone()).expect_err("it is none").to_string();
        assert!(refused.contains(&format!("found {path:?}")), "{refused}");
        // Deserialisation refuses it, too.
        assert!(serde_json::from_value::<ControlGroup>(path.to_str().unwrap().into()).is_err());
    }
    assert!(looks_like_one.exists());
}

/// A non-empty folder of ours, and a foreign one beside it.
fn filled() -> (OwnFolder, tempfile::TempDir) {
    let (own, other) = (OwnFolder::make().unwrap(), tempfile::tempdir().unwrap());
    fs::write(other.path().join("precious"), "still there").unwrap();
    fs::set_permissions(other.path(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::create_dir_all(own.path().join("scratch/deep")).unwrap();
    fs::write(own.path().join("scratch/deep/file"), "x").unwrap();
    (own, other)
}

#[track_caller]
fn is_untouched(other: &Path) {
    assert_eq!(fs::read_to_string(other.join("precious")).unwrap(), "still there");
    assert_eq!(fs::metadata(other).unwrap().permissions().mode() & 0o777, 0o700, "{}", other.display());
}

#[test]
fn links_are_removed_and_what_is_behind_them_stays() {
    let (own, other) = filled();
    symlink(other.path(), own.path().join("scratch/link")).unwrap();
    symlink(other.path().join("precious"), own.path().join("scratch/deep/link")).unwrap();
    fs::hard_link(other.path().join("precious"), own.path().join("scratch/hard")).unwrap();
    own.renew("scratch").unwrap();
    assert_eq!(fs::read_dir(own.path().join("scratch")).unwrap().count(), 0);
    is_untouched(other.path());
    // The folder itself may have become a link.
    fs::remove_dir(own.path().join("scratch")).unwrap();
    symlink(other.path(), own.path().join("scratch")).unwrap();
    own.renew("scratch").unwrap();
    let scratch = fs::symlink_metadata(own.path().join("scratch")).unwrap();
    assert!(scratch.is_dir() && scratch.mode() & 0o777 == 0o777);
    is_untouched(other.path());
    own.remove().unwrap();
    assert!(!own.path().exists());
    is_untouched(other.path());
}

#[test]
fn only_the_folder_that_was_made_is_removed() {
    let (own, other) = filled();
    // An existing folder keeps its inode number, so no other one can have it.
    fs::rename(own.path(), other.path().join("elsewhere")).unwrap();
    own.remove().expect("what is gone is gone");
    let refused = |in_its_place: &str| {
        let refused = own.remove().unwrap_err().to_string();
        assert!(refused.contains("is not the folder that was made"), "{in_its_place}: {refused}");
        assert!(own.renew("scratch").is_err(), "{in_its_place}");
        is_untouched(other.path());
        assert!(other.path().join("elsewhere/scratch/deep/file").exists(), "{in_its_place}");
    };
    symlink(other.path(), own.path()).unwrap();
    refused("a link");
    fs::remove_file(own.path()).unwrap();
    symlink(other.path().join("elsewhere"), own.path()).unwrap();
    refused("a link to the folder");
    fs::remove_file(own.path()).unwrap();
    fs::write(own.path(), "x").unwrap();
    refused("a file");
    fs::remove_file(own.path()).unwrap();
    fs::create_dir(own.path()).unwrap();
    fs::write(own.path().join("precious"), "x").unwrap();
    refused("another folder");
    assert!(own.path().join("precious").exists());
    fs::remove_dir_all(own.path()).unwrap();
}

/// Deeper than the limit of descriptors, longer than a path may be, and with more files than one read.
#[test]
fn deep_and_wide_folders_are_removed() {
    let (own, other) = filled();
    let deep = own.path().join("scratch/deep");
    let mut inner = fs::File::open(&deep).unwrap();
    use nix::fcntl::{OFlag, openat};
    use nix::sys::stat::{Mode, mkdirat};
    for depth in 0..3_000 {
        // Every second name is also one that the removal gives to moved folders.
        let name = if depth % 2 == 0 { "1" } else { "a-rather-long-name-for-a-folder" };
        mkdirat(&inner, name, Mode::S_IRWXU).unwrap();
        inner = openat(&inner, name, OFlag::O_RDONLY, Mode::empty()).unwrap().into();
    }
    for number in 0..2_500 {
        fs::File::create(deep.join(format!("{number}x"))).unwrap();
        fs::create_dir(own.path().join(format!("scratch/{number}"))).unwrap();
    }
    own.remove().unwrap();
    assert!(!own.path().exists());
    is_untouched(other.path());
}

/// A bot with the host's user can close its folders to the host. Root may do anything, so this also runs as
/// another user.
#[test]
fn folders_that_are_forbidden_are_removed() {
    for_every_user("targets::folders_that_are_forbidden_are_removed", || {
        let (own, other) = filled();
        let forbid = |path: &str| {
            fs::set_permissions(own.path().join(path), fs::Permissions::from_mode(0o000)).unwrap();
        };
        fs::create_dir(own.path().join("scratch/empty")).unwrap();
        for path in ["scratch/empty", "scratch/deep/file", "scratch/deep", "scratch"] {
            forbid(path);
        }
        own.renew("scratch").unwrap();
        fs::create_dir_all(own.path().join("scratch/a/b/c")).unwrap();
        for path in ["scratch/a/b/c", "scratch/a/b", "scratch/a", "scratch", ""] {
            forbid(path);
        }
        own.remove().unwrap();
        assert!(!own.path().exists());
        is_untouched(other.path());
    });
}
