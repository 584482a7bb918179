// Mouse, finger and keyboard over a panel: pointing, dragging for a part, clicking for a time.
const FAR = 6; // pixels: less is a click

function listen(chart, one) {
  const { box } = one;
  let start = null;
  box.addEventListener("pointerdown", (event) => {
    if (one.place && event.button === 0) {
      start = placeOf(event, one);
      if (event.pointerType === "mouse") {
        box.setPointerCapture(event.pointerId);
      }
    }
  });
  box.addEventListener("pointermove", (event) => {
    if (!one.place) {
      return;
    }
    const now = placeOf(event, one);
    chart.point(one, ...now);
    if (start && event.pointerType === "mouse") {
      showChosen(one, start, now);
    }
  });
  box.addEventListener("pointerup", (event) => {
    if (!start || !one.place) {
      return;
    }
    const from = start, to = placeOf(event, one);
    start = null;
    if (event.pointerType === "mouse" && Math.abs(to[0] - from[0]) > FAR) {
      zoomTo(chart, one, from, to);
    } else {
      chart.seek(one, to[0]);
    }
    box.querySelector(".chosen").setAttribute("width", 0);
  });
  box.addEventListener("pointercancel", () => { start = null; });
  box.addEventListener("pointerleave", () => chart.leave());
  box.addEventListener("dblclick", () => chart.zoom(null));
  box.addEventListener("blur", () => chart.leave());
  box.addEventListener("keydown", (event) => press(chart, one, event));
}

// Pixels of an event from the corner of the drawing, within the axes.
function placeOf(event, { box, place }) {
  const frame = box.querySelector(":scope > svg").getBoundingClientRect();
  const x = event.clientX - frame.left, y = event.clientY - frame.top;
  return [Math.max(place.left, Math.min(place.right, x)), Math.max(place.top, Math.min(place.bottom, y))];
}

// Over time only the times are chosen, elsewhere a rectangle.
function showChosen({ box, place, panel }, [fromX, fromY], [x, y]) {
  const chosen = box.querySelector(".chosen");
  const [top, bottom] = panel.time ? [place.top, place.bottom] : [Math.min(y, fromY), Math.max(y, fromY)];
  const sizes = { x: Math.min(x, fromX), y: top, width: Math.abs(x - fromX), height: bottom - top };
  Object.entries(sizes).forEach(([name, value]) => chosen.setAttribute(name, value));
}

function zoomTo(chart, one, [fromX, fromY], [x, y]) {
  const { place, panel } = one, tall = !panel.time && Math.abs(y - fromY) > FAR;
  const ends = (scale, a, b) => [scale.back(Math.min(a, b)), scale.back(Math.max(a, b))];
  chart.zoom(one, ends(place.x, x, fromX), tall ? ends(place.y, y, fromY).reverse() : null);
}

function press(chart, one, event) {
  const { place } = one;
  if (!place) {
    return;
  }
  const x = Math.min(Math.max(one.at === undefined ? place.left : one.at, place.left), place.right);
  const step = (event.shiftKey ? 0.1 : 0.01) * (place.right - place.left), middle = (place.top + place.bottom) / 2;
  const narrowed = (factor) => [place.x.back(x + (place.left - x) * factor), place.x.back(x + (place.right - x) * factor)];
  const doing = {
    ArrowLeft: () => chart.point(one, Math.max(place.left, x - step), middle),
    ArrowRight: () => chart.point(one, Math.min(place.right, x + step), middle),
    Enter: () => chart.seek(one, x),
    "+": () => chart.zoom(one, narrowed(0.5)),
    "-": () => chart.zoom(one, narrowed(2)),
    Escape: () => chart.zoom(null),
  }[event.key];
  if (doing) {
    event.preventDefault();
    doing();
  }
}
