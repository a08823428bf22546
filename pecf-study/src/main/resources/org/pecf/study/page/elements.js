// Small parts that pages are made of. All text goes in as text, never as HTML.

/** Make an element with properties and children; texts become text nodes. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (name in made && name !== "list") {
      made[name] = value;
    } else {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Return a number with as many digits as tell something. */
export function figure(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (Number.isInteger(value) && size < 1e10) return value.toLocaleString("en-GB");
  if (size >= 1e7 || size < 1e-4) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

/** Return a number of a list with as many decimals as the others, which its largest value decides. */
function aligned(value, largest) {
  if (largest === 0 || (Number.isInteger(value) && Number.isInteger(largest)) || largest >= 1e4 || largest < 1e-4) return figure(value);
  return value.toFixed(Math.max(0, 3 - Math.floor(Math.log10(largest))));
}

/** Make an element of words of anybody, whose direction of writing is their own affair. */
export function foreign(words, properties = {}) {
  return element("bdi", properties, words);
}

/** Make a bar with its figure; negative values are hatched. */
export function bar(value, largest) {
  const filled = element("span");
  filled.style.width = `${largest > 0 ? Math.min(100, (100 * Math.abs(value)) / largest) : 0}%`;
  return element(
    "span",
    { className: value < 0 ? "meter negative" : "meter" },
    element("b", {}, aligned(value, largest)),
    element("span", {}, filled),
  );
}
