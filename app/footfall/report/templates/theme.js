// Light or dark as the reader's system is, until the reader chooses.
{
  const root = document.documentElement, system = window.matchMedia("(prefers-color-scheme: dark)");
  const kept = () => { try { return localStorage.getItem("footfall-theme"); } catch { return null; } };
  const set = (theme) => {
    root.dataset.theme = theme;
    document.dispatchEvent(new CustomEvent("footfall-theme"));
  };
  set(kept() || (system.matches ? "dark" : "light"));
  system.addEventListener("change", () => { if (!kept()) { set(system.matches ? "dark" : "light"); } });
  window.addEventListener("beforeprint", () => { root.dataset.theme = "light"; }); // paper is white
  window.addEventListener("afterprint", () => set(kept() || (system.matches ? "dark" : "light")));
  document.addEventListener("click", ({ target }) => {
    if (target.closest && target.closest("[data-theme-button]")) {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      try { localStorage.setItem("footfall-theme", theme); } catch { /* a page from a file may not */ }
      set(theme);
    }
  });
}
