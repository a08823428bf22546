// A page whose file is still being written: it loads itself again, and keeps what its reader has opened.
import { element } from "./elements.js";

const EVERY_SECONDS = 5;

/** Read what was kept of the page before; nothing where a browser keeps nothing. */
function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(location.pathname)) ?? {};
  } catch {
    return {};
  }
}

function keep(state) {
  try {
    sessionStorage.setItem(location.pathname, JSON.stringify(state));
  } catch {
    // The page begins at its top again, no more.
  }
}

const details = () => [...document.querySelectorAll("details")];

/** Load the page again every few seconds, unless its reader is within a chart or does not want it. */
export function follow() {
  const state = recall();
  details().forEach((one, at) => (one.open = (state.open ?? []).includes(at)));
  if (state.top) scrollTo(0, state.top);
  const wanted = element("input", { type: "checkbox", checked: state.wanted ?? true });
  const remember = () =>
    keep({ wanted: wanted.checked, top: scrollY, open: details().flatMap((one, at) => (one.open ? [at] : [])) });
  wanted.addEventListener("change", remember);
  document.querySelector("header").append(element("p", {}, element("label", { className: "follow" }, wanted, ` Load this page again every ${EVERY_SECONDS} seconds`)));
  setInterval(() => {
    if (wanted.checked && !document.hidden && !document.activeElement.closest(".plot, .scroll")) {
      remember();
      location.reload();
    }
  }, EVERY_SECONDS * 1000);
}
