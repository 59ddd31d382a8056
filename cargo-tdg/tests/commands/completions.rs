//! Shell completions and manual pages.

use tdg_tests::Program;

use crate::tdg;

#[test]
fn every_shell_has_completions() {
    let shop = Program::shop().checkout();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = tdg(&shop, &["completions", shell]).passes().stdout;
        assert!(
            script.contains("cargo-tdg") && script.contains("rename"),
            "{shell}: {script}"
        );
    }
    let other = tdg(&shop, &["completions", "tcsh"]).finish();
    assert_eq!(other.code, Some(2));
    insta::assert_snapshot!(other.stderr.lines().next().unwrap(), @"error: invalid value 'tcsh' for '<SHELL>': expected one of bash, elvish, fish, powershell, zsh");
}

#[test]
#[cfg(unix)]
fn bash_completes_commands_and_options() {
    let shop = Program::shop().checkout();
    let script = tdg(&shop, &["completions", "bash"]).passes().stdout;
    shop.write("completions", &script);
    let complete = "source completions; \
        COMP_WORDS=(cargo-tdg sho); COMP_CWORD=1; _cargo__tdg cargo-tdg sho cargo-tdg; echo ${COMPREPLY[@]}; \
        COMP_WORDS=(cargo-tdg show --ch); COMP_CWORD=2; _cargo__tdg cargo-tdg --ch show; echo ${COMPREPLY[@]}";
    let run = tdg_tests::Run::new("bash", shop.folder())
        .arguments(&["-c", complete])
        .passes();
    assert_eq!(run.stdout, "show\n--changed\n", "{run}");
}

#[test]
fn every_command_has_a_manual_page() {
    let shop = Program::shop().checkout();
    let page = tdg(&shop, &["man"]).passes().stdout;
    assert!(page.contains(".TH cargo-tdg 1"), "{page}");
    tdg(&shop, &["man", "pages"]).passes();
    assert!(
        shop.read("pages/cargo-tdg.1")
            .contains("cargo\\-tdg\\-rename(1)")
    );
    let page = shop.read("pages/cargo-tdg-rename.1");
    assert!(page.contains("former name"), "{page}");
}
