//! Allow lists of the system calls that bots need.
//!
//! The lists come from traces of CPython, Node, Java, shells and compiled programs that start, use files,
//! threads and child processes, and end. Each call was then checked for what it can reach.
//!
//! Calls that affect or reveal anything beyond the caller are omitted on purpose:
//!
//! * processes: signals with data, sessions and process groups, limits and scheduling of others, privileges;
//! * files: changes of owner, times and attributes, locks, residency in memory, preallocation, watches;
//! * others: sockets except pairs, tracing, namespaces, mounts, keys, timers that send signals, shared
//!   memory objects, and everything about the machine as a whole.

use nix::libc::{self, c_long};

/// Calls allowed with any arguments.
pub(super) const ALWAYS: &[c_long] = &[
    // Files: landlock or the namespace checks paths; the other calls use open files.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_openat,
    libc::SYS_close,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_umask,
    libc::SYS_ftruncate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    // Waiting for events.
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_signalfd4,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    // Connected socket pairs.
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_sendto,
    libc::SYS_shutdown,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_getsockopt,
    // The caller's own memory.
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_membarrier,
    // The caller's own threads and processes.
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_set_tid_address,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_sched_yield,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
    // Signals to oneself.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    // Time.
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    libc::SYS_times,
    // Identity and location. Some calls also take the id of another process, but reveal only one number.
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_capget,
    libc::SYS_getcpu,
    libc::SYS_getrusage,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_getrandom,
];

/// Older equivalents of calls in [`ALWAYS`], which newer architectures lack.
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_NAMES: &[c_long] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_signalfd,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_arch_prctl,
    libc::SYS_getpgrp,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_time,
];
/// No call: this architecture lacks the older equivalents.
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_NAMES: &[c_long] = &[];

/// Further calls allowed in a bot's own namespaces, where it sees no other process and cannot write to files
/// of others.
pub(super) const INSIDE: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_utimensat,
    libc::SYS_truncate,
    // Only here: on a disk of the host it can take all space at once, despite the limit of file sizes.
    libc::SYS_fallocate,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_connect,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_recvmmsg,
];
/// Older equivalents of calls in [`INSIDE`].
#[cfg(target_arch = "x86_64")]
pub(super) const INSIDE_OLD_NAMES: &[c_long] =
    &[libc::SYS_chmod, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const INSIDE_OLD_NAMES: &[c_long] = &[];

/// Calls reported as successful without execution. A real lock on a file that several bots can read would
/// send a message to the others. A bot does not need the lock: nobody else writes to its own files.
pub(super) const GRANTED: &[c_long] = &[libc::SYS_flock];

/// Operations of multiplexed calls reported as successful without execution, in the form of [`OPTIONS`].
#[allow(clippy::unnecessary_cast)]
pub(super) const GRANTED_OPTIONS: &[(c_long, u8, &[u64])] = &[(
    libc::SYS_fcntl,
    1,
    &[libc::F_SETLK as u64, libc::F_SETLKW as u64, libc::F_OFD_SETLK as u64, libc::F_OFD_SETLKW as u64],
)];

/// Advice to install and remove guard pages, as around thread stacks. The `libc` crate lacks these constants.
const MADV_GUARD_INSTALL: u64 = 102;
const MADV_GUARD_REMOVE: u64 = 103;

/// Multiplexed calls: the position of the argument that selects the operation, and its allowed values.
// The type of ioctl numbers differs between C libraries.
#[allow(clippy::unnecessary_cast)]
pub(super) const OPTIONS: &[(c_long, u8, &[u64])] = &[
    (
        libc::SYS_ioctl,
        1,
        &[
            libc::TCGETS as u64,
            libc::TIOCGPGRP as u64,
            libc::TIOCGWINSZ as u64,
            libc::FIONREAD as u64,
            libc::FIONBIO as u64,
            libc::FIOCLEX as u64,
            libc::FIONCLEX as u64,
        ],
    ),
    (
        libc::SYS_fcntl,
        1,
        &[
            libc::F_DUPFD as u64,
            libc::F_DUPFD_CLOEXEC as u64,
            libc::F_GETFD as u64,
            libc::F_SETFD as u64,
            libc::F_GETFL as u64,
            libc::F_SETFL as u64,
            libc::F_GETPIPE_SZ as u64,
            // Harmless: locks of bots are never taken, so there are none to see.
            libc::F_GETLK as u64,
            libc::F_OFD_GETLK as u64,
        ],
    ),
    // Without flags: RWF_NOWAIT reveals whether a part of a file is in memory.
    (libc::SYS_preadv2, 5, &[0]),
    (libc::SYS_pwritev2, 5, &[0]),
    // Advice on the caller's own reading. Other values load a shared file into memory or evict it.
    (
        libc::SYS_fadvise64,
        3,
        &[libc::POSIX_FADV_NORMAL as u64, libc::POSIX_FADV_RANDOM as u64, libc::POSIX_FADV_SEQUENTIAL as u64],
    ),
    // Advice on the caller's own memory. Omitted: paging out, and merging of equal pages across processes.
    (
        libc::SYS_madvise,
        2,
        &[
            libc::MADV_NORMAL as u64,
            libc::MADV_RANDOM as u64,
            libc::MADV_SEQUENTIAL as u64,
            libc::MADV_WILLNEED as u64,
            libc::MADV_DONTNEED as u64,
            libc::MADV_FREE as u64,
            libc::MADV_DONTFORK as u64,
            libc::MADV_DOFORK as u64,
            libc::MADV_HUGEPAGE as u64,
            libc::MADV_NOHUGEPAGE as u64,
            libc::MADV_DONTDUMP as u64,
            libc::MADV_DODUMP as u64,
            libc::MADV_WIPEONFORK as u64,
            libc::MADV_KEEPONFORK as u64,
            libc::MADV_POPULATE_READ as u64,
            libc::MADV_POPULATE_WRITE as u64,
            MADV_GUARD_INSTALL,
            MADV_GUARD_REMOVE,
        ],
    ),
    (
        libc::SYS_prctl,
        0,
        &[
            libc::PR_GET_DUMPABLE as u64,
            libc::PR_SET_NAME as u64,
            libc::PR_GET_NAME as u64,
            libc::PR_GET_SECCOMP as u64,
            libc::PR_CAPBSET_READ as u64,
            libc::PR_GET_NO_NEW_PRIVS as u64,
            libc::PR_SET_NO_NEW_PRIVS as u64,
            libc::PR_SET_VMA as u64,
        ],
    ),
];
