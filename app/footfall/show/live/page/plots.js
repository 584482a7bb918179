"use strict";
// Plots over time that grow with the run: values of one unit share a panel.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#888888"];
const MARGIN = { left: 56, right: 24, top: 8, bottom: 22 };

function niceStep(span, count) {
  const raw = span / Math.max(count, 1), power = 10 ** Math.floor(Math.log10(raw));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= raw);
}

class Panel {
  constructor(unit, columns, plots) {
    const names = plots.map((plot) => plot.name), groups = plots.map((plot) => plot.group);
    this.columns = columns;
    // the same value of another run may lie on that of the first, which is seen through its gaps
    this.dashed = groups.map((group, k) => group !== undefined && groups.indexOf(group) < k);
    this.figure = document.createElement("figure");
    const caption = this.figure.appendChild(document.createElement("figcaption"));
    names.forEach((name, k) => {
      const entry = caption.appendChild(document.createElement("span"));
      entry.appendChild(document.createElement("i")).style.background = COLOURS[k % COLOURS.length];
      entry.append(name);
      caption.append(" ");
    });
    caption.append(unit && unit !== "1" ? `  [${unit}]` : "");
    this.canvas = this.figure.appendChild(document.createElement("canvas"));
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${names.join(", ")} over time`);
  }

  draw(rows, begin, end, now) {
    const scale = window.devicePixelRatio || 1, box = this.canvas.getBoundingClientRect();
    this.canvas.width = box.width * scale;
    this.canvas.height = box.height * scale;
    const pen = this.canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    pen.scale(scale, scale);
    pen.font = "11px system-ui, sans-serif";
    let low = Infinity, high = -Infinity;
    for (const row of rows) {
      for (const k of this.columns) {
        if (row[k] !== null) { low = Math.min(low, row[k]); high = Math.max(high, row[k]); }
      }
    }
    if (!(high >= low)) { return; }
    const room = Math.max(0.05 * (high - low), 1e-9 * Math.abs(high), 1e-9);
    low -= room; high += room;
    const x = (t) => MARGIN.left + (box.width - MARGIN.left - MARGIN.right) * (t - begin) / (end - begin);
    const y = (v) => MARGIN.top + (box.height - MARGIN.top - MARGIN.bottom) * (high - v) / (high - low);
    this.#axes(pen, style, box, begin, end, low, high, x, y);
    pen.save();
    pen.beginPath();
    pen.rect(MARGIN.left, 0, box.width - MARGIN.left - MARGIN.right + 1, box.height);
    pen.clip();
    const stride = Math.max(1, Math.floor(rows.length / 3000));
    this.columns.forEach((k, place) => {
      pen.strokeStyle = COLOURS[place % COLOURS.length];
      pen.lineWidth = 1.5;
      pen.setLineDash(this.dashed[place] ? [8, 6] : []);
      pen.beginPath();
      let down = false;
      for (let n = 0; n < rows.length; n += n + stride < rows.length ? stride : 1) {
        if (rows[n][k] === null) { down = false; continue; }
        if (down) { pen.lineTo(x(rows[n][0]), y(rows[n][k])); } else { pen.moveTo(x(rows[n][0]), y(rows[n][k])); }
        down = true;
      }
      pen.stroke();
    });
    pen.restore();
    pen.strokeStyle = style.getPropertyValue("--soft");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(now), MARGIN.top);
    pen.lineTo(x(now), box.height - MARGIN.bottom);
    pen.stroke();
  }

  #axes(pen, style, box, begin, end, low, high, x, y) {
    pen.strokeStyle = style.getPropertyValue("--line");
    pen.fillStyle = style.getPropertyValue("--soft");
    pen.lineWidth = 1;
    const up = niceStep(high - low, 4), along = niceStep(end - begin, 6);
    const digits = (step) => Math.max(0, -Math.floor(Math.log10(step)));
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (let v = Math.ceil(low / up) * up; v <= high; v += up) {
      pen.beginPath();
      pen.moveTo(MARGIN.left, y(v));
      pen.lineTo(box.width - MARGIN.right, y(v));
      pen.stroke();
      pen.fillText(Math.abs(v) < 1e5 ? v.toFixed(Math.min(digits(up), 6)) : v.toExponential(1), MARGIN.left - 5, y(v));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (let t = Math.ceil(begin / along) * along; t <= end; t += along) {
      pen.fillText(`${t.toFixed(Math.min(digits(along), 6))} s`, x(t), box.height - MARGIN.bottom + 5);
    }
  }
}

class Plots {
  constructor(place) {
    this.place = place;
    this.rows = [];
    this.era = -1;
    this.panels = [];
  }

  setUp(plots) {
    const groups = new Map();
    plots.forEach((plot, k) => {
      const key = plot.unit;
      groups.set(key, [...(groups.get(key) || []), k]);
    });
    this.panels = [...groups].map(([unit, ks]) =>
      new Panel(unit, ks.map((k) => k + 1), ks.map((k) => plots[k])));
    this.place.replaceChildren(...this.panels.map((panel) => panel.figure));
  }

  take(state) {
    if (state.era !== this.era) {
      this.rows = [];
      this.era = state.era;
    }
    if (state.first === this.rows.length) { this.rows.push(...state.rows); }
  }

  draw(begin, end, now) {
    for (const panel of this.panels) { panel.draw(this.rows, begin, Math.max(end, begin + 1e-9), now); }
  }
}
