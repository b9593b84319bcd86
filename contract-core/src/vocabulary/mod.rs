//! Closed words: each vocabulary is one enum, written once, that knows its spelling on every side (Rust, JSON, JSON
//! Schema, the attribute's compile-time check).
//!
//! The attribute macro holds no list of words. It turns `auth = "maintainer"` into a const call to [`Auth::check`] that is
//! spanned at the literal, so a misspelt word is a compile error there which lists the words that would be right.

mod auth;
mod availability;
mod categories;
mod locality;
pub(crate) mod words;

pub use self::auth::Auth;
pub use self::availability::Availability;
pub use self::categories::Categories;
pub use self::locality::Locality;

/// A closed set of words with one spelling on the wire.
///
/// Implemented by everything [`vocabulary!`](macro@crate::vocabulary) defines.
pub trait Vocabulary: Copy + 'static {
    /// What the set is called in a sentence, for example `auth`.
    const NOUN: &'static str;
    /// Every word, in declared order.
    const WORDS: &'static [&'static str];

    /// The word on the wire.
    fn as_str(self) -> &'static str;

    /// The member that `word` spells, exactly and case-sensitively.
    fn from_word(word: &str) -> Option<Self>;
}

/// Defines one closed vocabulary: the enum and everything that has to agree with it.
///
/// ```
/// contract_core::vocabulary! {
///     /// How a parcel travels.
///     pub enum Carrier: "carrier" {
///         /// By road.
///         Road = "road",
///         /// By air.
///         Air = "air",
///     }
/// }
///
/// assert_eq!(Carrier::WORDS, ["road", "air"]);
/// assert_eq!(Carrier::parse("air"), Some(Carrier::Air));
/// assert_eq!(Carrier::Road.to_string(), "road");
/// ```
///
/// The enum gets `WORDS`, `ALL`, `as_str`, `const fn parse`, `const fn check` (for compile-time use), `Display`,
/// `FromStr`, `Serialize`, `Deserialize`, `JsonSchema` and [`Vocabulary`](crate::vocabulary::Vocabulary).
#[macro_export]
macro_rules! vocabulary {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident: $noun:literal {
            $( $(#[$variant_meta:meta])* $variant:ident = $word:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name {
            $( $(#[$variant_meta])* $variant, )+
        }

        // A private vocabulary offers every view of its words too, whichever its owner needs: naming them here is their use.
        const _: () = {
            let _ = ($name::WORDS, $name::ALL, $name::as_str, $name::parse, $name::check, $name::or_first);
        };

        impl $name {
            /// Every word, in declared order.
            $vis const WORDS: &'static [&'static str] = &[$($word),+];
            /// Every member, in declared order.
            $vis const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word on the wire.
            #[must_use]
            $vis const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The member that `word` spells, exactly and case-sensitively.
            #[must_use]
            $vis const fn parse(word: &str) -> ::core::option::Option<Self> {
                match $crate::__private::position(word, Self::WORDS) {
                    ::core::option::Option::Some(at) => ::core::option::Option::Some(Self::ALL[at]),
                    ::core::option::Option::None => ::core::option::Option::None,
                }
            }

            /// Refuses to compile when `word` is none of [`Self::WORDS`].
            ///
            /// # Panics
            /// When `word` is not in the vocabulary; meant for const context, where that is a compile error.
            #[track_caller]
            $vis const fn check(word: &str) {
                if Self::parse(word).is_none() {
                    $crate::__private::refuse_word($noun, word, Self::WORDS);
                }
            }

            #[doc(hidden)]
            #[must_use]
            $vis const fn or_first(word: &str) -> Self {
                match Self::parse(word) {
                    ::core::option::Option::Some(member) => member,
                    ::core::option::Option::None => Self::ALL[0],
                }
            }
        }

        impl $crate::vocabulary::Vocabulary for $name {
            const NOUN: &'static str = $noun;
            const WORDS: &'static [&'static str] = Self::WORDS;
            fn as_str(self) -> &'static str { self.as_str() }
            fn from_word(word: &str) -> ::core::option::Option<Self> { Self::parse(word) }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.pad(self.as_str()) }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::vocabulary::UnknownWord;
            fn from_str(word: &str) -> ::core::result::Result<Self, Self::Err> {
                Self::parse(word).ok_or_else(|| $crate::vocabulary::UnknownWord::new::<Self>(word))
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                $crate::__private::deserialize_word(deserializer)
            }
        }

        impl $crate::schemars::JsonSchema for $name {
            fn inline_schema() -> bool { true }
            fn schema_name() -> ::std::borrow::Cow<'static, str> { ::std::borrow::Cow::Borrowed(::core::stringify!($name)) }
            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(::core::concat!(::core::module_path!(), "::", ::core::stringify!($name)))
            }
            fn json_schema(_: &mut $crate::schemars::SchemaGenerator) -> $crate::schemars::Schema {
                $crate::__private::schema_of_words(Self::WORDS)
            }
        }
    };
}

/// A word that its vocabulary does not have; says which words it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord(String);

impl UnknownWord {
    #[doc(hidden)]
    #[must_use]
    pub fn new<V: Vocabulary>(word: &str) -> Self {
        let nearest = crate::arguments::nearest(word, V::WORDS.iter().copied())
            .map(|nearest| format!("; did you mean `{nearest}`?"))
            .unwrap_or_default();
        let words: Vec<String> = V::WORDS.iter().map(|word| format!("`{word}`")).collect();
        Self(format!("unknown {} `{word}`, expected one of: {}{nearest}", V::NOUN, words.join(", ")))
    }
}

impl std::fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownWord {}

#[cfg(test)]
mod tests {
    use super::{Auth, Availability, Locality, Vocabulary};

    #[test]
    fn every_word_parses_back_to_its_member() {
        fn check<V: Vocabulary + PartialEq + std::fmt::Debug>(all: &[V]) {
            for member in all {
                assert_eq!(V::from_word(member.as_str()).as_ref(), Some(member));
                assert_eq!(V::from_word(&member.as_str().to_uppercase()), None, "words are case-sensitive");
            }
        }
        check(Auth::ALL);
        check(Locality::ALL);
        check(Availability::ALL);
    }

    #[test]
    fn an_unknown_word_names_the_words_and_the_nearest() {
        let error = "maintaner".parse::<Auth>().unwrap_err().to_string();
        assert!(error.contains("expected one of: `public`, `token`"), "{error}");
        assert!(error.ends_with("did you mean `maintainer`?"), "{error}");
    }
}
