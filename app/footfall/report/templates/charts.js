// Draws the charts of a page out of their data, and lets one hover, zoom, and take them away.
const CHARTS = (() => {
const INCH = 106, TICK = 11;
const LIGHT = { ink: "#1d1f21", dim: "#555", rule: "#ddd", paper: "#fff" };
const DARK = { ink: "#e6e6e6", dim: "#a8adb3", rule: "#3a3f45", paper: "#17191c" };
const SYMBOLS = {
  x: "M-1-1L1 1M-1 1L1-1", "+": "M-1.2 0H1.2M0-1.2V1.2", "|": "M0-1V1", "_": "M-1 0H1",
  s: "M-1-1H1V1H-1Z", D: "M0-1.3L1.3 0L0 1.3L-1.3 0Z", d: "M0-1.3L.8 0L0 1.3L-.8 0Z",
  "^": "M0-1L1 1H-1Z", v: "M0 1L1-1H-1Z", "<": "M-1 0L1-1V1Z", ">": "M1 0L-1-1V1Z",
  "*": "M0-1.2L.3-.4L1.1-.4L.5.1L.7 1L0 .5L-.7 1L-.5.1L-1.1-.4L-.3-.4Z",
  P: "M-.4-1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2V-.4H-.4Z",
  X: "M-1.2-.7L-.7-1.2L0-.5L.7-1.2L1.2-.7L.5 0L1.2.7L.7 1.2L0 .5L-.7 1.2L-1.2.7L-.5 0Z",
  o: "M-1 0A1 1 0 1 0 1 0A1 1 0 1 0-1 0Z",
};
const clean = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const px = (value) => Math.round(10 * value) / 10;
const plain = (text) => text.replace(/\s+/g, " ");
const dark = () => document.documentElement.dataset.theme === "dark";

function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const found = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  found.arrays = numbersOf(found.arrays, buffer, 4 + length);
  for (const chart of found.charts) {
    for (const panel of chart.panels) {
      for (const mark of panel.marks) {
        for (const axis of ["x", "y"]) {
          const share = mark.shares[axis === "x" ? 0 : 1], values = found.arrays[mark[axis]];
          mark[axis] = panel[axis].log && !share ? values.map((value) => 10 ** value) : values;
        }
      }
    }
  }
  return found.charts;
}

// --- axes ---------------------------------------------------------------------------------------

function ticksOf(scale, low, high, room) {
  const [first, last] = low < high ? [low, high] : [high, low];
  if (scale.ticks) {
    return scale.ticks.filter(([at]) => at >= first && at <= last);
  }
  if (scale.log) {
    const decades = Math.log10(last) - Math.log10(first), every = Math.max(1, Math.ceil(decades / room));
    const found = [];
    for (let k = Math.ceil(Math.log10(first) - 1e-9); k <= Math.log10(last) + 1e-9; k += 1) {
      for (const m of decades < 2 ? [1, 2, 5] : [1]) {
        const at = m * 10 ** k;
        if (k % every === 0 && at <= last * (1 + 1e-9)) {
          found.push([at, k > 3 || k < -3 ? at.toExponential(0).replace("e+", "e") : String(Number(at.toPrecision(2)))]);
        }
      }
    }
    return found;
  }
  const raw = (last - first) / Math.max(room, 1), power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 2.5, 5, 10].find((m) => m * power >= raw * (1 - 1e-9));
  const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9) + (step / power === 2.5 ? 1 : 0)));
  const large = Math.max(Math.abs(first), Math.abs(last));
  const text = (at) => (large >= 1e6 || large < 1e-4 ? at.toExponential(2).replace(/\.?0+e\+?/, "e") : at.toFixed(digits)).replace("-", "\u2212");
  const found = [];
  for (let k = Math.ceil(first / step - 1e-9); k * step <= last + 1e-9 * step; k += 1) {
    found.push([k * step, text(k === 0 ? 0 : k * step)]);
  }
  return found;
}

function mapping(scale, [low, high], begin, end) {
  const of = scale.log ? Math.log10 : (value) => value, a = of(low), b = of(high);
  const to = (value) => begin + (of(value) - a) / (b - a) * (end - begin);
  to.back = (pixel) => { const v = a + (pixel - begin) / (end - begin) * (b - a); return scale.log ? 10 ** v : v; };
  return to;
}

// Axes of one unit length: the one that has room to spare shows more.
function equalised(view, width, height) {
  const spans = [Math.abs(view.x[1] - view.x[0]) / width, Math.abs(view.y[1] - view.y[0]) / height];
  const unit = Math.max(...spans);
  const grown = (ends, pixels) => {
    const middle = (ends[0] + ends[1]) / 2, half = unit * pixels / 2 * Math.sign(ends[1] - ends[0]);
    return [middle - half, middle + half];
  };
  return { x: grown(view.x, width), y: grown(view.y, height) };
}

// --- one panel as SVG ---------------------------------------------------------------------------

// Room for the labels beside the panels of a chart, which stand below each other.
function roomBeside(panels) {
  const fixed = panels.flatMap(({ y }) => (y.ticks || []).map(([, text]) => text.length));
  return Math.max(50, 6.2 * Math.max(...fixed, 0) + 12);
}

function layout(panel, view, width, height, beside) {
  const lines = panel.y.label ? 1 : 0, top = 6 + (panel.title ? 17 : 0) + 15 * lines;
  const box = { left: Math.min(beside, 0.45 * width), right: width - 12, top, bottom: height - (panel.x.label ? 36 : 20) };
  const seen = panel.equal ? equalised(view, box.right - box.left, box.bottom - box.top) : view;
  return { ...box, view: seen, x: mapping(panel.x, seen.x, box.left, box.right), y: mapping(panel.y, seen.y, box.bottom, box.top) };
}

function coloured(colour, theme) {
  const parts = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
  const grey = Math.max(...parts) - Math.min(...parts) < 24;
  if (grey && Math.max(...parts) < 0x60) {
    return theme.ink;
  }
  const light = 0.3 * parts[0] + 0.59 * parts[1] + 0.11 * parts[2];
  return theme === DARK && light < 120 ? `color-mix(in srgb, ${colour} 62%, white)` : colour;
}

function points(mark, place) {
  const across = mark.shares[0] ? (v) => place.left + v * (place.right - place.left) : place.x;
  const up = mark.shares[1] ? (v) => place.bottom - v * (place.bottom - place.top) : place.y;
  const far = (v) => Math.max(-1e4, Math.min(1e4, v));
  return [(k) => far(across(mark.x[k])), (k) => far(up(mark.y[k]))];
}

function pathOf(mark, place, closed) {
  const [x, y] = points(mark, place);
  let path = "", pen = false;
  for (let k = 0; k < mark.x.length; k += 1) {
    const a = x(k), b = y(k);
    if (Number.isFinite(a) && Number.isFinite(b)) {
      path += `${pen ? "L" : "M"}${px(a)} ${px(b)}`;
      pen = true;
    } else {
      path += closed && pen ? "Z" : "";
      pen = false;
    }
  }
  return path + (closed && pen ? "Z" : "");
}

function strokeOf(mark, theme) {
  return mark.stroke
    ? `stroke="${coloured(mark.stroke, theme)}" stroke-width="${mark.width * 1.2}"${mark.dashes ? ` stroke-dasharray="${mark.dashes.map((d) => px(1.2 * d)).join(" ")}"` : ""}`
    : "";
}

function drawn(mark, place, theme) {
  const opacity = mark.alpha === undefined ? "" : ` opacity="${mark.alpha}"`;
  if (mark.kind === "text") {
    const [x, y] = points(mark, place), size = 1.2 * mark.size;
    return `<text x="${px(x(0) + 1.2 * mark.offset[0])}" y="${px(y(0) - 1.2 * mark.offset[1])}" fill="${coloured(mark.fill, theme)}" font-size="${px(size)}" text-anchor="${mark.align}" dominant-baseline="${mark.raise}"${mark.bold ? ' font-weight="bold"' : ""}${opacity}>${clean(mark.text)}</text>`;
  }
  if (mark.kind === "area") {
    return `<path d="${pathOf(mark, place, true)}" fill="${mark.fill ? coloured(mark.fill, theme) : "none"}" ${strokeOf(mark, theme)}${opacity}/>`;
  }
  let found = "";
  if (mark.stroke) {
    found += `<path d="${pathOf(mark, place, false)}" fill="none" stroke-linejoin="round" ${strokeOf(mark, theme)}${opacity}/>`;
  }
  return mark.marker ? found + dots(mark, place, theme, opacity) : found;
}

function dots(mark, place, theme, opacity) {
  const [x, y] = points(mark, place), size = Math.max(0.6 * mark.size, 1);
  const face = mark.face && coloured(mark.face, theme), edge = mark.edge && coloured(mark.edge, theme);
  const small = mark.marker === "o" && size < 2.5;
  let path = "", shapes = "";
  for (let k = 0; k < mark.x.length; k += 1) {
    const a = px(x(k)), b = px(y(k));
    if (a >= place.left - 9 && a <= place.right + 9 && b >= place.top - 9 && b <= place.bottom + 9) {
      path += small ? `M${a} ${b}h0` : "";
      shapes += small ? "" : `<path vector-effect="non-scaling-stroke" transform="translate(${a} ${b}) scale(${px(size)})" d="${SYMBOLS[mark.marker]}"/>`;
    }
  }
  if (small) {
    return `<path d="${path}" fill="none" stroke="${face || edge || theme.ink}" stroke-width="${px(2 * size)}" stroke-linecap="round"${opacity}/>`;
  }
  return `<g fill="${"x+|_".includes(mark.marker) ? "none" : face || "none"}" stroke="${edge || face || theme.ink}" stroke-width="1.2"${opacity}>${shapes}</g>`;
}

function panelSvg(panel, place, width, height, theme, id) {
  const label = (x, y, text, extra) => `<text x="${px(x)}" y="${px(y)}" font-size="${TICK}" ${extra}>${clean(text)}</text>`;
  let grid = "", words = "";
  for (const [at, text] of ticksOf(panel.x, ...place.view.x, Math.max(2, (place.right - place.left) / 75))) {
    const x = px(place.x(at));
    grid += panel.grid[0] ? `M${x} ${place.top}V${place.bottom}` : `M${x} ${place.bottom}v-4`;
    words += label(x, place.bottom + 14, text, `fill="${theme.dim}" text-anchor="middle"`);
  }
  for (const [at, text] of ticksOf(panel.y, ...place.view.y, Math.max(2, (place.bottom - place.top) / 32))) {
    const y = px(place.y(at));
    grid += panel.grid[1] ? `M${place.left} ${y}H${place.right}` : "";
    words += label(place.left - 6, y + 4, text, `fill="${theme.dim}" text-anchor="end"`);
  }
  words += panel.title ? `<text x="${px((place.left + place.right) / 2)}" y="14" font-size="12.5" fill="${theme.ink}" text-anchor="middle">${clean(panel.title)}</text>` : "";
  words += panel.y.label ? label(4, place.top - 5, plain(panel.y.label), `fill="${theme.ink}"`) : "";
  words += panel.x.label ? label(place.right, place.bottom + 30, plain(panel.x.label), `fill="${theme.ink}" text-anchor="end"`) : "";
  const marks = panel.marks.map((mark) => drawn(mark, place, theme)).join("");
  return `<clipPath id="${id}"><rect x="${place.left}" y="${place.top - 1}" width="${px(Math.max(0, place.right - place.left))}" height="${px(Math.max(0, place.bottom - place.top + 2))}"/></clipPath>`
    + `<path d="${grid}" stroke="${theme.rule}" fill="none"/>`
    + `<g clip-path="url(#${id})">${marks}</g>`
    + `<path d="M${place.left} ${place.top}V${place.bottom}H${place.right}" stroke="${theme.dim}" fill="none"/>${words}`;
}

function swatch(entry, theme) {
  const body = entry.kind === "area"
    ? `<rect width="24" height="10" y="1" fill="${coloured(entry.fill, theme)}"${entry.alpha === undefined ? "" : ` opacity="${entry.alpha}"`} ${strokeOf(entry, theme)}/>`
    : drawn({ ...entry, size: Math.max(entry.size, 5), kind: "line", shares: [false, false], x: entry.stroke ? [0, 24] : [12], y: entry.stroke ? [6, 6] : [6] },
      { x: (v) => v, y: (v) => v, left: -1, right: 25, top: -1, bottom: 13 }, theme);
  return `<svg width="24" height="12" aria-hidden="true">${body}</svg>`;
}

// --- what is at a place -------------------------------------------------------------------------

function between(mark, x) {
  let value = NaN;
  for (let k = 1; k < mark.x.length; k += 1) {
    const a = mark.x[k - 1], b = mark.x[k];
    if (a <= x && x <= b) {
      value = a === b ? mark.y[k] : mark.y[k - 1] + (x - a) / (b - a) * (mark.y[k] - mark.y[k - 1]);
      if (Number.isFinite(value)) {
        break;
      }
    }
  }
  return value;
}

const lines = (panel) => panel.marks.filter((mark) => mark.kind === "line" && !mark.shares[0] && !mark.shares[1]);
const text = (value) => Number(value.toPrecision(4)).toString().replace("-", "\u2212");

// --- a figure with its panels -------------------------------------------------------------------

let count = 0;
class Chart {
  constructor(holder, chart) {
    this.holder = holder;
    this.chart = chart;
    this.title = holder.dataset.title;
    this.panels = chart.panels.map((panel) => ({ panel, view: null, id: `clip-${count += 1}` }));
    this.beside = roomBeside(chart.panels);
    this.build();
  }

  build() {
    const grid = document.createElement("div");
    grid.className = "panels";
    grid.style.setProperty("--columns", this.chart.widths.map((each) => `minmax(0, ${each}fr)`).join(" "));
    this.legend = document.createElement("div");
    this.legend.className = "legend";
    this.tools = document.createElement("div");
    this.tools.className = "tools";
    for (const [name, what, doing] of [["reset", "Show all again", () => this.zoom(null)],
      ["CSV", `Save the data of ${this.title} as CSV`, () => save(`${this.title}.csv`, "text/csv", this.csv())],
      ["SVG", `Save ${this.title} as SVG`, () => save(`${this.title}.svg`, "image/svg+xml", this.svg())]]) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: name, title: what, hidden: name === "reset" });
      button.dataset.tool = name;
      button.setAttribute("aria-label", what);
      button.addEventListener("click", doing);
      this.tools.append(button);
    }
    this.readout = document.createElement("div");
    this.readout.className = "readout";
    this.readout.setAttribute("role", "status");
    this.panels.forEach((one) => grid.append(this.frame(one)));
    this.holder.replaceChildren(this.tools, this.legend, grid, this.readout);
  }

  frame(one) {
    const { rows, columns } = one.panel, box = document.createElement("div");
    const inches = this.chart.heights.slice(...rows).reduce((a, b) => a + b, 0);
    box.className = "panel";
    box.tabIndex = 0;
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", plain(one.panel.y.label || one.panel.title || this.title));
    box.style.setProperty("--row", `${rows[0] + 1} / ${rows[1] + 1}`);
    box.style.setProperty("--column", `${columns[0] + 1} / ${columns[1] + 1}`);
    box.style.height = `${Math.round(inches * INCH)}px`;
    box.innerHTML = `${this.legendOf(one.panel.legend)}<svg></svg>`;
    one.box = box;
    this.listen(one);
    box.chartPanel = { chart: this, one };
    return box;
  }

  legendOf(entries) {
    const theme = dark() ? DARK : LIGHT;
    return entries.length ? `<div class="legend">${entries.map((entry) => `<span>${swatch(entry, theme)}${clean(entry.label)}</span>`).join("")}</div>` : "";
  }

  draw(one, theme = dark() ? DARK : LIGHT) {
    const svg = one.box.querySelector(":scope > svg"), { width, height } = svg.getBoundingClientRect();
    if (!(width > 0)) {
      return;
    }
    one.place = layout(one.panel, one.view || { x: [one.panel.x.low, one.panel.x.high], y: [one.panel.y.low, one.panel.y.high] }, width, height, this.beside);
    svg.innerHTML = panelSvg(one.panel, one.place, width, height, theme, one.id)
      + '<path class="now"/><path class="cursor"/><rect class="chosen" width="0" height="0"/>';
    one.shown = `${width} ${height} ${theme.paper}`;
    this.now(one);
  }

  drawLegend() {
    this.legend.innerHTML = this.legendOf(this.chart.legend);
    for (const one of this.panels) {
      const own = one.box.querySelector(".legend");
      if (own) {
        own.outerHTML = this.legendOf(one.panel.legend);
      }
    }
  }

  now(one) {
    const path = one.box.querySelector(".now"), place = one.place, time = this.time;
    if (path && place && one.panel.time) {
      const x = time === undefined ? NaN : place.x(time);
      path.setAttribute("d", x >= place.left && x <= place.right ? `M${px(x)} ${place.top}V${place.bottom}` : "");
    }
  }

  point(one, x, y) {
    one.at = x;
    const place = one.place, value = place.x.back(x), found = [];
    if (one.panel.time) {
      for (const mark of lines(one.panel)) {
        const at = between(mark, value);
        if (Number.isFinite(at) && (mark.label || lines(one.panel).length < 3)) {
          found.push(`${mark.label} ${text(at)}`.trim());
        }
      }
    }
    for (const other of this.panels) {
      const path = other.box.querySelector(".cursor");
      if (path && other.place && (other === one || (one.panel.time && other.panel.time))) {
        const at = other.place.x(value);
        path.setAttribute("d", at >= other.place.left && at <= other.place.right ? `M${px(at)} ${other.place.top}V${other.place.bottom}` : "");
      }
    }
    const here = one.panel.time
      ? `t = ${value.toFixed(3)} s`
      : `${plain(one.panel.x.label) || "x"} ${text(value)}, ${plain(one.panel.y.label) || "y"} ${text(place.y.back(y))}`;
    this.readout.textContent = found.length ? `${here} · ${plain(one.panel.y.label)}: ${found.join(" · ")}` : here;
  }

  leave() {
    this.readout.textContent = "";
    this.holder.querySelectorAll(".cursor").forEach((path) => path.setAttribute("d", ""));
  }

  zoom(one, x, y) {
    for (const other of this.panels) {
      if (!one) {
        other.view = null;
      } else if (other === one || (one.panel.time && other.panel.time)) {
        const panel = other.panel, whole = [panel.y.low, panel.y.high];
        other.view = { x, y: y && other === one ? y : panel.y.ticks || y ? (other.view || { y: whole }).y : within(panel, x, whole) };
      }
      if (other.shown) {
        this.draw(other);
      }
    }
    this.tools.querySelector("[data-tool=reset]").hidden = !one;
  }

  listen(one) {
    const box = one.box;
    const at = (event) => {
      const frame = box.querySelector(":scope > svg").getBoundingClientRect(), place = one.place;
      return [Math.max(place.left, Math.min(place.right, event.clientX - frame.left)), Math.max(place.top, Math.min(place.bottom, event.clientY - frame.top))];
    };
    let start = null;
    box.addEventListener("pointerdown", (event) => {
      if (one.place && event.button === 0) {
        start = at(event);
        if (event.pointerType === "mouse") {
          box.setPointerCapture(event.pointerId);
        }
      }
    });
    box.addEventListener("pointermove", (event) => {
      if (!one.place) {
        return;
      }
      const [x, y] = at(event);
      this.point(one, x, y);
      if (start && event.pointerType === "mouse") {
        const tall = !one.panel.time, chosen = box.querySelector(".chosen");
        chosen.setAttribute("x", Math.min(x, start[0]));
        chosen.setAttribute("width", Math.abs(x - start[0]));
        chosen.setAttribute("y", tall ? Math.min(y, start[1]) : one.place.top);
        chosen.setAttribute("height", tall ? Math.abs(y - start[1]) : one.place.bottom - one.place.top);
      }
    });
    box.addEventListener("pointerup", (event) => {
      if (!start || !one.place) {
        return;
      }
      const [x, y] = at(event), { place, panel } = one, from = start;
      start = null;
      const ends = (scale, a, b) => [scale.back(Math.min(a, b)), scale.back(Math.max(a, b))];
      if (event.pointerType === "mouse" && Math.abs(x - from[0]) > 6) {
        const tall = !panel.time && Math.abs(y - from[1]) > 6;
        this.zoom(one, ends(place.x, x, from[0]), tall ? ends(place.y, y, from[1]).reverse() : null);
      } else {
        this.seek(one, x);
      }
      box.querySelector(".chosen").setAttribute("width", 0);
    });
    box.addEventListener("pointercancel", () => { start = null; });
    box.addEventListener("pointerleave", () => this.leave());
    box.addEventListener("dblclick", () => this.zoom(null));
    box.addEventListener("blur", () => this.leave());
    box.addEventListener("keydown", (event) => this.key(one, event));
  }

  key(one, event) {
    const place = one.place;
    if (!place) {
      return;
    }
    const x = Math.min(Math.max(one.at === undefined ? place.left : one.at, place.left), place.right);
    const step = (event.shiftKey ? 0.1 : 0.01) * (place.right - place.left), middle = (place.top + place.bottom) / 2;
    const narrowed = (factor) => [place.x.back(x + (place.left - x) * factor), place.x.back(x + (place.right - x) * factor)];
    const doing = {
      ArrowLeft: () => this.point(one, Math.max(place.left, x - step), middle),
      ArrowRight: () => this.point(one, Math.min(place.right, x + step), middle),
      Enter: () => this.seek(one, x),
      "+": () => { this.zoom(one, narrowed(0.5)); },
      "-": () => { this.zoom(one, narrowed(2)); },
      Escape: () => this.zoom(null),
    }[event.key];
    if (doing) {
      event.preventDefault();
      doing();
    }
  }

  seek(one, x) {
    if (one.panel.time) {
      this.holder.dispatchEvent(new CustomEvent("footfall-seek", { bubbles: true, detail: one.place.x.back(x) }));
    }
  }

  svg() {
    const width = 900, total = this.chart.widths.reduce((a, b) => a + b, 0), theme = LIGHT;
    const sum = (values, end) => values.slice(0, end).reduce((a, b) => a + b, 0);
    let top = 30, body = "", left = 10;
    const entries = [...this.chart.legend, ...this.panels.flatMap(({ panel }) => panel.legend)];
    const known = new Set();
    for (const entry of entries.filter(({ label }) => !known.has(label) && known.add(label))) {
      const room = 44 + 6.5 * entry.label.length;
      [left, top] = left + room > width ? [10, top + 18] : [left, top];
      body += `<g transform="translate(${px(left)} ${top})">${swatch(entry, theme)}<text x="30" y="10" font-size="11" fill="${theme.ink}">${clean(entry.label)}</text></g>`;
      left += room;
    }
    top += entries.length ? 24 : 0;
    for (const one of this.panels) {
      const { rows, columns } = one.panel, w = width / total * (sum(this.chart.widths, columns[1]) - sum(this.chart.widths, columns[0]));
      const h = INCH * (sum(this.chart.heights, rows[1]) - sum(this.chart.heights, rows[0]));
      const view = one.view || { x: [one.panel.x.low, one.panel.x.high], y: [one.panel.y.low, one.panel.y.high] };
      body += `<g transform="translate(${px(width / total * sum(this.chart.widths, columns[0]))} ${px(top + INCH * sum(this.chart.heights, rows[0]))})">${panelSvg(one.panel, layout(one.panel, view, w, h, this.beside), w, h, theme, `${one.id}-saved`)}</g>`;
    }
    const height = Math.ceil(top + INCH * sum(this.chart.heights));
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif"><rect width="100%" height="100%" fill="#fff"/><text x="10" y="20" font-size="14" font-weight="bold" fill="${theme.ink}">${clean(this.title)}</text>${body}</svg>`;
  }

  csv() {
    const columns = [], rows = 1001, quote = (name) => `"${plain(name).replace(/"/g, '""')}"`;
    const timed = this.panels.filter(({ panel }) => panel.time);
    const ends = timed.flatMap(({ panel }) => lines(panel).flatMap((mark) => [mark.x.find(Number.isFinite), mark.x.findLast(Number.isFinite)])).filter(Number.isFinite);
    if (ends.length) {
      const first = Math.min(...ends), last = Math.max(...ends);
      const times = Array.from({ length: rows }, (_, k) => first + k / (rows - 1) * (last - first));
      columns.push(["time [s]", times]);
      for (const { panel } of timed) {
        for (const mark of lines(panel)) {
          columns.push([`${panel.y.label} ${mark.label}`.trim(), times.map((time) => between(mark, time))]);
        }
      }
    }
    for (const { panel } of this.panels.filter((one) => !one.panel.time)) {
      for (const mark of panel.marks.filter(({ kind }) => kind !== "text")) {
        const whose = `${panel.title} ${mark.label}`.trim();
        columns.push([`${panel.x.label} ${whose}`, mark.x], [`${panel.y.label} ${whose}`, mark.y]);
      }
    }
    const most = Math.max(0, ...columns.map(([, values]) => values.length));
    const line = (k) => columns.map(([, values]) => (Number.isFinite(values[k]) ? Number(values[k].toPrecision(6)) : "")).join(",");
    return [columns.map(([name]) => quote(name)).join(","), ...Array.from({ length: most }, (_, k) => line(k))].join("\n") + "\n";
  }
}

function within(panel, [low, high], whole) {
  let least = Infinity, most = -Infinity;
  for (const mark of lines(panel)) {
    mark.x.forEach((x, k) => {
      if (x >= low && x <= high && Number.isFinite(mark.y[k])) {
        least = Math.min(least, mark.y[k]);
        most = Math.max(most, mark.y[k]);
      }
    });
    for (const x of [low, high]) {
      const value = between(mark, x);
      least = Number.isFinite(value) ? Math.min(least, value) : least;
      most = Number.isFinite(value) ? Math.max(most, value) : most;
    }
  }
  if (!(least < most) || panel.y.log) {
    return whole;
  }
  const margin = 0.05 * (most - least), [from, to] = whole[0] < whole[1] ? whole : [whole[1], whole[0]];
  return [Math.max(from, least - margin), Math.min(to, most + margin)];
}

function save(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name.replace(/[^\w. -]+/g, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function start() {
  const packed = document.getElementById("charts");
  if (!packed) {
    return;
  }
  const charts = unpack(await inflated(packed));
  const all = [...document.querySelectorAll("[data-chart]")].map((holder) => new Chart(holder, charts[Number(holder.dataset.chart)]));
  const of = (box) => box.chartPanel;
  const near = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const { chart, one } = of(target);
      one.near = isIntersecting;
      if (isIntersecting && !one.shown) {
        chart.draw(one);
      } else if (isIntersecting) {
        chart.now(one);
      }
    }
  }, { rootMargin: "300px" });
  const sized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const { chart, one } = of(target);
      if (one.shown) {
        chart.draw(one);
      }
    }
  });
  for (const chart of all) {
    chart.drawLegend();
    for (const { box } of chart.panels) {
      near.observe(box);
      sized.observe(box);
    }
  }
  const redraw = (every) => all.forEach((chart) => {
    chart.drawLegend();
    chart.panels.filter((one) => every || one.shown).forEach((one) => chart.draw(one));
  });
  document.addEventListener("footfall-theme", () => redraw(false));
  window.addEventListener("beforeprint", () => redraw(true));
  document.addEventListener("footfall-time", ({ target, detail }) => {
    const section = target.closest("section");
    for (const chart of all.filter(({ holder }) => section.contains(holder))) {
      chart.time = detail;
      chart.panels.filter((one) => one.near && one.shown).forEach((one) => chart.now(one));
    }
  });
  document.documentElement.dataset.charts = String(all.length);
}

return { start };
})();
CHARTS.start();
