//! What a forge store holds, as lines that do not depend on the order in which it was filled.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Every row of every table, sorted; a repository's number, which depends on when it was first named, is its name.
///
/// # Panics
/// When the file is no store.
pub fn store_digest(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).expect("a store");
    let check: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a check");
    assert_eq!(check, "ok");
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut statement = connection.prepare(names).expect("a schema");
    let tables = statement.query_map([], |row| row.get::<_, String>(0)).expect("tables");
    let tables: Vec<String> = tables.collect::<Result<_, _>>().expect("tables");
    let mut lines: Vec<String> = tables.iter().flat_map(|table| rows(&connection, table)).collect();
    lines.sort();
    lines
}

/// The same without some tables, as one text.
///
/// # Panics
/// When the file is no store.
pub fn dump(path: &Path, left_out: &[&str]) -> String {
    let is_wanted = |line: &String| line.split(' ').next().is_none_or(|table| !left_out.contains(&table));
    store_digest(path).into_iter().filter(is_wanted).collect::<Vec<_>>().join("\n")
}

fn rows(connection: &Connection, table: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).expect("a table");
    let columns: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
    let rows = statement.query_map([], |row| {
        let mut line = table.to_owned();
        for (index, column) in columns.iter().enumerate() {
            let cell = match row.get_ref(index)? {
                ValueRef::Integer(id) if column == "repository_id" => name(connection, id),
                _ if table == "repositories" && column == "id" => continue,
                ValueRef::Null => "null".to_owned(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => format!("{number:?}"),
                ValueRef::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
                ValueRef::Blob(bytes) => format!("{bytes:?}"),
            };
            line = format!("{line} {column}={cell}");
        }
        Ok(line)
    });
    rows.expect("rows").collect::<Result<_, _>>().expect("rows")
}

fn name(connection: &Connection, repository: i64) -> String {
    let sql = "SELECT name_key FROM repositories WHERE id = ?1";
    connection.query_row(sql, [repository], |row| row.get(0)).expect("a row belongs to a repository")
}
