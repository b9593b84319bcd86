//! How often the miner's predictions came true.
#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's doc comment is what models read; errors are told by their codes"
)]

use contract_core::{Clock, State, ToolError, contract_type, loopover_tool};

use super::miner_shared::plain_number;
use crate::miner::MinerHome;
use crate::miner::read;
use crate::miner::rules::calibration::ProjectCalibration;
use crate::privacy::Shown;

/// Compare what was predicted of pull requests with what came of them, on each repository.
///
/// Read-only. Of several predictions for one commit the newest counts; `success` is read as a merge, `failure` as a close,
/// any other conclusion as a hold.
#[loopover_tool(category = "agent", auth = "public", locality = "miner", availability = "selfhost", open_world = false)]
pub fn loopover_miner_get_calibration_report(
    #[inject] home: State<MinerHome>,
    #[inject] clock: Clock,
) -> Result<MinerGetCalibrationReportOutput, ToolError> {
    let read = read::calibration(&home, clock.now())?;
    let (rows, truncated) = read.value.finish();
    Ok(MinerGetCalibrationReportOutput {
        has_signal: !rows.is_empty(),
        rows: rows.into_iter().map(MinerProjectCalibration::from).collect(),
        truncated,
        skipped_rows: read.skipped,
        initialised: read.is_initialised,
    })
}

/// Predictions and outcomes, compared.
#[contract_type]
pub struct MinerGetCalibrationReportOutput {
    /// Whether there is anything to compare.
    pub has_signal: bool,
    /// Each repository on which something was decided, by name; at most 1000.
    pub rows: Vec<MinerProjectCalibration>,
    /// Whether there are more repositories than are listed.
    pub truncated: bool,
    /// Rows that were left out because something in them was not as it should be.
    pub skipped_rows: u64,
    /// Whether both stores are there.
    pub initialised: bool,
}

/// How predictions came out on one repository.
#[contract_type]
pub struct MinerProjectCalibration {
    /// The repository.
    pub project: Shown,
    /// Predicted to be merged.
    pub would_merge: u64,
    /// Predicted to be merged, and merged.
    pub merge_confirmed: u64,
    /// Predicted to be merged, and closed.
    pub merge_false: u64,
    /// Predicted to be closed.
    pub would_close: u64,
    /// Predicted to be closed, and closed.
    pub close_confirmed: u64,
    /// Predicted to be closed, and merged.
    pub close_false: u64,
    /// Predicted to be neither.
    pub hold: u64,
    /// All predictions whose pull request was decided.
    pub decided: u64,
    /// Share of the predicted merges that came true; null without any.
    #[serde(serialize_with = "plain_number")]
    pub merge_precision: Option<f64>,
    /// Share of the predicted closes that came true; null without any.
    #[serde(serialize_with = "plain_number")]
    pub close_precision: Option<f64>,
}

impl From<ProjectCalibration> for MinerProjectCalibration {
    fn from(row: ProjectCalibration) -> Self {
        Self {
            merge_precision: row.merge_precision(),
            close_precision: row.close_precision(),
            project: row.project.into(),
            would_merge: row.would_merge,
            merge_confirmed: row.merge_confirmed,
            merge_false: row.merge_false,
            would_close: row.would_close,
            close_confirmed: row.close_confirmed,
            close_false: row.close_false,
            hold: row.hold,
            decided: row.decided,
        }
    }
}
