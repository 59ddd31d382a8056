//! Signing in, by an API key.

use maud::html;

use super::{frame, links};

/// Renders the form. `fault` says why the given key is refused, and `next` is the page to go to.
pub(crate) fn form(fault: Option<&str>, next: Option<&str>) -> String {
    frame::bare(
        "Sign in",
        &html! {
            @if let Some(fault) = fault { p.note role="alert" { (fault) } }
            form.sign-in method="post" action=(links::SIGN_IN) {
                // A password manager stores a password with a user name.
                input type="text" name="username" autocomplete="username" value="tdg" hidden;
                @if let Some(next) = next { input type="hidden" name="next" value=(next); }
                label for="key" { "API key" }
                input id="key" type="password" name="key" autocomplete="current-password" required
                    autofocus spellcheck="false" maxlength="200";
                button type="submit" { "Sign in" }
            }
            p.faint {
                "You need a key with the scope `read`: "
                code { "tdg-server keys create --scopes read" } "."
            }
        },
    )
}
