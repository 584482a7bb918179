// Figures as files: SVG as they are drawn on light paper, CSV of their data.
const WIDTH = 900, ROWS = 1001; // pixels of an SVG; times of a CSV

function save(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name.replace(/[^\w. -]+/g, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const sum = (values, end = values.length) => values.slice(0, end).reduce((a, b) => a + b, 0);

function svgOf({ chart, panels, title }) {
  const legend = savedLegend([...chart.legend, ...panels.flatMap(({ panel }) => panel.legend)], 30);
  const across = WIDTH / sum(chart.widths);
  const drawnPanels = panels.map((one) => {
    const { rows, columns } = one.panel;
    const left = across * sum(chart.widths, columns[0]), width = across * sum(chart.widths, columns[1]) - left;
    const top = INCH * sum(chart.heights, rows[0]), height = INCH * sum(chart.heights, rows[1]) - top;
    const place = layout(one.panel, viewOf(one), width, height, one.room);
    return `<g transform="translate(${px(left)} ${px(legend.end + top)})">${panelSvg(one.panel, place, width, height, LIGHT, `${one.id}-saved`)}</g>`;
  });
  const height = Math.ceil(legend.end + INCH * sum(chart.heights));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif"><rect width="100%" height="100%" fill="#fff"/><text x="10" y="20" font-size="14" font-weight="bold" fill="${LIGHT.ink}">${clean(title)}</text>${legend.body}${drawnPanels.join("")}</svg>`;
}

// Entries side by side in lines, each label once; end: what is below begins there.
function savedLegend(entries, begin) {
  const known = new Set();
  let body = "", left = 10, top = begin;
  for (const entry of entries.filter(({ label }) => !known.has(label) && known.add(label))) {
    const room = 44 + 6.5 * entry.label.length;
    [left, top] = left + room > WIDTH ? [10, top + 18] : [left, top];
    body += `<g transform="translate(${px(left)} ${top})">${swatch(entry, LIGHT)}<text x="30" y="10" font-size="11" fill="${LIGHT.ink}">${clean(entry.label)}</text></g>`;
    left += room;
  }
  return { body, end: top + (entries.length ? 24 : 0) };
}

function csvOf({ panels }) {
  const columns = [...columnsOverTime(panels.filter(({ panel }) => panel.time)), ...otherColumns(panels.filter(({ panel }) => !panel.time))];
  const quote = (name) => `"${plain(name).replace(/"/g, '""')}"`;
  const most = Math.max(0, ...columns.map(([, values]) => values.length));
  const line = (k) => columns.map(([, values]) => (Number.isFinite(values[k]) ? Number(values[k].toPrecision(6)) : "")).join(",");
  return [columns.map(([name]) => quote(name)).join(","), ...Array.from({ length: most }, (_, k) => line(k))].join("\n") + "\n";
}

// Lines over time at the same times, the time first.
function columnsOverTime(timed) {
  const ends = timed.flatMap(({ panel }) => lines(panel).flatMap((mark) => [mark.x.find(Number.isFinite), mark.x.findLast(Number.isFinite)])).filter(Number.isFinite);
  if (!ends.length) {
    return [];
  }
  const first = Math.min(...ends), last = Math.max(...ends);
  const times = Array.from({ length: ROWS }, (_, k) => first + k / (ROWS - 1) * (last - first));
  const values = timed.flatMap(({ panel }) =>
    lines(panel).map((mark) => [`${panel.y.label} ${mark.label}`.trim(), times.map((time) => between(mark, time))]));
  return [["time [s]", times], ...values];
}

function otherColumns(others) {
  return others.flatMap(({ panel }) => panel.marks.filter(({ kind }) => kind !== "text").flatMap((mark) => {
    const whose = `${plain(panel.title)} ${mark.label}`.trim();
    return [[`${panel.x.label} ${whose}`, mark.x], [`${panel.y.label} ${whose}`, mark.y]];
  }));
}
