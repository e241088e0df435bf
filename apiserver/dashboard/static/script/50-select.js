// All rows of the page are ticked at once.
const all = document.getElementById("all-rows");
if (all instanceof HTMLInputElement) {
  const boxes = () => /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-row] input[name=item]"));
  all.hidden = false;
  all.addEventListener("change", () => boxes().forEach(box => {
    box.checked = all.checked;
  }));
  document.addEventListener("change", () => {
    const ticked = [...boxes()].filter(box => box.checked).length;
    all.checked = ticked > 0 && ticked === boxes().length;
    all.indeterminate = ticked > 0 && !all.checked;
  });
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
