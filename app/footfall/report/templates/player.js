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
  let told = NaN;
  const show = (time) => {
    if (time === told) {
      return;
    }
    told = time;
    box.dispatchEvent(new CustomEvent("footfall-time", { bubbles: true, detail: Number(box.dataset.start) + time }));
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
  const seek = (time) => {
    animator.pause();
    for (const action of animator.actions) {
      action.paused = false;
    }
    animator.seek(time);
    animator.display_progress(time);
    show(time);
  };
  slider.addEventListener("input", () => seek(Number(slider.value)));
  box.closest("section").addEventListener("footfall-seek", ({ detail }) => {
    seek(Math.max(0, Math.min(animator.duration, detail - Number(box.dataset.start))));
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

// Gives a viewer its commands: bytes in pieces, and animations in numbers.
function fill(viewer, scene) {
  const length = new DataView(scene).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(scene, 4, length)));
  let at = 4 + length;
  const pieces = head.pieces.map((size) => new Uint8Array(scene, (at += size) - size, size));
  const numbers = numbersOf(head.numbers, scene, at);
  for (const command of head.commands) {
    if (!Array.isArray(command)) {
      command.animations.forEach(({ clip }) => { clip.tracks = clip.tracks.map((track) => keyed(track, numbers)); });
      viewer.handle_command(command);
      continue;
    }
    const parts = command.map((index) => pieces[index]);
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((begin, part) => { whole.set(part, begin); return begin + part.length; }, 0);
    viewer.handle_command_bytearray(whole);
  }
}

function keyed(track, numbers) {
  const columns = track.values.map((index) => numbers[index]), values = [];
  const value = track.type === "boolean" ? Boolean : Number;
  columns[0].forEach((_, k) => columns.forEach((column) => values.push(value(column[k]))));
  return { ...track, times: Array.from(numbers[track.times], Math.round), values };
}

async function unpack(box) {
  const frame = box.querySelector("iframe");
  if (!("DecompressionStream" in window)) {
    frame.srcdoc = "The animation needs a browser of 2023 or later.";
    return;
  }
  // the viewer takes longest to start, so it goes first; its scene is unpacked meanwhile
  const page = inflated(document.getElementById(box.dataset.viewer));
  const scene = inflated(box.querySelector("[data-scene]"));
  const content = new TextDecoder().decode(await page);
  await new Promise((done) => {
    frame.addEventListener("load", () => frame.contentWindow.viewer && done());
    frame.srcdoc = content;
  });
  fill(frame.contentWindow.viewer, await scene);
  const wait = (delay) => connect(box) || setTimeout(wait, delay, Math.min(2 * delay, 200));
  wait(10);
}

document.querySelectorAll("[data-player]").forEach(unpack);
