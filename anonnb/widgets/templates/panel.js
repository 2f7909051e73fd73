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

  // ipywidgets names neither sliders nor the buttons of a player, and cannot say that a button has nowhere to go.
  function set(control, attribute, text) {
    if (control.getAttribute(attribute) !== text) control.setAttribute(attribute, text);
  }

  function describe(panel) {
    for (const part of panel.querySelectorAll(".widget-slider :is(.noUi-handle, .widget-readout)"))
      set(part, "aria-label", part.closest(".widget-slider").querySelector("label").textContent);
    for (const button of panel.querySelectorAll(".widget-play button"))
      set(button, "aria-label", button.querySelector(".fa-stop") ? "Stop" : "Play or pause");
    for (const button of panel.querySelectorAll("button.widget-button"))
      set(button, "aria-disabled", String(button.disabled || button.classList.contains("anonnb-idle")));
  }

  // The lab draws a control when it has time, and draws it again when an output is shown in another view.
  let waiting = false;
  function describeAll() {
    waiting = false;
    document.querySelectorAll(".anonnb-panel").forEach(describe);
  }
  new MutationObserver(() => {
    if (!waiting) requestAnimationFrame(describeAll);
    waiting = true;
  }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "disabled"] });
  describeAll();
})();
