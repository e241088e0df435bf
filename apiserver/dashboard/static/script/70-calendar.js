// An article of the calendar is dragged to another day. To drop it opens the form that moves it, with that day: nothing is moved by a hand
// that slips.
/** @type {string | undefined} the address of the form of the article that is dragged */
let moves;
/** @param {DragEvent} event @returns {HTMLElement | null} the day below the pointer, if an article can be moved to it */
const dayBelow = event => moves && event.target instanceof Element ? event.target.closest("[data-day]") : null;
/** @param {HTMLElement | null} day */
const markDay = day => {
  document.querySelector(".drop")?.classList.remove("drop");
  day?.classList.add("drop");
};
document.addEventListener("dragstart", event => {
  const chip = event.target instanceof Element ? event.target.closest("[data-move]") : null;
  moves = chip instanceof HTMLElement ? chip.dataset.move : undefined;
  if (moves) event.dataTransfer?.setData("text/plain", chip?.querySelector("a")?.textContent ?? "");
});
document.addEventListener("dragover", event => {
  const day = dayBelow(event);
  if (day) event.preventDefault();
  markDay(day);
});
document.addEventListener("drop", event => {
  const day = dayBelow(event);
  if (!day || !moves) return;
  event.preventDefault();
  location.assign(`${moves}&day=${day.dataset.day}`);
});
document.addEventListener("dragend", () => {
  moves = undefined;
  markDay(null);
});
