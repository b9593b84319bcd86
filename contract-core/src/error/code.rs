//! The closed set of error codes; clients branch on them, so their order and spelling are part of every contract.

crate::vocabulary! {
    /// Which kind of failure a call met.
    pub enum ErrorCode: "error code" {
        /// The arguments do not fit the tool; `issues` lists every violation.
        InvalidInput = "invalid_input",
        /// The call carries no credential and needs one.
        Unauthorized = "unauthorized",
        /// The credential is good but does not reach this far.
        Forbidden = "forbidden",
        /// What was asked for does not exist.
        NotFound = "not_found",
        /// The deployment lacks a setting that the tool needs.
        NotConfigured = "not_configured",
        /// Too many calls.
        RateLimited = "rate_limited",
        /// A service that the tool depends on failed.
        UpstreamError = "upstream_error",
        /// The call's time ran out.
        Timeout = "timeout",
        /// The person declined what the tool asked of them.
        ElicitationDeclined = "elicitation_declined",
        /// A store cannot be read; `reason` says why.
        StoreUnavailable = "store_unavailable",
        /// Something went wrong that the caller cannot mend.
        UnknownError = "unknown_error",
    }
}
