// Values of lines at a place.
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

// A place in words: over time with the values of the lines there.
function readingAt(panel, x, y) {
  const { label } = panel.y;
  if (!panel.time) {
    return `${plain(panel.x.label) || "x"} ${text(x)}, ${plain(label) || "y"} ${text(y)}`;
  }
  const all = lines(panel), here = `t = ${x.toFixed(3)} s`;
  const found = all.filter((mark) => mark.label || all.length < 3)
    .map((mark) => [mark.label, between(mark, x)])
    .filter(([, value]) => Number.isFinite(value))
    .map(([name, value]) => `${name} ${text(value)}`.trim());
  return found.length ? `${here} · ${plain(label)}: ${found.join(" · ")}` : here;
}

// The range of what lines are within a range of x, in the whole range.
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
