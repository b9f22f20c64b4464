//! What of ours lives outside our process: running bots and their folders. Who must end at once, as on a signal,
//! ends them all and leaves nothing behind.

use std::io;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::supervised::Supervised;
use crate::targets::{BotUser, OwnFolder};

static LIVING: Mutex<Living> = Mutex::new(Living { ending: false, bots: Vec::new(), folders: Vec::new() });

struct Living {
    /// Whether the end has come: nothing begins any more.
    ending: bool,
    bots: Vec<Arc<Supervised>>,
    folders: Vec<OwnFolder>,
}

fn living() -> MutexGuard<'static, Living> {
    // Nothing that holds the lock leaves it half changed.
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ended() -> io::Error {
    io::Error::new(io::ErrorKind::Interrupted, "the program ends")
}

/// Kills every bot of this process with everything it has started, and removes the folders of all bots. From now
/// on no bot can be started. For a program that is about to end without going through its destructors; bots that
/// are still held end with [`FaultCode::Crash`](crate::FaultCode::Crash).
pub fn end_all_bots() {
    let mut living = living();
    living.ending = true;
    let bots = std::mem::take(&mut living.bots);
    // All are told before the first is waited for.
    for bot in &bots {
        bot.ask_to_end();
    }
    for bot in bots {
        bot.end();
    }
    for folder in std::mem::take(&mut living.folders) {
        // Others of our threads may be at it too, and trip over each other.
        for _ in 0..50 {
            if folder.remove().is_ok() {
                break;
            }
            crate::pipes::breathe();
        }
    }
}

/// Starts a bot. It is known from the moment on that it exists.
pub(crate) fn start(
    command: &mut Command,
    supervises: bool,
    user: Option<BotUser>,
) -> io::Result<Arc<Supervised>> {
    let mut living = living();
    if living.ending {
        return Err(ended());
    }
    let bot = Arc::new(Supervised::spawn(command, supervises, user)?);
    living.bots.push(Arc::clone(&bot));
    Ok(bot)
}

/// Whether one of our bots runs as this user.
pub(crate) fn is_user(user: BotUser) -> bool {
    living().bots.iter().any(|bot| bot.user() == Some(user))
}

/// A bot has ended, with everything it had started.
pub(crate) fn forget_bot(bot: &Arc<Supervised>) {
    living().bots.retain(|own| !Arc::ptr_eq(own, bot));
}

/// Makes a folder for a bot.
pub(crate) fn make_folder() -> io::Result<OwnFolder> {
    let mut living = living();
    if living.ending {
        return Err(ended());
    }
    let folder = OwnFolder::make()?;
    living.folders.push(folder.clone());
    Ok(folder)
}

/// Removes the folder of a bot.
pub(crate) fn remove_folder(folder: &OwnFolder) {
    // What cannot be removed now is found by the next host.
    let _ = folder.remove();
    living().folders.retain(|own| own != folder);
}
