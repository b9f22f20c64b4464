//! Tournaments of agents that name files.

use std::path::Path;

use meeple_arena::{ArenaError, Bots, RecordStore, RunEnd, RunOptions, TournamentPlan, run, shard, verify};
use meeple_lab::{NoProgress, StopFlag};

use crate::proofs::replace_plan;
use crate::{go_on, play_all, request};

/// Incan Gold's network for two, as it was shipped.
const NETWORK: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/incan-gold/learned/net-2.safetensors");

fn go_on_with(plan: &TournamentPlan, directory: &Path) -> Result<RunEnd, ArenaError> {
    let mut store = RecordStore::open(directory).unwrap();
    let mut options = RunOptions { threads: 1, progress: &mut NoProgress, stop: &StopFlag::new() };
    run(plan, &mut store, &mut Bots::none(), &mut options)
}

#[test]
fn a_network_that_was_changed_is_another_competitor() {
    let [folder, whole, broken] = [(), (), ()].map(|()| tempfile::tempdir().unwrap());
    let file = folder.path().join("mine.safetensors");
    let network = std::fs::read(NETWORK).unwrap();
    std::fs::write(&file, &network).unwrap();
    let file = file.to_str().unwrap();
    let competitors = format!("first=net:{file} turn:7 third=mcts:value={file},margin=0,iterations=3");
    let mut request = request("incan-gold", &competitors);
    request.deals = Some(3);
    let plan = request.plan().unwrap();
    let files: Vec<Option<&str>> = plan.competitors.iter().map(|own| own.files.as_deref()).collect();
    assert_eq!((files[0].unwrap().len(), files[1], files[2]), (64, None, files[0]));

    assert_eq!(go_on(&plan, whole.path(), Bots::none(), 1, u64::MAX), RunEnd::Complete);
    assert_eq!(go_on(&plan, broken.path(), Bots::none(), 1, 0), RunEnd::Stopped);
    // The changed network can be read and plays the same, but has another fingerprint.
    let mut other = network.clone();
    let at = network.windows(12).position(|bytes| bytes == b"round\\\":120,").unwrap();
    other[at + 10] = b'1';
    std::fs::write(file, &other).unwrap();
    let error = go_on_with(&plan, broken.path()).unwrap_err().to_string();
    let expected = format!("agent 'first': expected files with fingerprint {}, found ", files[0].unwrap());
    assert!(error.starts_with(&expected) && error.contains("\nhint: the network was changed"), "{error}");
    let mut options = RunOptions { threads: 1, progress: &mut NoProgress, stop: &StopFlag::new() };
    let all = 0..plan.schedule.episodes();
    assert_eq!(shard::play(&plan, all, &mut options).unwrap_err().to_string(), error);
    let verified = verify(whole.path(), &mut NoProgress, &StopFlag::new());
    assert_eq!(verified.unwrap_err().to_string(), error);
    // A complete tournament plays nothing more, so the files are not checked.
    assert_eq!(go_on_with(&plan, whole.path()).unwrap(), RunEnd::Complete);
    assert_ne!(request.plan().unwrap().hash(), plan.hash());

    std::fs::remove_file(file).unwrap();
    let error = go_on_with(&plan, broken.path()).unwrap_err().to_string();
    assert!(error.contains("mine.safetensors: No such file"), "{error}");

    std::fs::write(file, &network).unwrap();
    assert_eq!(go_on_with(&plan, broken.path()).unwrap(), RunEnd::Complete);
    assert_eq!(request.plan().unwrap().hash(), plan.hash());
    let rows = |directory: &Path| {
        let mut rows = Vec::new();
        RecordStore::open(directory).unwrap().each(&mut |row| rows.push(row)).unwrap();
        rows.into_iter().map(|row| format!("{:?} {:?}", row.pairing, row.scores)).collect::<Vec<_>>()
    };
    assert_eq!(rows(broken.path()), rows(whole.path()));
}

/// The plan of a stranger's record may name any file. Only regular files of a bounded size are read.
#[test]
fn pipes_and_devices_are_no_networks() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, huge) = (folder.path().join("pipe"), folder.path().join("huge"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::File::create(&huge).unwrap().set_len(1 << 41).unwrap();
    let mut request = request("incan-gold", "turn:7 random:0.5");
    request.deals = Some(2);
    let directory = tempfile::tempdir().unwrap();
    play_all(&request.plan().unwrap(), directory.path());
    for (file, expected) in [
        (pipe.to_str().unwrap(), "expected a file, found a folder, a pipe or a device"),
        ("/dev/zero", "expected a file, found a folder, a pipe or a device"),
        (huge.to_str().unwrap(), "expected a file of at most 1073741824 bytes, found 2199023255552"),
    ] {
        for agent in [format!("net:{file}"), format!("mcts:value={file}")] {
            // With a fingerprint the file is read to compare it, and without one to build the agent.
            for files in [Some("0".repeat(64)), None] {
                replace_plan(directory.path(), |plan| {
                    (plan.competitors[0].run, plan.competitors[0].files) = (agent.clone(), files);
                });
                let error = verify(directory.path(), &mut NoProgress, &StopFlag::new());
                let error = error.expect_err(&agent).to_string();
                assert!(error.contains(file) && error.contains(expected), "{agent}: {error}");
            }
        }
    }
}
