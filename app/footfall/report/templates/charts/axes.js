// Axes: ticks, the way from values to pixels and back, the room that they take.
// Places of ticks with their texts, about as many as there is room for.
function ticksOf(scale, low, high, room) {
  const [first, last] = low < high ? [low, high] : [high, low];
  if (scale.ticks) {
    return scale.ticks.filter(([at]) => at >= first && at <= last);
  }
  return scale.log ? decades(first, last, room) : evenTicks(first, last, room);
}

function decades(first, last, room) {
  const count = Math.log10(last) - Math.log10(first), every = Math.max(1, Math.ceil(count / room));
  const found = [];
  for (let k = Math.floor(Math.log10(first) + 1e-9); k <= Math.log10(last) + 1e-9; k += 1) {
    for (const m of count < 2 ? [1, 2, 5] : [1]) {
      const at = m * 10 ** k;
      if (k % every === 0 && at >= first * (1 - 1e-9) && at <= last * (1 + 1e-9)) {
        found.push([at, k > 3 || k < -3 ? at.toExponential(0).replace("e+", "e") : String(Number(at.toPrecision(2)))]);
      }
    }
  }
  return found;
}

function evenTicks(first, last, room) {
  const raw = (last - first) / Math.max(room, 1), power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 2.5, 5, 10].find((m) => m * power >= raw * (1 - 1e-9));
  const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9) + (step / power === 2.5 ? 1 : 0)));
  const large = Math.max(Math.abs(first), Math.abs(last));
  const powers = large >= 1e6 || large < 1e-4, mantissa = Math.ceil(Math.log10(large / step)) + 1;
  const written = (at) => (powers ? at.toExponential(mantissa).replace(/\.?0*e\+?/, "e") : at.toFixed(digits));
  const text = (at) => (at === 0 && powers ? "0" : written(at).replace(/-/g, "\u2212"));
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

// Room for words beside, above and below a panel: as much as for those that stand below or beside it.
function roomAround(panels, { rows }) {
  const fixed = panels.flatMap(({ y }) => (y.ticks || []).map(([, text]) => text.length));
  const most = (some, of) => Math.max(...some.map(of));
  const beginning = panels.filter((one) => one.rows[0] === rows[0]), ending = panels.filter((one) => one.rows[1] === rows[1]);
  return {
    beside: Math.max(50, TICK_WIDTH * Math.max(...fixed, 0) + 12),
    titles: most(beginning, ({ title }) => linesOf(title).length),
    labels: most(beginning, ({ y }) => (y.label ? 1 : 0)),
    below: most(ending, ({ x }) => (x.label ? 36 : 20)),
  };
}

const linesOf = (title) => (title ? title.split("\n") : []);

function layout(panel, view, width, height, { beside, titles, labels, below }) {
  const box = { left: Math.min(beside, 0.45 * width), right: width - 12, top: 6 + TITLE * titles + 15 * labels, bottom: height - below, titles };
  const seen = panel.equal ? equalised(view, box.right - box.left, box.bottom - box.top) : view;
  return { ...box, view: seen, x: mapping(panel.x, seen.x, box.left, box.right), y: mapping(panel.y, seen.y, box.bottom, box.top) };
}
