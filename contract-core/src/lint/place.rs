//! Where something stands: as names for people, as a JSON pointer for programs.

/// A place in a document.
#[derive(Clone, Debug)]
pub(super) struct Place {
    names: String,
    pointer: String,
}

impl Place {
    /// What stands at `pointer` and has no name of its own.
    pub(super) fn root(pointer: &str) -> Self {
        Self { names: String::new(), pointer: pointer.to_owned() }
    }

    pub(super) fn names(&self) -> &str {
        &self.names
    }

    pub(super) fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The same for people, a step on for programs.
    pub(super) fn member(&self, name: &str) -> Self {
        let step = name.replace('~', "~0").replace('/', "~1");
        Self { names: self.names.clone(), pointer: format!("{}/{step}", self.pointer) }
    }

    pub(super) fn item(&self, index: usize) -> Self {
        Self { names: self.names.clone(), pointer: format!("{}/{index}", self.pointer) }
    }

    /// What a pointer below this place names.
    pub(super) fn below(&self, pointer: &str) -> Self {
        Self { names: self.names.clone(), pointer: format!("{}{pointer}", self.pointer) }
    }

    /// The same for programs, with `suffix` for people.
    pub(super) fn called(mut self, suffix: &str) -> Self {
        self.names.push_str(suffix);
        self
    }
}
