"use strict";
// The states of a run, made again from what each move changes. State n is the one behind n moves.

const DATA = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

/** An element with a class and a text. All text of the page goes through textContent. */
function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** An element of a drawing. */
function drawn(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const keyOf = (pid, name) => `${pid === null ? "" : pid} ${name}`;

class History {
  /** Every so many states one is kept. */
  static EVERY = 128;

  constructor(run) {
    this.run = run;
    const start = { values: new Map(), processes: [], truths: run.truths };
    for (const [pid, name, value] of run.values) start.values.set(keyOf(pid, name), { pid, name, value, since: 0 });
    for (const process of run.processes) start.processes[process[0]] = process;
    this.kept = [start];
    this.count = run.moves.length;
  }

  static copy(state) {
    return { values: new Map(state.values), processes: [...state.processes], truths: state.truths };
  }

  /** Makes a state the one behind its move number n. */
  advance(state, n) {
    const move = this.run.moves[n - 1];
    if (move.left !== undefined) {
      state.processes.length = move.left;
      for (const [key, view] of state.values) if (view.pid !== null && view.pid >= move.left) state.values.delete(key);
    }
    for (const process of move.processes ?? []) state.processes[process[0]] = process;
    for (const [pid, name, value] of move.changes ?? []) {
      const key = keyOf(pid, name);
      const from = state.values.get(key)?.value;
      if (from !== value) state.values.set(key, { pid, name, value, from, since: n });
    }
    if (move.truths) state.truths = move.truths;
  }

  /** The state behind n moves. */
  at(n) {
    const every = History.EVERY;
    while (this.kept.length <= Math.floor(n / every)) {
      const state = History.copy(this.kept[this.kept.length - 1]);
      const from = (this.kept.length - 1) * every;
      for (let move = from + 1; move <= from + every; move++) this.advance(state, move);
      this.kept.push(state);
    }
    const nearest = Math.floor(n / every);
    const state = History.copy(this.kept[nearest]);
    for (let move = nearest * every + 1; move <= n; move++) this.advance(state, move);
    return state;
  }

  /** By variable: when it had which value; null where it does not exist. */
  timelines() {
    const lines = new Map();
    const line = (pid, name) => {
      const key = keyOf(pid, name);
      if (!lines.has(key)) lines.set(key, { key, pid, name, points: [] });
      return lines.get(key).points;
    };
    for (const [pid, name, value] of this.run.values) line(pid, name).push([0, value]);
    this.run.moves.forEach((move, index) => {
      if (move.left !== undefined) {
        for (const { pid, points } of lines.values()) {
          if (pid !== null && pid >= move.left && points[points.length - 1][1] !== null) points.push([index + 1, null]);
        }
      }
      for (const [pid, name, value] of move.changes ?? []) {
        const points = line(pid, name);
        if (points.length === 0 || points[points.length - 1][1] !== value) points.push([index + 1, value]);
      }
    });
    return lines;
  }
}

/** A long list of which only the rows in view exist. */
class List {
  constructor(box, height, render) {
    this.box = box;
    this.height = height;
    this.render = render;
    this.rows = new Map();
    this.count = 0;
    this.all = false;
    this.space = element("div", "space");
    box.append(this.space);
    box.addEventListener("scroll", () => this.show(), { passive: true });
    new ResizeObserver(() => this.show()).observe(box);
  }

  /** Shows a list of so many rows, anew. */
  reset(count, width) {
    this.count = count;
    this.space.style.height = `${count * this.height}px`;
    this.space.style.minWidth = width ? `${width}ch` : "";
    this.refresh();
  }

  /** Makes the rows in view again. */
  refresh() {
    this.space.replaceChildren();
    this.rows.clear();
    this.show();
  }

  show() {
    const top = this.box.scrollTop;
    let first = Math.max(0, Math.floor(top / this.height) - 8);
    let behind = Math.min(this.count, Math.ceil((top + this.box.clientHeight) / this.height) + 8);
    if (this.all) [first, behind] = [0, this.count];
    for (const [index, row] of this.rows) {
      if (index < first || index >= behind) {
        row.remove();
        this.rows.delete(index);
      }
    }
    let isNew = false;
    for (let index = first; index < behind; index++) {
      if (this.rows.has(index)) continue;
      const row = this.render(index);
      row.style.top = `${index * this.height}px`;
      this.rows.set(index, row);
      isNew = true;
    }
    // Who reads the page aloud, or prints it, takes the rows in their order.
    if (isNew) this.space.append(...[...this.rows].sort(([a], [b]) => a - b).map(([, row]) => row));
  }

  /** Makes one row again, if it is there. */
  update(index) {
    const old = this.rows.get(index);
    if (!old) return;
    const row = this.render(index);
    row.style.top = `${index * this.height}px`;
    old.replaceWith(row);
    this.rows.set(index, row);
  }

  /** Scrolls a row into view, with room around it. */
  reveal(index) {
    const [top, high] = [index * this.height, this.box.clientHeight];
    const room = Math.min(3 * this.height, high / 3);
    if (top - room < this.box.scrollTop) this.box.scrollTop = Math.max(0, top - room);
    else if (top + this.height + room > this.box.scrollTop + high) this.box.scrollTop = top + this.height + room - high;
    this.show();
  }
}
