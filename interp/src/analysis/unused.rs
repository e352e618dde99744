//! Bits of states whose values change nothing any more: a reduced search stores them as zero, so that states which differ
//! in them alone are one.
//!
//! - *Irrelevant* variables are only assigned, counted up or printed, in every state (`unused/irrelevant.rs`).
//! - *Dead* locals are overwritten on every path from the location of their process before they are read, or never read
//!   again (`unused/dead.rs`). Live everywhere is what anything but the process itself may read: other processes by remote
//!   references, claims, and whatever observes the states; and what its `provided` clause reads, which is evaluated
//!   wherever it stands.
//!
//! Only variables are cleared (`unused/variables.rs`): locations, priorities, `_nr_pr`, `_last`, channels and their messages
//! are as they were. Invariant: a state and the same state cleared have the same events in the same order, with the same
//! violations, and their successors are equal when they are cleared. So clearing every successor of a search changes
//! neither which (cleared) states are met nor which violations there are. Only where an endless sequence is cut off may
//! differ: it is noticed when a state recurs to the last bit, perhaps a round later and then at another statement.
//!
//! Bozga, Fernandez, Ghirvu, "State Space Reduction Based on Live Variables Analysis", SAS 1999.

mod dead;
mod irrelevant;
#[cfg(test)]
mod tests;
mod variables;

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::analysis::footprint::{Footprint, Region, Run, StateBits, Uses};
use crate::code::layout::Layout;
use crate::code::program::Program;
use crate::code::state::Field;
use crate::ids::{ExpressionId, Pc, TemplateId};
use crate::model::{Model, Process, Tables};
use dead::Statements;
use statespace::Word;
use variables::Variables;

bitflags::bitflags! {
    /// The analyses, each for itself.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct UnusedKinds: u8 {
        /// Variables on which nothing depends, wherever control is.
        const IRRELEVANT = 1;
        /// Locals that are not read again before they are overwritten.
        const DEAD = 2;
    }
}

/// Bits of states whose values change nothing any more. See the head of this file.
#[derive(Clone, Debug)]
pub struct Unused {
    globals: Variables,
    irrelevant_globals: StateBits,
    templates: SecondaryMap<TemplateId, OfTemplate>,
    masks: Masks,
}

/// What is known of the locals of a template. In a fixed layout bits are those of the state, otherwise of its block.
#[derive(Clone, Debug, Default)]
struct OfTemplate {
    locals: Variables,
    irrelevant: StateBits,
    /// By location; irrelevant ones may be among them.
    dead: Vec<StateBits>,
}

impl Unused {
    /// Analyses a model. `observed` are the expressions on which an answer depends: atoms of formulas, queries, what a
    /// cut-off compares. With `sees_claims` the never claims of the model do, too.
    pub fn new(model: &Model, kinds: UnusedKinds, observed: &[ExpressionId], sees_claims: bool) -> Self {
        let (program, layout, checked) = (&model.program, &model.layout, &model.checked);
        let own = if layout.is_fixed { Region::Fixed } else { Region::Own };
        let globals = Variables::new(checked, &checked.globals, &layout.globals, Region::Fixed);
        let mut templates: SecondaryMap<TemplateId, OfTemplate> = SecondaryMap::new();
        for (id, places) in &layout.templates {
            let vars = &checked.proctypes[places.proctype].locals;
            templates[id].locals = Variables::new(checked, vars, &places.locals, own);
        }
        let observers = Uses::of_observers(program, layout, observed, sees_claims);
        let mut unused =
            Unused { globals, irrelevant_globals: StateBits::default(), templates, masks: Masks::default() };
        if kinds.contains(UnusedKinds::IRRELEVANT) {
            unused.find_irrelevant(program, layout, &observers);
        }
        if kinds.contains(UnusedKinds::DEAD) {
            unused.find_dead(program, layout, &observers);
        }
        unused.masks = Masks::new(&unused, program, layout);
        unused
    }

    fn find_irrelevant(&mut self, program: &Program, layout: &Layout, observers: &[Run]) {
        let mut uses = Uses { decisive: observers.to_vec(), flows: Vec::new() };
        for id in program.templates.keys() {
            let in_block = |run: &mut Run| run.region = moved(run.region, Region::Own, Region::Block(id));
            let mut code = Uses::of_template(program, layout, id);
            code.decisive.iter_mut().for_each(in_block);
            for flow in &mut code.flows {
                flow.targets.iter_mut().chain(&mut flow.reads).for_each(in_block);
            }
            uses.decisive.append(&mut code.decisive);
            uses.flows.append(&mut code.flows);
        }
        let relevant = irrelevant::relevant(uses);
        self.irrelevant_globals = self.globals.all.without(&relevant);
        for id in program.templates.keys() {
            let of = &mut self.templates[id];
            of.irrelevant = of.locals.all.without(&as_own(relevant.runs(), id));
        }
    }

    fn find_dead(&mut self, program: &Program, layout: &Layout, observers: &[Run]) {
        let statements = Statements::new(program, layout);
        let mut reads: SecondaryMap<TemplateId, StateBits> = SecondaryMap::new();
        for id in program.templates.keys() {
            reads[id] = statements.reads(program, layout, id);
        }
        for id in program.templates.keys() {
            let of = &mut self.templates[id];
            let pid = layout.templates[id].pid;
            let mut kept = observers.to_vec();
            // Processes that can have the same pid never live at the same time.
            let others = layout.templates.iter().filter(|(_, other)| !layout.is_fixed || other.pid != pid);
            // What a process reads as its own is not what others do.
            let foreign = others.flat_map(|(other, _)| reads[other].runs()).filter(|run| run.region != Region::Own);
            kept.extend(foreign);
            let kept = as_own(&kept, id);
            let gate = Footprint::of_gate(program, layout, id);
            let kept = StateBits::exact(&[kept.runs(), gate.reads.runs()].concat());
            of.dead = statements.dead(program, id, &of.locals.all, &kept);
        }
    }

    /// Whether nothing is ever cleared.
    pub fn is_empty(&self) -> bool {
        self.masks.stretches.is_empty()
    }

    /// Sets the unused bits of a state to zero. `tables` are those of the state (`Model::locate`); where they are the same
    /// in all states (`Layout::has_constant_tables`) they are not looked at.
    #[inline]
    pub fn clear(&self, model: &Model, words: &mut [Word], tables: &Tables) {
        let tables = if model.layout.has_constant_tables() { &model.fixed } else { tables };
        self.masks.clear_stretches(self.masks.globals, words);
        for &process in &tables.procs[..model.nr_pr(words)] {
            self.masks.clear_process(process, words);
        }
    }

    /// The same where only these processes may have come to where they are, with the bits of theirs that are `cleared`.
    #[inline]
    pub fn clear_some(
        &self,
        model: &Model,
        words: &mut [Word],
        tables: &Tables,
        pids: impl Iterator<Item = usize>,
        cleared: &mut Vec<(u32, Word)>,
    ) {
        let tables = if model.layout.has_constant_tables() { &model.fixed } else { tables };
        let live = model.nr_pr(words);
        self.masks.clear_stretches(self.masks.globals, words);
        for process in pids.filter(|&pid| pid < live).map(|pid| tables.procs[pid]) {
            let stretches = self.masks.clear_process(process, words);
            for stretch in self.masks.list(stretches) {
                cleared.extend((stretch.first..stretch.end).map(|word| (process.base as u32 + word, !stretch.kept)));
            }
        }
    }

    /// The bits of irrelevant globals.
    pub(crate) fn irrelevant(&self) -> &StateBits {
        &self.irrelevant_globals
    }

    /// The irrelevant globals, by name.
    pub fn irrelevant_globals(&self) -> Vec<String> {
        self.globals.names(&self.irrelevant_globals)
    }

    /// The irrelevant locals of a template, by name.
    pub fn irrelevant_locals(&self, template: TemplateId) -> Vec<String> {
        let of = &self.templates[template];
        of.locals.names(&of.irrelevant)
    }

    /// The locals of a template that are dead at a location, by name, without those that are irrelevant anyway.
    pub fn dead_locals(&self, template: TemplateId, at: Pc) -> Vec<String> {
        let of = &self.templates[template];
        of.dead.get(at.index()).map_or(Vec::new(), |dead| of.locals.names(&dead.without(&of.irrelevant)))
    }
}

/// The same region, unless it is this one.
fn moved(region: Region, from: Region, to: Region) -> Region {
    if region == from { to } else { region }
}

/// Places as the processes of a template see them: their own block, and what is in front of all.
fn as_own(runs: &[Run], id: TemplateId) -> StateBits {
    let to_own = |run: &Run| Run { region: moved(run.region, Region::Block(id), Region::Own), ..*run };
    StateBits::exact(&runs.iter().map(to_own).collect::<Vec<_>>())
}

/// Bits to clear in a row of words.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    first: u32,
    end: u32,
    kept: Word,
}

/// Stretches of [`Masks::stretches`]: the first, and one past the last.
type Stretches = (u32, u32);

/// What to clear, as flat tables.
#[derive(Clone, Debug, Default)]
struct Masks {
    stretches: Vec<Stretch>,
    globals: Stretches,
    /// By template: where its location is kept, and where its locations begin in `locations`. `None`: nothing is cleared.
    templates: Vec<Option<(Field, u32)>>,
    locations: Vec<Stretches>,
}

impl Masks {
    fn new(unused: &Unused, program: &Program, layout: &Layout) -> Self {
        let mut masks = Masks::default();
        masks.globals = masks.add(&unused.irrelevant_globals);
        for (id, template) in &program.templates {
            let of = &unused.templates[id];
            let (known, first) = (masks.stretches.len(), masks.locations.len() as u32);
            for pc in template.graph.locations.keys() {
                let mut runs = of.irrelevant.runs().to_vec();
                runs.extend(of.dead.get(pc.index()).into_iter().flat_map(|dead| dead.runs()));
                let stretches = masks.add(&StateBits::exact(&runs));
                masks.locations.push(stretches);
            }
            let is_cleared = masks.stretches.len() > known;
            masks.templates.push(is_cleared.then_some((layout.templates[id].pc, first)));
        }
        masks
    }

    fn add(&mut self, bits: &StateBits) -> Stretches {
        let first = self.stretches.len() as u32;
        let stretch = |run: &Run| Stretch { first: run.first, end: run.end, kept: !run.mask };
        self.stretches.extend(bits.runs().iter().map(stretch));
        (first, self.stretches.len() as u32)
    }

    /// Clears what does not matter where a process is; what that was.
    #[inline]
    fn clear_process(&self, process: Process, words: &mut [Word]) -> Stretches {
        let Some((pc, first)) = self.templates[process.template.index()] else { return (0, 0) };
        let stretches = self.locations[first as usize + pc.get(words, process.base) as usize];
        self.clear_stretches(stretches, &mut words[process.base..]);
        stretches
    }

    #[inline]
    fn list(&self, (first, end): Stretches) -> &[Stretch] {
        &self.stretches[first as usize..end as usize]
    }

    #[inline]
    fn clear_stretches(&self, stretches: Stretches, words: &mut [Word]) {
        for stretch in self.list(stretches) {
            words[stretch.first as usize..stretch.end as usize].iter_mut().for_each(|word| *word &= stretch.kept);
        }
    }
}
