//! What changed between two contracts, and whether the verdict about it is true.

/// Which keywords count in which draft, and what no draft can read.
mod dialects;
/// How each draft spells what all have.
mod drafts;
/// Numbers of more digits than a reader keeps.
mod digits;
/// What a comparison costs, and that it ends.
mod effort;
/// Lists made to keep the program busy, through the program.
mod hostile;
/// Releases of public servers, compared as their committed reports say.
mod histories;
/// Random values for a schema.
mod instances;
/// What a change is called by.
mod keywords;
/// What random pairs are made of.
mod kinds;
/// Schemas that say more by degrees.
mod ladders;
/// Changes whose meaning is known beforehand.
mod mutations;
/// A definition that several places use.
mod places;
/// What may be a name.
mod names;
/// Random pairs against the verdict.
mod pairs;
/// Where all that is random comes from.
mod random;
/// Random schemas and changes of them.
mod schemas;
/// Single changes, as a reader of a report sees them.
mod verdicts;
/// Unions within each other.
mod unions;
