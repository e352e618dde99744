// The page: verdict, player, keys.

const WORDS = { holds: "holds", violated: "VIOLATED", stopped: "NO VERDICT", run: "a run" };

function head() {
  document.body.dataset.state = DATA.state;
  byId("verdict").textContent = WORDS[DATA.state];
  byId("what").textContent = DATA.headline;
  byId("model").textContent = DATA.model;
  byId("psw").textContent = `psw ${DATA.psw}`;
  byId("command").textContent = `$ ${DATA.command}`;
  byId("summary").textContent = DATA.summary;
  byId("summary").hidden = DATA.summary === "";
  byId("never").textContent = DATA.is_complete ? "never executed" : "not executed";
  for (const { name, formula, state, text, notes } of DATA.checks) {
    const item = element("li", state);
    item.append(element("b", "", name), " ");
    if (formula) item.append(element("code", "", formula), " ");
    item.append(element("span", "", text));
    for (const note of notes) item.append(element("p", "note", note));
    byId("checks").append(item);
  }
  for (const reason of DATA.lost) byId("checks").append(element("li", "stopped", `not shown: ${reason}`));
  for (const { name, value } of DATA.facts) {
    const fact = element("div");
    fact.append(element("dt", "", name), element("dd", "", value));
    byId("facts").append(fact);
  }
  byId("growth-panel").hidden = byId("growth").childElementCount === 0;
}

const page = {
  n: 0,
  timer: null,
  go(n) {
    if (!page.run) return;
    page.n = Math.max(0, Math.min(page.history.count, n));
    page.draw();
  },
  draw() {
    const { n, run } = page;
    const move = n > 0 ? run.moves[n - 1] : null;
    const state = page.history.at(n);
    const isWrong = n === page.history.count && run.error !== null && run.cycle === null;
    const place = isWrong && run.error.place !== null ? run.error.place : move?.place;
    page.steps.show(n);
    page.source.count(run, n);
    page.source.show(place, isWrong && run.error.place !== null ? "wrong" : "current", state.processes);
    page.source.list.refresh();
    page.values.show(state, n);
    page.chart.show(n);
    page.automata.show(state, move?.pid);
    page.lasso.show(n);
    const slider = byId("slider");
    slider.value = n;
    const last = run.moves[run.moves.length - 1]?.step ?? 0;
    const where = move ? `step ${move.step} of ${last}` : "start";
    slider.setAttribute("aria-valuetext", where);
    byId("where").textContent = where;
    byId("now").textContent = move ? `${move.process}(${move.pid}): ${move.text}` : "the state at the start";
  },
  open(number) {
    const run = DATA.runs[number];
    page.run = run;
    page.history = new History(run);
    page.steps.open(run);
    page.values.open(run, page.history);
    page.chart.open(number, run);
    page.lasso.open(run);
    byId("slider").max = run.moves.length;
    byId("story").replaceChildren(...run.story.map((sentence) => element("li", "", sentence)));
    const wanted = Number(location.hash.slice(1));
    page.go(location.hash.length > 1 && Number.isInteger(wanted) ? wanted : run.moves.length);
  },
  /** The next move of the same process, or the one before. */
  same(direction) {
    const pid = page.run.moves[page.n - 1]?.pid;
    for (let n = page.n + direction; n > 0 && n <= page.history.count; n += direction) {
      if (pid === undefined || page.run.moves[n - 1].pid === pid) return page.go(n);
    }
  },
  play() {
    const isOn = page.timer === null;
    clearInterval(page.timer);
    page.timer = null;
    const button = byId("play");
    button.textContent = isOn ? "⏸ pause" : "▶ play";
    button.setAttribute("aria-label", isOn ? "pause" : "play");
    if (!isOn) return;
    if (page.n === page.history.count && page.run.cycle === null) page.go(0);
    page.timer = setInterval(() => {
      const { cycle } = page.run;
      if (page.n < page.history.count) page.go(page.n + 1);
      else if (cycle !== null && cycle < page.history.count) page.go(cycle + 1);
      else page.play();
    }, 600);
  },
};

/** What a key does, unless what has the focus does something with it itself. */
function press(event) {
  if (!page.run || event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target;
  const has = (selector) => target.closest?.(selector);
  if (has("select, input[type=checkbox]")) return;
  const isSpace = event.key === " ";
  if (isSpace && has("button, summary")) return;
  if (!isSpace && has(".scroll")) return;
  const last = page.history.count;
  const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (way !== undefined && event.shiftKey) page.same(way);
  else if (way !== undefined) page.go(page.n + way);
  else if (event.key === "PageDown") page.go(page.n + 10);
  else if (event.key === "PageUp") page.go(page.n - 10);
  else if (event.key === "Home") page.go(0);
  else if (event.key === "End") page.go(last);
  else if (isSpace) page.play();
  else return;
  event.preventDefault();
}

head();
page.source = new Source();
page.automata = new Automata();
if (DATA.runs.length > 0) {
  for (const id of ["player", "steps-panel", "values-panel", "chart-panel"]) byId(id).hidden = false;
  page.steps = new Steps(page.go);
  page.values = new Values(page.go);
  page.chart = new Chart(page.go);
  page.lasso = new Lasso(page.go);
  const select = byId("run");
  DATA.runs.forEach((run, number) => select.append(new Option(run.name, number)));
  select.hidden = DATA.runs.length < 2;
  select.addEventListener("change", () => page.open(Number(select.value)));
  byId("slider").addEventListener("input", () => page.go(Number(byId("slider").value)));
  for (const [id, act] of [["first", () => page.go(0)], ["back", () => page.go(page.n - 1)], ["play", page.play],
    ["next", () => page.go(page.n + 1)], ["last", () => page.go(page.history.count)]]) byId(id).addEventListener("click", act);
  document.addEventListener("keydown", press);
  addEventListener("hashchange", () => page.go(Number(location.hash.slice(1)) || 0));
  page.open(0);
} else {
  document.body.classList.add("still");
}
// What is printed is whole.
const lists = [page.source.list, page.steps?.list].filter((list) => list !== undefined);
for (const [event, all] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(event, () => {
    for (const list of lists) {
      list.all = all;
      list.show();
    }
  });
}
document.documentElement.dataset.ready = Math.round(performance.now());
