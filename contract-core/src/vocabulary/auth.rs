//! Who may call a tool.

crate::vocabulary! {
    /// The least that a caller must be for a tool to be listed to it and to answer it.
    ///
    /// The server's [`Authorize`](crate::Authorize) policy gives each word its meaning; the words are closed because that
    /// meaning is code.
    pub enum Auth: "auth" {
        /// Anyone, without a credential.
        Public = "public",
        /// Any valid credential.
        Token = "token",
        /// A signed-in person.
        Session = "session",
        /// Someone who maintains the repository in question.
        Maintainer = "maintainer",
        /// Someone who runs the deployment.
        Operator = "operator",
        /// The administrative credential; it opens these tools and no other.
        McpAdmin = "mcp-admin",
        /// The deployment's own jobs.
        Internal = "internal",
    }
}
