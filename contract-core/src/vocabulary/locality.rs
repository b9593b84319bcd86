//! Where a tool's data lives, and so which server can answer it.

crate::vocabulary! {
    /// Where a tool's data lives.
    pub enum Locality: "locality" {
        /// In the deployment's own stores.
        Remote = "remote",
        /// In the caller's git working tree.
        LocalGit = "local-git",
        /// In the stores of the caller's miner.
        Miner = "miner",
    }
}
