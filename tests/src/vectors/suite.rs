//! Asks every runner about every vector and writes what came of it, in the form in which cargo's own tests are told.
//!
//! A file is a test. The target brings its own `main` (`harness = false`) because the counts are part of the result and
//! libtest shows what a test prints only when it fails.

use std::fmt;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::Value;

use super::deviations::{Deviations, Effect, Verdict};
use super::vector::{Vector, read_directory};

/// How this program is asked what the vectors of one file asked the original.
pub struct Runner<W> {
    /// The file's name without its ending.
    pub file: &'static str,
    /// Gives the answer in the form of the file's expectations, or why there is none.
    pub answer: fn(&W, &Vector) -> Result<Value, String>,
}

/// Everything that a run depends on.
pub struct Suite<'a, W> {
    /// The directory under test.
    pub directory: &'a Path,
    /// Whether it is the committed one, which every entry of the list must speak of.
    pub is_committed: bool,
    /// The text of `deviations.toml`.
    pub deviations: &'a str,
    /// What runners share.
    pub world: &'a W,
    /// The runners.
    pub runners: &'a [Runner<W>],
    /// What groups in the list name as their effects.
    pub effects: &'static [Effect],
}

/// How many vectors came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    equal: usize,
    deviating: usize,
    not_built: usize,
    unexplained: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "vectors: {} equal, {} deviating as listed, {} not built, {} unexplained",
            self.equal, self.deviating, self.not_built, self.unexplained
        )
    }
}

/// What was asked for on the command line; of cargo's own options only these mean something here.
#[derive(Default)]
struct Options {
    list: bool,
    exact: bool,
    names: Vec<String>,
}

impl Options {
    fn read(arguments: impl IntoIterator<Item = String>) -> Self {
        let mut options = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--list" => options.list = true,
                "--exact" => options.exact = true,
                "--test-threads" | "--format" | "--color" | "--skip" | "--logfile" | "-Z" => drop(arguments.next()),
                option if option.starts_with('-') => {}
                _ => options.names.push(argument),
            }
        }
        options
    }

    fn wants(&self, file: &str) -> bool {
        let is_meant = |name: &String| if self.exact { name == file } else { file.contains(name.as_str()) };
        self.names.is_empty() || self.names.iter().any(is_meant)
    }
}

/// The test of the list itself.
const LIST: &str = "deviations";

impl<W> Suite<'_, W> {
    /// Runs the files that `arguments` name, all without any, and writes the result to `output`, the counts last.
    ///
    /// # Errors
    /// When `output` cannot be written.
    pub fn run(&self, arguments: impl IntoIterator<Item = String>, output: &mut impl Write) -> io::Result<ExitCode> {
        let options = Options::read(arguments);
        let (files, deviations) = match (read_directory(self.directory), Deviations::parse(self.deviations)) {
            (Ok(files), Ok(deviations)) => (files, deviations.with_effects(self.effects)),
            (files, deviations) => {
                for error in [files.err(), deviations.err()].into_iter().flatten() {
                    writeln!(output, "error: {error}")?;
                }
                return Ok(ExitCode::FAILURE);
            }
        };
        let wanted = || files.iter().filter(|(file, _)| options.wants(file));
        if options.list {
            for (file, _) in wanted() {
                writeln!(output, "{file}: test")?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        let started = Instant::now();
        let mut tally = Tally::default();
        writeln!(output, "\nrunning {} tests", wanted().count() + 1)?;
        for (file, vectors) in wanted() {
            let verdicts: Vec<(&str, Verdict)> = vectors
                .iter()
                .map(|vector| (vector.case.as_str(), deviations.judge(file, vector, self.answer(file, vector))))
                .collect();
            tally.tell(file, &verdicts, output)?;
        }
        let is_whole = self.is_committed && options.names.is_empty();
        let mut faults = deviations.faults();
        faults.extend(is_whole.then(|| deviations.needless()).into_iter().flatten());
        tally.tell_outcome(LIST, faults, output)?;
        tally.close(files.len() - wanted().count(), started, output)
    }

    fn answer(&self, file: &str, vector: &Vector) -> Option<Result<Value, String>> {
        let runner = self.runners.iter().find(|runner| runner.file == file)?;
        let answer = catch_unwind(AssertUnwindSafe(|| (runner.answer)(self.world, vector)));
        Some(answer.unwrap_or_else(|_| Err("the runner panicked; its message stands above".to_owned())))
    }
}

#[derive(Default)]
struct Tally {
    counts: Counts,
    passed: usize,
    ignored: usize,
    failures: Vec<(String, Vec<String>)>,
}

impl Tally {
    fn tell(&mut self, file: &str, verdicts: &[(&str, Verdict)], output: &mut impl Write) -> io::Result<()> {
        let mut problems: Vec<(&[String], Vec<&str>)> = Vec::new();
        for (case, verdict) in verdicts {
            match verdict {
                Verdict::Equal => self.counts.equal += 1,
                Verdict::Deviating => self.counts.deviating += 1,
                Verdict::NotBuilt(_) => self.counts.not_built += 1,
                Verdict::Unexplained(lines) => {
                    self.counts.unexplained += 1;
                    match problems.iter_mut().find(|(same, _)| same == lines) {
                        Some((_, cases)) => cases.push(case),
                        None => problems.push((lines, vec![case])),
                    }
                }
            }
        }
        let problems = problems.iter().map(|(lines, cases)| problem(lines, cases)).collect();
        let all_wait = verdicts.iter().all(|(_, verdict)| matches!(verdict, Verdict::NotBuilt(_)));
        if let (true, Some((_, Verdict::NotBuilt(reason)))) = (all_wait, verdicts.first()) {
            self.ignored += 1;
            return writeln!(output, "test {file} ... ignored, {reason}");
        }
        self.tell_outcome(file, problems, output)
    }

    fn tell_outcome(&mut self, name: &str, problems: Vec<String>, output: &mut impl Write) -> io::Result<()> {
        let word = if problems.is_empty() { "ok" } else { "FAILED" };
        if problems.is_empty() {
            self.passed += 1;
        } else {
            self.failures.push((name.to_owned(), problems));
        }
        writeln!(output, "test {name} ... {word}")
    }

    fn close(self, filtered: usize, started: Instant, output: &mut impl Write) -> io::Result<ExitCode> {
        if !self.failures.is_empty() {
            writeln!(output, "\nfailures:")?;
            for (name, problems) in &self.failures {
                writeln!(output, "\n---- {name} ----")?;
                for problem in problems {
                    writeln!(output, "{problem}")?;
                }
            }
            writeln!(output, "\nA difference that is meant goes into tests/vectors/deviations.toml.")?;
        }
        let (failed, passed, ignored) = (self.failures.len(), self.passed, self.ignored);
        let word = if failed == 0 { "ok" } else { "FAILED" };
        let seconds = started.elapsed().as_secs_f64();
        writeln!(
            output,
            "\ntest result: {word}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; {filtered} filtered \
             out; finished in {seconds:.2}s\n"
        )?;
        writeln!(output, "{}", self.counts)?;
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// What is wrong with cases that have the same thing wrong with them.
fn problem(lines: &[String], cases: &[&str]) -> String {
    const NAMED: usize = 10;
    let named = &cases[..cases.len().min(NAMED)];
    let more = match cases.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("case {}{more}\n    {}", named.join(" | "), lines.join("\n    "))
}
