// Shows the stored frame that the controls say. No request, no code from strings: texts are set as text.
(() => {
  "use strict";

  function live(root) {
    root.classList.add("anonnb-live");
    const frames = new Map([...root.querySelectorAll(":scope > .anonnb-frame")].map(frame => [frame.dataset.at, frame]));
    const controls = [...root.querySelectorAll("[data-control]")];
    const place = control =>
      control.type === "checkbox" ? (control.checked ? +control.dataset.on : 1 - control.dataset.on) : +(control.value || 0);
    const chosen = controls.map(control => (control.tagName === "OUTPUT" ? 0 : place(control)));
    let shown = null;

    function show() {
      const next = frames.get(chosen.join(" "));
      for (const control of controls) label(control);
      if (!next || next === shown) return;
      // never lower than before, so that what stands below does not jump
      if (shown) root.style.minHeight = root.offsetHeight + "px";
      for (const frame of frames.values()) frame.hidden = frame !== next;
      shown = next;
    }

    function label(control) {
      if (!control.dataset.labels) return;
      const text = JSON.parse(control.dataset.labels)[place(control)];
      control.setAttribute("aria-valuetext", text);
      control.parentElement.querySelector("output").textContent = text;
    }

    controls.forEach((control, number) =>
      control.addEventListener("input", () => {
        chosen[number] = place(control);
        show();
      }));
    root.querySelector(":scope > .anonnb-controls").hidden = false;
    show();
    if (root.dataset.way === "play") player(root, controls[0]);
  }

  function player(root, slider) {
    const buttons = Object.fromEntries([...root.querySelectorAll("[data-go]")].map(button => [button.dataset.go, button]));
    const speed = root.querySelector("[data-speed]");
    const last = slider.tagName === "OUTPUT" ? 0 : +slider.max;
    let timer = 0;
    const at = () => (last ? +slider.value : 0);

    function go(to) {
      if (!last) return;
      slider.value = Math.max(0, Math.min(last, to));
      slider.dispatchEvent(new Event("input"));
    }

    function pause() {
      clearTimeout(timer);
      timer = 0;
      buttons.play.textContent = "Play";
    }

    function tick() {
      timer = setTimeout(() => {
        go(at() + 1);
        if (at() < last) tick(); else pause();
      }, root.dataset.milliseconds / speed.value);
    }

    function play() {
      if (timer || !last) return pause();
      if (at() === last) go(0);
      buttons.play.textContent = "Pause";
      tick();
    }

    const moves = {
      first: () => go(0), back: () => go(at() - 1), forward: () => go(at() + 1), last: () => go(last), play,
    };
    // a button that has nowhere to go is dimmed, but not disabled: it would lose the focus
    function dim() {
      for (const [name, button] of Object.entries(buttons)) {
        const end = { first: 0, back: 0, forward: last, last }[name];
        button.setAttribute("aria-disabled", name === "play" ? !last : at() === end);
      }
    }
    if (last) slider.addEventListener("input", dim);
    dim();
    const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last", " ": "play" };
    for (const [name, button] of Object.entries(buttons)) {
      button.addEventListener("click", () => {
        if (name !== "play") pause();
        moves[name]();
      });
    }
    root.addEventListener("keydown", event => {
      const name = keys[event.key];
      const inside = event.target.closest("select, button, input, .anonnb-table");
      if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      // a menu and a table have these keys for themselves, a button its space
      if (inside && (inside.matches("select, .anonnb-table") || (event.key === " " && inside.matches("button")))) return;
      event.preventDefault();
      if (name !== "play") pause();
      moves[name]();
    });
  }

  for (const root of document.querySelectorAll(".anonnb-frames")) live(root);
})();
