// A figure with its panels: drawn, pointed at, zoomed.
let count = 0;

// What a panel shows: the part that was chosen, else all.
const viewOf = ({ panel, view }) => view || { x: [panel.x.low, panel.x.high], y: [panel.y.low, panel.y.high] };

// A line up through a panel, if x lies in it.
function upright(place, x) {
  const at = place.x(x);
  return at >= place.left && at <= place.right ? `M${px(at)} ${place.top}V${place.bottom}` : "";
}

class Chart {
  constructor(holder, chart) {
    this.holder = holder;
    this.chart = chart;
    this.title = holder.dataset.title;
    this.panels = chart.panels.map((panel) => ({ panel, view: null, id: `clip-${count += 1}`, room: roomAround(chart.panels, panel) }));
    this.build();
  }

  build() {
    const grid = document.createElement("div");
    grid.className = "panels";
    grid.style.setProperty("--columns", this.chart.widths.map((each) => `minmax(0, ${each}fr)`).join(" "));
    this.legend = document.createElement("div");
    this.legend.className = "legend";
    this.tools = this.buildTools();
    this.readout = document.createElement("div");
    this.readout.className = "readout";
    this.readout.setAttribute("role", "status");
    this.panels.forEach((one) => grid.append(this.frame(one)));
    this.holder.replaceChildren(this.tools, this.legend, grid, this.readout);
  }

  buildTools() {
    const tools = document.createElement("div");
    tools.className = "tools";
    for (const [name, what, doing] of [["reset", "Show all again", () => this.zoom(null)],
      ["CSV", `Save the data of ${this.title} as CSV`, () => save(`${this.title}.csv`, "text/csv", this.csv())],
      ["SVG", `Save ${this.title} as SVG`, () => save(`${this.title}.svg`, "image/svg+xml", this.svg())]]) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: name, title: what, hidden: name === "reset" });
      button.dataset.tool = name;
      button.setAttribute("aria-label", what);
      button.addEventListener("click", doing);
      tools.append(button);
    }
    return tools;
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
    box.style.height = `calc(${Math.round(inches * INCH)}px * var(--flat, 1))`;
    box.innerHTML = `${this.legendOf(one.panel.legend)}<svg></svg>`;
    one.box = box;
    listen(this, one);
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
    one.place = layout(one.panel, viewOf(one), width, height, one.room);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`); // paper is narrower, and shows it smaller
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
    const path = one.box.querySelector(".now");
    if (path && one.place && one.panel.time) {
      path.setAttribute("d", this.time === undefined ? "" : upright(one.place, this.time));
    }
  }

  point(one, x, y) {
    const { place } = one, value = place.x.back(x);
    one.at = x;
    for (const other of this.panels) {
      const path = other.box.querySelector(".cursor");
      if (path && other.place && (other === one || (one.panel.time && other.panel.time))) {
        path.setAttribute("d", upright(other.place, value));
      }
    }
    this.readout.textContent = readingAt(one.panel, value, place.y.back(y));
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

  seek(one, x) {
    if (one.panel.time) {
      this.holder.dispatchEvent(new CustomEvent("footfall-seek", { bubbles: true, detail: one.place.x.back(x) }));
    }
  }

  svg() {
    return svgOf(this);
  }

  csv() {
    return csvOf(this);
  }
}
