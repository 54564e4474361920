//! What this machine says about itself: users, programs on the path, limits.
//!
//! Always holds: what cannot be read is taken as absent, never as an error.

use std::path::{Path, PathBuf};

/// What a program reads of the machine: the system's programs and libraries, how the linker finds them, and lists that
/// Python's own library fails over where it sees them but may not read them, as under Landlock.
pub(crate) const READABLE: [&str; 16] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/mime.types",
    "/etc/apache/mime.types",
    "/etc/apache2/mime.types",
    "/etc/httpd/mime.types",
    "/etc/httpd/conf/mime.types",
];

/// Whether this process is root in its namespace.
pub(crate) fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let user = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    user.and_then(|line| line.split_whitespace().nth(1)) == Some("0")
}

/// The longest range of user numbers of this namespace: the first and how many.
pub(crate) fn user_numbers() -> (u32, u32) {
    longest_range(&std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default())
}

fn longest_range(map: &str) -> (u32, u32) {
    let range = |line: &str| {
        let mut fields = line.split_whitespace().map(|field| field.parse().ok());
        Some((fields.next()??, fields.nth(1)??))
    };
    map.lines().filter_map(range).max_by_key(|(_, count)| *count).unwrap_or((0, 0))
}

/// The program of this name on the path, or at this path.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| is_program(path));
    }
    let folders = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| is_program(path))
}

/// How many processes and threads the user of this process has.
pub(crate) fn threads_of_this_user() -> u64 {
    let processes = crate::processes::all();
    let user = processes.iter().find(|process| process.id == std::process::id()).map(|process| process.user);
    let own = processes.iter().filter(|process| Some(process.user) == user);
    own.map(|process| process.threads).sum()
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_range_of_user_numbers_is_found() {
        for (map, expected) in [
            ("         0          0 4294967295\n", (0, u32::MAX)),
            ("0 1000 1\n1 100000 65536\n", (1, 65_536)),
            ("", (0, 0)),
            ("nonsense\n", (0, 0)),
        ] {
            assert_eq!(longest_range(map), expected, "{map:?}");
        }
    }
}
