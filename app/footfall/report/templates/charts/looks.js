// Colours of light and dark, symbols of marks, and text as SVG takes it.
const INCH = 106, TICK = 11, TICK_WIDTH = 6.2, TITLE = 17;
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

function coloured(colour, theme) {
  const parts = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
  const grey = Math.max(...parts) - Math.min(...parts) < 24;
  if (grey && Math.max(...parts) < 0x60) {
    return theme.ink;
  }
  const light = 0.3 * parts[0] + 0.59 * parts[1] + 0.11 * parts[2];
  return theme === DARK && light < 120 ? `color-mix(in srgb, ${colour} 62%, white)` : colour;
}

function strokeOf(mark, theme) {
  return mark.stroke
    ? `stroke="${coloured(mark.stroke, theme)}" stroke-width="${mark.width * 1.2}"${mark.dashes ? ` stroke-dasharray="${mark.dashes.map((d) => px(1.2 * d)).join(" ")}"` : ""}`
    : "";
}
