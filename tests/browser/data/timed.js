root => new Promise(done => {
  const control = root.querySelector("input[data-control], select[data-control]");
  const started = performance.now();
  if (control.type === "checkbox") control.checked = !control.checked;
  else if (control.tagName === "SELECT") control.selectedIndex = (control.selectedIndex + 1) % control.length;
  else control.value = (Number(control.value) + 1) % (Number(control.max) + 1);
  control.dispatchEvent(new Event("input"));
  const picture = root.querySelector(":scope > .anonnb-frame:not([hidden]) img");
  const decoded = picture ? picture.decode() : Promise.resolve();
  decoded.then(() => requestAnimationFrame(() => setTimeout(() => done(performance.now() - started))));
})