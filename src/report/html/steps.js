// The steps as a list, a row for each move: moves of one step are tied together, and so is the cycle.

class Steps {
  constructor(go) {
    this.go = go;
    this.box = byId("steps");
    this.list = new List(this.box, 24, (index) => this.row(index));
    this.box.addEventListener("click", (event) => {
      const row = event.target.closest("[data-n]");
      if (row) this.go(Number(row.dataset.n));
    });
    this.n = 0;
  }

  open(run) {
    this.run = run;
    this.count = run.moves.length;
    byId("steps-title").textContent = run.skipped
      ? `Steps (the first ${run.skipped} are left out: the page shows the last ${run.moves[this.count - 1].step - run.skipped})` : "Steps";
    // The state at the start, the moves, and what comes at the end.
    this.list.reset(this.count + 1 + (this.ending() ? 1 : 0));
  }

  ending() {
    const { error, cycle, moves } = this.run;
    if (cycle !== null && cycle === this.count) return "↻ the last state stays forever";
    if (cycle !== null) return `↻ step ${moves[cycle].step} comes next, and so on forever`;
    return error ? `✗ ${error.text}` : null;
  }

  row(index) {
    const row = element("div", "step");
    if (index > this.count) {
      const isLoop = this.run.cycle !== null;
      row.classList.add("ending", isLoop ? "loops" : "bad");
      row.dataset.n = isLoop ? Math.min(this.run.cycle + 1, this.count) : this.count;
      row.setAttribute("role", "option");
      row.append(element("span", "text", this.ending()));
      return row;
    }
    row.id = `row-${index}`;
    row.dataset.n = index;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", index === this.n);
    if (index === 0) {
      row.append(element("span", "number", this.run.skipped || "0"), element("span", "text quiet", "the state at the start"));
      return row;
    }
    const { moves, cycle, error } = this.run;
    const move = moves[index - 1];
    const [before, after] = [moves[index - 2], moves[index]];
    const isFirst = before?.step !== move.step;
    if (cycle !== null && index > cycle) row.classList.add("cycle");
    if (cycle !== null && index === cycle + 1) row.classList.add("cycle-start");
    if (!isFirst) row.classList.add("tied");
    if (after?.step === move.step) row.classList.add("ties");
    if (index === this.count && error && error.pid !== null && cycle === null) row.classList.add("wrong");
    const place = DATA.places[move.place];
    row.append(element("span", "number", isFirst ? move.step : ""));
    const badge = element("span", `badge p${move.pid % 8}`, `${move.process}(${move.pid})`);
    row.append(badge, element("span", "line-number", DATA.files.length > 1 && place.file > 0 ? `${DATA.files[place.file].name}:${place.line}` : place.line));
    row.append(element("code", "text", move.text), element("span", "effects", effects(move)));
    row.title = `${move.process}(${move.pid}) line ${place.line}: ${move.text}\n${effects(move)}`;
    return row;
  }

  show(n) {
    const old = this.n;
    this.n = n;
    this.list.update(old);
    this.list.reveal(n);
    this.list.update(n);
    this.box.setAttribute("aria-activedescendant", `row-${n}`);
    if (n === this.count) this.list.reveal(this.list.count - 1);
  }
}

/** What a move says and changes, in short. */
function effects(move) {
  const said = move.messages ?? [];
  const changed = (move.changes ?? []).filter(([, name]) => !said.some((message) => message.startsWith(`${name} `)))
    .map(([pid, name, value]) => `${pid !== null && pid !== move.pid ? `(${pid})` : ""}${name} = ${value}`);
  const printed = move.printed ? [`prints ${JSON.stringify(move.printed.length > 200 ? `${move.printed.slice(0, 200)}…` : move.printed)}`] : [];
  const shown = [...said, ...changed.slice(0, 12), ...printed];
  if (changed.length > 12) shown.push(`… ${changed.length - 12} more`);
  return shown.join(", ");
}
