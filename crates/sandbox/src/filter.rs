//! System calls that no program needs, refused by the kernel.
//!
//! Namespaces and Landlock confine files and the network as a whole; this takes away what would lead around them or
//! around the limits, and what is known for holes in kernels.
//!
//! Always holds: a call that is refused fails with an error that a program can handle; nothing is killed for it, but for
//! programs of another processor architecture.

use seccompiler::{BpfProgram, TargetArch, sock_filter};

/// Refused with "operation not permitted".
const REFUSED: [&str; 46] = [
    // The network, also where it has no namespace of its own. Pairs of connected sockets are made otherwise.
    "socket",
    // Memory that no limit counts, and that may outlive its process.
    "memfd_create",
    "memfd_secret",
    "shmget",
    "msgget",
    "semget",
    // Ways around this list.
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    // Other processes.
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "pidfd_getfd",
    "kcmp",
    // Namespaces and file systems.
    "unshare",
    "setns",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "fsopen",
    "fsconfig",
    "fsmount",
    "move_mount",
    "open_tree",
    "mount_setattr",
    "name_to_handle_at",
    "open_by_handle_at",
    "fanotify_init",
    "quotactl",
    "swapon",
    "acct",
    // The kernel itself.
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "keyctl",
    "add_key",
    "request_key",
    "kexec_load",
    "init_module",
    "finit_module",
    "delete_module",
    "syslog",
    "reboot",
    "clock_settime",
    "settimeofday",
];

/// `clone` with the flag for a new user namespace.
const CLONE_NEWUSER: &str = r#"{"syscall": "clone", "args": [
    {"index": 0, "type": "qword", "op": {"masked_eq": 268435456}, "val": 268435456}]}"#;

/// Load the number of the call; go on if it is (at least) so much; end with an error.
const LOAD_NUMBER: (u16, u32) = (0x20, 0);
const IS: u16 = 0x15;
const IS_AT_LEAST: u16 = 0x35;
const NOT_IMPLEMENTED: (u16, u32) = (0x06, 0x0005_0000 | 38);
/// Has the same number everywhere. Its flags lie in memory, where no filter can look, and libraries do without it.
const CLONE3: u32 = 435;
/// Calls in the second numbering of one architecture, which would otherwise not be looked up.
const SECOND_NUMBERING: u32 = 0x4000_0000;

/// The filter for this machine.
pub(crate) fn program() -> Result<BpfProgram, String> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    let calls: Vec<String> = REFUSED.iter().map(|name| format!("{{\"syscall\": \"{name}\"}}")).collect();
    let json = format!(
        "{{\"all\": {{\"mismatch_action\": \"allow\", \"match_action\": {{\"errno\": 1}}, \"filter\": [{}, {CLONE_NEWUSER}]}}}}",
        calls.join(", ")
    );
    let mut compiled =
        seccompiler::compile_from_json(json.as_bytes(), architecture).map_err(|error| error.to_string())?;
    let refused = compiled.remove("all").ok_or("no filter was compiled")?;
    Ok(not_implemented().into_iter().chain(refused).collect())
}

/// The filter as the kernel reads it from bubblewrap.
pub(crate) fn bytes(program: &BpfProgram) -> Vec<u8> {
    let bytes = |line: &sock_filter| {
        let [code_0, code_1] = line.code.to_ne_bytes();
        let [value_0, value_1, value_2, value_3] = line.k.to_ne_bytes();
        [code_0, code_1, line.jt, line.jf, value_0, value_1, value_2, value_3]
    };
    program.iter().flat_map(bytes).collect()
}

/// Stands before the rest: some calls are answered as by a kernel that does not know them.
fn not_implemented() -> [sock_filter; 4] {
    let line =
        |(code, value): (u16, u32), (yes, no): (u8, u8)| sock_filter { code, jt: yes, jf: no, k: value };
    [
        line(LOAD_NUMBER, (0, 0)),
        line((IS, CLONE3), (1, 0)),
        line((IS_AT_LEAST, SECOND_NUMBERING), (0, 1)),
        line(NOT_IMPLEMENTED, (0, 0)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_is_as_long_as_the_kernel_takes() {
        let program = program().unwrap();
        assert!(program.len() < 4096);
        assert_eq!(bytes(&program).len(), program.len() * 8);
    }
}
