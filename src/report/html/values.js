// Processes, atoms of the formula, variables and channels: now, and over time.

/** The most variables that are listed. */
const MOST_LISTED = 400;

class Values {
  constructor(go) {
    this.go = go;
    byId("all").addEventListener("change", () => this.list());
  }

  open(run, history) {
    this.run = run;
    this.lines = history.timelines();
    const atoms = byId("atoms");
    atoms.hidden = run.atoms.length === 0;
    this.atomRows = run.atoms.map((atom, number) => {
      const points = [[0, run.truths[number] ? "true" : "false"]];
      run.moves.forEach((move, index) => {
        const value = move.truths?.[number];
        if (value !== undefined && (points[points.length - 1][1] === "true") !== value) points.push([index + 1, value ? "true" : "false"]);
      });
      return this.row(atom, "", points);
    });
    atoms.tBodies[0].replaceChildren(...this.atomRows.map(({ row }) => row));
    this.list();
  }

  /** Lists the variables: those that change first in view, the others on demand. */
  list() {
    const changing = [...this.lines.values()].filter(({ points }) => points.length > 1);
    const wanted = byId("all").checked || changing.length === 0 ? [...this.lines.values()] : changing;
    byId("all-label").hidden = changing.length === this.lines.size || changing.length === 0;
    wanted.sort((a, b) => (a.pid ?? -1) - (b.pid ?? -1));
    this.rows = new Map(wanted.slice(0, MOST_LISTED).map((line) => [line.key, this.row(line.name, line.pid, line.points)]));
    const body = byId("values").tBodies[0];
    body.replaceChildren(...[...this.rows.values()].map(({ row }) => row));
    const left = wanted.length - MOST_LISTED;
    if (left > 0 || this.run.is_cut) {
      const row = body.insertRow();
      row.insertCell().textContent = left > 0 ? `… ${left} more` : "… and more";
    }
    if (this.state) this.show(this.state, this.n);
  }

  row(name, pid, points) {
    const row = element("tr");
    const title = element("th");
    title.scope = "row";
    if (typeof pid === "number") title.append(element("span", `badge p${pid % 8}`, pid), " ");
    title.append(name);
    const value = element("td", "value");
    const strip = element("td", "strip");
    const [svg, cursor] = this.strip(points);
    strip.append(svg);
    row.append(title, value, strip);
    return { row, value, cursor };
  }

  /** A value over time: numbers by size, contents of channels by their number, other values by when they came first. */
  strip(points) {
    const count = Math.max(1, this.run.moves.length);
    const texts = points.map(([, text]) => text).filter((text) => text !== null);
    const levels = new Map();
    const level = texts.every((text) => /^-?\d+$/.test(text)) ? Number
      : texts.every((text) => text === "empty" || text.startsWith("[")) ? (text) => (text === "empty" ? 0 : text.split("] [").length)
      : texts.every((text) => text === "true" || text === "false") ? (text) => (text === "true" ? 1 : 0)
      : (text) => levels.get(text) ?? levels.set(text, levels.size).get(text);
    const values = texts.map(level);
    const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
    const y = (text) => (18 - (16 * (level(text) - least)) / (most - least)).toFixed(1);
    let path = "";
    points.forEach(([from, text], index) => {
      if (text === null) return;
      const to = points[index + 1]?.[0] ?? count;
      const isNew = index === 0 || points[index - 1][1] === null;
      path += `${isNew ? "M" : "L"}${from} ${y(text)}H${to}`;
    });
    const svg = drawn("svg", { viewBox: `0 0 ${count} 20`, preserveAspectRatio: "none", class: "strip" });
    svg.append(drawn("path", { d: path }));
    const cursor = drawn("line", { y1: 0, y2: 20, x1: 0, x2: 0 });
    svg.append(cursor);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      this.go(Math.round((count * (event.clientX - box.left)) / box.width));
    });
    return [svg, cursor];
  }

  show(state, n) {
    [this.state, this.n] = [state, n];
    const mover = n > 0 ? this.run.moves[n - 1].pid : null;
    byId("processes").tBodies[0].replaceChildren(...state.processes.slice(0, MOST_LISTED).map(([pid, name, location, place, mayEnd]) => {
      const row = element("tr", pid === mover ? "moved" : "");
      const at = DATA.places[place];
      const who = element("th");
      who.scope = "row";
      who.append(element("span", `badge p${pid % 8}`, `${name}(${pid})`));
      const text = element("td");
      const next = DATA.locations[name]?.[location] ?? [at.text];
      next.forEach((statement, index) => {
        if (index > 0) text.append(element("small", "", " or "));
        text.append(element("code", "", statement === "-end-" ? "at its end" : statement));
      });
      if (mayEnd) text.append(" ", element("small", "", "may end here"));
      row.append(who, element("td", "", at.line), text);
      return row;
    }));
    for (const [key, { row, value, cursor }] of this.rows) {
      const view = state.values.get(key);
      const isNew = n > 0 && view?.since === n;
      row.classList.toggle("changed", isNew);
      value.replaceChildren(view ? shorten(view.value) : "–");
      value.title = view?.value ?? "";
      if (isNew && view.from !== undefined) value.prepend(element("del", "", shorten(view.from)), " → ");
      cursor.setAttribute("x1", n);
      cursor.setAttribute("x2", n);
    }
    this.atomRows.forEach(({ row, value, cursor }, number) => {
      const holds = state.truths[number];
      row.classList.toggle("holds", holds);
      value.textContent = holds ? "true" : "false";
      cursor.setAttribute("x1", n);
      cursor.setAttribute("x2", n);
    });
  }
}

const shorten = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
