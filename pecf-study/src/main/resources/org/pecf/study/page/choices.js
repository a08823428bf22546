// Text fields that offer choices.
import { element, foreign } from "./elements.js";

/**
 * Make a text field offer choices: arrows move, Enter takes, Escape closes.
 *
 * @param input the field
 * @param search returns a promise of choices for a text, each {key, label, detail}
 * @param choose told of the choice that is taken
 */
export function offerChoices(input, search, choose) {
  const list = element("ul", { id: `${input.id}-choices`, role: "listbox", hidden: true });
  list.setAttribute("aria-label", input.labels[0].textContent);
  input.after(list);
  input.autocomplete = "off";
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": list.id,
  })) {
    input.setAttribute(name, value);
  }
  let choices = [];
  let active = -1;
  let asked = 0;

  function show(found) {
    choices = found;
    active = -1;
    list.replaceChildren(
      ...found.map((choice, index) =>
        element(
          "li",
          {
            id: `${list.id}-${index}`,
            role: "option",
            "aria-selected": "false",
            on: {
              mousedown: (event) => {
                event.preventDefault();
                take(index);
              },
            },
          },
          foreign(choice.label),
          choice.detail ? element("span", { className: "id" }, " ", foreign(choice.detail)) : null,
        ),
      ),
    );
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    input.removeAttribute("aria-activedescendant");
  }

  function mark(index) {
    active = (index + choices.length) % choices.length;
    [...list.children].forEach((option, at) =>
      option.setAttribute("aria-selected", String(at === active)),
    );
    list.children[active].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", list.children[active].id);
  }

  function take(index) {
    const choice = choices[index];
    asked++;
    show([]);
    choose(choice);
  }

  async function look() {
    const ticket = ++asked;
    const found = await search(input.value.trim());
    if (ticket === asked && document.activeElement === input) show(found);
  }

  input.addEventListener("input", look);
  input.addEventListener("focus", look);
  input.addEventListener("blur", () => {
    asked++;
    show([]);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (choices.length === 0) look();
      else mark(event.key === "ArrowDown" ? active + 1 : active < 0 ? -1 : active - 1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (choices.length > 0) take(Math.max(active, 0));
    } else if (event.key === "Escape") {
      show([]);
    }
  });
}
