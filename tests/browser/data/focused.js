() => {
  const on = document.activeElement;
  if (!on.closest(".anonnb-panel")) return null;
  const labels = [...(on.labels ?? [])].map(label => label.innerText).join();
  const line = getComputedStyle(on);
  return [on.getAttribute("aria-label") || labels || on.innerText.trim(), line.outlineStyle, line.outlineWidth];
}