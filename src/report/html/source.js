// The source: colours, what was executed, where each process stands, and the statement of the move.

const KEYWORDS = new Set(("active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan d_proctype D_proctype " +
  "d_step do else empty enabled eval false fi for full goto hidden if in init inline int len local ltl mtype nempty never nfull " +
  "notrace np_ od of pc_value pid printf printm priority proctype provided return run select short show skip timeout trace true " +
  "typedef unless unsigned xr xs always eventually until weakuntil release next _pid _nr_pr _last _priority").split(" "));
const TOKEN = /\/\*.*?(?:\*\/|$)|\/\/.*$|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'|^\s*#\s*\w+|\d+|\w+|[^\s\w]|\s+/g;

class Source {
  constructor() {
    this.texts = DATA.files.map((file) => file.text.split("\n"));
    this.inComment = DATA.files.map((_, number) => this.comments(number));
    this.marks = DATA.coverage.map((lines) => new Map(lines));
    this.file = 0;
    this.spans = new Map();
    this.standing = new Map();
    this.times = new Map();
    this.list = new List(byId("source"), 20, (line) => this.line(line));
    const select = byId("file");
    DATA.files.forEach((file, number) => select.append(new Option(file.name, number)));
    select.hidden = DATA.files.length < 2;
    select.addEventListener("change", () => this.open(Number(select.value)));
    if (DATA.files.length > 0) this.open(0);
  }

  /** By line: does it begin inside a comment? */
  comments(number) {
    let inside = false;
    return this.texts[number].map((text) => {
      const was = inside;
      let at = 0;
      while (at >= 0) {
        at = text.indexOf(inside ? "*/" : "/*", at);
        if (at >= 0) [inside, at] = [!inside, at + 2];
      }
      return was;
    });
  }

  open(number) {
    this.file = number;
    byId("file").value = number;
    const widest = Math.min(400, this.texts[number].reduce((most, text) => Math.max(most, text.length), 0));
    this.list.reset(this.texts[number].length, widest + 16);
  }

  /** How often the run has executed each line, n moves in. */
  count(run, n) {
    this.times = new Map();
    for (let move = 0; move < n; move++) {
      const place = DATA.places[run.moves[move].place];
      const key = `${place.file} ${place.from[0]}`;
      this.times.set(key, (this.times.get(key) ?? 0) + 1);
    }
  }

  line(line) {
    const row = element("div", "line");
    const mark = this.marks[this.file]?.get(line);
    const kinds = ["done", "part", "never"];
    const says = ["executed", "executed in part", DATA.is_complete ? "never executed" : "not executed"];
    const cover = element("span", mark === undefined ? "mark" : `mark ${kinds[mark]}`);
    if (mark !== undefined) cover.title = says[mark];
    row.append(cover, element("span", "number", line + 1));
    const times = this.times.get(`${this.file} ${line}`);
    const count = element("span", "times", times ? `${times}×` : "");
    if (times) count.title = `executed ${times} times so far in this run`;
    row.append(count);
    const code = element("code");
    const span = this.spans.get(`${this.file} ${line}`);
    if (span) row.classList.add(span.kind);
    this.colour(code, this.texts[this.file][line], this.inComment[this.file][line], span);
    row.append(code);
    const here = this.standing.get(`${this.file} ${line}`) ?? [];
    const who = element("span", "who");
    for (const pid of here.slice(0, 6)) who.append(element("span", `badge p${pid % 8}`, pid));
    if (here.length > 6) who.append(`+${here.length - 6}`);
    who.title = `here: process ${here.join(", ")}`;
    if (here.length > 0) row.append(who);
    return row;
  }

  /** Colours a line; what is between two columns is marked. */
  colour(code, text, inComment, span) {
    const put = (token, kind, at) => {
      const [from, to] = span ? [Math.max(at, span.from), Math.min(at + token.length, span.to)] : [0, 0];
      if (from >= to) {
        code.append(kind ? element("span", kind, token) : token);
        return;
      }
      for (const [part, marked] of [[token.slice(0, from - at), false], [token.slice(from - at, to - at), true], [token.slice(to - at), false]]) {
        if (part) code.append(element(marked ? "mark" : "span", kind, part));
      }
    };
    let at = 0;
    if (inComment) {
      const end = text.indexOf("*/");
      at = end < 0 ? text.length : end + 2;
      put(text.slice(0, at), "comment", 0);
    }
    for (const [token] of text.slice(at).matchAll(TOKEN)) {
      const first = token[0];
      const kind = token.startsWith("/*") || token.startsWith("//") ? "comment" : first === '"' || first === "'" ? "string"
        : token.trimStart().startsWith("#") && token.length > 1 ? "macro" : first >= "0" && first <= "9" ? "constant" : KEYWORDS.has(token) ? "keyword" : "";
      put(token, kind, at);
      at += token.length;
    }
  }

  /** Marks a statement, and where processes stand. */
  show(place, kind, processes) {
    const before = new Set([...this.spans.keys(), ...this.standing.keys()]);
    this.spans = new Map();
    this.standing = new Map();
    for (const process of processes) {
      const at = DATA.places[process[3]];
      const key = `${at.file} ${at.from[0]}`;
      this.standing.set(key, [...(this.standing.get(key) ?? []), process[0]]);
    }
    if (place !== undefined) {
      const { file, from, to } = DATA.places[place];
      for (let line = from[0]; line <= Math.min(to[0], from[0] + 200); line++) {
        this.spans.set(`${file} ${line}`, { from: line === from[0] ? from[1] : 0, to: line === to[0] ? to[1] : Infinity, kind });
      }
      if (file !== this.file) this.open(file);
    }
    for (const key of new Set([...before, ...this.spans.keys(), ...this.standing.keys()])) {
      const [file, line] = key.split(" ").map(Number);
      if (file === this.file) this.list.update(line);
    }
    if (place !== undefined) this.list.reveal(DATA.places[place].from[0]);
  }
}
