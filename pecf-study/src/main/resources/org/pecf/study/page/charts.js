// Charts as SVG, drawn from data: lines, bars (with a curve over them), heat maps and points. Every mark shows its
// values when the pointer is near it or the arrow keys move to it. A chart is drawn as wide as its place, so that its
// text is as large on a phone as elsewhere. All text goes in as text, never as HTML.
import { element, figure } from "./elements.js";

const SVG = "http://www.w3.org/2000/svg";
const NARROWEST = 260;
const HEIGHT = 340;
const MARGIN = { top: 24, right: 16, bottom: 52, left: 64 };
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "12 4", "4 4"];

/** How wide a character of a label is, generously. */
const CHARACTER = 7.4;

/** The longest label of a category that is shown in full. */
const LONGEST = 22;

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Return round numbers that cover a range. */
export function ticks(low, high, wanted = 5) {
  const step = 10 ** Math.floor(Math.log10((high - low) / wanted || 1));
  const found = [1, 2, 5, 10].map((k) => k * step).find((k) => (high - low) / k <= wanted) ?? 10 * step;
  const made = [];
  for (let k = Math.ceil(low / found - 1e-9); k * found <= high + found * 1e-9; k++) made.push(Number((k * found).toPrecision(12)));
  return made;
}

/** Return a map of values to pixels, linear or by logarithm. */
function scale(low, high, from, to, logarithmic = false) {
  const turn = logarithmic ? (value) => Math.log10(Math.max(value, low)) : (value) => value;
  const span = turn(high) - turn(low) || 1;
  return (value) => from + ((turn(value) - turn(low)) / span) * (to - from);
}

function extent(values) {
  const real = values.filter((value) => Number.isFinite(value));
  return real.length ? [Math.min(...real), Math.max(...real)] : [0, 1];
}

function padded([low, high]) {
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [low - room, high + room];
}

/** Return powers of ten within a range; where there is one at most, also their doubles and fives, or else its ends. */
function powers(low, high) {
  for (const steps of [[1], [1, 2, 5]]) {
    const made = [];
    for (let k = Math.floor(Math.log10(low)); 10 ** k <= high; k++) {
      for (const step of steps) {
        const value = Number((step * 10 ** k).toPrecision(6));
        if (value >= low && value <= high) made.push(value);
      }
    }
    if (made.length > 1) return made;
  }
  return [low, high];
}

function shortened(name) {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}

/** Return the left margin that the labels of a vertical axis need. */
function marginFor(labels) {
  return Math.max(44, 30 + Math.max(...labels.map((value) => figure(value).length), 1) * CHARACTER);
}

/** Return the places of labels that have room beside each other: every one, every second, and so on. */
function spaced(names, band, least = 0) {
  const widest = Math.max(...names.map((name) => name.length), 1) * CHARACTER + 8;
  const every = Math.max(1, Math.ceil((least || widest) / band));
  return names.map((_, k) => k).filter((k) => k % every === 0);
}

class Drawing {
  constructor(chart, width, { left = MARGIN.left, right = MARGIN.right, bottom = MARGIN.bottom } = {}) {
    this.chart = chart;
    this.width = width;
    this.left = left;
    this.right = width - right;
    this.top = MARGIN.top;
    this.bottom = HEIGHT - bottom;
    this.root = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" });
    this.marks = [];
  }

  text(x, y, words, attributes = {}) {
    const made = svg("text", { x, y, ...attributes });
    made.textContent = words;
    this.root.append(made);
    return made;
  }

  line(x1, y1, x2, y2, kind) {
    this.root.append(svg("line", { x1, y1, x2, y2, class: kind }));
  }

  /** Draw the horizontal axis; slanted labels need a margin of their own. */
  axisX(name, values, place, label = figure, slanted = false) {
    for (const value of values) {
      const x = place(value);
      this.line(x, this.bottom, x, this.bottom + 5, "axis");
      this.text(x, this.bottom + 18, label(value), slanted ? { "text-anchor": "end", transform: `rotate(-40 ${x} ${this.bottom + 14})` } : { "text-anchor": "middle" });
    }
    this.line(this.left, this.bottom, this.right, this.bottom, "axis");
    this.text((this.left + this.right) / 2, HEIGHT - 8, name, { "text-anchor": "middle", class: "name" });
  }

  /** Draw an axis of numbers with as many labels as have room. */
  numbersX(chart, low, high, place, whole) {
    const fits = (values) => {
      const places = values.map((value) => [place(value), figure(value).length * CHARACTER + 10]);
      return places.every(([x, room], k) => k === 0 || x - places[k - 1][0] >= (room + places[k - 1][1]) / 2);
    };
    let values = chart.logarithmicX ? powers(low, high) : [];
    for (let wanted = 10; !chart.logarithmicX && wanted > 0; wanted--) {
      values = ticks(low, high, wanted).filter((value) => !whole || Number.isInteger(value));
      if (fits(values)) break;
    }
    const every = [1, 2, 3, 4, 6].find((step) => fits(values.filter((_, k) => k % step === 0))) ?? values.length;
    this.axisX(chart.xName, values.filter((_, k) => k % every === 0), place);
  }

  axisY(name, values, place, atRight = false) {
    const x = atRight ? this.right : this.left;
    for (const value of values) {
      if (!atRight) this.line(this.left, place(value), this.right, place(value), "grid");
      this.text(x + (atRight ? 8 : -8), place(value) + 4, figure(value), { "text-anchor": atRight ? "start" : "end" });
    }
    const middle = (this.top + this.bottom) / 2;
    const at = atRight ? this.width - 6 : 14;
    this.text(at, middle, name, { "text-anchor": "middle", transform: `rotate(-90 ${at} ${middle})`, class: "name" });
  }

  /** Remember a place that the pointer or the keys can choose. */
  mark(series, x, y, words) {
    this.marks.push({ series, x, y, words });
  }
}

function drawLines(chart, width) {
  const points = chart.series.flatMap((series) => series.points);
  const [lowX, highX] = extent(points.map((point) => point[0]));
  const bounds = points.map((point) => point[1]);
  const [lowY, highY] = padded(extent(bounds));
  const least = chart.logarithmicY ? extent(bounds.filter((value) => value > 0))[0] : lowY;
  const labels = chart.logarithmicY ? powers(least, highY) : ticks(lowY, highY);
  const drawing = new Drawing(chart, width, { left: marginFor(labels) });
  const x = scale(lowX, highX, drawing.left + 8, drawing.right - 8, chart.logarithmicX);
  const y = scale(least, highY, drawing.bottom, drawing.top, chart.logarithmicY);
  drawing.axisY(chart.yName, labels, y);
  drawing.numbersX(chart, lowX, highX, x, points.every((point) => Number.isInteger(point[0])));
  if (chart.mark !== null && chart.mark !== undefined) {
    const place = x(chart.mark);
    drawing.line(place, drawing.top, place, drawing.bottom, "chosen");
    const beyond = place + (chart.markName.length * CHARACTER) / 2 > drawing.right;
    drawing.text(beyond ? drawing.right : place, drawing.top - 8, chart.markName, { "text-anchor": beyond ? "end" : "middle" });
  }
  chart.series.forEach((series, at) => {
    const real = series.points.filter((point) => Number.isFinite(point[1]) && (!chart.logarithmicY || point[1] > 0));
    const path = real.map((point, k) => `${k ? "L" : "M"}${x(point[0]).toFixed(1)} ${y(point[1]).toFixed(1)}`).join("");
    drawing.root.append(svg("path", { d: path, class: `line s${at % 6}`, "stroke-dasharray": DASHES[at % 6] }));
    for (const point of real) {
      if (real.length <= 25) drawing.root.append(svg("circle", { cx: x(point[0]), cy: y(point[1]), r: 3.5, class: `dot s${at % 6}` }));
      drawing.mark(at, x(point[0]), y(point[1]), `${series.name}: ${chart.xName} ${figure(point[0])}, ${chart.yName} ${figure(point[1])}`);
    }
  });
  return drawing;
}

/** Return the shape of a point: a disc, or a large triangle for the second series. */
function pointShape(at, x, y) {
  return at === 0 ? svg("circle", { cx: x, cy: y, r: 4.5, class: "dot s0" }) : svg("path", { d: `M${x} ${y - 9}l8 15h-16z`, class: `dot s${at % 6}` });
}

function drawPoints(chart, width) {
  const names = chart.categories.map(shortened);
  const points = chart.series.flatMap((series) => series.points);
  const wide = extent(points.map((point) => point[0]));
  const [lowX, highX] = names.length ? [-0.5, names.length - 0.5] : chart.logarithmicX ? wide : padded(wide);
  const [lowY, highY] = padded(extent(points.map((point) => point[1])));
  const left = marginFor(ticks(lowY, highY));
  const slanted = names.length > 0 && spaced(names, (width - left - MARGIN.right) / names.length).length < names.length;
  const drawing = new Drawing(chart, width, slanted ? slantedMargins(names, left) : { left });
  const x = scale(lowX, highX, drawing.left + 10, drawing.right - 10, chart.logarithmicX);
  const y = scale(lowY, highY, drawing.bottom, drawing.top);
  drawing.axisY(chart.yName, ticks(lowY, highY), y);
  if (names.length) drawing.axisX(chart.xName, names.map((_, k) => k), x, (k) => names[k], slanted);
  else drawing.numbersX(chart, lowX, highX, x, points.every((point) => Number.isInteger(point[0])));
  chart.series.forEach((series, at) => {
    for (const point of series.points) {
      drawing.root.append(pointShape(at, x(point[0]), y(point[1])));
      drawing.mark(at, x(point[0]), y(point[1]), `${series.name}: ${chart.xName} ${names.length ? chart.categories[point[0]] : figure(point[0])}, ${chart.yName} ${figure(point[1])}`);
    }
  });
  return drawing;
}

/** Return the margins for slanted labels. */
function slantedMargins(names, left) {
  const longest = Math.max(...names.map((name) => name.length)) * CHARACTER;
  return { bottom: 44 + 0.64 * longest, left: Math.max(left, 0.7 * names[0].length * CHARACTER) };
}

function drawBars(chart, width) {
  const names = chart.categories.map(shortened);
  const values = chart.series.flatMap((series) => series.values.concat(series.high ?? [], series.low ?? []));
  const top = extent(values)[1] * 1.05 || 1;
  const positive = values.filter((value) => value > 0);
  const low = chart.logarithmicY ? 10 ** Math.floor(Math.log10(extent(positive)[0])) : Math.min(0, extent(values)[0] * 1.05);
  const labels = chart.logarithmicY ? powers(low, top) : ticks(low, top);
  const left = marginFor(labels);
  const right = chart.curve ? 62 : MARGIN.right;
  const beside = spaced(names, (width - left - right) / names.length);
  const slanted = !chart.touching && beside.length < names.length;
  const drawing = new Drawing(chart, width, { right, ...(slanted ? slantedMargins(names, left) : { left }) });
  const y = scale(low, top, drawing.bottom, drawing.top, chart.logarithmicY);
  drawing.axisY(chart.yName, labels, y);
  const band = (drawing.right - drawing.left) / names.length;
  const gap = chart.touching ? 0 : band * 0.18;
  // Bars that touch lie over each other, the later ones narrower.
  const barWidth = (band - gap) / (chart.touching ? 1 : chart.series.length);
  const shown = slanted ? spaced(names, band, 15) : beside;
  drawing.axisX(chart.xName, shown, (k) => drawing.left + (k + 0.5) * band, (k) => names[k], slanted);
  chart.series.forEach((series, at) => {
    series.values.forEach((value, k) => {
      const inset = chart.touching ? (at * barWidth) / 5 : 0;
      const x = drawing.left + k * band + gap / 2 + (chart.touching ? inset : at * barWidth);
      if (!Number.isFinite(value)) return;
      const shownValue = chart.logarithmicY ? Math.max(value, low) : value;
      const base = y(chart.logarithmicY ? low : 0);
      drawing.root.append(svg("rect", { x, y: Math.min(y(shownValue), base), width: Math.max(1, barWidth - (chart.touching ? 0.5 + 2 * inset : Math.min(2, barWidth / 4))), height: Math.abs(base - y(shownValue)), class: `bar s${at % 6}` }));
      let words = `${chart.categories[k]}: ${series.name} ${figure(value)}`;
      if (series.low) {
        const middle = x + barWidth / 2;
        drawing.line(middle, y(series.low[k]), middle, y(series.high[k]), "whisker");
        words += ` (${figure(series.low[k])} to ${figure(series.high[k])})`;
      }
      drawing.mark(at, x - inset + barWidth / 2, y(shownValue), words);
    });
  });
  if (chart.curve) {
    const [lowest, highest] = extent(chart.curve.values);
    const over = scale(Math.min(0, lowest), highest * 1.05, drawing.bottom, drawing.top);
    drawing.axisY(chart.curve.name, ticks(Math.min(0, lowest), highest * 1.05), over, true);
    const path = chart.curve.values.map((value, k) => `${k ? "L" : "M"}${(drawing.left + (k + 0.5) * band).toFixed(1)} ${over(value).toFixed(1)}`).join("");
    drawing.root.append(svg("path", { d: path, class: "line halo" }), svg("path", { d: path, class: `line s${chart.series.length % 6}` }));
    chart.curve.values.forEach((value, k) => drawing.mark(chart.series.length, drawing.left + (k + 0.5) * band, over(value), `${chart.categories[k]}: ${chart.curve.name} ${figure(value)}`));
  }
  return drawing;
}

function drawHeat(chart, width) {
  const longest = Math.max(...chart.rows.map((name) => name.length)) * CHARACTER;
  const drawing = new Drawing(chart, width, { left: Math.min(0.3 * width, longest + 14) });
  const cellWidth = (drawing.right - drawing.left) / chart.columns.length;
  const cellHeight = (drawing.bottom - drawing.top) / chart.rows.length;
  const shade = scale(chart.low, chart.high, 0, 1);
  for (const k of spaced(chart.columns, cellWidth)) drawing.text(drawing.left + (k + 0.5) * cellWidth, drawing.bottom + 16, chart.columns[k], { "text-anchor": "middle" });
  drawing.text((drawing.left + drawing.right) / 2, HEIGHT - 8, chart.name, { "text-anchor": "middle", class: "name" });
  const everyRow = Math.ceil(15 / cellHeight);
  chart.values.forEach((line, i) => {
    if (i % everyRow === 0) drawing.text(drawing.left - 8, drawing.top + (i + 0.5) * cellHeight + 4, chart.rows[i], { "text-anchor": "end" });
    line.forEach((value, j) => {
      const x = drawing.left + j * cellWidth;
      const y = drawing.top + i * cellHeight;
      const part = Math.min(1, Math.max(0, shade(value)));
      const cell = svg("rect", { x, y, width: cellWidth - 1, height: cellHeight - 1, class: "cell" });
      cell.style.setProperty("--part", `${(100 * part).toFixed(0)}%`);
      drawing.root.append(cell);
      if (cellWidth > 34 && cellHeight > 16) drawing.text(x + cellWidth / 2, y + cellHeight / 2 + 4, figure(Number(value.toFixed(2))), { "text-anchor": "middle", class: part > 0.5 ? "on-full" : "on-empty" });
      drawing.mark(i, x + cellWidth / 2, y + cellHeight / 2, `${chart.rows[i]} and ${chart.columns[j]}: ${figure(value)}`);
    });
  });
  return drawing;
}

const DRAWERS = { lines: drawLines, points: drawPoints, bars: drawBars, heat: drawHeat };

/** Let the pointer and the arrow keys choose marks of what is drawn, whose values are shown and read out. */
function choose(plot, readout, shown) {
  let at = -1;

  function show(index) {
    at = index;
    const mark = shown.drawing.marks[index];
    readout.textContent = mark ? mark.words : "\u00a0";
    shown.ring.setAttribute("visibility", mark ? "visible" : "hidden");
    if (mark) {
      shown.ring.setAttribute("cx", mark.x);
      shown.ring.setAttribute("cy", mark.y);
    }
  }

  /** Return the nearest mark of another series, or the same if there is none. */
  function beside(direction) {
    const marks = shown.drawing.marks;
    const now = marks[Math.max(at, 0)];
    const wanted = marks.map((mark) => mark.series).filter((series) => Math.sign(series - now.series) === direction);
    if (!wanted.length) return at;
    const series = direction > 0 ? Math.min(...wanted) : Math.max(...wanted);
    let best = at;
    marks.forEach((mark, index) => {
      if (mark.series === series && (best === at || Math.abs(mark.x - now.x) < Math.abs(marks[best].x - now.x))) best = index;
    });
    return best;
  }

  plot.addEventListener("pointermove", (event) => {
    const { drawing } = shown;
    const box = drawing.root.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * drawing.width;
    const y = ((event.clientY - box.top) / box.height) * HEIGHT;
    let best = -1;
    let nearest = Infinity;
    drawing.marks.forEach((mark, index) => {
      const far = (mark.x - x) ** 2 + (mark.y - y) ** 2;
      if (far < nearest) [best, nearest] = [index, far];
    });
    show(best);
  });
  plot.addEventListener("pointerleave", () => show(-1));
  plot.addEventListener("keydown", (event) => {
    const last = shown.drawing.marks.length - 1;
    const steps = {
      ArrowRight: () => Math.min(last, at + 1),
      ArrowLeft: () => Math.max(0, at - 1),
      ArrowDown: () => beside(1),
      ArrowUp: () => beside(-1),
      Home: () => 0,
      End: () => last,
      Escape: () => -1,
    };
    if (event.key in steps && last >= 0) {
      event.preventDefault();
      show(steps[event.key]());
    }
  });
  return () => show(at);
}

/** Return the key of a series in the legend: as it is drawn. */
function legendKey(chart, at) {
  const key = svg("svg", { viewBox: "0 0 28 18", width: 28, height: 18, "aria-hidden": "true" });
  if (chart.kind === "points") key.append(pointShape(at, 14, 10));
  else if (chart.kind === "bars" && at < chart.series.length) key.append(svg("rect", { x: 4, y: 4, width: 20, height: 10, class: `bar s${at % 6}` }));
  else key.append(svg("path", { d: "M0 9H28", class: `line s${at % 6}`, "stroke-dasharray": chart.kind === "lines" ? DASHES[at % 6] : "" }));
  return key;
}

function legend(chart) {
  const list = element("ul", { className: "legend" });
  if (chart.kind === "heat") {
    list.append(element("li", {}, figure(chart.low), " ", element("span", { className: "shades", "aria-hidden": "true" }), " ", figure(chart.high)));
  }
  const names = (chart.series ?? []).map((series) => series.name).concat(chart.curve ? [chart.curve.name] : []);
  if (names.length > 1) list.append(...names.map((name, at) => element("li", {}, legendKey(chart, at), ` ${name}`)));
  return list;
}

/** Draw a chart into an element, which may be focused; it is drawn again when its width changes. */
export function draw(plot, chart) {
  const shown = {};
  const readout = element("p", { className: "readout", role: "status" }, "\u00a0");
  plot.before(legend(chart));
  plot.after(readout);
  plot.tabIndex = 0;
  plot.setAttribute("role", "application");
  plot.setAttribute("aria-label", `${chart.title}. Arrow keys move through the values; the table below has all of them.`);
  const again = choose(plot, readout, shown);

  function redraw() {
    const width = Math.max(NARROWEST, Math.round(plot.clientWidth));
    if (shown.drawing?.width === width) return;
    shown.drawing = DRAWERS[chart.kind](chart, width);
    shown.ring = svg("circle", { r: 7, class: "ring", visibility: "hidden" });
    shown.drawing.root.append(shown.ring);
    plot.replaceChildren(shown.drawing.root);
    again();
  }

  redraw();
  new ResizeObserver(redraw).observe(plot);
}

/** Draw all charts that the document describes. */
export function drawAll() {
  const charts = JSON.parse(document.getElementById("charts").textContent);
  for (const plot of document.querySelectorAll("[data-chart]")) draw(plot, charts[plot.dataset.chart]);
}
