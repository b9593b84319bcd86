//! What never leaves this program: a few kinds of money matters and standing, and whatever looks like a secret.
//!
//! One list of terms and one matcher, used at the source: text that comes out of a store is a [`Shown`] before it is
//! anything else, so no answer can hold what was not looked at. The matcher takes one character at a time and keeps what it
//! needs of the ones before, so that text can also be looked at as it comes.

mod fold;
mod terms;
mod codes;
mod markup;
mod matcher;
mod kinds;
mod secrets;
mod sentence;
mod redactor;
mod shown;
mod spread;

pub(crate) use fold::is_unseen;
pub use fold::plain;
pub use redactor::Redactor;
pub use secrets::{secret_ranges, without_secrets};
pub use shown::Shown;
pub use spread::spread;
pub use terms::{TERMS, Term};

/// What stands where something was taken out.
pub const MARK: &str = "[redacted]";

/// The text without what must not leave: from a term to the end of its sentence, and whatever looks like a secret.
pub fn redact(text: &str) -> String {
    let mut redactor = Redactor::default();
    let mut redacted = redactor.push(text);
    redacted.push_str(&redactor.finish());
    redacted
}

/// Whether the text holds anything that [`redact`] would take out.
pub fn is_private(text: &str) -> bool {
    let mut redactor = Redactor::default();
    redactor.push(text);
    redactor.has_hidden()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(redact(text), expect, "{text:?}");
        assert_eq!(redact(expect), expect, "what was redacted stays as it is");
        assert_eq!(is_private(text), text != expect);
    }

    #[test]
    fn each_term_is_found_in_every_dress() {
        for text in [
            "trust score",
            "trustScore",
            "trust\u{a0}score",
            "trust-score",
            "trust_score",
            "TRUSTSCORE",
            "scoreability",
            "reward",
            "rewards",
            "rewarded",
            "payout",
            "payouts",
            "ranking",
            "rankings",
            "private scoring",
            "private-score",
            "wallet",
            "wallets",
            "wallet_address",
            "walletAddress",
            "myWallet",
            "my_hotkey",
            "hot key",
            "hot-key",
            "hotkeys",
            "coldkey",
            "cold key",
            "w a l l e t",
            "wa**ll**et",
            "wal\u{200b}let",
            "wal\u{ad}let",
            "w\u{430}llet",
            "ｗａｌｌｅｔ",
            "h0tkey",
            "wállet",
            "c0ldk3y",
            "1wallet",
            "rew@rd",
            "trust     score",
            "wa****llet",
            "hot keys",
            "pay outs",
            "tru\u{fb05}score",
            "\u{397}otkey",
            "\u{1f1fc}\u{1f1e6}\u{1f1f1}\u{1f1f1}\u{1f1ea}\u{1f1f9}",
            "waIIet",
            "vvallet",
            "revvarcl",
            "rewar\u{2202}",
            "hot\u{138}ey",
            "\u{26f}allet",
            "rank1ng",
            "wa&#8203;llet",
            "wa&shy;llet",
            "w&#97;llet",
            "&#119;allet",
            "&#x57;alle&#116;",
            "w&aacute;l<wbr>l&#101t",
            "wa<b>l</b>let",
            "wa<b style='color: red; font-weight: bold; font-size: 20px; margin: 0'>l</b>let",
            "wal&period;let",
            "&wscr;allet",
            "w%61llet",
            "wal%6Cet",
            "%77allet",
            "wal%E2%80%8Blet",
            "w%D0%B0llet",
            "hot%20key",
            "w\\u0061llet",
            "\\u0077allet",
            "wal\\u200blet",
            "w\\x61llet",
            "w\\u{61}llet",
            "\\ud835\\udc30allet",
            "wa[ll](https://a.example/b)et",
            "wal[](x)let",
            "wa[ll][1]et",
            "wal[^1]let",
            "\u{a4ea}\u{a4ee}\u{a4e1}\u{a4e1}\u{a4f0}\u{a4d4}",
            "\u{2cb1}allet",
            "rewаяd",
            "uuallet",
            "wa\u{a3}\u{a3}et",
            "p^yout",
            "payou\u{2020}",
            "pay<span class='x'>out</span>",
            "\u{1d21}\u{1d00}\u{29f}\u{29f}\u{1d07}\u{1d1b}",
        ] {
            check(
                text,
                &match text {
                    "myWallet" => "my[redacted]".to_owned(),
                    "my_hotkey" => "my_[redacted]".to_owned(),
                    "1wallet" => "1[redacted]".to_owned(),
                    _ => MARK.to_owned(),
                },
            );
        }
    }

    #[test]
    fn what_only_looks_alike_passes() {
        for text in [
            "for ward",
            "are warding",
            "franking",
            "forward",
            "crewards",
            "score",
            "trust",
            "tao",
            "a key",
            "",
            "a hot keyboard",
            "pay outside",
            "we rank in groups of 9",
            "It was hot. Key findings follow",
            "Re: wardrobe",
            "the wall etched",
            "a wail et al",
            "wa & ll < et",
            "hot &amp; dry, a <b>key</b> point",
            "the top drawer, and tellaw",
            "C:\\new\\tools, 100% of [them](https://a.example/x), a[0][1], \\u00",
            "hot%zz key%20",
            "snapshotKey and screenshotkeys, oneShotKey",
            "feat/rank-ingestion, fix/hot-keymap, hot_keyboard.rs",
            "pay-outlier-detection, wallEtching",
            "rank in 9 groups",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn the_rest_of_the_sentence_goes_and_the_next_one_stays() {
        check("Hello. Your wallet is 5xyz! More text.", "Hello. Your [redacted]! More text.");
        check("The payout\nnext line", "The [redacted]\nnext line");
        check("reward. Payout. X", "[redacted]. [redacted]. X");
        for figure in [
            "approx. 42 TAO",
            "ca. 42",
            "no. 5F3abc",
            "(see fig. 2) 42 TAO",
            "gold, etc. and 42",
            "i.e. Forty",
            "Dr. Smith's 7",
            "J. Doe's 7",
            "less. 42 in all",
            "more? 42",
            "\n42 TAO",
            ":\n  - 42 TAO",
            "\n\n* 7",
            "\n**42** TAO",
            ": $\n| 42 |",
        ] {
            check(&format!("Your wallet holds {figure}. Next."), "Your [redacted]. Next.");
        }
        for figure in [
            format!(".\n|{}|\n| 4242 |", "-".repeat(29)),
            format!("\n{}\n4242", "=".repeat(70)),
            ".\n\n```text\n4242".to_owned(),
            ". <b>4242</b>".to_owned(),
            ":\n&nbsp;&nbsp;&nbsp;4242".to_owned(),
            "。4242".to_owned(),
            "！ 4242".to_owned(),
            format!("\n{}\n4242", "=".repeat(700)),
            ".\n\n42 TAO in all".to_owned(),
            "\n1. 4242".to_owned(),
        ] {
            let text = format!("the wallet{figure}");
            assert!(!redact(&text).contains("42"), "{text:?}: {}", redact(&text));
        }
        check(
            "No tool exposes rewards.\n1. acme/api#42\n2. acme/web#7",
            "No tool exposes [redacted].\n1. acme/api#42\n2. acme/web#7",
        );
        check(
            "No wallet data.\n\n12 PRs are open:\n1. #3\n2. #4\n\nBye.",
            "No [redacted].\n\n12 PRs are open:\n1. #3\n2. #4\n\nBye.",
        );
        check("No wallet data.\n- #3\n- #4", "No [redacted].\n- #3\n- #4");
        check("- wallet: 5\n- plans: 3", "- [redacted]\n- plans: 3");
        check("Wallet: **5**\n\n**Plans** are 3. (see there)", "[redacted]\n\n**Plans** are 3. (see there)");
        check("a wallet?\n\u{1f1ed}\u{1f1f4}\u{1f1f9}\u{1f1f0}\u{1f1ea}\u{1f1fe} 5. X", "a [redacted]. X");
        check("a wallet?\n\u{1f1ed}\u{1f1f4}\u{1f1f9} \u{1f1f0}\u{1f1ea}\u{1f1fe}", "a [redacted]");
        check("acme/wallet-connect", "acme/[redacted]");
        check("reward\nwallet, and\nmore", "[redacted]\nmore");
        check("我的wallet余额。好", "我的[redacted]。好");
        check("HTTPWallet WALLET", "HTTP[redacted]");
        check("MYWALLET=5", "MY[redacted]");
        check("EWallet. BLOCKREWARDS 5. THEHOTKEY", "E[redacted]. BLOCK[redacted]. THE[redacted]");
        check("FORWARD, HTTPWALLETS, SNAPSHOTKEY", "FORWARD, HTTPWALLETS, SNAPSHOTKEY");
        check("my \u{202e}tellaw\u{202c} is", "my \u{202e}[redacted]");
        check("my \u{202e}gnirocsetavirp\u{202c} is", "my \u{202e}gni[redacted]");
        check("a\u{202e}x\u{202c} drawer", "a\u{202e}x\u{202c} drawer");
        check("%2Fwallet%3D5. X", "%2F[redacted]. X");
        check("{\"a\":\"line\\nwallet\"}", "{\"a\":\"line\\n[redacted]");
    }

    #[test]
    fn whatever_looks_like_a_secret_goes() {
        check("token ghp_0123456789abcdefXYZ end", "token [redacted] end");
        check("sk-0123456789abcdef0", MARK);
        check("phc_0123456789abcdefgh, and", "[redacted], and");
        check("-----BEGIN RSA PRIVATE KEY-----\nabc", "[redacted]");
        check("task-0123456789abcdef0123", "task-0123456789abcdef0123");
        check("ghp_short", "ghp_short");
        check("ghp_01234567\u{200d}89abcdefXYZ end", "[redacted] end");
    }

    #[test]
    fn each_kind_of_token_goes() {
        let joined = "AbCdEf-0123456789_abcdef";
        for prefix in ["sk-ant-api03-", "sk-proj-", "sk-svcacct-", "glpat-", "xoxb-", "xoxp-", "xapp-1-"] {
            check(&format!("use {prefix}{joined}, please"), "use [redacted], please");
        }
        let plain = "0123456789abcdefABCDEF0123456789abcd";
        for prefix in ["npm_", "hf_", "sk_live_", "ghs_"] {
            check(&format!("use {prefix}{plain}, please"), "use [redacted], please");
        }
        check("xoxb-123-456-abc", MARK);
        check("AKIAIOSFODNN7EXAMPLE", MARK);
        check("AIzaSyA-0123456789_abcdefghijklmnopqrstu", MARK);
        check("a eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-X_1 b", "a [redacted] b");
        check("Authorization: Bearer abc.def-0123456789=", "Authorization: Bearer [redacted]");
        check("authorization: basic dXNlcjpwdw== x", "authorization: basic [redacted] x");
        check("postgres://u:p@host/db and", "postgres://[redacted]@host/db and");
        check("https://user:p@w0rd@host", "https://[redacted]@[redacted]@host");
    }

    #[test]
    fn words_that_begin_as_tokens_do_stay() {
        for text in [
            "sk-ant-colony-optimisation-rules",
            "hf_transformers and npm_config_registry_and_so_on_and_on",
            "AKIA, AIzawa, eyJ and eyJafjalla.eyJ",
            "the bearer of this letter; a Bearer authentication-scheme",
            "ssh://git@github.com:22/a/b, https://host:8080/a@b, mailto:a@b.c, std::io://",
            "https://github.com/acme/widgets/pull/7#issuecomment-1",
        ] {
            check(text, text);
        }
    }
}
