// The page of the service: who, what is recommended to them, why, and how that changes.
import { offerChoices } from "./choices.js";
import { bar, element, figure, foreign } from "./elements.js";
import { table } from "./tables.js";

const COUNT = 10;

/** The liked items that are shown until all are asked for. */
const FIRST = 12;
const at = (id) => document.getElementById(id);

/** What the page shows: a user or none, the items they like, and the list before the last change. */
const state = { user: null, liked: [], untouched: true, before: null, all: false, token: "" };
let turn = 0;

class Failure extends Error {}

/** Ask the service; failures carry the reason that it gives. */
async function ask(path, body) {
  const headers = {};
  if (state.token) headers.Authorization = `Bearer ${state.token}`;
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, {
      method: body ? "POST" : "GET",
      headers,
      body: body ? JSON.stringify(body) : undefined,
    });
  } catch {
    throw new Failure("The service does not answer.");
  }
  const answer = await response.json().catch(() => ({ detail: `status ${response.status}` }));
  if (response.status === 401) {
    at("token-form").hidden = false;
    at("token").focus();
  }
  if (!response.ok) throw new Failure(answer.detail);
  return answer;
}

const part = encodeURIComponent;
const nameOf = (item) => item.title || item.item;
const ids = () => state.liked.map((item) => item.item);

/** Do something that asks the service, and say why if it fails. */
async function attempt(work) {
  try {
    await work();
    at("problem").hidden = true;
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    at("problem").textContent = failure.message;
    at("problem").hidden = false;
  }
}

async function showFacts() {
  const model = await ask("model");
  const trained = model.created.slice(0, 10);
  at("facts").textContent =
    `${model.users.toLocaleString("en")} users, ${model.items.toLocaleString("en")} items, ` +
    `trained on ${trained}` +
    (model.version === "unknown" ? "" : ` by PECF ${model.version}`);
}

async function chooseUser(user) {
  const history = await ask(`history/${part(user)}`);
  state.user = user;
  state.liked = history.items;
  state.untouched = true;
  state.before = null;
  state.all = false;
  at("user").value = user;
  await refresh();
}

/** Add or remove an item, and compare the list with the one before. */
async function change(liked) {
  const mine = turn;
  const before =
    state.liked.length === 0 ? null : (await ask("recommend", { history: ids(), count: COUNT })).items;
  if (mine !== turn) return;
  state.before = before;
  state.liked = liked;
  state.untouched = false;
  await refresh();
}

const add = (item) =>
  attempt(async () => {
    if (!ids().includes(item.item)) await change([item, ...state.liked]);
  });

const remove = (item) =>
  attempt(() => change(state.liked.filter((liked) => liked.item !== item.item)));

function clear() {
  Object.assign(state, { user: null, liked: [], untouched: true, before: null, all: false });
  at("user").value = "";
  attempt(refresh);
  at("user").focus();
}

async function refresh() {
  const mine = ++turn;
  at("similar").hidden = true;
  showHistory();
  const known = state.user !== null && state.untouched;
  // Somebody without any item gets what is popular.
  const list = known
    ? await ask(`recommend/${part(state.user)}?count=${COUNT}`)
    : await ask("recommend", { history: ids(), count: COUNT });
  if (mine === turn) showList(list.items, known, list.source === "popular");
}

/** Offer the first user as an example to whoever knows no id. */
async function offerExample() {
  const [first] = (await ask("users?search=&count=1")).users;
  if (first === undefined) return;
  at("example").replaceChildren("For example, user ", foreign(first));
  at("example").onclick = () => attempt(() => chooseUser(first));
  showHistory();
}

function showHistory() {
  const whose = state.user === null ? "Somebody new" : `User ${state.user}`;
  at("history-note").replaceChildren(
    ...(state.liked.length === 0
      ? ["None yet. Choose a user, or add items for somebody new."]
      : [
          foreign(whose),
          `${state.user !== null && !state.untouched ? ", changed" : ""}: ` +
            `${state.liked.length} ${state.liked.length === 1 ? "item" : "items"}. ` +
            "Add or remove one and see how the list changes.",
        ]),
  );
  const nobody = state.liked.length === 0 && state.user === null;
  at("clear").hidden = nobody;
  at("example").hidden = !nobody || at("example").onclick === null;
  const hidden = state.all ? 0 : Math.max(0, state.liked.length - FIRST);
  at("more").hidden = hidden === 0;
  at("more").textContent = `Show ${hidden} more`;
  at("history").replaceChildren(
    ...state.liked.slice(0, state.liked.length - hidden).map((item) =>
      element(
        "li",
        {},
        foreign(nameOf(item), { className: "name" }),
        element(
          "button",
          { type: "button", "aria-label": `Remove ${nameOf(item)}`, on: { click: () => removeAt(item) } },
          "Remove",
        ),
      ),
    ),
  );
}

/** Remove an item and keep the place of whoever works with the keyboard. */
async function removeAt(item) {
  const place = ids().indexOf(item.item);
  await remove(item);
  const buttons = at("history").querySelectorAll("button");
  (buttons[Math.min(place, buttons.length - 1)] || at("item")).focus();
}

/** Describe how the place of an item differs from the list before. */
function changeOf(item, place) {
  if (state.before === null) return { kind: "", text: "" };
  const earlier = state.before.findIndex((one) => one.item === item.item);
  if (earlier < 0) return { kind: "more", text: "new" };
  if (earlier === place) return { kind: "", text: "same" };
  const places = Math.abs(earlier - place);
  return earlier > place ? { kind: "more", text: `▲ up ${places}` } : { kind: "less", text: `▼ down ${places}` };
}

function showList(items, known, popular) {
  const largest = Math.max(...items.map((item) => Math.abs(item.score)), 0);
  at("list").replaceChildren(
    ...items.map((item, place) => {
      const moved = changeOf(item, place);
      const holder = element("li");
      const why = popular
        ? adding(item)
        : element(
            "button",
            {
              type: "button",
              "aria-expanded": "false",
              "aria-label": `Why ${nameOf(item)}?`,
              on: { click: () => attempt(() => toggleWhy(holder, why, item)) },
            },
            "Why?",
          );
      const similar = element(
        "button",
        {
          type: "button",
          "aria-label": `Items similar to ${nameOf(item)}`,
          on: { click: () => attempt(() => showSimilar(item)) },
        },
        "Similar",
      );
      holder.append(
        element(
          "div",
          { className: "row" },
          element("span", { className: "place" }, `${place + 1}`),
          state.before === null ? null : element("span", { className: `change ${moved.kind}` }, moved.text),
          named(item),
          bar(item.score, largest),
          element("span", { className: "actions" }, why, similar),
        ),
      );
      return holder;
    }),
  );
  at("list").className = state.before === null ? "" : "compared";
  showGone(items);
  const fresh = state.before === null ? "" : countChanges(items);
  const user = state.user === null ? null : foreign(state.user);
  const who = popular
    ? ["What most users like, for anybody who is not known yet"]
    : known
      ? ["For user ", user, ", as the model was trained"]
      : user !== null
        ? ["For user ", user, " with the changed items"]
        : ["For somebody new who likes these items"];
  at("summary").replaceChildren(
    ...(items.length === 0
      ? ["Nothing to show yet."]
      : [...who, `: ${items.length} items, ${popular ? "by the number of these users" : "best first"}.${fresh}`]),
  );
}

function countChanges(items) {
  const fresh = items.filter((item) => !state.before.some((one) => one.item === item.item)).length;
  return fresh === 0 ? " The same items as before the change." : ` ${fresh} new since the change.`;
}

function showGone(items) {
  const gone = (state.before || []).filter(
    (one) => !items.some((item) => item.item === one.item) && !ids().includes(one.item),
  );
  at("gone").replaceChildren(
    ...(gone.length === 0 || items.length === 0
      ? []
      : [
          element(
            "p",
            { className: "note" },
            "No longer in the list: ",
            ...gone.flatMap((item, k) => [k === 0 ? "" : ", ", foreign(nameOf(item))]),
            ".",
          ),
        ]),
  );
}

function adding(item) {
  return element(
    "button",
    { type: "button", "aria-label": `Add ${nameOf(item)}`, on: { click: () => add(item) } },
    "Add",
  );
}

function named(item) {
  return element(
    "span",
    { className: "name" },
    foreign(nameOf(item)),
    item.title ? element("span", { className: "id" }, " ", foreign(item.item)) : null,
  );
}

async function toggleWhy(holder, button, item) {
  const shown = holder.querySelector(".why");
  if (shown) {
    shown.remove();
    button.setAttribute("aria-expanded", "false");
    return;
  }
  const parts =
    state.user !== null && state.untouched
      ? await ask(`explain?user=${part(state.user)}&item=${part(item.item)}&count=8`)
      : await ask("explain", { history: ids(), item: item.item, count: 8 });
  if (!holder.isConnected || holder.querySelector(".why")) return;
  holder.append(explanation(parts));
  button.setAttribute("aria-expanded", "true");
}

function explanation(parts) {
  const others = [
    ["other liked items", parts.others],
    ["items that the user does not have", parts.zeros],
    ["undivided rest", parts.rest],
  ].filter(([, share]) => Math.abs(share) > 1e-7);
  const liked = [...parts.liked.map((one) => [foreign(nameOf(one)), one.share]), ...others];
  const largest = Math.max(...liked.map(([, share]) => Math.abs(share)), 0);
  const ofMembers = Math.max(...parts.members.map((one) => Math.abs(one.share)), 0);
  return element(
    "div",
    { className: "why", role: "group", "aria-label": `Why ${nameOf(parts.item)}` },
    element(
      "p",
      { className: "note" },
      `Score ${figure(parts.score)}, rank ${parts.rank} of ${parts.candidates.toLocaleString("en")}. ` +
        "Both tables add up to the score.",
    ),
    element(
      "div",
      { className: "tables" },
      table(
        "Liked items that matter most",
        ["item", "share"],
        liked.map(([name, share]) => [name, bar(share, largest)]),
      ),
      table(
        "Members of the ensemble",
        ["member", "rank alone", "share"],
        parts.members.map((one, index) => [
          `${index + 1}. ${one.filter}`,
          `${one.rank}`,
          bar(one.share, ofMembers),
        ]),
      ),
    ),
  );
}

async function showSimilar(item) {
  const similar = await ask(`similar/${part(item.item)}?count=${COUNT}`);
  const largest = Math.max(...similar.items.map((one) => Math.abs(one.score)), 0);
  at("similar-title").replaceChildren("Similar to ", foreign(nameOf(item)));
  at("similar-list").replaceChildren(
    ...similar.items.map((one, place) =>
      element(
        "li",
        {},
        element(
          "div",
          { className: "row" },
          element("span", { className: "place" }, `${place + 1}`),
          named(one),
          bar(one.score, largest),
          element(
            "span",
            { className: "actions" },
            adding(one),
          ),
        ),
      ),
    ),
  );
  at("similar").hidden = false;
  at("similar").focus();
}

offerChoices(
  at("user"),
  (text) =>
    ask(`users?search=${part(text)}&count=8`)
      .then((found) => found.users.map((user) => ({ key: user, label: user })))
      .catch(() => []),
  (choice) => attempt(() => chooseUser(choice.key)),
);
offerChoices(
  at("item"),
  (text) =>
    text === ""
      ? Promise.resolve([])
      : ask(`items?search=${part(text)}&count=8`)
          .then((found) =>
            found.items.map((item) => ({
              key: item,
              label: nameOf(item),
              detail: item.title ? item.item : "",
            })),
          )
          .catch(() => []),
  (choice) => {
    at("item").value = "";
    add(choice.key);
  },
);
at("clear").addEventListener("click", clear);
at("more").addEventListener("click", () => {
  state.all = true;
  showHistory();
  at("history").querySelectorAll("button")[FIRST].focus();
});
at("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  state.token = at("token").value.trim();
  at("token").value = "";
  at("token-form").hidden = true;
  begin();
});

/** Show the facts, and the user or items that the address names: #user=42 or #item=7&item=8. */
function begin() {
  attempt(async () => {
    await showFacts();
    const named = new URLSearchParams(location.hash.slice(1));
    if (named.has("user")) {
      await chooseUser(named.get("user"));
    } else if (named.has("item")) {
      const wanted = named.getAll("item");
      const found = await Promise.all(wanted.map((id) => ask(`similar/${part(id)}?count=1`)));
      state.liked = found.map((one) => one.item);
      state.untouched = false;
      await refresh();
    } else {
      await refresh();
      await offerExample();
    }
  });
}

addEventListener("hashchange", begin);
begin();
