//! The envelope of JSON artifacts: `{"format": "textualrl/<kind>", "version": {…}, "data": …}`.
//!
//! Always holds: equal values give equal bytes (keys sorted, two spaces, a newline at the end); format and version
//! are checked before the data is looked at.

use camino::Utf8Path;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::{ReadError, WriteError};
use crate::kind::{Kind, Version};

#[derive(Serialize)]
struct Envelope<'a> {
    format: String,
    version: Version,
    data: &'a Value,
}

#[derive(Deserialize)]
struct Head {
    format: String,
    version: Version,
}

#[derive(Deserialize)]
struct Body<T> {
    data: T,
}

fn format_of(kind: Kind) -> String {
    format!("textualrl/{}", kind.name())
}

/// The bytes of an artifact.
pub(crate) fn encode<T: Serialize + ?Sized>(
    path: &Utf8Path,
    kind: Kind,
    data: &T,
) -> Result<Vec<u8>, WriteError> {
    let encoded = || {
        let mut data = serde_json::to_value(data)?;
        data.sort_all_objects();
        let mut bytes = serde_json::to_vec_pretty(&Envelope {
            format: format_of(kind),
            version: kind.version(),
            data: &data,
        })?;
        bytes.push(b'\n');
        Ok(bytes)
    };
    encoded().map_err(|error: serde_json::Error| WriteError::Encode {
        path: path.to_owned(),
        message: error.to_string(),
    })
}

/// The version of the artifact in `bytes`, if this tool can read it.
pub(crate) fn version(path: &Utf8Path, kind: Kind, bytes: &[u8]) -> Result<Version, ReadError> {
    let head: Head = serde_json::from_slice(bytes)
        .map_err(|error| ReadError::damaged(path, format!("no envelope: {error}")))?;
    if head.format != format_of(kind) {
        return Err(ReadError::WrongKind {
            path: path.to_owned(),
            found: head.format,
            expected: format_of(kind),
        });
    }
    let known = kind.version();
    if head.version.major > known.major {
        return Err(ReadError::Newer { path: path.to_owned(), found: head.version, known });
    }
    Ok(head.version)
}

/// The value of an artifact. Fields that a newer minor version added are passed over.
pub(crate) fn decode<T: DeserializeOwned>(path: &Utf8Path, kind: Kind, bytes: &[u8]) -> Result<T, ReadError> {
    version(path, kind, bytes)?;
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let body: Body<T> = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| ReadError::damaged(path, format!("{}: {}", error.path(), error.inner())))?;
    Ok(body.data)
}

/// Refuses if `bytes` are of a version that has more than this tool writes.
pub(crate) fn check_rewritable(path: &Utf8Path, kind: Kind, bytes: &[u8]) -> Result<(), WriteError> {
    let (found, known) = (version(path, kind, bytes)?, kind.version());
    if found > known { Err(WriteError::Newer { path: path.to_owned(), found, known }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn read(text: &str) -> Result<BTreeMap<String, u32>, ReadError> {
        decode(Utf8Path::new("scores.json"), Kind::Scores, text.as_bytes())
    }

    #[test]
    fn an_envelope_is_sorted_and_ends_with_a_newline() {
        #[derive(Serialize)]
        struct Backwards {
            z: u32,
            a: u32,
        }
        let bytes = encode(Utf8Path::new("scores.json"), Kind::Scores, &Backwards { z: 1, a: 2 }).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let expected = "{\n  \"format\": \"textualrl/scores\",\n  \"version\": {\n    \"major\": 1,\n    \"minor\": 0\n  },\n  \"data\": {\n    \"a\": 2,\n    \"z\": 1\n  }\n}\n";
        assert_eq!(text, expected);
        assert_eq!(read(&text).unwrap().get("z"), Some(&1));
    }

    #[test]
    fn versions_decide_who_may_read_and_rewrite() {
        let text = |major: u16, minor: u16| {
            format!(
                r#"{{"format":"textualrl/scores","version":{{"major":{major},"minor":{minor}}},"data":{{}},"new":1}}"#
            )
        };
        let path = Utf8Path::new("scores.json");
        for (major, minor, reads, rewrites) in
            [(0, 9, true, true), (1, 0, true, true), (1, 7, true, false), (2, 0, false, false)]
        {
            let text = text(major, minor);
            assert_eq!(read(&text).is_ok(), reads, "{major}.{minor}");
            assert_eq!(
                check_rewritable(path, Kind::Scores, text.as_bytes()).is_ok(),
                rewrites,
                "{major}.{minor}"
            );
        }
        let message = read(&text(2, 0)).unwrap_err().to_string();
        assert!(
            message.contains("scores.json") && message.contains("2.0") && message.contains("1.0"),
            "{message}"
        );
    }

    #[test]
    fn what_is_no_artifact_is_refused_with_its_place() {
        for (text, part) in [
            ("", "no envelope"),
            ("{\"format\":\"textualrl/scores\"", "no envelope"),
            (r#"{"format":"textualrl/patch","version":{"major":1,"minor":0},"data":{}}"#, "textualrl/patch"),
            (r#"{"format":"textualrl/scores","version":{"major":1,"minor":0}}"#, "missing field `data`"),
            (r#"{"format":"textualrl/scores","version":{"major":1,"minor":0},"data":{"a":"x"}}"#, "data.a"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
