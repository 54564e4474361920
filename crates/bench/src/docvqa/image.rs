//! Images of pages, as they are sent.
//!
//! Always holds: the media type is that of the bytes, whatever the file is called; an image within the limit is sent
//! byte for byte; a file outside the data folder is never opened.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{DynamicImage, ImageFormat};
use textualrl_model::Part;

use crate::data::folder::stays_inside;

/// The fewest pixels that a side is scaled to.
const SMALLEST_SIDE: u32 = 64;

/// Why an image cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ImageError {
    /// There is no such file.
    #[error(
        "there is no image {path:?} in the data folder; put it there, or read pages as text with \
         --set data.docvqa.mode=text"
    )]
    Missing {
        /// As the row names it.
        path: String,
    },
    /// It cannot be read.
    #[error("the image {path:?} cannot be read: {message}")]
    Unreadable {
        /// As the row names it.
        path: String,
        /// Why.
        message: String,
    },
    /// It is neither PNG, JPEG, GIF nor WebP.
    #[error("{path:?} is no PNG, JPEG, GIF or WebP; convert it")]
    Unknown {
        /// As the row names it.
        path: String,
    },
    /// It stays above the limit however it is scaled.
    #[error("the image {path:?} is above data.docvqa.image_bytes and cannot be scaled below it: {message}")]
    TooLarge {
        /// As the row names it.
        path: String,
        /// Why.
        message: String,
    },
}

/// The file that a row names: below the folder at its path, or by its name in `images`.
pub(super) fn locate(folder: &Path, named: &str) -> Result<PathBuf, ImageError> {
    let missing = || ImageError::Missing { path: named.to_owned() };
    let path = Path::new(named);
    let here = stays_inside(path).then(|| folder.join(path));
    let by_name = path.file_name().map(|name| folder.join("images").join(name));
    let found = here.into_iter().chain(by_name).find(|path| path.is_file()).ok_or_else(missing)?;
    // A link may lead outside, which nothing in the path tells.
    let (root, file) = (folder.canonicalize(), found.canonicalize());
    let within = matches!((&root, &file), (Ok(root), Ok(file)) if file.starts_with(root));
    if within { Ok(found) } else { Err(missing()) }
}

/// The image as a part of a turn. `limit` is in bytes of base64; 0 is none.
pub(super) fn part(file: &Path, named: &str, limit: u64) -> Result<Part, ImageError> {
    let bytes = std::fs::read(file)
        .map_err(|error| ImageError::Unreadable { path: named.to_owned(), message: error.to_string() })?;
    let media_type = media_type(&bytes).ok_or_else(|| ImageError::Unknown { path: named.to_owned() })?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if limit == 0 || encoded_length(bytes.len()) <= limit {
        return Ok(image(media_type, &bytes));
    }
    let too_large = |message: String| ImageError::TooLarge { path: named.to_owned(), message };
    let decoded = image::load_from_memory(&bytes).map_err(|error| too_large(error.to_string()))?;
    let scaled = scaled(&decoded, limit).map_err(|error| too_large(error.to_string()))?;
    let scaled = scaled.ok_or_else(|| too_large("even small it takes more".to_owned()))?;
    Ok(image("image/jpeg", &scaled))
}

fn image(media_type: &str, bytes: &[u8]) -> Part {
    Part::Image { media_type: media_type.to_owned(), base64: STANDARD.encode(bytes) }
}

/// Bytes in base64.
fn encoded_length(bytes: usize) -> usize {
    bytes.div_ceil(3).saturating_mul(4)
}

/// The media type by the first bytes.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], &str); 4] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"RIFF", "image/webp"),
    ];
    let found = kinds.into_iter().find(|(magic, _)| bytes.starts_with(magic));
    let webp = bytes.get(8..12) == Some(b"WEBP".as_slice());
    found.map(|(_, kind)| kind).filter(|kind| *kind != "image/webp" || webp)
}

/// The image as JPEG within the limit, as large as halvings of its area allow; none if even the smallest is above it.
fn scaled(decoded: &DynamicImage, limit: usize) -> Result<Option<Vec<u8>>, image::ImageError> {
    let (mut width, mut height) = (decoded.width(), decoded.height());
    loop {
        let smaller = decoded.resize(width, height, image::imageops::FilterType::Triangle);
        let mut bytes = Cursor::new(Vec::new());
        // JPEG has no transparency.
        DynamicImage::from(smaller.to_rgb8()).write_to(&mut bytes, ImageFormat::Jpeg)?;
        if encoded_length(bytes.get_ref().len()) <= limit {
            return Ok(Some(bytes.into_inner()));
        }
        (width, height) = (width / 10 * 7, height / 10 * 7);
        if width.max(height) < SMALLEST_SIDE {
            return Ok(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of noise, which no format makes small.
    fn page(folder: &Path, name: &str) -> PathBuf {
        let pixel = |x: u32, y: u32| image::Rgb([(x * 37 + y * 91) as u8, (x * y) as u8, (x ^ y) as u8]);
        let path = folder.join(name);
        image::RgbImage::from_fn(300, 200, pixel).save_with_format(&path, ImageFormat::Png).unwrap();
        path
    }

    #[test]
    fn an_image_is_scaled_only_above_the_limit_counted_in_base64() {
        let folder = tempfile::tempdir().unwrap();
        // The name lies about the type.
        let path = page(folder.path(), "page.jpg");
        let bytes = std::fs::read(&path).unwrap();
        let exact = STANDARD.encode(&bytes).len() as u64;
        for (limit, media_type, whole) in [
            (0, "image/png", true),
            (exact, "image/png", true),
            (exact - 1, "image/jpeg", false),
            (4000, "image/jpeg", false),
        ] {
            let Part::Image { media_type: found, base64 } = part(&path, "page.jpg", limit).unwrap() else {
                panic!("an image")
            };
            assert_eq!((found.as_str(), base64 == STANDARD.encode(&bytes)), (media_type, whole), "{limit}");
            assert!(limit == 0 || base64.len() as u64 <= limit);
        }
        assert!(matches!(part(&path, "page.jpg", 10), Err(ImageError::TooLarge { .. })));
        std::fs::write(&path, "no image").unwrap();
        assert!(matches!(part(&path, "page.jpg", 0), Err(ImageError::Unknown { .. })));
    }

    #[test]
    fn images_are_found_inside_the_folder_only() {
        let outside = tempfile::tempdir().unwrap();
        let secret = page(outside.path(), "secret.png");
        let folder = outside.path().join("data");
        std::fs::create_dir_all(folder.join("images")).unwrap();
        page(&folder, "a.png");
        page(&folder.join("images"), "b.png");
        for (named, found) in [
            ("a.png", true),
            ("images/b.png", true),
            ("elsewhere/b.png", true),
            ("/absolute/b.png", true),
            ("c.png", false),
            ("../secret.png", false),
            (secret.to_str().unwrap(), false),
        ] {
            assert_eq!(locate(&folder, named).is_ok(), found, "{named}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&secret, folder.join("link.png")).unwrap();
            assert!(locate(&folder, "link.png").is_err());
        }
    }
}
