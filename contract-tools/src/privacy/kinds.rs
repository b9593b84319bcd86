//! The kinds of tokens that are known, each by how it begins and what it is made of behind that.

/// A kind of token: how it begins, and what it is made of behind that.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) prefix: &'static str,
    pub(super) body: Body,
    /// It has at least this many characters behind its prefix.
    pub(super) shortest: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// Letters and digits.
    Plain,
    /// Capital letters and digits.
    Capitals,
    /// Hyphens and underscores too, as words are joined: without a digit it is none unless it is long.
    Joined,
    /// Two parts with a dot between them, the second of which begins as the first does; signed with a third.
    Parts,
    /// What stands in a header behind the name of its scheme, which is shown.
    Header,
    /// What stands in an address behind the place of a service's hooks, which is shown: whoever knows it may post there.
    Path,
}

impl Body {
    /// Whether the prefix says what it is and is no part of the secret.
    pub(super) fn is_named(self) -> bool {
        matches!(self, Self::Header | Self::Path)
    }
}

impl Kind {
    /// Whether the character stands at this place of the prefix. A header's name is written as anybody likes, and so is a
    /// host's.
    pub(super) fn matches(&self, place: usize, character: char) -> bool {
        self.prefix.as_bytes().get(place).is_some_and(|byte| {
            let expected = char::from(*byte);
            character == expected || (self.body.is_named() && character.eq_ignore_ascii_case(&expected))
        })
    }
}

const fn kind(prefix: &'static str, body: Body, shortest: usize) -> Kind {
    Kind { prefix, body, shortest }
}

pub(super) const KINDS: [Kind; 48] = [
    kind("ghp_", Body::Plain, 16),
    kind("gho_", Body::Plain, 16),
    kind("ghu_", Body::Plain, 16),
    kind("ghs_", Body::Plain, 16),
    kind("ghr_", Body::Plain, 16),
    kind("github_pat_", Body::Plain, 16),
    kind("glpat-", Body::Joined, 16),
    kind("sk-", Body::Plain, 16),
    kind("sk-ant-", Body::Joined, 16),
    kind("sk-proj-", Body::Joined, 16),
    kind("sk-svcacct-", Body::Joined, 16),
    kind("sk-admin-", Body::Joined, 16),
    kind("sk-or-", Body::Joined, 16),
    kind("sk_live_", Body::Plain, 16),
    kind("sk_test_", Body::Plain, 16),
    kind("rk_live_", Body::Plain, 16),
    kind("phc_", Body::Plain, 16),
    kind("gts_", Body::Plain, 16),
    kind("xoxa-", Body::Joined, 10),
    kind("xoxb-", Body::Joined, 10),
    kind("xoxp-", Body::Joined, 10),
    kind("xoxr-", Body::Joined, 10),
    kind("xoxs-", Body::Joined, 10),
    kind("xapp-", Body::Joined, 10),
    kind("AKIA", Body::Capitals, 16),
    kind("ASIA", Body::Capitals, 16),
    kind("AIza", Body::Joined, 35),
    kind("npm_", Body::Plain, 30),
    kind("hf_", Body::Plain, 30),
    kind("eyJ", Body::Parts, 10),
    kind("bearer ", Body::Header, 16),
    kind("authorization: basic ", Body::Header, 6),
    kind("authorization: token ", Body::Header, 6),
    kind("hooks.slack.com/services/", Body::Path, 8),
    kind("hooks.slack.com/workflows/", Body::Path, 8),
    kind("hooks.slack.com/triggers/", Body::Path, 8),
    kind("hooks.slack-gov.com/services/", Body::Path, 8),
    kind("discord.com/api/webhooks/", Body::Path, 8),
    kind("discord.com/api/v9/webhooks/", Body::Path, 8),
    kind("discord.com/api/v10/webhooks/", Body::Path, 8),
    kind("discordapp.com/api/webhooks/", Body::Path, 8),
    kind("webhook.office.com/webhookb2/", Body::Path, 8),
    kind("outlook.office.com/webhook/", Body::Path, 8),
    kind("hooks.zapier.com/hooks/", Body::Path, 8),
    kind("hook.eu1.make.com/", Body::Path, 8),
    kind("hook.us1.make.com/", Body::Path, 8),
    kind("chat.googleapis.com/v1/spaces/", Body::Path, 8),
    kind("api.telegram.org/bot", Body::Path, 8),
];
