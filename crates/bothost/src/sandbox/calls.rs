//! System calls that bots are denied.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

use super::confine::Calls;

/// Ways out of a namespace, into other processes, and into corners of the kernel that no bot needs.
const ESCAPES: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_fanotify_init,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_personality,
];

/// What reaches others in the same process space: sockets, signals, sessions.
const NEIGHBOURS: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_shmget,
];

/// The same numbers are understood with this bit too, by kernels built for the x32 ABI.
const X32: i64 = 0x4000_0000;

/// Denies these calls to this thread and everything it becomes or starts.
pub(crate) fn deny(calls: Calls) -> Result<(), String> {
    let denied: Vec<i64> = match calls {
        Calls::Nothing => return Ok(()),
        Calls::Escapes => ESCAPES.to_vec(),
        Calls::Everything => [ESCAPES, NEIGHBOURS].concat(),
    };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in denied {
        rules.insert(call, Vec::new());
        if cfg!(target_arch = "x86_64") {
            rules.insert(call | X32, Vec::new());
        }
    }
    let mut clones = Vec::new();
    for flag in [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ] {
        let flag = flag as u64;
        let condition = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(flag), flag)
            .map_err(text)?;
        clones.push(SeccompRule::new(vec![condition]).map_err(text)?);
    }
    rules.insert(libc::SYS_clone, clones);
    install(rules, libc::EPERM)?;
    // Its flags cannot be seen by a filter. "Not there" makes every library fall back to clone.
    install(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS)
}

fn install(rules: BTreeMap<i64, Vec<SeccompRule>>, error: i32) -> Result<(), String> {
    let architecture = std::env::consts::ARCH.try_into().map_err(text)?;
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(error as u32), architecture)
            .map_err(text)?;
    let program: BpfProgram = filter.try_into().map_err(text)?;
    apply_filter(&program).map_err(text)
}

fn text(error: impl std::fmt::Display) -> String {
    format!("seccomp: {error}")
}
