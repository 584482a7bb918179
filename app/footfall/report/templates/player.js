"use strict";
// Connects the controls below each animation to the Meshcat viewer inside its frame.
const LANE_MATRIX = (y) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1];
const pathOf = (choice) => choice.dataset.show.slice(1).split("/");

function connect(box) {
  const find = (what) => box.querySelector(`[data-${what}]`);
  const viewer = box.querySelector("iframe").contentWindow.viewer;
  const animator = viewer && viewer.animator;
  if (!animator || !(animator.duration > 0)) {
    return false;
  }
  const slider = find("time"), button = find("play"), clock = find("clock");
  slider.max = animator.duration;
  const atEnd = () => animator.time >= animator.duration - 1e-3;
  const show = (time) => {
    slider.value = time;
    clock.textContent = `${time.toFixed(2)} s`;
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
  const lanes = find("lanes");
  if (lanes) {
    const runs = [...box.querySelectorAll("[data-run]")].map(pathOf);
    lanes.addEventListener("change", () => {
      runs.forEach((path, k) => {
        viewer.set_transform(path, LANE_MATRIX(lanes.checked ? Number(lanes.dataset.lanes) * k : 0));
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

for (const box of document.querySelectorAll("[data-player]")) {
  const wait = setInterval(() => {
    if (connect(box)) {
      clearInterval(wait);
    }
  }, 100);
}
