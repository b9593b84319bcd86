//! Which kind of deployment offers a tool.

crate::vocabulary! {
    /// Which kind of deployment offers a tool.
    pub enum Availability: "availability" {
        /// Only the hosted service.
        Cloud = "cloud",
        /// Only a deployment that its users run themselves.
        Selfhost = "selfhost",
        /// Either.
        Both = "both",
    }
}

impl Availability {
    /// Whether a tool of this availability is offered by a deployment of kind `deployment`; [`Availability::Both`] matches
    /// any.
    #[must_use]
    pub fn covers(self, deployment: Self) -> bool {
        self == deployment || self == Self::Both || deployment == Self::Both
    }
}

#[cfg(test)]
mod tests {
    use super::Availability::{Both, Cloud, Selfhost};

    #[test]
    fn both_matches_any_and_the_others_only_themselves() {
        assert!(Both.covers(Cloud) && Both.covers(Selfhost) && Cloud.covers(Both));
        assert!(Cloud.covers(Cloud) && !Cloud.covers(Selfhost) && !Selfhost.covers(Cloud));
    }
}
