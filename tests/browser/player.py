"""The player of a recording in a page, as JavaScript has it."""

FRAME = "document.querySelector('iframe')"
PLAYER = "document.querySelector('[data-player]')"
VIEWER = f"{FRAME}.contentWindow.viewer"
TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
