//! The text of a file: UTF-8, or UTF-16 with a byte order mark.

use std::borrow::Cow;

use super::TableError;

/// Decodes the text of a file, without its byte order mark.
///
/// ```
/// use tdg_definition::table::text;
///
/// assert_eq!(text("cases.csv", b"\xef\xbb\xbfa\n1\n")?, "a\n1\n");
/// assert_eq!(text("cases.csv", b"\xff\xfea\0\n\x001\0\n\0")?, "a\n1\n");
/// # Ok::<(), tdg_definition::table::TableError>(())
/// ```
///
/// # Errors
/// The first invalid byte and its line, or an error for files that aren't text.
pub fn text<'a>(path: &str, bytes: &'a [u8]) -> Result<Cow<'a, str>, TableError> {
    let text = match bytes {
        [0x1f, 0x8b, ..] => {
            let problem = format!("the file is compressed; decompress it with `gunzip -k {path}`");
            return Err(TableError::of_file(problem));
        }
        [b'P', b'K', 3, 4, ..] => {
            let problem = "the file is a workbook or an archive; save the table as CSV in UTF-8";
            return Err(TableError::of_file(problem));
        }
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)?),
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(utf8(path, rest)?),
        bytes => Cow::Borrowed(utf8(path, bytes)?),
    };
    let Some(offset) = text.find(['\0', '\u{feff}']) else {
        return Ok(text);
    };
    let problem = match (text.as_bytes()[offset], offset) {
        (0, 0 | 1) => {
            let order = ["BE", "LE"][offset];
            format!(
                "a NUL byte, as in UTF-16 without a byte order mark; \
                 convert the file: iconv -f UTF-16{order} -t UTF-8 {path} > utf8.csv"
            )
        }
        (0, _) => format!("a NUL byte; remove it: tr -d '\\000' < {path} > clean.csv"),
        _ => "a byte order mark within the text, as where files were joined; remove it".to_owned(),
    };
    Err(TableError::in_text(&text, offset, problem))
}

fn utf8<'a>(path: &str, bytes: &'a [u8]) -> Result<&'a str, TableError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        // This part is valid UTF-8.
        let before = String::from_utf8_lossy(&bytes[..offset]);
        let problem = format!(
            "the byte 0x{:02x} is not UTF-8; save the file as UTF-8, or convert it from its \
             encoding, such as Latin-1: iconv -f WINDOWS-1252 -t UTF-8 {path} > utf8.csv",
            bytes[offset]
        );
        TableError::in_text(&before, offset, problem)
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, TableError> {
    let units = bytes.chunks(2).map(|pair| match *pair {
        [one, other] => unit([one, other]),
        // An odd byte is invalid, like an unpaired surrogate.
        _ => 0xd800,
    });
    let mut text = String::with_capacity(bytes.len());
    for character in char::decode_utf16(units) {
        match character {
            Ok(character) => text.push(character),
            Err(_) => {
                let problem = "not UTF-16, though the file begins with its byte order mark; save \
                               the file as UTF-8";
                return Err(TableError::in_text(&text, text.len(), problem));
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(bytes: &[u8]) -> String {
        text("a.csv", bytes).unwrap_err().to_string()
    }

    #[test]
    fn utf_16_is_read_in_both_byte_orders() {
        let characters = "n\r\n\"é 𝄞\"\r\n";
        for (mark, bytes) in [
            ([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]),
            ([0xfe, 0xff], u16::to_be_bytes),
        ] {
            let units = characters.encode_utf16().flat_map(bytes);
            let file: Vec<u8> = mark.into_iter().chain(units).collect();
            assert_eq!(text("a.csv", &file).unwrap(), characters);
            let half = wrong(&file[..file.len() - 1]);
            assert!(half.starts_with("line 3, column 1: not UTF-16"), "{half}");
        }
    }

    #[test]
    fn invalid_text_is_reported_with_its_place_and_a_fix() {
        let messages = [
            wrong(b"x\n1\ncaf\xe9\n"),
            wrong(b"\xef\xbb\xbfx\r\n1\r\n\xff\n"),
            wrong(b"x\0\n\0"),
            wrong(b"\0x\0\n"),
            wrong(b"x\n1\n2\0\n"),
            wrong("x\n1\n\u{feff}x\n2\n".as_bytes()),
            wrong(b"\x1f\x8b\x08\0\0"),
            wrong(b"PK\x03\x04\0"),
        ];
        insta::assert_snapshot!(messages.join("\n"), @r"
        line 3, column 4: the byte 0xe9 is not UTF-8; save the file as UTF-8, or convert it from its encoding, such as Latin-1: iconv -f WINDOWS-1252 -t UTF-8 a.csv > utf8.csv
        line 3, column 1: the byte 0xff is not UTF-8; save the file as UTF-8, or convert it from its encoding, such as Latin-1: iconv -f WINDOWS-1252 -t UTF-8 a.csv > utf8.csv
        line 1, column 2: a NUL byte, as in UTF-16 without a byte order mark; convert the file: iconv -f UTF-16LE -t UTF-8 a.csv > utf8.csv
        line 1, column 1: a NUL byte, as in UTF-16 without a byte order mark; convert the file: iconv -f UTF-16BE -t UTF-8 a.csv > utf8.csv
        line 3, column 2: a NUL byte; remove it: tr -d '\000' < a.csv > clean.csv
        line 3, column 1: a byte order mark within the text, as where files were joined; remove it
        the file is compressed; decompress it with `gunzip -k a.csv`
        the file is a workbook or an archive; save the table as CSV in UTF-8
        ");
    }
}
