// All rows of the page are ticked at once, and Shift ticks all from the last one on. How many are ticked is said beside the actions.
const all = document.getElementById("all-rows");
const ticked = document.getElementById("ticked");
if (all instanceof HTMLInputElement) {
  const boxes = () => /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("[data-row] input[name=item]")]);
  const matching = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=all]"));
  let last = "";
  const count = () => {
    const n = boxes().filter(box => box.checked).length;
    all.checked = n > 0 && n === boxes().length;
    all.indeterminate = n > 0 && !all.checked;
    if (ticked) ticked.textContent = matching?.checked ? "Selected:" : n > 0 ? `${n} selected:` : "With the selected:";
  };
  all.hidden = false;
  all.addEventListener("change", () => boxes().forEach(box => { box.checked = all.checked; }));
  document.addEventListener("click", event => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || box.name !== "item") return;
    // Live updates replace the boxes, and not what they are about.
    const id = (/** @type {Element} */ b) => b.closest("[data-row]")?.id ?? "";
    const ids = boxes().map(id);
    const [from, to] = [ids.indexOf(last), ids.indexOf(id(box))].sort((a, b) => a - b);
    if (event.shiftKey && from >= 0) boxes().slice(from, to + 1).forEach(b => { b.checked = box.checked; });
    last = id(box);
  });
  document.addEventListener("change", count);
  // A browser that goes back ticks again what was ticked.
  addEventListener("pageshow", count);
}

// How long a text is stands beside what should be.
for (const place of document.querySelectorAll("[data-counts]")) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById(place.getAttribute("data-counts") ?? ""));
  const count = () => {
    place.textContent = ` It has ${[...(field?.value ?? "")].length}.`;
  };
  field?.addEventListener("input", count);
  count();
}

// A reason that was given before is typed by one click. Live updates replace the form.
document.addEventListener("click", event => {
  const button = event.target instanceof Element ? event.target.closest("[data-fill]") : null;
  const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById(button?.getAttribute("data-fill") ?? ""));
  if (!button || !field) return;
  field.value = button.textContent ?? "";
  field.focus();
});
