// The drawings that follow the run: the chart of messages, the automata, the lasso.

class Chart {
  constructor(go) {
    this.box = byId("chart");
    this.charts = [...this.box.querySelectorAll("svg.chart")];
    this.box.addEventListener("click", (event) => {
      const row = event.target.closest("[data-moves]");
      if (row) go(Number(row.dataset.moves) - this.skipped);
    });
  }

  open(number, run) {
    this.charts.forEach((chart, index) => chart.toggleAttribute("hidden", index !== number));
    // The page may have the end of the run alone, the chart has all of it.
    this.skipped = 0;
    this.rows = [...(this.charts[number]?.querySelectorAll("[data-moves]") ?? [])]
      .map((row) => ({ row, moves: Number(row.dataset.moves), y: Number(row.dataset.y) })).sort((a, b) => a.y - b.y);
    this.top = Number(this.charts[number]?.viewBox.baseVal.y ?? 0);
    if (run.skipped > 0 && this.rows.length > 0) this.skipped = Math.max(0, this.rows[this.rows.length - 1].moves - run.moves.length);
    this.now = [];
  }

  show(n) {
    for (const { row } of this.now) row.classList.remove("now");
    this.now = this.rows.filter(({ moves }) => moves === n + this.skipped);
    for (const { row } of this.now) row.classList.add("now");
    let last = null;
    for (const row of this.rows) if (row.moves <= n + this.skipped) last = row;
    const y = last ? last.y : 70;
    byId("cursor").style.top = `${y}px`;
    const [top, high] = [this.box.scrollTop, this.box.clientHeight];
    if (y < top + 60 || y > top + high - 40) this.box.scrollTop = y - high * 0.6;
  }
}

class Automata {
  constructor() {
    this.figures = [...document.querySelectorAll("figure.automaton")].map((figure) => {
      const locations = new Map();
      for (const location of figure.querySelectorAll("[data-location]")) locations.set(Number(location.dataset.location), location);
      return { figure, locations, name: figure.dataset.process, box: figure.querySelector(".scroll") };
    });
  }

  show(state, mover) {
    for (const { figure, locations, name, box } of this.figures) {
      for (const token of figure.querySelectorAll(".token")) token.remove();
      for (const location of locations.values()) location.classList.remove("here");
      const here = new Map();
      for (const process of state.processes) {
        if (process[1] !== name) continue;
        here.set(process[2], [...(here.get(process[2]) ?? []), process[0]]);
      }
      let wanted = null;
      for (const [number, pids] of here) {
        const location = locations.get(number);
        if (!location) continue;
        location.classList.add("here");
        const circle = location.querySelector("circle");
        const [x, y] = [Number(circle.getAttribute("cx")), Number(circle.getAttribute("cy"))];
        pids.slice(0, 8).forEach((pid, index) => {
          const token = drawn("g", { class: `token p${pid % 8}` });
          token.append(drawn("circle", { cx: x + 17 + 13 * index, cy: y - 9, r: 7 }), drawn("text", { x: x + 17 + 13 * index, y: y - 5.5 }, pid < 100 ? pid : "…"));
          location.append(token);
        });
        if (wanted === null || pids.includes(mover)) wanted = y;
      }
      figure.classList.toggle("moved", state.processes[mover]?.[1] === name);
      if (wanted !== null && (wanted < box.scrollTop || wanted > box.scrollTop + box.clientHeight - 60)) box.scrollTop = wanted - box.clientHeight / 2;
    }
  }
}

/** The run as a way that leads into a loop. */
class Lasso {
  constructor(go) {
    this.svg = byId("lasso");
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const [x, y] = [((event.clientX - box.left) * 220) / box.width, ((event.clientY - box.top) * 44) / box.height];
      if (x < this.joint) return go(Math.round((this.cycle * (x - 8)) / Math.max(1, this.joint - 8)));
      const angle = Math.atan2((y - 22) / 16, (x - this.joint - this.wide) / this.wide);
      const share = (((angle + Math.PI) / (2 * Math.PI)) + 1) % 1;
      return go(this.cycle + Math.max(1, Math.round(share * (this.count - this.cycle))));
    });
  }

  open(run) {
    this.cycle = run.cycle;
    this.count = run.moves.length;
    this.svg.toggleAttribute("hidden", this.cycle === null);
    if (this.cycle === null) return;
    // The shares of way and loop, within bounds.
    const share = this.count > 0 ? Math.min(0.75, Math.max(0.2, this.cycle / this.count)) : 0.2;
    this.joint = this.cycle === 0 ? 8 : 8 + 190 * Math.min(share, 0.7);
    this.wide = (212 - this.joint) / 2;
    this.svg.replaceChildren(
      drawn("title", {}, this.cycle === this.count ? "the last state stays forever" : `the last ${this.count - this.cycle} moves repeat forever`),
      drawn("path", { class: "way", d: `M8 22H${this.joint}` }),
      drawn("ellipse", { class: "loop", cx: this.joint + this.wide, cy: 22, rx: this.wide, ry: 16 }),
      drawn("text", { x: this.joint + this.wide, y: 26 }, this.cycle === this.count ? "↻" : `↻ ${this.count - this.cycle}`),
      drawn("circle", { class: "dot", r: 5 }),
    );
  }

  show(n) {
    if (this.cycle === null) return;
    const dot = this.svg.querySelector(".dot");
    let [x, y] = [8 + ((this.joint - 8) * n) / Math.max(1, this.cycle), 22];
    if (n >= this.cycle) {
      const angle = Math.PI + (2 * Math.PI * (n - this.cycle)) / Math.max(1, this.count - this.cycle);
      [x, y] = [this.joint + this.wide + this.wide * Math.cos(angle), 22 + 16 * Math.sin(angle)];
    }
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", y);
  }
}
