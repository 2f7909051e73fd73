// Runs once in a page, for all panels in it.
(() => {
  "use strict";
  if (window.anonnbPanels) return;
  window.anonnbPanels = true;
  const KEEPS_KEYS = ".anonnb-panel :is(select, [role='region'])"; // sliders and text boxes keep theirs by themselves
  const MOVES = /^(Arrow|Page|Home|End)/;

  // Arrows and letters belong to the control; Ctrl+S, Shift+Enter and the like still go to the lab.
  document.addEventListener("keydown", event => {
    if (!event.target.matches?.(KEEPS_KEYS)) return;
    const combined = event.ctrlKey || event.altKey || event.metaKey;
    const own = !combined && (event.key.length === 1 || MOVES.test(event.key));
    event.target.toggleAttribute("data-lm-suppress-shortcuts", own); // the lab asks for it before it runs a command
  }, true);

  function name(control) {
    if (control.matches(".widget-slider .noUi-handle, .widget-slider .widget-readout"))
      return control.closest(".widget-slider").querySelector("label").textContent;
    if (control.matches(".widget-play button")) return control.querySelector(".fa-stop") ? "Stop" : "Play or pause";
    return null;
  }

  // ipywidgets names neither sliders nor the buttons of a player
  document.addEventListener("focusin", event => {
    const words = event.target.closest?.(".anonnb-panel") && name(event.target);
    if (words) event.target.setAttribute("aria-label", words);
  }, true);
})();
