"use strict";
// Unpacks the animations, and connects the controls below each to the Meshcat viewer in its frame.
const SHIFT_MATRIX = (y) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1];
const pathOf = (choice) => choice.dataset.show.slice(1).split("/");
// A recording of less than a second is over before one has seen it: it is played in about four.
const SHORT = 1, UNHURRIED = 4;

function usualSpeed(duration, speeds) {
  const slow = (speed) => Math.abs(Math.log(duration / speed / UNHURRIED));
  return duration >= SHORT ? 1 : speeds.reduce((a, b) => (slow(b) < slow(a) ? b : a));
}

function connect(box) {
  const find = (what) => box.querySelector(`[data-${what}]`);
  const viewer = box.querySelector("iframe").contentWindow.viewer;
  const animator = viewer && viewer.animator;
  if (!animator || !(animator.duration > 0)) {
    return false;
  }
  const slider = find("time"), button = find("play"), clock = find("clock"), phase = find("phase");
  const phases = phase ? JSON.parse(phase.dataset.phases) : [];
  slider.max = animator.duration;
  const atEnd = () => animator.time >= animator.duration - 1e-3;
  const show = (time) => {
    slider.value = time;
    clock.textContent = `${time.toFixed(animator.duration < SHORT ? 3 : 2)} s`;
    if (phase) {
      const now = phases.filter(([begin]) => begin <= time + 1e-9).pop();
      phase.textContent = now ? now[1] : "";
    }
  };
  button.addEventListener("click", () => {
    if (animator.playing && !atEnd()) {
      animator.pause();
      return;
    }
    if (atEnd()) {
      animator.reset();
    }
    animator.play();
  });
  slider.addEventListener("input", () => {
    const time = Number(slider.value);
    animator.pause();
    for (const action of animator.actions) {
      action.paused = false;
    }
    animator.seek(time);
    animator.display_progress(time);
    show(time);
  });
  for (const choice of box.querySelectorAll("[data-show]")) {
    const path = pathOf(choice);
    choice.addEventListener("change", () => {
      viewer.set_property(path, "visible", choice.checked);
      viewer.set_dirty();
    });
  }
  const runs = [...box.querySelectorAll("[data-run]")].map(pathOf);
  const traces = find("traces");
  if (traces) {
    traces.addEventListener("change", () => {
      for (const run of runs) {
        viewer.set_property([...run, traces.dataset.traces], "visible", traces.checked);
      }
      viewer.set_dirty();
    });
  }
  const speed = find("speed");
  const speeds = [...speed.options].map((option) => Number(option.value));
  const hurry = () => { animator.mixer.timeScale = Number(speed.value); };
  speed.addEventListener("change", hurry);
  speed.value = usualSpeed(animator.duration, speeds);
  hurry();
  const spacing = find("spacing");
  if (spacing) {
    spacing.addEventListener("change", () => {
      runs.forEach((path, k) => {
        viewer.set_transform(path, SHIFT_MATRIX(spacing.checked ? Number(spacing.dataset.spacing) * k : 0));
      });
      viewer.set_dirty();
    });
  }
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
    animator.pause();
  }
  const follow = () => {
    if (document.activeElement !== slider || animator.playing) {
      show(animator.time);
    }
    button.textContent = animator.playing && !atEnd() ? "Pause" : "Play";
    requestAnimationFrame(follow);
  };
  follow();
  box.dataset.player = "ready";
  return true;
}

async function inflated(element) {
  const bytes = Uint8Array.from(atob(element.textContent.trim()), (letter) => letter.charCodeAt(0));
  const packed = new Blob([bytes]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

async function unpack(box) {
  const frame = box.querySelector("iframe");
  if (!("DecompressionStream" in window)) {
    frame.srcdoc = "The animation needs a browser of 2023 or later.";
    return;
  }
  const scene = await inflated(box.querySelector("[data-scene]"));
  const page = await inflated(document.getElementById(box.dataset.viewer));
  frame.addEventListener("load", () => {
    const viewer = frame.contentWindow.viewer, lengths = new DataView(scene);
    for (let at = 0; viewer && at < scene.byteLength;) {
      const begin = at + 4;
      at = begin + lengths.getUint32(at, true);
      viewer.handle_command_bytearray(new Uint8Array(scene.slice(begin, at)));
    }
  });
  frame.srcdoc = new TextDecoder().decode(page);
}

for (const box of document.querySelectorAll("[data-player]")) {
  unpack(box);
  const wait = setInterval(() => {
    if (connect(box)) {
      clearInterval(wait);
    }
  }, 100);
}
