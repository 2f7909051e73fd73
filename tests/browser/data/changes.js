(root, number) => {
  const shown = new Map();
  for (const frame of root.querySelectorAll(":scope > .anonnb-frame")) {
    const others = frame.dataset.at.split(" ").filter((_, place) => place !== number).join(" ");
    const parts = [...frame.querySelectorAll("pre, figcaption, td, img")].map(part => part.src ?? part.textContent);
    shown.set(others, (shown.get(others) ?? new Set()).add(parts.join()));
  }
  return [...shown.values()].some(different => different.size > 1);
}