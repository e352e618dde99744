//! Cycles over several layers, by the greatest persistent predecessor of each state.
//!
//! Each persistent state of a set P has a rank. A value is a rank and whether an accepting state was passed since; values
//! go along steps, the greater wins, and a state of P that is met with its own rank and an accepting state on the path is on
//! an accepting cycle. A greater state outside the cycle may hide that. So after a pass P keeps only what was hidden, by
//! a value with an accepting state; the greatest of P never is hidden, so P shrinks and the passes end.
//! Values of persistent states stay for a pass; those of others are deleted when the layer has passed. A regress edge ends
//! at a persistent state, whose value only grows: that ends a pass. The paper returns to it at once; here it waits until
//! the next turn of the layer.
//!
//! Evangelista, Kristensen (see `ltl_sweep.rs`), Alg. 3; after Brim, Černá, Moravec, Šimša, "Accepting Predecessors Are
//! Better than Back Edges in Distributed LTL Model-Checking", FMCAD 2004.

use std::collections::{BTreeMap, HashSet};
use std::ops::Bound;

use statespace::{StateSpace, Word};

use crate::algorithm::cycles::detector::Context;
use crate::algorithm::cycles::lasso;
use crate::algorithm::is_good;
use crate::control::{Control, End};
use crate::measure::Progress;
use crate::meter::{Account, Meter};
use crate::observer::{Observer, Paths};
use crate::space::acceptance::Accepting;
use crate::store::events::{Events, Kind};
use crate::store::metered::{MeteredTable, MeteredVec};
use crate::store::{Inserted, StateId};

/// Which persistent states to begin with, and what to spare.
pub(crate) struct Options<'a> {
    /// Persistent states are ordered by their progress first, and not by their words alone.
    pub(crate) progress_first: bool,
    /// The layers to stay in, if they are known.
    pub(crate) useful: Option<&'a HashSet<Progress>>,
    /// Only persistent states with this number and later ones.
    pub(crate) first: u64,
}

/// A persistent state, by its place among all of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Persistent(u32);

/// The rank of a persistent state from 1 on, and whether an accepting state was passed. 0 is no value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Value(u64);

impl Value {
    fn new(rank: usize, is_good: bool) -> Value {
        Value((rank as u64 + 1) << 1 | u64::from(is_good))
    }

    fn rank(self) -> u64 {
        self.0 >> 1
    }

    fn is_good(self) -> bool {
        self.0 & 1 == 1
    }

    fn passing(self, is_good: bool) -> Value {
        Value(self.0 | u64::from(is_good))
    }
}

/// The states of a layer that the pass has reached.
struct Wave {
    states: MeteredTable,
    values: MeteredVec<Value>,
    /// States whose values are to be passed on.
    waiting: MeteredVec<StateId>,
    is_waiting: MeteredVec<bool>,
    /// Persistent states of the layer whose values are to be passed on.
    persistent: MeteredVec<Persistent>,
}

/// The place of a persistent state, its progress and its words.
type Ranked<'s> = (usize, Progress, &'s [Word]);

/// Bytes for each layer, with the room that trees leave.
const LAYER_BYTES: usize = 2 * size_of::<(Progress, u32)>();
/// Bytes for each persistent state, while they are ranked.
const STATE_BYTES: usize = size_of::<(Progress, StateId)>()
    + size_of::<Option<Value>>()
    + size_of::<Value>()
    + size_of::<bool>()
    + size_of::<Ranked>();

/// The search.
pub(crate) struct Predecessors<'a, S: StateSpace> {
    space: &'a S,
    context: Context<'a>,
    useful: Option<&'a HashSet<Progress>>,
    /// The place of the first persistent state of each layer.
    places: BTreeMap<Progress, u32>,
    /// All persistent states: their layers and what they are there.
    states: Vec<(Progress, StateId)>,
    /// What each starts with, if it is in P.
    own: Vec<Option<Value>>,
    values: Vec<Value>,
    is_waiting: Vec<bool>,
    waves: BTreeMap<Progress, Wave>,
    /// What is held for each persistent state and each layer.
    _account: Account,
    meter: Meter,
    events: Events<S::Violation>,
    scratch: S::Scratch,
}

impl<'a, S: Accepting<Violation: PartialEq>> Predecessors<'a, S> {
    pub(crate) fn new<O: Observer>(
        space: &'a S,
        context: Context<'a>,
        options: Options<'a>,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Self, End> {
        let count: usize = context.layers.iter().map(|(_, layer)| layer.persistent().count()).sum();
        let layers = context.layers.iter().count();
        let bytes = layers * LAYER_BYTES + count * STATE_BYTES;
        control.allow(bytes)?;
        let mut account = control.meter().account();
        account.set(bytes);
        let mut places = BTreeMap::new();
        let mut states = Vec::with_capacity(count);
        for (progress, layer) in context.layers.iter() {
            places.insert(progress, states.len() as u32);
            states.extend(layer.persistent().map(|id| (progress, id)));
        }
        let mut search = Predecessors {
            space,
            context,
            useful: options.useful,
            places,
            states,
            own: vec![None; count],
            values: vec![Value::default(); count],
            is_waiting: vec![false; count],
            waves: BTreeMap::new(),
            _account: account,
            meter: control.meter().clone(),
            events: Events::new(control.meter()),
            scratch: space.scratch(),
        };
        search.rank(&options);
        Ok(search)
    }

    /// Gives the states of P their ranks.
    fn rank(&mut self, options: &Options<'_>) {
        let layers = self.context.layers;
        let mut ranked: Vec<Ranked> = Vec::with_capacity(self.states.len());
        for (place, &(progress, id)) in self.states.iter().enumerate() {
            let Some(layer) = layers.get(progress) else {
                continue;
            };
            if layer.tag(id).number() >= options.first && self.is_useful(progress) {
                ranked.push((place, progress, layer.get(id)));
            }
        }
        match options.progress_first {
            true => ranked.sort_unstable_by_key(|&(_, progress, state)| (progress, state)),
            false => ranked.sort_unstable_by_key(|&(_, _, state)| state),
        }
        for (rank, (place, _, state)) in ranked.into_iter().enumerate() {
            self.own[place] = Some(Value::new(rank, is_good(self.space, state)));
        }
    }

    fn is_useful(&self, progress: Progress) -> bool {
        self.useful.is_none_or(|useful| useful.contains(&progress))
    }

    /// Looks for a cycle and reports it; whether there is one.
    pub(crate) fn search<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) -> Result<bool, End> {
        while self.own.iter().any(Option::is_some) {
            control.stats.sweep.passes += 1;
            let found = self.pass(control);
            let deleted: u64 = self.waves.values().map(|wave| u64::from(wave.states.len())).sum();
            control.deleted(deleted);
            self.waves.clear();
            if let Some(found) = found? {
                self.report(found, control)?;
                return Ok(true);
            }
            for (own, value) in self.own.iter_mut().zip(&self.values) {
                *own = own.filter(|own| value.rank() > own.rank() && value.is_good());
            }
        }
        Ok(false)
    }

    /// Passes all values on, until none grows; a state that was met by its own.
    fn pass<O: Observer>(&mut self, control: &mut Control<'_, S::Violation, O>) -> Result<Option<Persistent>, End> {
        for place in 0..self.states.len() {
            self.is_waiting[place] = false;
            self.values[place] = self.own[place].unwrap_or_default();
            if self.own[place].is_some() {
                self.wait(Persistent(place as u32), control)?;
            }
        }
        let mut at = None;
        loop {
            let above = at.map_or(Bound::Unbounded, Bound::Excluded);
            let next = self.waves.range((above, Bound::Unbounded)).next().or_else(|| self.waves.first_key_value());
            let Some((&progress, _)) = next else {
                return Ok(None);
            };
            at = Some(progress);
            let Some(mut wave) = self.waves.remove(&progress) else {
                return Ok(None);
            };
            let found = self.expand(progress, &mut wave, control);
            control.deleted(u64::from(wave.states.len()));
            if let Some(found) = found? {
                return Ok(Some(found));
            }
        }
    }

    /// Passes on all values of a layer.
    fn expand<O: Observer>(
        &mut self,
        at: Progress,
        wave: &mut Wave,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Option<Persistent>, End> {
        let layers = self.context.layers;
        loop {
            let (state, value) = if let Some(place) = wave.persistent.pop() {
                let (progress, id) = self.states[place.0 as usize];
                self.is_waiting[place.0 as usize] = false;
                let Some(layer) = layers.get(progress) else {
                    continue;
                };
                (layer.get(id), self.values[place.0 as usize])
            } else if let Some(id) = wave.waiting.pop() {
                wave.is_waiting[id.0 as usize] = false;
                (wave.states.get(id), wave.values[id.0 as usize])
            } else {
                return Ok(None);
            };
            let waiting = wave.persistent.len() + wave.waiting.len();
            control.expanding(state, waiting as u64)?;
            let value = value.passing(is_good(self.space, state));
            let mut events = std::mem::take(&mut self.events);
            events.clear();
            events.expand((self.space, state), &mut self.scratch, (), &|_, _| true, control)?;
            let found = self.pass_on(value, &events, (at, wave), control);
            self.events = events;
            if let Some(found) = found? {
                return Ok(Some(found));
            }
        }
    }

    /// Passes a value on to all successors.
    fn pass_on<O: Observer>(
        &mut self,
        value: Value,
        events: &Events<S::Violation>,
        (at, wave): (Progress, &mut Wave),
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<Option<Persistent>, End> {
        let layers = self.context.layers;
        for event in events.iter() {
            let Kind::Successor(hash, state) = event.kind else {
                continue;
            };
            control.step();
            let to = self.context.measure.of(state);
            if !self.is_useful(to) {
                continue;
            }
            let layer = layers.get(to);
            let kept = layer.and_then(|layer| layer.table().find(hash, state));
            // Roots of the next sweep, and what is behind them, have their turn after that.
            let is_root = layer.zip(kept).is_some_and(|(layer, id)| layer.is_root(id));
            if is_root {
                continue;
            }
            if let (Some(id), Some(first)) = (kept, self.places.get(&to)) {
                let place = Persistent(first + id.0);
                if self.own[place.0 as usize].is_some_and(|own| own.passing(true) == value) {
                    return Ok(Some(place));
                }
                if value > self.values[place.0 as usize] {
                    self.values[place.0 as usize] = value;
                    match to == at {
                        true if self.is_waiting[place.0 as usize] => {}
                        true => {
                            self.is_waiting[place.0 as usize] = true;
                            wave.persistent.room_for(1, control)?;
                            wave.persistent.push(place);
                        }
                        false => self.wait(place, control)?,
                    }
                }
            } else if to == at {
                wave.meet((hash, state), value, control)?;
            } else {
                self.wave(to).meet((hash, state), value, control)?;
            }
        }
        Ok(None)
    }

    /// The value of a persistent state is to be passed on.
    fn wait<O: Observer>(&mut self, place: Persistent, control: &mut Control<'_, S::Violation, O>) -> Result<(), End> {
        if !std::mem::replace(&mut self.is_waiting[place.0 as usize], true) {
            let (progress, _) = self.states[place.0 as usize];
            let persistent = &mut self.wave(progress).persistent;
            persistent.room_for(1, control)?;
            persistent.push(place);
        }
        Ok(())
    }

    /// The wave of a layer, which is opened if there is none.
    fn wave(&mut self, progress: Progress) -> &mut Wave {
        let (fixed_words, meter) = (self.space.fixed_words(), &self.meter);
        self.waves.entry(progress).or_insert_with(|| Wave::new(fixed_words, meter))
    }

    /// Reports the path to a persistent state and around the cycle.
    #[cold]
    fn report<O: Observer>(
        &mut self,
        found: Persistent,
        control: &mut Control<'_, S::Violation, O>,
    ) -> Result<(), End> {
        let (progress, id) = self.states[found.0 as usize];
        let Some(layer) = self.context.layers.get(progress) else {
            return Ok(());
        };
        let meter = control.meter().clone();
        control.cycle(self.space.cycle(), || {
            let stem = Paths(self.context.predecessors).to(layer.tag(id).number())?;
            let round = lasso::Round { space: self.space, start: layer.get(id) };
            round.close(stem, self.context.measure, &meter)
        })
    }
}

impl Wave {
    fn new(fixed_words: Option<usize>, meter: &Meter) -> Wave {
        Wave {
            states: MeteredTable::new(fixed_words, meter),
            values: MeteredVec::new(meter),
            waiting: MeteredVec::new(meter),
            is_waiting: MeteredVec::new(meter),
            persistent: MeteredVec::new(meter),
        }
    }

    /// A state is met with a value.
    fn meet<V: Copy + PartialEq, O: Observer>(
        &mut self,
        state: (u64, &[Word]),
        value: Value,
        control: &mut Control<'_, V, O>,
    ) -> Result<(), End> {
        self.values.room_for(1, control)?;
        self.is_waiting.room_for(1, control)?;
        self.waiting.room_for(1, control)?;
        let id = match self.states.store_again(state, control)? {
            Inserted::New(id) => {
                self.values.push(Value::default());
                self.is_waiting.push(false);
                id
            }
            Inserted::Known(id) => id,
        };
        let place = id.0 as usize;
        if value > self.values[place] {
            self.values[place] = value;
            if !std::mem::replace(&mut self.is_waiting[place], true) {
                self.waiting.push(id);
            }
        }
        Ok(())
    }
}
