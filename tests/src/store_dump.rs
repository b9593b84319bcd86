//! The whole content of a store as text, in an order of its own, so that two stores can be held against each other.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Every row of every table but `left_out`, a line each.
///
/// # Panics
/// When the file is no store.
pub fn dump(path: &Path, left_out: &[&str]) -> String {
    let connection = Connection::open(path).expect("a database");
    let mut statement = connection
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        .expect("a question");
    let tables: Vec<String> =
        statement.query_map([], |row| row.get(0)).expect("tables").collect::<Result<_, _>>().expect("names");
    let mut lines = Vec::new();
    for table in tables.iter().filter(|table| !left_out.contains(&table.as_str())) {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).expect("a table");
        let count = statement.column_count();
        let mut rows = statement.query([]).expect("rows");
        while let Some(row) = rows.next().expect("a row") {
            let cells: Vec<String> = (0..count).map(|cell| text(row.get_ref(cell).expect("a cell"))).collect();
            lines.push(format!("{table}: {}", cells.join(" | ")));
        }
    }
    lines.sort();
    lines.join("\n")
}

fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "-".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => format!("{bytes:x?}"),
    }
}
