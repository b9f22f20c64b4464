//! Tournaments of agents that name files.

use std::path::Path;

use meeple_arena::{ArenaError, Bots, RecordStore, RunEnd, RunOptions, TournamentPlan, run, shard, verify};
use meeple_lab::{NoProgress, StopFlag};

use crate::{go_on, request};

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
