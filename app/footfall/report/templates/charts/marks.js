// Lines, areas, words and symbols as SVG, in a panel and in a legend.
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

function drawn(mark, place, theme) {
  const opacity = mark.alpha === undefined ? "" : ` opacity="${mark.alpha}"`;
  if (mark.kind === "text") {
    const [x, y] = points(mark, place), size = 1.2 * mark.size;
    return `<text x="${px(x(0) + 1.2 * mark.offset[0])}" y="${px(y(0) - 1.2 * mark.offset[1])}" fill="${coloured(mark.fill, theme)}" font-size="${px(size)}" text-anchor="${mark.align}" dominant-baseline="${mark.raise}"${mark.bold ? ' font-weight="bold"' : ""}${opacity}>${clean(mark.text)}</text>`;
  }
  if (mark.kind === "area") {
    return `<path d="${pathOf(mark, place, true)}" fill="${mark.fill ? coloured(mark.fill, theme) : "none"}" ${strokeOf(mark, theme)}${opacity}/>`;
  }
  let found = mark.heads ? headsOf(mark, place, theme) : "";
  if (mark.stroke) {
    found += `<path d="${pathOf(mark, place, false)}" fill="none" stroke-linejoin="round" ${strokeOf(mark, theme)}${opacity}/>`;
  }
  return mark.marker ? found + dots(mark, place, theme, opacity) : found;
}

// The heads of an arrow: one at its end, or one at either.
function headsOf(mark, place, theme) {
  const [x, y] = points(mark, place);
  const head = (tip, from) => {
    const a = x(tip), b = y(tip), turn = Math.atan2(b - y(from), a - x(from)) * 180 / Math.PI;
    return `<path transform="translate(${px(a)} ${px(b)}) rotate(${px(turn)})" d="M0 0L-9-3.5V3.5Z" fill="${coloured(mark.stroke, theme)}"/>`;
  };
  return head(1, 0) + (mark.heads === 2 ? head(0, 1) : "");
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

function swatch(entry, theme) {
  if (entry.kind === "area") {
    return swatchOf(`<rect width="24" height="10" y="1" fill="${coloured(entry.fill, theme)}"${entry.alpha === undefined ? "" : ` opacity="${entry.alpha}"`} ${strokeOf(entry, theme)}/>`);
  }
  const place = { x: (v) => v, y: (v) => v, left: -1, right: 25, top: -1, bottom: 13 };
  // large enough to be distinguished, small enough to be whole
  const plain = { ...entry, size: Math.min(Math.max(entry.size, 5), 8), kind: "line", shares: [false, false] };
  const line = entry.stroke ? drawn({ ...plain, marker: null, x: [0, 24], y: [6, 6] }, place, theme) : "";
  const symbol = entry.marker ? drawn({ ...plain, stroke: null, x: [12], y: [6] }, place, theme) : "";
  return swatchOf(line + symbol);
}

function swatchOf(body) {
  return `<svg width="24" height="12" aria-hidden="true">${body}</svg>`;
}
