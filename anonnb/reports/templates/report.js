// Folds and unfolds all code, and sorts tables by a click on a column's name. Texts are read, never run.
(() => {
  "use strict";

  const all = document.querySelector("[data-unfold]");
  const folds = [...document.querySelectorAll("details.code")];
  if (all && folds.length) {
    const say = () => { all.textContent = folds.every(fold => fold.open) ? "Hide all code" : "Show all code"; };
    all.hidden = false;
    all.addEventListener("click", () => {
      const open = !folds.every(fold => fold.open);
      for (const fold of folds) fold.open = open;
      say();
    });
    for (const fold of folds) fold.addEventListener("toggle", say);
  }

  // a number as people and pandas write it: 1,234.5 or −3 or 12.5 %
  function number(text) {
    const bare = text.trim().replace(/[,\s%]/g, "").replace("−", "-").replace(/^[–]$/, "");
    return bare !== "" && !isNaN(bare) ? Number(bare) : NaN;
  }

  function order(first, second) {
    const [a, b] = [number(first), number(second)];
    if (isNaN(a) && isNaN(b)) return first.localeCompare(second);
    return isNaN(a) ? 1 : isNaN(b) ? -1 : a - b; // words after numbers
  }

  function sortable(table) {
    const [head, body] = [table.tHead, table.tBodies[0]];
    if (!head || !body || head.rows.length !== 1 || table.tBodies.length !== 1 || body.rows.length < 3) return;
    const width = head.rows[0].cells.length;
    const plain = row => row.cells.length === width && [...row.cells].every(cell => cell.colSpan + cell.rowSpan === 2);
    if (![head.rows[0], ...body.rows].every(plain)) return;
    [...head.rows[0].cells].forEach((cell, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...cell.childNodes);
      if (!button.textContent.trim()) button.setAttribute("aria-label", "Sort by the first column");
      cell.append(button);
      button.addEventListener("click", () => {
        const down = cell.getAttribute("aria-sort") === "ascending";
        for (const other of head.rows[0].cells) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", down ? "descending" : "ascending");
        const text = row => row.cells[column].textContent.trim();
        const rows = [...body.rows].sort((a, b) => (down ? order(text(b), text(a)) : order(text(a), text(b))));
        body.append(...rows);
      });
    });
  }

  for (const table of document.querySelectorAll("table")) sortable(table);
})();
