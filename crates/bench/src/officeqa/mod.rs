//! OfficeQA: questions over a folder of text documents, read with tools; normalised exact match.
//!
//! Always holds: an episode opens listed documents alone; the reference metric is the published one, quirks included.

pub mod conformance;
pub mod difference;
pub mod documents;
mod episode;
mod fields;
mod normal;
mod pages;
mod quantity;
mod queries;
mod score;
pub mod search;
mod table;
mod tasks;
mod tokens;
mod tools;

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use textualrl_model::settings::{DataSettings, DocumentReach, OfficeQaSettings, Scoring};
use textualrl_model::{Context, Fingerprint, Split, TaskId};

use crate::benchmark::{Benchmark, Episode, EpisodeError, EpisodeSeed, Listing, Tool};
use crate::data::{Catalogue, LoadError};
use documents::{Documents, Reachable};
use episode::OfficeQaEpisode;
use search::{LIMITS, Limits};
use tasks::OfficeQaTask;

/// The target's system prompt, with a place for the context.
const PROMPT: &str = include_str!("../../../../prompts/target/officeqa.md");
/// The context that a run starts from.
const INITIAL_CONTEXT: &str = include_str!("initial_context.md");

/// OfficeQA, loaded.
#[derive(Debug)]
pub struct OfficeQa {
    scoring: Scoring,
    settings: OfficeQaSettings,
    documents: Arc<Documents>,
    catalogue: Catalogue<OfficeQaTask>,
    caveats: Vec<String>,
}

/// What decides a result beside the tasks.
#[derive(Serialize)]
struct Protocol<'a> {
    benchmark: &'static str,
    prompt: &'static str,
    scoring: Scoring,
    reach: DocumentReach,
    turns: u32,
    oracle_pages: bool,
    limits: Limits,
    tools: Vec<(&'a str, &'a str, &'a Value)>,
    documents: Fingerprint,
}

/// Loads OfficeQA from a folder with `train`, `val` and `test`, or with one file `items` that is split by ratio, and a
/// folder of documents.
///
/// # Errors
/// If a file is missing, a row cannot be used, splits overlap, or the documents cannot be read.
pub fn load(data: &DataSettings) -> Result<Box<dyn Benchmark>, LoadError> {
    if data.dir.is_empty() {
        return Err(LoadError::NoFolder);
    }
    let (scoring, settings) = (data.scoring, data.officeqa.clone());
    let below = Path::new(&data.dir).join(&settings.documents);
    let documents = Arc::new(Documents::list(&below)?);
    let tasks = tasks::load(data, &documents, &below)?;
    let caveats = caveats(&settings, &Split::ALL.map(|split| tasks.of(split).kept.as_slice()).concat());
    let tools = tools::offered(settings.reach == DocumentReach::All);
    let protocol = Protocol {
        benchmark: "officeqa",
        prompt: PROMPT,
        scoring,
        reach: settings.reach,
        turns: settings.turns,
        oracle_pages: settings.oracle_pages,
        limits: LIMITS,
        tools: tools.iter().map(shown).collect(),
        documents: documents.fingerprint()?,
    };
    let catalogue = Catalogue::new(tasks, &protocol, "add tasks to its file")?;
    Ok(Box::new(OfficeQa { scoring, settings, documents, catalogue, caveats }))
}

fn shown(tool: &Tool) -> (&str, &str, &Value) {
    (&tool.name, &tool.description, &tool.parameters)
}

/// What must be said beside every number: what made finding the documents easier or harder than published.
fn caveats(settings: &OfficeQaSettings, tasks: &[Arc<OfficeQaTask>]) -> Vec<String> {
    let mut caveats = Vec::new();
    let all = tasks.len();
    let count = |is: &dyn Fn(&OfficeQaTask) -> bool| tasks.iter().filter(|task| is(task)).count();
    let unresolved = count(&|task| task.sources.is_empty());
    match settings.reach {
        DocumentReach::All => caveats.push(
            "all documents were open, and nothing told which are the sources, unlike in the published protocol"
                .to_owned(),
        ),
        DocumentReach::Sources if unresolved > 0 => caveats.push(format!(
            "{unresolved} of {all} tasks name no document that is there, so that all documents were open to them"
        )),
        DocumentReach::Sources => {}
    }
    let paged = count(&|task| !task.pages.is_empty());
    if settings.oracle_pages {
        caveats.push(format!("the pages that hold the answer stood in the prompt of {paged} of {all} tasks"));
    }
    caveats
}

impl Benchmark for OfficeQa {
    fn name(&self) -> &str {
        "officeqa"
    }

    fn listing(&self, split: Split) -> &Listing {
        self.catalogue.listing(split)
    }

    fn caveats(&self) -> Vec<String> {
        self.caveats.clone()
    }

    fn initial_context(&self) -> Context {
        Context::new(INITIAL_CONTEXT)
    }

    fn start(
        &self,
        split: Split,
        task: &TaskId,
        _seed: EpisodeSeed,
    ) -> Result<Box<dyn Episode>, EpisodeError> {
        let found = self.catalogue.find(split, task)?;
        let documents = Arc::clone(&self.documents);
        let reachable = match self.settings.reach {
            DocumentReach::Sources if !found.places.is_empty() => {
                Reachable::some(documents, found.places.clone())
            }
            DocumentReach::Sources | DocumentReach::All => Reachable::all(documents),
        };
        Ok(Box::new(OfficeQaEpisode::new(Arc::clone(found), reachable, self.scoring, self.settings.clone())))
    }
}
