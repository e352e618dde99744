//! The compiled model, and how processes and channels come and go in a state.

use std::cell::{Cell, RefCell};

use cranelift_entity::EntityRef;
use promela::ids::{ChanTypeId, ProcTypeId};
use promela::model::{CheckedModel, ProcType, VarType};
use promela::source::Span;

use crate::analysis::channels;
use crate::analysis::footprint::Footprint;
use crate::analysis::instances::Instances;
use crate::code::compile::{Analysis, Compiled, compile};
use crate::code::layout::{ChannelPlace, LIMIT, Layout, Parameter, Priority, SlotLayout, cut};
use crate::code::program::{Block, Program};
use crate::code::state::Field;
use crate::exec::coverage::Coverage;
use crate::exec::dispatch::Dispatch;
use crate::exec::eval::Env;
use crate::ids::{EdgeId, TemplateId};
use crate::inspect::expression::Expressions;
use crate::inspect::output::MoveOutput;
use crate::violation::{Violation, ViolationKind};
use statespace::Word;

/// A compiled model: a [`statespace::StateSpace`].
pub struct Model {
    /// What it was compiled from.
    pub checked: CheckedModel,
    /// The code.
    pub program: Program,
    /// The places.
    pub layout: Layout,
    /// The processes.
    pub instances: Instances,
    /// Which edges searches have executed. See [`Coverage`].
    pub coverage: Coverage,
    /// What every expansion begins with.
    pub(crate) dispatch: Dispatch,
    /// Where processes and channels are in a fixed layout.
    pub(crate) fixed: Tables,
    /// In a fixed layout: the number of channels that exist, by the number of processes.
    pub(crate) live_channels: Vec<usize>,
}

/// Where a process is in a state.
#[derive(Clone, Copy, Debug)]
pub struct Process {
    /// Its code.
    pub template: TemplateId,
    /// The first word of its block.
    pub base: usize,
}

/// The processes and channels of one state, in order of creation.
#[derive(Clone, Default, Debug)]
pub struct Tables {
    /// By pid.
    pub procs: Vec<Process>,
    /// By number, less one.
    pub chans: Vec<ChannelPlace>,
}

/// A process that is created.
pub(crate) struct Spawn<'a> {
    pub(crate) proctype: ProcTypeId,
    pub(crate) args: &'a [i32],
    pub(crate) priority: i32,
    /// The statement that creates it.
    pub(crate) span: Span,
}

/// An error in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The violation.
    pub kind: ViolationKind,
    /// Where.
    pub span: Span,
}

/// The errors of a step, and what else it reports.
#[derive(Clone, Default, Debug)]
pub struct StepErrors {
    /// The first error. The step leads nowhere.
    pub fault: Cell<Option<Fault>>,
    /// Violations that do not keep the step from being taken (a failed assertion).
    pub noted: RefCell<Vec<Fault>>,
    /// What the step prints, sends and receives, if that is recorded.
    pub output: Option<RefCell<MoveOutput>>,
}

impl Model {
    /// Compiles a checked model.
    pub fn new(checked: CheckedModel) -> Self {
        Self::with(checked, Analysis::Full, &Expressions::default())
    }

    /// Compiles a checked model and expressions over its states, with these analyses.
    pub fn with(checked: CheckedModel, analysis: Analysis, expressions: &Expressions) -> Self {
        let Compiled { program, layout, instances } = compile(&checked, analysis, expressions);
        let mut fixed = Tables { procs: Vec::new(), chans: layout.channels.clone() };
        let mut live_channels = Vec::new();
        if layout.is_fixed {
            let first = |slot: &SlotLayout| Process { template: slot.templates[0], base: 0 };
            fixed.procs = layout.slots.iter().map(first).collect();
            let ends = fixed.procs.iter().map(|process| {
                let (first, count) = layout.templates[process.template].channels;
                first + count
            });
            live_channels.push(channels::of_globals(&checked));
            live_channels.extend(ends);
        }
        let coverage = Coverage::new(&program);
        let dispatch = Dispatch::new(&program, &layout);
        Self { checked, program, layout, instances, coverage, dispatch, fixed, live_channels }
    }

    /// What an edge of a process may read and write; `None` for edges inside a `d_step`, of claims, and of a `trace`.
    pub fn footprint(&self, edge: EdgeId) -> Option<&Footprint> {
        self.dispatch.footprints.of(edge)
    }

    /// How many processes live.
    #[inline]
    pub fn nr_pr(&self, words: &[Word]) -> usize {
        self.layout.nr_pr.get(words, 0) as usize
    }

    /// Finds the processes and channels of a state.
    #[inline]
    pub fn locate(&self, words: &[Word], tables: &mut Tables) {
        let is_located = self.layout.has_constant_tables()
            && tables.procs.len() == self.fixed.procs.len()
            && tables.chans.len() == self.fixed.chans.len();
        if !is_located {
            self.locate_anew(words, tables);
        }
    }

    fn locate_anew(&self, words: &[Word], tables: &mut Tables) {
        if self.layout.is_fixed {
            if tables.procs.len() != self.fixed.procs.len() || tables.chans.len() != self.fixed.chans.len() {
                tables.clone_from(&self.fixed);
            }
            if self.layout.has_roles {
                for (process, slot) in tables.procs.iter_mut().zip(&self.layout.slots) {
                    if let Some(role) = slot.role {
                        process.template = slot.templates[role.get(words, 0) as usize];
                    }
                }
            }
            return;
        }
        tables.procs.clear();
        tables.chans.clear();
        tables.chans.extend_from_slice(&self.layout.channels);
        let mut at = self.layout.fixed_words as usize;
        while at < words.len() {
            let tag = self.layout.tag.get(words, at) as usize;
            if tag < self.checked.proctypes.len() {
                let template = TemplateId::new(tag);
                tables.procs.push(Process { template, base: at });
                at += self.layout.templates[template].words as usize;
            } else {
                let ty = ChanTypeId::new(tag - self.checked.proctypes.len());
                let place = self.channel_block(ty, at);
                tables.chans.push(place);
                at += 1 + self.layout.shapes[ty].words() as usize;
            }
        }
    }

    /// Hands `then` the processes and channels of a state, for questions from outside a search. A fixed layout has them at
    /// hand; otherwise they are located in a buffer of this thread.
    #[inline]
    pub fn with_tables<R>(&self, words: &[Word], then: impl FnOnce(&Tables) -> R) -> R {
        thread_local! {
            static BUFFER: RefCell<Tables> = RefCell::default();
        }
        if self.layout.has_constant_tables() {
            return then(&self.fixed);
        }
        let mut tables = BUFFER.take();
        self.locate(words, &mut tables);
        let answer = then(&tables);
        BUFFER.set(tables);
        answer
    }

    /// The words of the channels that a process creates at run time.
    pub fn channel_words(&self, proctype: ProcTypeId) -> usize {
        let kinds = channels::of_process(&self.checked, &self.checked.proctypes[proctype]);
        kinds.iter().map(|&ty| 1 + self.layout.shapes[ty].words() as usize).sum()
    }

    fn channel_block(&self, ty: ChanTypeId, at: usize) -> ChannelPlace {
        let shape = &self.layout.shapes[ty];
        let len = Field::new(at as u32, self.layout.tag.bits, shape.len_bits, false, false);
        ChannelPlace { ty, len, word: at as u32 + 1, shift: 0 }
    }

    /// The state in which every run starts.
    pub(crate) fn initial_words(&self) -> Result<Vec<Word>, Violation> {
        let mut words = vec![0; self.layout.fixed_words as usize];
        let mut tables = Tables::default();
        self.locate(&words, &mut tables);
        let errors = StepErrors::default();
        if self.layout.channels.len() > LIMIT {
            return Err(Violation { kind: ViolationKind::TooManyChannels, pid: None, span: None });
        }
        self.initialise(&mut words, &Env::new(self, &tables, 0, 0, &errors), self.program.global_init);
        if let (Some(field), Some(events)) = (self.layout.event, &self.program.events) {
            field.set(&mut words, 0, events.graph.start.index() as i32);
        }
        for &proctype in &self.instances.initial {
            let pid = self.nr_pr(&words);
            self.locate(&words, &mut tables);
            let proc = &self.checked.proctypes[proctype];
            let priority = proc.priority.clamp(1, 255) as i32;
            self.spawn(&mut words, &tables, Spawn { proctype, args: &[], priority, span: proc.span }, &errors);
            if let Some(Fault { kind, span }) = errors.fault.get() {
                return Err(Violation { kind, pid: Some(pid.min(LIMIT) as u8), span: Some(span) });
            }
        }
        match errors.fault.get() {
            Some(Fault { kind, span }) => Err(Violation { kind, pid: None, span: Some(span) }),
            None => Ok(words),
        }
    }

    /// Adds a process; its number is returned.
    pub(crate) fn spawn(&self, words: &mut Vec<Word>, tables: &Tables, spawn: Spawn, errors: &StepErrors) -> i32 {
        let Spawn { proctype, args, priority, span } = spawn;
        let pid = self.nr_pr(words);
        if pid >= LIMIT {
            errors.fault.set(Some(Fault { kind: ViolationKind::TooManyProcesses, span }));
            return 0;
        }
        let template_id = self.enter_slot(words, pid, proctype);
        let layout = &self.layout.templates[template_id];
        let template = &self.program.templates[template_id];
        let base = if self.layout.is_fixed { 0 } else { words.len() };
        if !self.layout.is_fixed {
            words.resize(base + layout.words as usize, 0);
            self.layout.tag.set(words, base, proctype.index() as i32);
        }
        self.layout.nr_pr.set(words, 0, pid as i32 + 1);
        layout.pc.set(words, base, template.graph.start.index() as i32);
        if self.checked.uses_priorities && !(1..=255).contains(&priority) {
            errors.fault.set(Some(Fault { kind: ViolationKind::PriorityRange, span }));
        }
        if let Priority::Field(field) = layout.priority {
            field.set(words, base, priority);
        }
        for (nth, (&param, &value)) in template.params.iter().zip(args).enumerate() {
            match param {
                Parameter::Field(field) => {
                    #[cfg(debug_assertions)]
                    if errors.fault.get().is_none() {
                        field.assert_holds(value);
                    }
                    field.set(words, base, value);
                }
                Parameter::Constant(known) => {
                    let has_value = errors.fault.get().is_none();
                    assert!(
                        !has_value || cut_argument(&self.checked.proctypes[proctype], nth, value) == known,
                        "argument {nth} of process {pid} was believed to be {known}, and is {value}"
                    );
                }
            }
        }
        let mut located = Tables::default();
        let tables = match self.layout.has_constant_tables() {
            true => tables,
            false => {
                self.locate(words, &mut located);
                &located
            }
        };
        self.initialise(words, &Env::new(self, tables, pid, base, errors), template.init);
        pid as i32
    }

    /// The template of a process that is created, whose pid is then known to have it.
    fn enter_slot(&self, words: &mut [Word], pid: usize, proctype: ProcTypeId) -> TemplateId {
        if !self.layout.is_fixed {
            return TemplateId::new(proctype.index());
        }
        let slot = self.layout.slots.get(pid);
        let is_it = |id: &TemplateId| self.layout.templates[*id].proctype == proctype;
        let found = slot.and_then(|slot| Some((slot, slot.templates.iter().position(is_it)?)));
        let (slot, nth) = found.expect("every process that can be created was found beforehand");
        if let Some(role) = slot.role {
            role.set(words, 0, nth as i32);
        }
        slot.templates[nth]
    }

    /// Runs initialisers of a process that has just been added (or of the globals).
    fn initialise(&self, words: &mut Vec<Word>, env: &Env, init: Block) {
        let mut tables = Tables::default();
        let mut creates = false;
        for instruction in &self.program.instructions[init.start as usize..init.end as usize] {
            let length = words.len();
            // What follows may look at a channel that was created just now.
            let mut env = if creates { Env { tables: &tables, ..*env } } else { *env };
            env.run(words, instruction);
            if words.len() != length {
                self.locate(words, &mut tables);
                creates = true;
            }
        }
    }

    /// Adds a channel; its number is returned.
    pub(crate) fn create_channel(&self, words: &mut Vec<Word>, ty: ChanTypeId, errors: &StepErrors) -> i32 {
        let mut now = Tables::default();
        self.locate(words, &mut now);
        if now.chans.len() >= LIMIT {
            errors.fault.set(Some(Fault { kind: ViolationKind::TooManyChannels, span: Span::default() }));
            return 0;
        }
        let at = words.len();
        words.resize(at + 1 + self.layout.shapes[ty].words() as usize, 0);
        self.layout.tag.set(words, at, (self.checked.proctypes.len() + ty.index()) as i32);
        now.chans.len() as i32 + 1
    }

    /// Removes the youngest process, and every channel that is younger.
    pub(crate) fn kill_youngest(&self, words: &mut Vec<Word>, process: Process) {
        let pid = self.nr_pr(words) - 1;
        if self.layout.is_fixed {
            for &(word, mask) in &self.layout.templates[process.template].owned {
                words[word as usize] &= !mask;
            }
        } else {
            words.truncate(process.base);
        }
        self.layout.nr_pr.set(words, 0, pid as i32);
    }
}

/// What a parameter that is no structure holds after `value` was passed.
fn cut_argument(proc: &ProcType, nth: usize, value: i32) -> i32 {
    match proc.locals.values().nth(nth).map(|param| param.ty) {
        Some(VarType::Basic(ty)) => cut(ty, value),
        _ => value,
    }
}

/// A model can be shared between threads; each has a scratch of its own.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    const fn is_sent<T: Send>() {}
    is_shared::<Model>();
    is_sent::<crate::exec::step::Scratch>();
};
