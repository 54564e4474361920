//! Review: from proposals to reviewed, ranked edits (Section 3.3).
