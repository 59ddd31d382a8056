//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use mailparse::{MailAddr, MailParseError, ParsedContentDisposition};

#[tdg::ensemble_test(size = 1000)]
fn timestamp(
    #[define(uniform(0..=32))] day: u32,
    #[define(categorical("Jan", "Feb", "March", "Apr", "May", "jun", "Jul", "Aug", "Sept", "Oct", "NOV", "Dec"))] month: &str,
    #[define(uniform(1965..=2035))] year: u32,
    #[define(uniform(0..=23))] hour: u32,
    #[define(uniform(0..=59))] minute: u32,
    #[define(categorical("+0000", "GMT", "EST", "PDT", "-0700", "+0530", "-0330", "Z", "J", "+9999"))] zone: &str,
) -> Result<i64, MailParseError> {
    mailparse::dateparse(&format!("{day} {month} {year} {hour:02}:{minute:02}:00 {zone}"))
}

#[tdg::ensemble_test(size = 500)]
fn addresses(
    #[define(pattern(regex = "((\"[A-Z][a-z]{1,4}, [A-Z]\" |[A-Z][a-z]{1,5} )<[a-z]{1,4}@[a-z]{2}\\.org>|[a-z]{1,4}@x\\.de|[a-z]{3}|[a-z]{2}@y\\.de \\(home\\)|Team: [a-z]@z\\.de;|)([,;] ?([a-z]{1,3}@q\\.nl|<[a-z]@r\\.fr>)){0,2}"))]
    text: &str,
) -> Result<Vec<String>, MailParseError> {
    let list = mailparse::addrparse(text)?;
    Ok(list
        .iter()
        .map(|it| match it {
            MailAddr::Single(it) => it.to_string(),
            MailAddr::Group(it) => it.to_string(),
        })
        .collect())
}

#[tdg::ensemble_test(size = 500, output = "debug")]
fn disposition(
    #[define(pattern(regex = "(inline|attachment|ATTACHMENT|form-data|x-[a-z]{2})( ?; ?(filename|FileName|name|size)=(\"[a-z; ]{0,6}\"|[a-z0-9.]{1,6})){0,3}"))]
    header: &str,
) -> ParsedContentDisposition {
    mailparse::parse_content_disposition(header)
}

#[tdg::ensemble_test(size = 500)]
fn message_ids(
    #[define(pattern(regex = " ?(<[a-z]{1,3}@[a-z]{1,2}>|<>|[a-z]@b)?( {0,2}(<[a-z0-9]{1,4}@h>|<[a-z]{2})){0,3} ?"))] text: &str,
) -> Result<Vec<String>, MailParseError> {
    Ok(mailparse::msgidparse(text)?.to_vec())
}
