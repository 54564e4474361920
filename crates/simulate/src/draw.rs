//! Draws that depend on texts alone.
//!
//! Always holds: the same parts give the same number on every machine; where one part ends is part of the draw.

/// A number in [0, 1) that the parts decide.
pub(crate) fn unit(parts: &[&str]) -> f64 {
    (number(parts) >> 11) as f64 / (1_u64 << 53) as f64
}

/// One of `count` choices (0 if there are none) that the parts decide.
pub(crate) fn choice(count: usize, parts: &[&str]) -> usize {
    let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
    usize::try_from(number(parts) % count).unwrap_or(0)
}

fn number(parts: &[&str]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let mut bytes = [0_u8; 8];
    hasher.finalize_xof().fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_depend_on_the_parts_alone() {
        assert_eq!(number(&["a", "b"]), number(&["a", "b"]));
        assert_ne!(number(&["ab", ""]), number(&["a", "b"]));
        let mean = (0..1000).map(|n: u32| unit(&[&n.to_string()])).sum::<f64>() / 1000.0;
        assert!((0.45..0.55).contains(&mean), "{mean}");
        assert_eq!(choice(0, &["x"]), 0);
    }
}
