// Shortcuts: letters move the focus or open pages, and never write; nor do several that somebody types by accident. They do nothing in fields, with a modifier, or if they are turned off.
const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("shortcuts"));
let going = false;
// Milliseconds without a key before a letter that leads to a button, and before the Enter that presses it: somebody who types by accident does
// not pause.
const pauses = {letter: 1000, enter: 250};
let lastKey = -Infinity;
/** @type {EventTarget | null} the button that a letter has led to */
let armed = null;

/** @param {Element | null} to */
const focus = to => {
  if (to instanceof HTMLElement) to.focus();
};

/** @param {string} key @param {number} pause since the key before, in milliseconds */
function lead(key, pause) {
  const to = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const button = to?.matches("button") ?? false;
  if (button && pause < pauses.letter) return;
  const form = to?.closest("details.reject");
  if (form instanceof HTMLDetailsElement) form.open = true;
  focus(form?.querySelector("textarea") ?? to);
  if (button) armed = to;
}

const rowLinks = () => [...document.querySelectorAll("[data-row] a[data-open]")];

/** @param {number} step */
function row(step) {
  const rows = rowLinks();
  const at = rows.findIndex(r => r.closest("[data-row]")?.contains(document.activeElement));
  focus(rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + step, 0), rows.length - 1)] ?? null);
}

/** @param {boolean} shiftKey whether the rows between are ticked too */
const tick = shiftKey => document.activeElement?.closest("[data-row]")?.querySelector("input[type=checkbox]")
  ?.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, shiftKey}));

/** @type {Record<string, () => void>} */
const keys = {
  j: () => row(1),
  k: () => row(-1),
  x: () => tick(false),
  X: () => tick(true),
  "/": () => focus(document.querySelector("[data-key='/']")),
  "?": () => dialog?.showModal(),
  g: () => {
    going = true;
  },
};

document.addEventListener("focusout", () => { armed = null; });

document.addEventListener("keydown", event => {
  const target = /** @type {HTMLElement} */ (event.target);
  const pause = event.timeStamp - lastKey;
  lastKey = event.timeStamp;
  if (armed === target) {
    // What is typed by accident goes on with another letter, or with a blank.
    if (event.key.length === 1) target.blur();
    else if (event.key === "Enter" && (pause < pauses.enter || event.repeat)) event.preventDefault();
  }
  if (event.key === "Enter" && event.ctrlKey) {
    target.closest("form")?.requestSubmit();
    return;
  }
  if (!("shortcuts" in document.body.dataset) || event.ctrlKey || event.metaKey || event.altKey || dialog?.open) return;
  if (target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")) return;
  if (going) {
    going = false;
    const link = document.querySelector(`[data-go="${CSS.escape(event.key)}"]`);
    if (link instanceof HTMLElement) link.click();
    return;
  }
  if (event.key === "Enter" && target.matches("body, [tabindex='-1']")) {
    // The list begins at its first row, which is marked while nothing has the focus.
    const first = rowLinks()[0];
    if (first instanceof HTMLElement) first.click();
    return;
  }
  const act = keys[event.key] ?? (/^[a-zA-Z]$/.test(event.key) ? () => lead(event.key, pause) : null);
  if (!act) return;
  event.preventDefault();
  if (event.repeat) return;
  act();
});
