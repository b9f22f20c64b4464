//! Registry of running bots and their folders. A program that must end at once, as on a signal, ends them all
//! and leaves nothing behind.

use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::unistd::{Uid, User};

use crate::reap::users_of_processes;
use crate::supervised::Supervised;
use crate::targets::{BotUser, OwnFolder};

static LIVING: Mutex<Living> = Mutex::new(Living { ending: false, bots: Vec::new(), folders: Vec::new() });

struct Living {
    /// True once the end has begun; then nothing can start.
    ending: bool,
    bots: Vec<Arc<Supervised>>,
    folders: Vec<OwnFolder>,
}

fn living() -> MutexGuard<'static, Living> {
    // Every holder of the lock leaves a consistent state, so poison is ignored.
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The registry, for additions; an error once the end has begun.
fn still_living() -> io::Result<MutexGuard<'static, Living>> {
    let living = living();
    if living.ending {
        return Err(io::Error::new(io::ErrorKind::Interrupted, "the program ends"));
    }
    Ok(living)
}

/// Kills every bot of this process with all its descendants, and removes the folders of all bots. From then
/// on no bot can start. For a program that is about to end without running its destructors; bots still in use
/// end with [`FaultCode::Crash`](crate::FaultCode::Crash).
pub fn end_all_bots() {
    let mut living = living();
    living.ending = true;
    let bots = std::mem::take(&mut living.bots);
    // All bots are asked to end before the first is waited for.
    for bot in &bots {
        bot.ask_to_end();
    }
    for bot in bots {
        bot.end();
    }
    for folder in std::mem::take(&mut living.folders) {
        // Another thread of this process may remove the same folder meanwhile, which can make one attempt
        // fail.
        for _ in 0..50 {
            if folder.remove().is_ok() {
                break;
            }
            crate::pipes::breathe();
        }
    }
}

pub(crate) fn start(
    command: &mut Command,
    supervises: bool,
    user: Option<BotUser>,
) -> io::Result<Arc<Supervised>> {
    let mut living = still_living()?;
    let bot = Arc::new(Supervised::spawn(command, supervises, user)?);
    living.bots.push(Arc::clone(&bot));
    Ok(bot)
}

/// An unused user: no bot of ours, no owner of a running process, no named account.
pub(crate) fn unused_user() -> io::Result<BotUser> {
    const COUNT: usize = BotUser::PER_HOST as usize;
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let taken = users_of_processes();
    let first = NEXT.fetch_add(1, Ordering::Relaxed);
    let users = BotUser::of_host(std::process::id()).cycle().skip(first % COUNT);
    let ours = |user: &BotUser| living().bots.iter().any(|bot| bot.user() == Some(*user));
    let named = |user: &BotUser| User::from_uid(Uid::from_raw(user.id())).is_ok_and(|found| found.is_some());
    users
        .take(COUNT)
        .find(|user| !taken.contains(&user.id()) && !ours(user) && !named(user))
        .ok_or_else(|| io::Error::other(format!("all {COUNT} users for bots of this host are in use")))
}

pub(crate) fn forget_bot(bot: &Arc<Supervised>) {
    living().bots.retain(|own| !Arc::ptr_eq(own, bot));
}

/// Makes and registers a folder for a bot.
pub(crate) fn make_folder() -> io::Result<OwnFolder> {
    let mut living = still_living()?;
    let folder = OwnFolder::make()?;
    living.folders.push(folder.clone());
    Ok(folder)
}

/// Removes and unregisters the folder of a bot.
pub(crate) fn remove_folder(folder: &OwnFolder) {
    // The next host finds folders that cannot be removed now.
    let _ = folder.remove();
    living().folders.retain(|own| own != folder);
}
