//! Resolves URIs of a level: data in the text itself, or a file in the level's folder. No other file is ever opened.

use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::files::{self, ReadError};

/// The reason why the bytes of a URI cannot be read. The cure depends on the use of the URI.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UriError {
    #[error("is not opened: only files in the level's folder are read, and no network addresses")]
    Outside,
    #[error("is not opened: the level was read from memory and has no folder")]
    NoFolder,
    #[error("is not UTF-8 after percent-decoding")]
    NotUtf8,
    #[error("has broken base64 data ({0})")]
    Base64(base64::DecodeError),
    #[error("is a data: URI without a comma before its data")]
    NoComma,
    #[error("{0}")]
    Read(#[from] ReadError),
}

/// Base64 with optional padding: some exporters write it, some do not.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes of a URI. `folder` is the level's folder; if it is `None`, only `data:` URIs are read.
pub(crate) fn read_uri(uri: &str, folder: Option<&Path>, limit: u64) -> Result<Vec<u8>, UriError> {
    if let Some(data) = strip_scheme(uri, "data") {
        return decode_data(data);
    }
    let relative = relative_path(uri)?;
    let folder = folder.ok_or(UriError::NoFolder)?;
    // The resolved path is checked, because a link in the folder may lead out of it.
    let folder = folder.canonicalize().map_err(ReadError::Io)?;
    let path = folder
        .join(relative)
        .canonicalize()
        .map_err(ReadError::Io)?;
    if !path.starts_with(&folder) {
        return Err(UriError::Outside);
    }
    Ok(files::read(&path, limit)?)
}

/// The part after `scheme:`, if the URI has this scheme; the case does not matter.
fn strip_scheme<'a>(uri: &'a str, scheme: &str) -> Option<&'a str> {
    let (head, rest) = uri.split_once(':')?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// The data of a `data:` URI: `[type][;base64],DATA`.
fn decode_data(data: &str) -> Result<Vec<u8>, UriError> {
    let (kind, data) = data.split_once(',').ok_or(UriError::NoComma)?;
    let is_base64 = kind
        .rsplit_once(';')
        .is_some_and(|(_, encoding)| encoding.trim().eq_ignore_ascii_case("base64"));
    if is_base64 {
        BASE64.decode(data.trim()).map_err(UriError::Base64)
    } else {
        Ok(percent_decode_str(data).collect())
    }
}

/// The path of a file below the level's folder. Refuses everything that could mean another location on some system:
/// schemes and drive letters, roots, `..`, backslashes.
fn relative_path(uri: &str) -> Result<PathBuf, UriError> {
    let decoded = percent_decode_str(uri).decode_utf8();
    let decoded = decoded.map_err(|_| UriError::NotUtf8)?;
    let path = Path::new(decoded.as_ref());
    let below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if decoded.contains([':', '\\', '\0']) || !path.components().all(below) {
        return Err(UriError::Outside);
    }
    Ok(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::TemporaryFolder;

    #[test]
    fn a_file_beside_the_level_is_read_under_its_percent_encoded_name() {
        let folder = TemporaryFolder::new("beside", true);
        let folder = &folder.0;
        std::fs::create_dir(folder.join("textures")).unwrap();
        std::fs::write(folder.join("textures/a b.bin"), b"1234").unwrap();
        let read = |uri, limit| read_uri(uri, Some(folder), limit);
        assert_eq!(read("textures/a%20b.bin", 4).unwrap(), b"1234");
        assert_eq!(read("./textures/a b.bin", 4).unwrap(), b"1234");
        let too_large = read("textures/a%20b.bin", 3);
        let too_large = too_large.map_err(|error| error.to_string());
        assert_eq!(too_large, Err("is larger than 3 bytes".to_owned()));
        assert!(matches!(
            read("textures", 4),
            Err(UriError::Read(ReadError::NotAFile))
        ));
        assert!(matches!(
            read("none.bin", 4),
            Err(UriError::Read(ReadError::Io(_)))
        ));
    }

    #[test]
    fn nothing_outside_the_folder_is_opened() {
        let outer = TemporaryFolder::new("outside", true);
        let outer = &outer.0;
        let inner = outer.join("level");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(outer.join("secret.bin"), b"1234").unwrap();
        let absolute = outer.join("secret.bin");
        for uri in [
            "../secret.bin",
            "%2e%2e/secret.bin",
            "x/../../secret.bin",
            "..\\secret.bin",
            "C:\\secret.bin",
            "C:secret.bin",
            "//host/secret.bin",
            "file:///etc/passwd",
            "http://127.0.0.1:9/x.bin",
            "https:x.bin",
            absolute.to_str().unwrap(),
        ] {
            let result = read_uri(uri, Some(&inner), 100);
            assert!(
                matches!(result, Err(UriError::Outside)),
                "{uri}: {result:?}"
            );
        }
        assert!(read_uri("", Some(&inner), 100).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_of_the_folder_is_not_followed() {
        let outer = TemporaryFolder::new("links", true);
        let outer = &outer.0;
        let inner = outer.join("level");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(outer.join("secret.bin"), b"1234").unwrap();
        std::fs::write(inner.join("own.bin"), b"5678").unwrap();
        std::os::unix::fs::symlink("../secret.bin", inner.join("out.bin")).unwrap();
        std::os::unix::fs::symlink("own.bin", inner.join("in.bin")).unwrap();
        let read = |uri| read_uri(uri, Some(&inner), 100);
        assert!(matches!(read("out.bin"), Err(UriError::Outside)));
        assert_eq!(read("in.bin").unwrap(), b"5678");
    }

    #[test]
    fn data_uris_are_decoded_and_broken_ones_refused() {
        let read = |uri| read_uri(uri, None, 0);
        assert_eq!(read("data:;base64,AAEC").unwrap(), [0, 1, 2]);
        assert_eq!(
            read("DATA:application/octet-stream;base64,AAE=").unwrap(),
            [0, 1]
        );
        assert_eq!(read("data:;base64,AAE").unwrap(), [0, 1]);
        assert_eq!(read("dAtA:APPLICATION/x;BASE64,AAE=").unwrap(), [0, 1]);
        assert_eq!(read("data:;Base64,AAE=").unwrap(), [0, 1]);
        assert_eq!(read("data:,a%20b").unwrap(), b"a b");
        assert!(matches!(
            read("data:;base64,A*EC"),
            Err(UriError::Base64(_))
        ));
        assert!(matches!(read("data:;base64"), Err(UriError::NoComma)));
        assert!(matches!(read("level.bin"), Err(UriError::NoFolder)));
    }
}
