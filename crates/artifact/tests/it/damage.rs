//! Any changed or missing byte of a container is an error; so is what a newer tool wrote.

use std::sync::LazyLock;

use camino::Utf8Path;
use proptest::prelude::*;
use textualrl_artifact::{ReadError, TrajectoryReader, TrajectoryWriter, WriteError};
use textualrl_model::ExitCode;

use crate::samples::{full_trajectory, scratch, trajectory};

fn bytes() -> Vec<u8> {
    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(written);
    BYTES.clone()
}

fn written() -> Vec<u8> {
    let scratch = scratch();
    let mut writer = TrajectoryWriter::create(&scratch.run).unwrap();
    for number in 0..500 {
        writer.write(&trajectory(number, 5000)).unwrap();
    }
    writer.finish().unwrap();
    std::fs::read(&scratch.run).unwrap()
}

fn read(bytes: &[u8]) -> Result<usize, ReadError> {
    let scratch = scratch();
    std::fs::write(&scratch.run, bytes).unwrap();
    let mut reader = TrajectoryReader::open(&scratch.run)?;
    let mut count = 0;
    for trajectory in reader.iter() {
        trajectory?;
        count += 1;
    }
    Ok(count)
}

#[test]
fn every_bit_of_header_and_trailer_counts() {
    let bytes = bytes();
    let length = bytes.len();
    assert_eq!(read(&bytes).unwrap(), 500);
    for position in (0..60).chain(length - 100..length) {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[position] ^= 1 << bit;
            assert!(read(&changed).is_err(), "byte {position} bit {bit}");
        }
    }
}

#[test]
fn added_bytes_are_an_error() {
    let mut more = bytes();
    more.push(0);
    assert!(read(&more).is_err());
    let mut doubled = bytes();
    doubled.extend(bytes());
    assert!(read(&doubled).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_changed_byte_is_an_error(position in any::<prop::sample::Index>(), change in 1_u8..) {
        let mut bytes = bytes();
        let position = position.index(bytes.len());
        bytes[position] ^= change;
        prop_assert!(read(&bytes).is_err(), "byte {}", position);
    }

    #[test]
    fn a_shorter_file_is_an_error(end in any::<prop::sample::Index>()) {
        let bytes = bytes();
        prop_assert!(read(&bytes[..end.index(bytes.len())]).is_err());
    }

    #[test]
    fn noise_is_an_error(noise in prop::collection::vec(any::<u8>(), 0..300), real in any::<bool>()) {
        let mut bytes = if real { bytes()[..12].to_vec() } else { Vec::new() };
        bytes.extend(noise);
        prop_assert!(read(&bytes).is_err());
    }
}

#[test]
fn a_newer_version_is_reported_as_newer() {
    let mut newer = bytes();
    newer[8] = 2;
    let error = read(&newer).unwrap_err();
    assert!(matches!(error, ReadError::Newer { .. }), "{error}");
    assert!(error.to_string().contains("2.0") && error.to_string().contains("1.0"), "{error}");
    let text = read(b"task,answer\n1,2 and so on, long enough to hold a header and a trailer of a container")
        .unwrap_err();
    assert!(matches!(text, ReadError::WrongKind { .. }), "{text}");
}

#[test]
fn an_unfinished_file_cannot_be_read() {
    let scratch = scratch();
    let mut writer = TrajectoryWriter::create(&scratch.run).unwrap();
    writer.write(&full_trajectory()).unwrap();
    drop(writer);
    assert!(matches!(TrajectoryReader::open(&scratch.run), Err(ReadError::Damaged { .. })));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_storage_error() {
    let full = Utf8Path::new("/dev/full");
    let mut writer = TrajectoryWriter::create(full).unwrap();
    let error = (0..2000)
        .map(|number| writer.write(&trajectory(number, 5000)))
        .find_map(Result::err)
        .expect("the device takes no byte");
    assert!(matches!(&error, WriteError::Storage { path, .. } if path == full), "{error}");
    assert_eq!(error.exit_code(), ExitCode::Storage);
}
