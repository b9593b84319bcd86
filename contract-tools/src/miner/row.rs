//! Cells of a row, taken for what they should be: a row with anything else in it is skipped and counted.

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::MAX_SAFE_INTEGER;

/// A row that is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadRow;

/// The longest text that a cell may hold, where a reader does not say otherwise.
pub(super) const LONGEST_TEXT: usize = 64 << 10;

/// The longest JSON document that a cell may hold.
pub(super) const LONGEST_JSON: usize = 4 << 20;

/// One row, read cell by cell in the order of the query.
pub(super) struct Cells<'r, 's> {
    row: &'r Row<'s>,
    next: usize,
}

impl<'r, 's> Cells<'r, 's> {
    pub(super) fn of(row: &'r Row<'s>) -> Self {
        Self { row, next: 0 }
    }

    fn cell(&mut self) -> Result<ValueRef<'r>, BadRow> {
        let cell = self.row.get_ref(self.next).map_err(|_| BadRow)?;
        self.next += 1;
        Ok(cell)
    }

    pub(super) fn text(&mut self) -> Result<&'r str, BadRow> {
        self.optional_text()?.ok_or(BadRow)
    }

    pub(super) fn optional_text(&mut self) -> Result<Option<&'r str>, BadRow> {
        self.text_up_to(LONGEST_TEXT)
    }

    pub(super) fn json(&mut self) -> Result<&'r str, BadRow> {
        self.text_up_to(LONGEST_JSON)?.ok_or(BadRow)
    }

    fn text_up_to(&mut self, longest: usize) -> Result<Option<&'r str>, BadRow> {
        match self.cell()? {
            ValueRef::Null => Ok(None),
            ValueRef::Text(bytes) if bytes.len() <= longest => std::str::from_utf8(bytes).map(Some).map_err(|_| BadRow),
            _ => Err(BadRow),
        }
    }

    /// A whole number that JSON carries exactly.
    pub(super) fn integer(&mut self) -> Result<i64, BadRow> {
        match self.cell()? {
            ValueRef::Integer(number) if number.unsigned_abs() <= MAX_SAFE_INTEGER.unsigned_abs() => Ok(number),
            _ => Err(BadRow),
        }
    }

    /// A finite number.
    pub(super) fn number(&mut self) -> Result<f64, BadRow> {
        match self.cell()? {
            #[expect(clippy::cast_precision_loss, reason = "a priority is a floating point number by its column")]
            ValueRef::Integer(number) => Ok(number as f64),
            ValueRef::Real(number) if number.is_finite() => Ok(number),
            _ => Err(BadRow),
        }
    }

    /// A whole number, whatever its size: a place in the order of rows and not a part of an answer.
    pub(super) fn place(&mut self) -> Result<i64, BadRow> {
        match self.cell()? {
            ValueRef::Integer(number) => Ok(number),
            _ => Err(BadRow),
        }
    }
}
