"use strict";
// The controls around the scene: what is asked for goes to the program that simulates or plays.
const PERIOD = 50; // ms between two looks
const el = (id) => document.getElementById(id);
const plots = new Plots(el("plots"));
let about = {}, state = {}, version = -1;

// One after the other: two requests that are under way at a time may arrive in either order.
let asked = Promise.resolve();
function ask(name, values = {}) {
  asked = asked.then(() => fetch("do", {
    method: "POST",
    headers: { "X-Footfall": "1", "Content-Type": "application/json" },
    body: JSON.stringify({ do: name, ...values }),
  })).catch(() => {});
  return asked;
}

const viewer = () => el("meshcat").contentWindow.viewer;

function option(value, text = value) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = text;
  return made;
}

function slider(name, label, value, low, high, change) {
  const row = document.createElement("label"), input = document.createElement("input"), out = document.createElement("output");
  Object.assign(input, { type: "range", min: low, max: high, step: "any", value });
  input.dataset.name = name;
  out.textContent = number(value);
  input.addEventListener("input", () => { out.textContent = number(Number(input.value)); });
  input.addEventListener("change", () => change(Number(input.value)));
  row.append(label, input, out);
  return row;
}

const number = (value) => value === null || value === undefined ? "–" : Number(value.toPrecision(4)).toString();

function setUp() {
  document.title = `${about.title} – footfall`;
  el("title").textContent = about.title;
  el("engine").textContent = about.engine || "";
  el("message").hidden = !about.message;
  el("message").textContent = about.message || "";
  const live = about.mode === "live", model = about.mode === "model";
  el("scrub").hidden = about.mode !== "replay";
  el("progress").hidden = !live;
  el("back").hidden = about.mode !== "replay";
  el("restart").hidden = !(live || about.again);
  for (const id of ["play", "step", "steps"]) { el(id).hidden = model; }
  el("speed").parentElement.hidden = model;
  document.querySelector(".clock").hidden = el("rate").hidden = model;
  el("scrub").min = about.start || 0;
  el("scrub").max = about.duration || 1;
  el("progress").max = about.duration || 1;
  el("of").textContent = about.duration ? `of ${number(about.duration)} s` : "";
  el("beside-row").hidden = !(about.runs > 1);
  el("push-part").hidden = !(about.links || []).length;
  el("change-part").hidden = !about.changes;
  el("notes-part").hidden = !(live || model);
  el("notes-part").querySelector("summary").textContent = model ? "Contacts" : "Done by hand";
  el("follow").parentElement.hidden = model;
  fill("layers", Object.entries(about.layers || {}).map(([name, title]) => {
    const row = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.dataset.layer = name;
    box.addEventListener("change", () => ask("show", { layer: name, shown: box.checked }));
    row.append(box, title);
    return row;
  }), about.layers);
  fill("legend", (about.legend || []).map((entry) => {
    const row = document.createElement("li"), swatch = document.createElement("i");
    swatch.style.background = entry.colour || "linear-gradient(90deg, #c33, #3a3, #36c)";
    swatch.title = entry.colour ? "" : "the machine's own colours";
    row.dataset.kind = entry.kind;
    row.append(swatch, entry.name);
    return row;
  }), about.legend);
  fill("cameras", (about.cameras || []).map((name) => {
    const button = document.createElement("button");
    button.textContent = name;
    button.dataset.camera = name;
    button.addEventListener("click", () => ask("camera", { value: name }));
    return button;
  }), about.cameras);
  fill("link", (about.links || []).map((name) => option(name)), about.links);
  if (!setUp.begun && about.weight) {
    el("force").value = number(0.5 * about.weight);
    setUp.begun = true;
  }
  setSlider("friction", about.friction);
  setSlider("gravity", about.gravity);
  fill("adjustable", Object.entries(about.adjustable || {}).map(([name, value]) =>
    slider(name, name, value, 0, Math.max(3 * Math.abs(value), 1), (now) => ask("change", { parameter: name, value: now }))),
  about.adjustable);
  if (setUp.plots !== JSON.stringify(about.plots || [])) {
    setUp.plots = JSON.stringify(about.plots || []);
    plots.setUp(about.plots || []);
  }
  if (model) { setUpModel(); }
}

function fill(id, children, source) {
  const text = JSON.stringify(source || []);
  if (el(id).dataset.source !== text) {
    el(id).dataset.source = text;
    el(id).replaceChildren(...children);
  }
}

function setSlider(id, value) {
  el(`${id}-value`).textContent = number(value);
  if (value !== null && value !== undefined && document.activeElement !== el(id)) {
    el(id).max = Math.max(Number(el(id).max), value);
    el(id).value = value;
  }
}

function setUpModel() {
  el("model-part").hidden = el("links-part").hidden = false;
  fill("joints", about.joints.map((joint) => {
    const row = slider(joint.name, joint.name, joint.value, joint.low, joint.high, () => {});
    const range = document.createElement("small");
    range.textContent = joint.limited ? `${number(joint.low)} to ${number(joint.high)} ${joint.unit}` : `no limits, ${joint.unit}`;
    const both = document.createElement("div");
    both.append(row, range);
    return both;
  }), about.joints);
  for (const input of el("joints").querySelectorAll("input")) {
    input.oninput = () => ask("joint", { joint: input.dataset.name, value: Number(input.value) });
  }
  fill("masses", about.masses.map((link) => {
    const row = document.createElement("tr");
    for (const text of [link.name, number(link.mass), link.com.map(number).join(", ")]) {
      row.appendChild(document.createElement("td")).textContent = text;
    }
    return row;
  }), about.masses);
  el("mass").textContent = number(about.masses.reduce((sum, link) => sum + link.mass, 0));
}

function show() {
  const over = ["over", "preparing"].includes(state.status), paused = state.status !== "running";
  el("status").textContent = { running: "", paused: "paused", over: "over", preparing: "preparing", close: "closed" }[state.status] || "";
  el("time").textContent = (state.time || 0).toFixed(3);
  el("rate").textContent = state.rate === undefined || paused ? "" : `${number(state.rate)}× real time`;
  el("play").textContent = paused && !over ? "Play" : "Pause";
  el("play").disabled = el("step").disabled = el("steps").disabled = over;
  el("progress").value = state.time || 0;
  if (document.activeElement !== el("scrub") || !paused) { el("scrub").value = state.time || 0; }
  const speed = state.speed === null || state.speed === undefined ? 0 : state.speed;
  if (document.activeElement !== el("speed")) { el("speed").value = String(speed); }
  for (const box of el("layers").querySelectorAll("input")) { box.checked = Boolean((state.shown || {})[box.dataset.layer]); }
  for (const row of el("legend").children) {
    row.classList.toggle("off", row.dataset.kind !== "run" && !(state.shown || {})[row.dataset.kind]);
  }
  if (document.activeElement !== el("alpha") && state.alpha !== undefined) { el("alpha").value = state.alpha; }
  el("follow").checked = Boolean(state.follow);
  el("beside").checked = Boolean(state.beside);
  const notes = (state.notes || []).slice().reverse();
  fill("notes", notes.map((text) => {
    const row = document.createElement("li");
    row.textContent = text;
    row.classList.toggle("refused", text.includes(": refused:"));
    return row;
  }), notes);
  if (about.mode === "model" && state.yaml !== undefined) { el("yaml").value = state.yaml; }
  plots.take(state);
  plots.draw(about.start || 0, about.duration || 1, state.time || 0);
}

async function look() {
  try {
    const era = plots.era, begin = plots.rows.length;
    state = await (await fetch(`state?era=${Math.max(era, 0)}&begin=${era < 0 ? 0 : begin}`)).json();
    if (state.version !== version) {
      about = await (await fetch("about")).json();
      version = about.version;
      setUp();
    }
    show();
  } catch {
    el("status").textContent = "the program that serves this page has ended";
  }
  setTimeout(look, PERIOD);
}

const toggle = () => ask(state.status === "running" ? "pause" : "play");
el("play").addEventListener("click", toggle);
el("step").addEventListener("click", () => ask("step", { count: 1 }));
el("steps").addEventListener("click", () => ask("step", { count: 10 }));
el("back").addEventListener("click", () => ask("step", { count: -1 }));
el("restart").addEventListener("click", () => ask("restart"));
el("close").addEventListener("click", () => ask("close"));
el("speed").addEventListener("change", () => ask("speed", { value: Number(el("speed").value) }));
el("scrub").addEventListener("input", () => ask("seek", { value: Number(el("scrub").value) }));
el("alpha").addEventListener("input", () => ask("alpha", { value: Number(el("alpha").value) }));
el("follow").addEventListener("change", () => ask("follow", { value: el("follow").checked }));
el("beside").addEventListener("change", () => ask("beside", { value: el("beside").checked }));
for (const id of ["friction", "gravity"]) {
  el(id).addEventListener("input", () => { el(`${id}-value`).textContent = el(id).value; });
  el(id).addEventListener("change", () => { ask("change", { [id]: Number(el(id).value) }); el(id).blur(); });
}
el("copy").addEventListener("click", () => {
  el("yaml").select();
  if (navigator.clipboard) { navigator.clipboard.writeText(el("yaml").value).catch(() => {}); }
});
el("default").addEventListener("click", () => ask("default"));

// Meshcat turns the world, whose z is up, so that y is up in three.js.
const inWorld = (x, y, z) => [x, -z, y];
function pictureAxes() {
  const e = viewer().camera.matrixWorld.elements;
  return [inWorld(e[0], e[1], e[2]), inWorld(e[4], e[5], e[6])];
}

el("push").addEventListener("click", () => {
  const size = Number(el("force").value), direction = el("direction").value;
  const axis = direction.startsWith("view")
    ? pictureAxes()[0].map((part) => (direction === "view-right" ? part : -part))
    : direction.split(",").map(Number);
  ask("push", { link: el("link").value, force: axis.map((part) => part * size), duration: Number(el("duration").value) });
});

const LONG = 150; // pixels of a drag for the force that is set
function dragging(frame) {
  const scene = frame.contentDocument, line = document.querySelector("#drag line");
  let from = null;
  const end = (event) => [event.clientX - from[0], event.clientY - from[1]];
  scene.addEventListener("pointerdown", (event) => {
    if (!event.shiftKey || !(about.links || []).length) { return; }
    from = [event.clientX, event.clientY];
    event.stopPropagation();
    event.preventDefault();
  }, true);
  scene.addEventListener("pointermove", (event) => {
    if (!from) { return; }
    const [x, y] = from;
    for (const [name, value] of Object.entries({ x1: x, y1: y, x2: event.clientX, y2: event.clientY })) {
      line.setAttribute(name, value);
    }
    line.style.visibility = "visible";
    event.stopPropagation();
  }, true);
  scene.addEventListener("pointerup", (event) => {
    if (!from) { return; }
    const [dx, dy] = end(event), [right, up] = pictureAxes();
    const size = Number(el("force").value) / LONG;
    const force = right.map((part, k) => size * (dx * part - dy * up[k]));
    from = null;
    line.style.visibility = "hidden";
    event.stopPropagation();
    if (Math.hypot(dx, dy) > 5) { ask("push", { link: el("link").value, force, duration: Number(el("duration").value) }); }
  }, true);
}

// The camera of this tab: Meshcat forgets it when the page is loaded again.
const KEPT = "footfall camera";
function keepCamera() {
  const v = viewer();
  if (!v || !v.camera || !v.controls || !about.title) { return; }
  const own = `${KEPT} ${about.title}`, was = sessionStorage.getItem(own);
  if (!keepCamera.restored) {
    if (!v.connection || v.connection.readyState !== 1) { return; }
    if (!keepCamera.since) { keepCamera.since = performance.now(); }
    if (performance.now() - keepCamera.since < 700) { return; }
    keepCamera.restored = true;
    if (was) {
      const { position, target } = JSON.parse(was);
      v.camera.position.fromArray(position);
      v.controls.target.fromArray(target);
      v.controls.update();
      v.set_dirty();
    }
    document.body.dataset.ready = "yes";
    return;
  }
  sessionStorage.setItem(own, JSON.stringify({ position: v.camera.position.toArray(), target: v.controls.target.toArray() }));
}

el("meshcat").addEventListener("load", () => {
  dragging(el("meshcat"));
  const v = viewer();
  if (v && v.gui) { v.gui.close(); }
});
document.addEventListener("keydown", (event) => {
  if (["INPUT", "SELECT", "TEXTAREA", "BUTTON", "SUMMARY"].includes(event.target.tagName)) { return; }
  const act = { " ": toggle, ".": () => ask("step", { count: 1 }), ",": () => ask("step", { count: -1 }) }[event.key];
  if (act) { event.preventDefault(); act(); }
});
setInterval(keepCamera, 200);
look();
