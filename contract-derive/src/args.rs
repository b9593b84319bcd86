//! What a user may write inside `#[loopover_tool(...)]` and `#[arg(...)]`, as written: nothing here is judged yet.

use proc_macro2::TokenStream;
use syn::{Expr, LitStr, Path};

use crate::case::Case;
use crate::diagnostics::{self, Errors};
use crate::keys::{Keys, Truth};

/// The keys of `#[loopover_tool(...)]`.
///
/// All are optional here, so that a missing one can be told in our own words.
#[derive(Debug)]
pub(crate) struct ToolArgs {
    pub(crate) category: Option<LitStr>,
    pub(crate) auth: Option<LitStr>,
    pub(crate) locality: Option<LitStr>,
    pub(crate) availability: Option<LitStr>,
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) read_only: Option<Truth>,
    pub(crate) destructive: Option<Truth>,
    pub(crate) idempotent: Option<Truth>,
    pub(crate) open_world: Option<Truth>,
    pub(crate) deprecated: Option<LitStr>,
    pub(crate) rename_all: Case,
    pub(crate) examples: Option<Path>,
    pub(crate) categories: Option<Path>,
    pub(crate) krate: Option<Path>,
    /// The required keys that are not there, as far as that can be known.
    pub(crate) missing: Vec<&'static str>,
}

impl ToolArgs {
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut missing = Vec::new();
        let mut keys = Keys::parse("loopover_tool", tokens, errors);
        let mut required = |keys: &mut Keys<'_>, key| {
            if !keys.has(key) && !keys.is_broken() {
                missing.push(key);
            }
            keys.string(key)
        };
        let category = required(&mut keys, "category");
        let auth = required(&mut keys, "auth");
        let locality = required(&mut keys, "locality");
        let availability = required(&mut keys, "availability");
        let name = keys.string("name");
        let title = keys.string("title");
        let description = keys.string("description");
        let read_only = keys.truth("read_only");
        let destructive = keys.truth("destructive");
        let idempotent = keys.truth("idempotent");
        let open_world = keys.truth("open_world");
        let deprecated = keys.string("deprecated");
        let rename_all = keys.string("rename_all");
        let examples = keys.path("examples");
        let categories = keys.path("categories");
        let krate = keys.path("crate");
        let meant = keys.finish();
        // A slip of a required key was told already.
        missing.retain(|key| !meant.contains(key));
        Self {
            category,
            auth,
            locality,
            availability,
            name,
            title,
            description,
            read_only,
            destructive,
            idempotent,
            open_world,
            deprecated,
            rename_all: case(rename_all.as_ref(), errors),
            examples,
            categories,
            krate,
            missing,
        }
    }
}

fn case(written: Option<&LitStr>, errors: &mut Errors) -> Case {
    let Some(written) = written else { return Case::default() };
    Case::parse(&written.value()).unwrap_or_else(|| {
        errors.push(diagnostics::unknown_case(written));
        Case::default()
    })
}

/// The keys of `#[arg(...)]`: the contract of one bare parameter, beyond its type.
#[derive(Debug, Default)]
pub(crate) struct ArgKeys {
    pub(crate) min_length: Option<Expr>,
    pub(crate) max_length: Option<Expr>,
    pub(crate) minimum: Option<Expr>,
    pub(crate) maximum: Option<Expr>,
    pub(crate) min_items: Option<Expr>,
    pub(crate) max_items: Option<Expr>,
    pub(crate) pattern: Option<Expr>,
    pub(crate) example: Option<Expr>,
    pub(crate) default: Option<Expr>,
}

impl ArgKeys {
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut keys = Keys::parse("arg", tokens, errors);
        let parsed = Self {
            min_length: keys.expression("min_length"),
            max_length: keys.expression("max_length"),
            minimum: keys.expression("minimum"),
            maximum: keys.expression("maximum"),
            min_items: keys.expression("min_items"),
            max_items: keys.expression("max_items"),
            pattern: keys.expression("pattern"),
            example: keys.expression("example"),
            default: keys.expression("default"),
        };
        keys.finish();
        parsed
    }
}
