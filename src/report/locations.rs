//! Locations by the statements that lead on from them: what a process that stands there can do next, or waits for.

use std::collections::{BTreeMap, HashMap};

use interp::inspect::values::ProcessView;
use promela::visible::visible;

use crate::commands::dot::step_text;
use crate::load::Loaded;

/// The statements that lead on from a location, by proctype and number.
pub struct Statements(HashMap<(String, u32), Vec<String>>);

impl Statements {
    /// Those of a model.
    pub fn new(loaded: &Loaded) -> Self {
        let Loaded { model, sources, .. } = loaded;
        let mut all: HashMap<(String, u32), Vec<String>> = HashMap::new();
        for template in model.program.templates.values() {
            let name = &model.checked.proctypes[template.proctype].name;
            for location in template.graph.locations.values() {
                let edges = location.edges().map(|id| &model.program.edges[id]);
                let mut statements: Vec<String> = edges.map(|edge| step_text(sources, edge)).collect();
                statements.dedup();
                all.entry((name.to_string(), location.number)).or_insert(statements);
            }
        }
        Statements(all)
    }

    /// Those of one location.
    pub fn at(&self, process: &ProcessView) -> &[String] {
        self.0.get(&(process.name.clone(), process.location)).map_or(&[], Vec::as_slice)
    }

    /// All of them, for the page.
    pub fn by_process(&self) -> BTreeMap<String, BTreeMap<u32, Vec<String>>> {
        let mut all: BTreeMap<String, BTreeMap<u32, Vec<String>>> = BTreeMap::new();
        for ((name, number), statements) in &self.0 {
            let texts = statements.iter().map(|text| visible(text).into()).collect();
            all.entry(name.clone()).or_default().insert(*number, texts);
        }
        all
    }
}
