// Tables that are sorted by a column when its heading is pressed.

/** Return what a cell is sorted by: its number if it has one, else its text. */
function key(row, column) {
  const words = row.cells[column].textContent.trim();
  const number = Number.parseFloat(words.replaceAll(",", "").replace("–", "NaN"));
  return Number.isNaN(number) ? words : number;
}

function compare(left, right) {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left !== typeof right) return typeof left === "number" ? -1 : 1;
  return left.localeCompare(right);
}

/** Make the headings of a table buttons that sort it. */
export function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => (down ? -1 : 1) * compare(key(a, column), key(b, column)));
      table.tBodies[0].append(...rows);
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    });
  });
}

/** Make all tables with several rows sortable. */
export function sortAll() {
  for (const table of document.querySelectorAll("table.sortable")) sortable(table);
}
