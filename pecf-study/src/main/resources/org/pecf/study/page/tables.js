// Tables: made from values, sorted by a column when its heading is pressed, and reached by the keyboard where they scroll.
import { element } from "./elements.js";

/**
 * Make a table whose first column names the rows.
 *
 * @param caption the words above it
 * @param heads the names of its columns
 * @param rows a name and values each; values are texts, which are figures, or elements
 */
export function table(caption, heads, rows) {
  const kind = (value) => (typeof value === "string" ? "number" : "");
  return element(
    "table",
    {},
    element("caption", {}, caption),
    element(
      "thead",
      {},
      element("tr", {}, ...heads.map((name, at) => element("th", { scope: "col", className: at > 0 && rows.length > 0 ? kind(rows[0][at]) : "" }, name))),
    ),
    element(
      "tbody",
      {},
      ...rows.map(([name, ...values]) =>
        element("tr", {}, element("th", { scope: "row" }, name), ...values.map((value) => element("td", { className: kind(value) }, value))),
      ),
    ),
  );
}

/** Return what a cell is sorted by: its number if it has one, else its text. */
function sortKey(row, column) {
  const words = row.cells[column].textContent.trim();
  const number = Number.parseFloat(words.replaceAll(",", "").replace("−", "-").replace("–", "NaN"));
  return Number.isNaN(number) ? words : number;
}

function order(left, right) {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left !== typeof right) return typeof left === "number" ? -1 : 1;
  return left.localeCompare(right);
}

/** Make the headings of a table buttons that sort it. */
export function sortable(table) {
  const heads = [...table.tHead.rows[0].cells].filter((head) => head.textContent.trim());
  heads.forEach((head) => {
    const button = element("button", { type: "button" }, ...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => (down ? -1 : 1) * order(sortKey(a, head.cellIndex), sortKey(b, head.cellIndex)));
      table.tBodies[0].append(...rows);
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    });
  });
}

/** Let the keyboard reach what is wider or higher than its place, so that the arrow keys scroll it. */
export function reachable(place) {
  new ResizeObserver(() => {
    if (place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  }).observe(place);
}

/** Make the tables of the document work. */
export function workTables() {
  for (const table of document.querySelectorAll("table.sortable")) sortable(table);
  for (const place of document.querySelectorAll(".scroll")) reachable(place);
}
