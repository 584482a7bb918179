// Charts of the page, drawn as they come near, with the time of its animation.
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
  const flatten = (share) => document.documentElement.style.setProperty("--flat", share);
  window.addEventListener("beforeprint", () => { flatten(0.72); redraw(true); }); // two a page of paper
  window.addEventListener("afterprint", () => { flatten(1); redraw(false); });
  document.addEventListener("footfall-time", ({ target, detail }) => {
    const section = target.closest("section");
    for (const chart of all.filter(({ holder }) => section.contains(holder))) {
      chart.time = detail;
      chart.panels.filter((one) => one.near && one.shown).forEach((one) => chart.now(one));
    }
  });
  document.documentElement.dataset.charts = String(all.length);
}
