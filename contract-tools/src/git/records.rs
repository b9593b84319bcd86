//! Cuts git's NUL-separated output into records as it arrives, with a bound on each, so that no output is ever held whole.

/// Collects bytes and hands out one record at each NUL.
pub(super) struct Records {
    record: Vec<u8>,
    longest: usize,
}

impl Records {
    /// Records longer than `longest` bytes lose their end.
    pub(super) const fn new(longest: usize) -> Self {
        Self { record: Vec::new(), longest }
    }

    /// Takes the next piece of output.
    pub(super) fn take(&mut self, mut bytes: &[u8], each: &mut dyn FnMut(&[u8])) {
        while let Some(end) = bytes.iter().position(|byte| *byte == 0) {
            self.keep(&bytes[..end]);
            each(&self.record);
            self.record.clear();
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    /// Hands out what follows the last NUL, if anything does.
    pub(super) fn finish(self, each: &mut dyn FnMut(&[u8])) {
        if !self.record.is_empty() {
            each(&self.record);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = self.longest.saturating_sub(self.record.len());
        self.record.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// Text as far as it is UTF-8; a character that a bound cut in two is left off whole.
pub(super) fn text_cut_at_a_character(bytes: &[u8], longest: usize) -> String {
    let bytes = &bytes[..bytes.len().min(longest)];
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() && bytes.len() == longest => {
            String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned()
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_the_same_however_the_output_is_cut() {
        let output = b"one\0two\0\0last";
        for piece in 1..=output.len() {
            let mut seen = Vec::new();
            let mut records = Records::new(100);
            for bytes in output.chunks(piece) {
                records.take(bytes, &mut |record| seen.push(record.to_vec()));
            }
            records.finish(&mut |record| seen.push(record.to_vec()));
            assert_eq!(seen, [b"one".to_vec(), b"two".to_vec(), Vec::new(), b"last".to_vec()]);
        }
    }

    #[test]
    fn a_long_record_loses_its_end_and_nothing_after_it() {
        let mut seen = Vec::new();
        let mut records = Records::new(3);
        records.take(b"abcdef\0gh\0", &mut |record| seen.push(record.to_vec()));
        assert_eq!(seen, [b"abc".to_vec(), b"gh".to_vec()]);
    }

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!(text_cut_at_a_character("aé".as_bytes(), 2), "a");
        assert_eq!(text_cut_at_a_character("aé".as_bytes(), 3), "aé");
        assert_eq!(text_cut_at_a_character(b"a\xff", 9), "a\u{fffd}");
    }
}
