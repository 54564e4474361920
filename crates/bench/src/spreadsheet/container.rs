//! How much a workbook's file would unpack to, from its table of contents alone.
//!
//! Always holds: nothing is unpacked here. The reader of workbooks stops where an entry gives more than it declares, so
//! that the declared sizes bound what is unpacked.

/// The signatures of the table's end and of an entry.
const END: &[u8] = b"PK\x05\x06";
const ENTRY: &[u8] = b"PK\x01\x02";
/// The longest end: its own length and a comment.
const LONGEST_END: usize = 22 + 0xffff;
/// Bytes of an entry before its name.
const ENTRY_LENGTH: usize = 46;

/// The sum of the declared sizes in bytes. None if the file has no readable table of contents, or one of the large
/// form, which no workbook within the limits needs.
pub(super) fn declared_size(file: &[u8]) -> Option<u64> {
    let tail = file.len().saturating_sub(LONGEST_END);
    let found = file.get(tail..)?.windows(END.len()).rposition(|window| window == END)?;
    let end = tail + found;
    let size = usize::try_from(number(file, end + 12, 4)?).ok()?;
    sum(file.get(end.checked_sub(size)?..end)?)
}

fn sum(table: &[u8]) -> Option<u64> {
    let (mut place, mut sum) = (0, 0_u64);
    while place < table.len() {
        if table.get(place..place + ENTRY.len())? != ENTRY {
            return None;
        }
        let size = number(table, place + 24, 4)?;
        if size == u64::from(u32::MAX) {
            return None;
        }
        sum = sum.saturating_add(size);
        let lengths = [28, 30, 32].map(|field| number(table, place + field, 2));
        place += ENTRY_LENGTH;
        for length in lengths {
            place += usize::try_from(length?).ok()?;
        }
    }
    Some(sum)
}

/// A number of some bytes, the least first.
fn number(bytes: &[u8], place: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(place..place + length)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
