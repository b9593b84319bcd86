//! How the store is asked: one function each for all rows, some and one, so that the tests see every question and hold it
//! against its plan.

use rusqlite::{Connection, Params, Result, Row};

/// All rows.
pub(super) fn rows<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    #[cfg(test)]
    plan::check(connection, sql);
    connection.prepare_cached(sql)?.query_map(parameters, read)?.collect()
}

/// The rows that `read` makes something of.
pub(super) fn some_rows<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    #[cfg(test)]
    plan::check(connection, sql);
    connection.prepare_cached(sql)?.query_map(parameters, read)?.filter_map(Result::transpose).collect()
}

/// The first row, if there is one.
pub(super) fn row<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T>,
) -> Result<Option<T>> {
    #[cfg(test)]
    plan::check(connection, sql);
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    rows.next()?.map(read).transpose()
}

/// A number that cannot be negative; one that is counts as none.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// A number for a column; none of ours is as large as the largest there.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A list that a column holds as JSON; whatever is none holds nothing.
pub(super) fn list<T: serde::de::DeserializeOwned>(text: &str) -> Vec<T> {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod plan {
    use rusqlite::{Connection, Row};

    /// Fails when the question would be answered by looking through a whole table, or by sorting.
    #[track_caller]
    pub(super) fn check(connection: &Connection, sql: &str) {
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let detail = |row: &Row<'_>| row.get::<_, String>(3);
        let steps = statement.raw_query().mapped(detail).collect::<Result<Vec<String>, _>>().unwrap();
        for step in &steps {
            // What a statement lists itself is no table.
            let lists = ["json_each", "SCAN CONSTANT ROW", "SCAN (", "SCAN totals_of"];
            let scans = step.contains("SCAN ") && !lists.iter().any(|list| step.contains(list));
            assert!(!scans && !step.contains("TEMP B-TREE"), "{sql}\n{steps:#?}");
        }
    }
}
