// Charts as SVG, drawn from data: lines, bars (with a curve over them), heat maps and points. Every mark shows its
// values when the pointer is near it or the arrow keys move to it. All text goes in as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 640;
const HEIGHT = 340;
const MARGIN = { top: 16, right: 56, bottom: 52, left: 64 };
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "12 4", "4 4"];

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Return a number with as many digits as tell something. */
export function figure(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (Number.isInteger(value) && size < 1e7) return value.toLocaleString("en-GB");
  if (size >= 1e7 || size < 1e-4) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
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

/** Powers of ten within a range, at least its ends. */
function powers(low, high) {
  const made = [];
  for (let k = Math.ceil(Math.log10(low)); 10 ** k <= high; k++) made.push(10 ** k);
  return made.length > 1 ? made : [low, high];
}

class Drawing {
  constructor(chart, left = MARGIN.left, bottom = MARGIN.bottom) {
    this.chart = chart;
    this.left = left;
    this.right = WIDTH - MARGIN.right;
    this.top = MARGIN.top;
    this.bottom = HEIGHT - bottom;
    this.root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
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

  axisX(name, values, place, label = figure) {
    for (const value of values) {
      this.line(place(value), this.bottom, place(value), this.bottom + 5, "axis");
      this.text(place(value), this.bottom + 18, label(value), { "text-anchor": "middle" });
    }
    this.line(this.left, this.bottom, this.right, this.bottom, "axis");
    this.text((this.left + this.right) / 2, HEIGHT - 10, name, { "text-anchor": "middle", class: "name" });
  }

  axisY(name, values, place, atRight = false) {
    const x = atRight ? this.right : this.left;
    for (const value of values) {
      if (!atRight) this.line(this.left, place(value), this.right, place(value), "grid");
      this.text(x + (atRight ? 8 : -8), place(value) + 4, figure(value), { "text-anchor": atRight ? "start" : "end" });
    }
    const turn = `rotate(-90 ${atRight ? WIDTH - 10 : 14} ${(this.top + this.bottom) / 2})`;
    this.text(atRight ? WIDTH - 10 : 14, (this.top + this.bottom) / 2, name, { "text-anchor": "middle", transform: turn, class: "name" });
  }

  /** Remember a place that the pointer or the keys can choose. */
  mark(series, x, y, words) {
    this.marks.push({ series, x, y, words });
  }
}

function drawLines(chart) {
  const drawing = new Drawing(chart);
  const points = chart.series.flatMap((series) => series.points);
  const [lowX, highX] = extent(points.map((point) => point[0]));
  const bounds = chart.series.flatMap((series) => series.points.map((point) => point[1]));
  const [lowY, highY] = padded(extent(bounds));
  const x = scale(lowX, highX, drawing.left + 8, drawing.right - 8, chart.logarithmicX);
  const y = chart.logarithmicY
    ? scale(extent(bounds.filter((value) => value > 0))[0], highY, drawing.bottom, drawing.top, true)
    : scale(lowY, highY, drawing.bottom, drawing.top);
  const whole = points.every((point) => Number.isInteger(point[0]));
  const ticksX = chart.logarithmicX ? powers(lowX, highX) : ticks(lowX, highX, 8).filter((value) => !whole || Number.isInteger(value));
  drawing.axisY(chart.yName, chart.logarithmicY ? powers(extent(bounds.filter((value) => value > 0))[0], highY) : ticks(lowY, highY), y);
  drawing.axisX(chart.xName, ticksX, x);
  if (chart.mark !== null && chart.mark !== undefined) {
    drawing.line(x(chart.mark), drawing.top, x(chart.mark), drawing.bottom, "chosen");
    drawing.text(x(chart.mark) + (x(chart.mark) > (drawing.left + drawing.right) / 2 ? -6 : 6), drawing.top + 10, chart.markName, { "text-anchor": x(chart.mark) > (drawing.left + drawing.right) / 2 ? "end" : "start" });
  }
  chart.series.forEach((series, at) => {
    const real = series.points.filter((point) => Number.isFinite(point[1]) && (!chart.logarithmicY || point[1] > 0));
    const path = real.map((point, k) => `${k ? "L" : "M"}${x(point[0]).toFixed(1)} ${y(point[1]).toFixed(1)}`).join("");
    drawing.root.append(svg("path", { d: path, class: `line s${at % 6}`, "stroke-dasharray": DASHES[at % 6] }));
    for (const point of real) {
      if (real.length <= 60) drawing.root.append(svg("circle", { cx: x(point[0]), cy: y(point[1]), r: 3.5, class: `dot s${at % 6}` }));
      drawing.mark(at, x(point[0]), y(point[1]), `${series.name}: ${chart.xName} ${figure(point[0])}, ${chart.yName} ${figure(point[1])}`);
    }
  });
  return drawing;
}

function drawPoints(chart) {
  const drawing = new Drawing(chart);
  const points = chart.series.flatMap((series) => series.points);
  const [lowX, highX] = chart.logarithmicX ? extent(points.map((point) => point[0])) : padded(extent(points.map((point) => point[0])));
  const [lowY, highY] = padded(extent(points.map((point) => point[1])));
  const x = scale(lowX, highX, drawing.left + 10, drawing.right - 10, chart.logarithmicX);
  const y = scale(lowY, highY, drawing.bottom, drawing.top);
  drawing.axisY(chart.yName, ticks(lowY, highY), y);
  drawing.axisX(chart.xName, chart.logarithmicX ? powers(lowX, highX) : ticks(lowX, highX, 8), x);
  chart.series.forEach((series, at) => {
    for (const point of series.points) {
      const shape = at === 0 ? svg("circle", { cx: x(point[0]), cy: y(point[1]), r: 4.5 }) : svg("path", { d: `M${x(point[0])} ${y(point[1]) - 8}l7 13h-14z` });
      shape.setAttribute("class", `dot s${at % 6}`);
      drawing.root.append(shape);
      drawing.mark(at, x(point[0]), y(point[1]), `${series.name}: ${chart.xName} ${figure(point[0])}, ${chart.yName} ${figure(point[1])}`);
    }
  });
  return drawing;
}

function drawBars(chart) {
  const drawing = new Drawing(chart);
  const values = chart.series.flatMap((series) => series.values.concat(series.high ?? []));
  const top = extent(values)[1] * 1.05 || 1;
  const positive = values.filter((value) => value > 0);
  const low = chart.logarithmicY ? 10 ** Math.floor(Math.log10(extent(positive)[0])) : Math.min(0, extent(values)[0] * 1.05);
  const y = scale(low, top, drawing.bottom, drawing.top, chart.logarithmicY);
  drawing.axisY(chart.yName, chart.logarithmicY ? powers(low, top) : ticks(low, top), y);
  const band = (drawing.right - drawing.left) / chart.categories.length;
  const gap = chart.touching ? 0 : band * 0.18;
  const width = (band - gap) / chart.series.length;
  const every = Math.ceil(chart.categories.length / (chart.touching ? 9 : 14));
  const shown = chart.categories.map((_, k) => k).filter((k) => k % every === 0);
  drawing.axisX(chart.xName, shown, (k) => drawing.left + (k + 0.5) * band, (k) => chart.categories[k]);
  chart.series.forEach((series, at) => {
    series.values.forEach((value, k) => {
      const x = drawing.left + k * band + gap / 2 + at * width;
      if (!Number.isFinite(value)) return;
      const shownValue = chart.logarithmicY ? Math.max(value, low) : value;
      const base = y(chart.logarithmicY ? low : 0);
      drawing.root.append(svg("rect", { x, y: Math.min(y(shownValue), base), width: Math.max(1, width - (chart.touching ? 0.5 : 2)), height: Math.abs(base - y(shownValue)), class: `bar s${at % 6}` }));
      let words = `${chart.categories[k]}: ${series.name} ${figure(value)}`;
      if (series.low) {
        const middle = x + width / 2;
        drawing.line(middle, y(series.low[k]), middle, y(series.high[k]), "whisker");
        words += ` (${figure(series.low[k])} to ${figure(series.high[k])})`;
      }
      drawing.mark(at, x + width / 2, y(shownValue), words);
    });
  });
  if (chart.curve) {
    const [lowest, highest] = extent(chart.curve.values);
    const over = scale(Math.min(0, lowest), highest * 1.05, drawing.bottom, drawing.top);
    drawing.axisY(chart.curve.name, ticks(Math.min(0, lowest), highest * 1.05), over, true);
    const path = chart.curve.values.map((value, k) => `${k ? "L" : "M"}${(drawing.left + (k + 0.5) * band).toFixed(1)} ${over(value).toFixed(1)}`).join("");
    drawing.root.append(svg("path", { d: path, class: `line s${chart.series.length % 6}` }));
    chart.curve.values.forEach((value, k) => drawing.mark(chart.series.length, drawing.left + (k + 0.5) * band, over(value), `${chart.categories[k]}: ${chart.curve.name} ${figure(value)}`));
  }
  return drawing;
}

function drawHeat(chart) {
  const drawing = new Drawing(chart, 90, 64);
  const rows = chart.rows.length;
  const columns = chart.columns.length;
  const width = (drawing.right - drawing.left) / columns;
  const height = (drawing.bottom - drawing.top) / rows;
  const shade = scale(chart.low, chart.high, 0, 1);
  const every = Math.ceil(columns / 12);
  chart.columns.forEach((name, k) => k % every || drawing.text(drawing.left + (k + 0.5) * width, drawing.bottom + 16, name, { "text-anchor": "middle" }));
  drawing.text((drawing.left + drawing.right) / 2, HEIGHT - 14, chart.name, { "text-anchor": "middle", class: "name" });
  const everyRow = Math.ceil(rows / 14);
  chart.values.forEach((line, i) => {
    if (i % everyRow === 0) drawing.text(drawing.left - 8, drawing.top + (i + 0.5) * height + 4, chart.rows[i], { "text-anchor": "end" });
    line.forEach((value, j) => {
      const x = drawing.left + j * width;
      const y = drawing.top + i * height;
      const part = Math.min(1, Math.max(0, shade(value)));
      const cell = svg("rect", { x, y, width: width - 1, height: height - 1, class: "cell" });
      cell.style.setProperty("--part", `${(100 * part).toFixed(0)}%`);
      drawing.root.append(cell);
      if (width > 34 && height > 16) drawing.text(x + width / 2, y + height / 2 + 4, figure(Number(value.toFixed(2))), { "text-anchor": "middle", class: part > 0.5 ? "on-full" : "on-empty" });
      drawing.mark(i, x + width / 2, y + height / 2, `${chart.rows[i]} and ${chart.columns[j]}: ${figure(value)}`);
    });
  });
  return drawing;
}

const DRAWERS = { lines: drawLines, points: drawPoints, bars: drawBars, heat: drawHeat };

/** Let the pointer and the arrow keys choose marks, whose values are shown and read out. */
function choose(plot, drawing) {
  const ring = svg("circle", { r: 7, class: "ring", visibility: "hidden" });
  drawing.root.append(ring);
  const readout = document.createElement("p");
  readout.className = "readout";
  readout.setAttribute("role", "status");
  readout.textContent = "\u00a0";
  plot.after(readout);
  let at = -1;

  function show(index) {
    at = index;
    const mark = drawing.marks[index];
    readout.textContent = mark ? mark.words : "\u00a0";
    ring.setAttribute("visibility", mark ? "visible" : "hidden");
    if (mark) {
      ring.setAttribute("cx", mark.x);
      ring.setAttribute("cy", mark.y);
    }
  }

  /** Return the nearest mark of another series, or the same if there is none. */
  function beside(direction) {
    const now = drawing.marks[Math.max(at, 0)];
    const wanted = drawing.marks.map((mark) => mark.series).filter((series) => Math.sign(series - now.series) === direction);
    if (!wanted.length) return at;
    const series = direction > 0 ? Math.min(...wanted) : Math.max(...wanted);
    let best = at;
    drawing.marks.forEach((mark, index) => {
      if (mark.series === series && (best === at || Math.abs(mark.x - now.x) < Math.abs(drawing.marks[best].x - now.x))) best = index;
    });
    return best;
  }

  plot.addEventListener("pointermove", (event) => {
    const box = drawing.root.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
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
    const last = drawing.marks.length - 1;
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
}

function legend(chart) {
  const names = (chart.series ?? []).map((series) => series.name).concat(chart.curve ? [chart.curve.name] : []);
  const list = document.createElement("ul");
  list.className = "legend";
  if (names.length < 2) return list;
  names.forEach((name, at) => {
    const entry = document.createElement("li");
    const key = svg("svg", { viewBox: "0 0 28 12", width: 28, height: 12, "aria-hidden": "true" });
    key.append(chart.kind === "bars" && at < chart.series.length ? svg("rect", { x: 4, y: 1, width: 20, height: 10, class: `bar s${at % 6}` }) : svg("path", { d: "M0 6H28", class: `line s${at % 6}`, "stroke-dasharray": chart.kind === "lines" ? DASHES[at % 6] : "" }));
    entry.append(key, ` ${name}`);
    list.append(entry);
  });
  return list;
}

/** Draw a chart into an element, which may be focused. */
export function draw(plot, chart) {
  const drawing = DRAWERS[chart.kind](chart);
  plot.replaceChildren(drawing.root);
  plot.before(legend(chart));
  plot.tabIndex = 0;
  plot.setAttribute("role", "application");
  plot.setAttribute("aria-label", `${chart.title}. Arrow keys move through the values; the table below has all of them.`);
  choose(plot, drawing);
}

/** Draw all charts that the document describes. */
export function drawAll() {
  const charts = JSON.parse(document.getElementById("charts").textContent);
  for (const plot of document.querySelectorAll("[data-chart]")) draw(plot, charts[plot.dataset.chart]);
}
