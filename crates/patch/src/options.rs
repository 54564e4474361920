//! What an application of a patch is held to.
//!
//! Always holds: the default protects front matter and `<!-- protected -->` regions, and applies edit by edit.

use textualrl_model::settings::PatchSettings;

/// How a patch is applied.
///
/// ```
/// use textualrl_patch::ApplyOptions;
///
/// let options = ApplyOptions { max_bytes: Some(8_000), ..ApplyOptions::default() };
/// assert_eq!(options.protected[0][0], "<!-- protected -->");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplyOptions {
    /// Pairs of markers, start and end, around regions that no edit may touch. A blank marker is ignored.
    pub protected: Vec<[String; 2]>,
    /// Texts that the result must contain.
    pub must_contain: Vec<String>,
    /// The largest result in bytes.
    pub max_bytes: Option<u64>,
    /// The largest result in [estimated tokens](crate::estimated_tokens).
    pub max_tokens: Option<u64>,
    /// Whether one refused edit withholds all of them.
    pub all_or_nothing: bool,
    /// Whether a patch may name another base than the one that it is applied to.
    pub rebase: bool,
    /// Whether headings stay whose last content a deletion took away.
    pub keep_empty_headings: bool,
    /// Whether the fingerprints of base and result are computed for the report. A patch that names its base is
    /// compared with the base in any case.
    pub fingerprints: bool,
}

impl Default for ApplyOptions {
    fn default() -> Self {
        Self {
            protected: vec![["<!-- protected -->".to_owned(), "<!-- /protected -->".to_owned()]],
            must_contain: Vec::new(),
            max_bytes: None,
            max_tokens: None,
            all_or_nothing: false,
            rebase: false,
            keep_empty_headings: false,
            fingerprints: true,
        }
    }
}

impl From<&PatchSettings> for ApplyOptions {
    fn from(settings: &PatchSettings) -> Self {
        Self {
            protected: settings.protected.clone(),
            must_contain: settings.must_contain.clone(),
            max_bytes: (settings.max_bytes > 0).then_some(settings.max_bytes),
            ..Self::default()
        }
    }
}

/// A rough number of tokens: a quarter of the bytes, rounded up.
///
/// ```
/// assert_eq!(textualrl_patch::estimated_tokens("Be brief."), 3);
/// ```
pub fn estimated_tokens(text: &str) -> u64 {
    (text.len() as u64).div_ceil(4)
}
