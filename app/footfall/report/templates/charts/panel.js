// A text with more digits than there is room for, as of values that hardly differ, is set closer.
function narrowed(text, room) {
  return text.length * TICK_WIDTH > room ? ` textLength="${px(room)}" lengthAdjust="spacingAndGlyphs"` : "";
}

// One panel as SVG: grid, marks, axes, words.
function panelSvg(panel, place, width, height, theme, id) {
  const label = (x, y, text, extra) => `<text x="${px(x)}" y="${px(y)}" font-size="${TICK}" ${extra}>${clean(text)}</text>`;
  let grid = "", words = "";
  for (const [at, text] of panel.bare ? [] : ticksOf(panel.x, ...place.view.x, Math.max(2, (place.right - place.left) / 75))) {
    const x = px(place.x(at)), middle = Math.min(x, width - TICK_WIDTH * text.length / 2); // the last one is seen whole
    grid += panel.grid[0] ? `M${x} ${place.top}V${place.bottom}` : `M${x} ${place.bottom}v-4`;
    words += label(middle, place.bottom + 14, text, `fill="${theme.dim}" text-anchor="middle"`);
  }
  for (const [at, text] of panel.bare ? [] : ticksOf(panel.y, ...place.view.y, Math.max(2, (place.bottom - place.top) / 32))) {
    const y = px(place.y(at));
    grid += panel.grid[1] ? `M${place.left} ${y}H${place.right}` : "";
    words += label(place.left - 6, y + 4, text, `fill="${theme.dim}" text-anchor="end"${narrowed(text, place.left - 8)}`);
  }
  const lines = linesOf(panel.title);
  lines.forEach((line, k) => {
    const y = 14 + TITLE * (place.titles - lines.length + k);
    words += `<text x="${px((place.left + place.right) / 2)}" y="${y}" font-size="12.5" fill="${theme.ink}" text-anchor="middle">${clean(line)}</text>`;
  });
  words += panel.y.label ? label(4, place.top - 5, plain(panel.y.label), `fill="${theme.ink}"`) : "";
  words += panel.x.label ? label(place.right, place.bottom + 30, plain(panel.x.label), `fill="${theme.ink}" text-anchor="end"`) : "";
  const marks = panel.marks.map((mark) => drawn(mark, place, theme)).join("");
  return `<clipPath id="${id}"><rect x="${place.left}" y="${place.top - 1}" width="${px(Math.max(0, place.right - place.left))}" height="${px(Math.max(0, place.bottom - place.top + 2))}"/></clipPath>`
    + `<path d="${grid}" stroke="${theme.rule}" fill="none"/>`
    + `<g clip-path="url(#${id})">${marks}</g>`
    + (panel.bare ? "" : `<path d="M${place.left} ${place.top}V${place.bottom}H${place.right}" stroke="${theme.dim}" fill="none"/>`) + words;
}
